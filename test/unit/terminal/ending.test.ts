import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** Runs in a process of its own, which `steps` end. */
function endedBy(steps: string): number | null {
  const ending = JSON.stringify(new URL('../../../app/terminal/ending.ts', import.meta.url).href);
  const script = `
    const { createEnding } = await import(${ending});
    const { setTimeout: pause } = await import('node:timers/promises');
    const signal = async () => { process.kill(process.pid, 'SIGINT'); await pause(50); };
    const log = { error() {}, flush() {} };
    const ending = createEnding({ stdout: process.stdout, log, isNpmScript: false });
    void ending.stopWhenRequested({ stop: () => new Promise(() => {}), closeDatabase() {} });
    ${steps}
    await pause(50);
    process.exit(77);`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script]).status;
}

test(
  'a signal ends a stop at once that no signal requested, or a second signal, but not one that npm has forwarded',
  { skip: process.platform === 'win32' },
  () => {
    assert.equal(endedBy('ending.request(); await signal();'), 130);
    assert.equal(endedBy('await signal(); await pause(400); await signal();'), 130);
    assert.equal(endedBy('await signal(); await signal();'), 77);
  },
);
