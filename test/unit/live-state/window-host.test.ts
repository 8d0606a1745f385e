import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commands } from '../../../app/commands/commands.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { Pushes } from '../../../app/contract/pushes.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { startHost } from '../../../app/terminal/start-host.ts';
import type { WindowHost } from '../../../app/live-state/window-host.ts';
import { openWindow, until, windowPlace, type WindowPlace } from './window-fixture.ts';

let place: WindowPlace;
let host: WindowHost;
let seen: WindowState;
let activity: Pushes['activity-added'][];

before(async () => {
  place = await windowPlace({ isStarted: false });
  host = place.window;
  seen = host.state();
  activity = [];
  host.onPush((name, push) => {
    if (name === 'state-changed') seen = { ...seen, ...push };
    if (name === 'activity-added') activity.push(push);
  });
});
after(async () => {
  await place.close();
});

test('the state follows the host, also before its start', async () => {
  assert.equal(host.state().host.status, 'starting');
  const started = place.keeper.start();
  await until(() => seen.host.status === 'starting');
  await started;
  await until(() => seen.host.status === 'serving');
  assert.equal(seen.host.folder, place.folder);
  assert.deepEqual(await host.run('state.get', {}), host.state());
});

test('diagnostics names checks and the host’s state, but no folder', async () => {
  const { text } = (await host.run('app.diagnostics', {})) as { text: string };
  assert.match(text, /^DocTray \d\S* on \w+ \w+\nNode \S+, SQLite \S+\nHost: serving, /);
  assert.match(text, /^ {2}ok {5}port: DocTray listens at http:\/\/127\.0\.0\.1:\d+\.$/m);
  assert.ok(!text.includes(place.folder), text);
});

test('rejects an unknown command, also with a property name of Object', async () => {
  for (const name of ['locks.clearAll', '', 'toString', '__proto__', 'constructor', 'hasOwnProperty']) {
    await assert.rejects(host.run(name, {}), { code: 'not-found' }, name);
  }
});

test('rejects invalid arguments with the name of the field', async () => {
  const refusal = async (name: string, args: unknown, pattern: RegExp): Promise<void> => {
    await assert.rejects(host.run(name, args), (error) => {
      assert.ok(error instanceof AppError, String(error));
      assert.equal(error.code, 'invalid-argument');
      assert.match(error.message, pattern);
      return true;
    });
  };
  await refusal('host.pause', { minutes: 'soon' }, /minutes: /);
  await refusal('locks.forceClear', { ids: ['a', 7] }, /ids\.1: /);
  await refusal('locks.forceClear', { ids: [] }, /ids: /);
  await refusal('state.get', { more: 1 }, /more/);
  await refusal('state.get', undefined, /./);
  await refusal('users.setPassword', { login: 'owner', password: 7 }, /password: /);
});

test('logs an unexpected error of a command, and returns it without its text', async (t) => {
  const logged: object[] = [];
  const { window, run } = openWindow({
    ...place,
    desktop: {
      ...place.desktop,
      copyText() {
        throw new Error('/home/ana/secret');
      },
    },
    log: { ...place.log, error: (fields) => logged.push(fields) },
  });
  t.after(() => window.close());
  await assert.rejects(run('app.copyText', { text: 'x' }), (error) => {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'internal');
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  assert.equal(logged.length, 1);
});

test('shows, force-clears, restores and logs a lock through commands', async () => {
  await host.run('activity.watch', { isWatching: true });
  const opened = await place.run('documents.open', { path: 'a.docx', mode: 'edit' });
  const access = { fileId: opened.fileId, token: opened.accessToken };
  await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'lock' });
  await until(() => seen.locks.length === 1 && seen.sessions.length === 1);
  const ids = [opened.fileId];
  await place.run('locks.forceClear', { ids });
  await until(() => seen.locks.length === 0);
  await host.run('locks.undoForceClear', { ids });
  await until(() => seen.locks.length === 1);
  const operations = (): string[] => activity.flatMap(({ items }) => items.map(({ operation }) => operation));
  await until(() => operations().includes('UndoForceClear'));
  assert.deepEqual(operations(), ['Lock', 'ForceClear', 'UndoForceClear']);
  const { items } = await place.run('activity.list', {});
  assert.deepEqual(
    items.map(({ operation }) => operation),
    operations(),
  );
  await host.run('activity.clear', {});
  assert.deepEqual(await host.run('activity.list', {}), { items: [] });
});

test('settings.set and app.finishFirstRun update the state', async () => {
  await host.run('settings.set', { key: 'appearance', value: 'dark' });
  await until(() => seen.settings.appearance === 'dark');
  await host.run('app.finishFirstRun', {});
  await until(() => !seen.app.isFirstRun);
});

test('a setting changed while the host starts isn’t lost to the host, which has read the settings', async (t) => {
  const { promise: mayReturn, resolve: returnNow } = Promise.withResolvers<void>();
  const { promise: hasRead, resolve: reportRead } = Promise.withResolvers<void>();
  const slow = await windowPlace({
    isStarted: false,
    options: {
      async startHost(options) {
        const running = await startHost(options);
        reportRead();
        await mayReturn;
        return running;
      },
    },
  });
  t.after(() => {
    returnNow();
    return slow.close();
  });
  const started = slow.keeper.start();
  await hasRead;
  const changed = slow.run('app.finishFirstRun', {});
  await changed;
  returnNow();
  await started;
  await until(() => !slow.window.state().app.isFirstRun);
  await until(() => slow.keeper.host()?.services.settings.current().windowFirstRunDone === true);
});

test('navigate notifies listeners until they stop, also if another one throws', (t) => {
  const pushes: unknown[] = [];
  t.after(
    host.onPush(() => {
      throw new Error('gone');
    }),
  );
  const stop = host.onPush((...push) => pushes.push(push));
  host.navigate({ view: 'locks' });
  stop();
  host.navigate({ view: 'tokens' });
  assert.deepEqual(pushes, [['navigate', { view: 'locks' }]]);
});

test('no push, and no result except that of documents.open, contains a token or the owner’s password', async () => {
  const received: unknown[] = [];
  host.onPush((...push) => received.push(push));
  await host.run('activity.watch', { isWatching: true });
  const opened = await place.run('documents.open', { path: 'b.docx', mode: 'edit' });
  await place.wopi({ fileId: opened.fileId, token: opened.accessToken }, 'LOCK', { 'X-WOPI-Lock': 'lock' });
  await until(() => seen.locks.some(({ id }) => id === opened.fileId));
  const harmless = [
    'state.get',
    'activity.list',
    'documents.templates',
    'versions.usage',
    'host.copyOwnerPassword',
  ];
  for (const name of harmless) received.push(await host.run(name, {}));
  received.push(await host.run('versions.list', { path: 'b.docx' }));
  received.push(await host.run('locks.forceClear', { ids: [opened.fileId] }));
  received.push(await host.run('sessions.end', { ids: seen.sessions.map(({ id }) => id) }));
  await until(() => seen.sessions.length === 0);
  const text = JSON.stringify(received);
  assert.ok(text.includes('b.docx'));
  assert.ok(!text.includes(opened.accessToken));
  assert.ok(!text.includes(place.host().generatedOwnerPassword ?? 'unknown'));
});

test('every window command succeeds or fails as expected, and terminal-only ones are unknown', async () => {
  place.desktop.nextFolder = undefined;
  const samples: Record<string, unknown> = {
    'host.pause': { minutes: 1 },
    'app.setStartsAtLogin': { isOn: false },
    'app.copyText': { text: 'x' },
    'app.saveText': { suggestedName: 'x', text: 'x', kind: 'csv' },
    'app.openHelp': { page: 'start' },
  };
  for (const [name, { from }] of Object.entries(commands)) {
    try {
      await host.run(name, samples[name] ?? {});
      assert.notEqual(from, 'terminal', name);
    } catch (error) {
      assert.ok(error instanceof AppError, name);
      assert.notEqual(error.code, 'internal', name);
      assert.equal(error.code === 'not-found', from === 'terminal', name);
    }
  }
  await host.run('host.resume', {});
});

test('lists what happened also after the host has stopped', async (t) => {
  const stopped = await windowPlace();
  t.after(() => stopped.close());
  await stopped.wopi(await stopped.access('a.docx'), 'LOCK', { 'X-WOPI-Lock': 'lock' });
  const { journal } = stopped.host().services;
  // Its path isn't in memory.
  journal.add({ ...journal.newest(1)[0]!, fileId: 'unknown' });
  await stopped.keeper.stop();
  const { items } = await stopped.run('activity.list', {});
  assert.deepEqual(
    items.map(({ operation }) => operation),
    ['Lock', 'Lock'],
  );
});
