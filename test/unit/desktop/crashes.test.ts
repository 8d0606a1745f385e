import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchFailures } from '../../../app/desktop/crashes.ts';
import { settled } from './desktop-fixture.ts';

function bench(isRestarted = false) {
  const listeners = new Map<string, (error: unknown) => void>();
  const done: string[] = [];
  const failures = watchFailures({
    process: {
      on(event: string, listener: (error: unknown) => void) {
        listeners.set(event, listener);
        return this;
      },
    } as unknown as NodeJS.Process,
    app: {
      isPackaged: true,
      exit: (code) => void done.push(`exit ${code}`),
      relaunch: (how) => void done.push(`restart ${how?.args?.join(' ')}`),
    },
    dialog: { showErrorBox: (title, text) => void done.push(`${title}: ${text}`) },
    restart: (isHidden) => ({ args: isHidden ? ['--hidden'] : ['--visible'] }),
    isRestarted,
    log: { error: () => void done.push('logged'), flush: () => undefined },
  });
  const fail = (event: 'uncaughtException' | 'unhandledRejection') =>
    listeners.get(event)?.(new Error('/home/ana/secret'));
  return { failures, done, fail };
}

test('stops the host, then restarts an installed app, hidden if its window was hidden', async () => {
  const { failures, done, fail } = bench();
  failures.endWith({
    stop: async () => {
      await settled();
      done.push('stopped');
    },
    isWindowVisible: () => false,
  });
  fail('unhandledRejection');
  fail('uncaughtException');
  await settled();
  await settled();
  assert.deepEqual(done, ['logged', 'logged', 'stopped', 'restart --hidden', 'exit 1']);
});

test('restarts only once, and then explains without the error’s text', async () => {
  const { done, fail } = bench(true);
  fail('uncaughtException');
  await settled();
  assert.match(
    done.join('\n'),
    /^logged\nDocTray closed because of an error: Everything that was .*\nexit 1$/,
  );
  assert.doesNotMatch(done.join(), /ana/);
});

test('exits even if the host can’t be stopped, or doesn’t stop in 10 s', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const failing = bench();
  failing.failures.endWith({ stop: () => Promise.reject(new Error('no')), isWindowVisible: () => true });
  failing.fail('uncaughtException');
  await settled();
  assert.deepEqual(failing.done, ['logged', 'logged', 'exit 1']);
  const hanging = bench();
  hanging.failures.endWith({ stop: () => new Promise(() => undefined), isWindowVisible: () => true });
  hanging.fail('uncaughtException');
  t.mock.timers.tick(9999);
  await settled();
  assert.deepEqual(hanging.done, ['logged']);
  t.mock.timers.tick(1);
  await settled();
  assert.deepEqual(hanging.done, ['logged', 'restart --visible', 'exit 1']);
});
