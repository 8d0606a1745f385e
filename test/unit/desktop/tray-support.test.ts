import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTraySupport, type RunTool } from '../../../app/desktop/tray-support.ts';

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' };

/** Answers by tool and question; an answer that is not there means that the tool is not installed. */
function toolBox(answers: Record<string, string | Error>): {
  run: RunTool;
  calls: string[];
  buses: unknown[];
} {
  const calls: string[] = [];
  const buses: unknown[] = [];
  return {
    calls,
    buses,
    async run(file, args, { env }) {
      const question = args.some((arg) => arg.includes('NameHasOwner')) ? 'owner' : 'panel';
      calls.push(`${file} ${question}`);
      buses.push(env['DBUS_SESSION_BUS_ADDRESS']);
      const answer = answers[`${file} ${question}`];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

async function look(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
  answers: Record<string, string | Error> = {},
): Promise<{ found: boolean; calls: string[]; buses: unknown[] }> {
  const box = toolBox(answers);
  const found = await createTraySupport({ platform, env, run: box.run }).look();
  return { found, ...box };
}

test('Windows and macOS have a tray', async () => {
  assert.deepEqual((await look('win32', {})).found, true);
  assert.deepEqual((await look('darwin', {})).found, true);
});

test('on Linux there is a tray when a panel is registered', async () => {
  const { found, calls } = await look('linux', bus, {
    'gdbus owner': '(true,)\n',
    'gdbus panel': '(<true>,)\n',
  });
  assert.equal(found, true);
  assert.deepEqual(calls, ['gdbus owner', 'gdbus panel']);
});

test('a watcher without a panel shows nothing', async () => {
  const { found } = await look('linux', bus, { 'gdbus owner': '(true,)', 'gdbus panel': '(<false>,)' });
  assert.equal(found, false);
});

test('nobody is started by asking: without a watcher the second question is not asked', async () => {
  const { found, calls } = await look('linux', bus, { 'gdbus owner': '(false,)\n' });
  assert.equal(found, false);
  assert.deepEqual(calls, ['gdbus owner']);
});

test('dbus-send is asked where there is no gdbus', async () => {
  const { found } = await look('linux', bus, {
    'dbus-send owner': 'method return time=1\n   boolean true\n',
    'dbus-send panel': 'method return time=1\n   variant       boolean true\n',
  });
  assert.equal(found, true);
});

test('without either tool the name of the desktop decides', async () => {
  const named = async (name: string): Promise<boolean> =>
    (await look('linux', { ...bus, XDG_CURRENT_DESKTOP: name })).found;
  assert.equal(await named('KDE'), true);
  assert.equal(await named('X-Cinnamon'), true);
  assert.equal(await named('ubuntu:GNOME'), false);
  assert.equal(await named(''), false);
});

test('a bus that does not answer means that there is no tray', async () => {
  const { found } = await look('linux', bus, { 'gdbus owner': new Error('timed out') });
  assert.equal(found, false);
});

test('the bus of the session is found by its usual place, and none is ever started', async () => {
  const found = await look('linux', { XDG_RUNTIME_DIR: '/run/user/7' }, { 'gdbus owner': '(false,)' });
  assert.deepEqual(found.buses, ['unix:path=/run/user/7/bus']);
  assert.deepEqual((await look('linux', {})).calls, []);
});

test('DOCTRAY_TRAY overrules what is found', async () => {
  assert.equal((await look('linux', { DOCTRAY_TRAY: 'on' })).found, true);
  assert.equal((await look('win32', { DOCTRAY_TRAY: 'off' })).found, false);
  assert.equal((await look('win32', { DOCTRAY_TRAY: 'perhaps' })).found, true);
});

test('the tools of this machine are asked within bounds, also for a bus that is not there', async () => {
  const env = { ...process.env, DOCTRAY_TRAY: undefined, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
  const support = createTraySupport({ platform: 'linux', env: { ...env, XDG_CURRENT_DESKTOP: 'GNOME' } });
  assert.equal(await support.look(), false);
});
