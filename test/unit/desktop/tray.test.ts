// The tray: what it shows in states that test/e2e doesn't reach, when its icon is created, commands that fail, and the detection of a panel.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import {
  createTray,
  createTrayActions,
  isTraySupported,
  trayImagePath,
  trayModel,
} from '../../../app/desktop/tray.ts';
import type { TrayDeps, TrayItem, TrayModel } from '../../../app/desktop/tray.ts';
import {
  conflict,
  lock,
  noonMs,
  quietLog,
  recovered,
  settled,
  staleLock,
  stateOf,
  type StateChoice,
} from './desktop-fixture.ts';

const minuteMs = 60_000;
const modelOf = (choice: StateChoice): TrayModel => trayModel(stateOf(choice), noonMs);
const labels = (items: readonly TrayItem[]): string[] => items.map(({ label }) => label ?? '-');
const paused = (minutes: number): StateChoice => ({
  host: { status: 'paused', pausedUntilMs: noonMs + minutes * minuteMs },
});
const failed = (message: string): StateChoice => ({
  host: { status: 'error', problem: { code: 'port-taken', message } },
});
const needsRestart = { host: { needsListenerRestart: true } };
const oneStale = [lock('a.odt'), staleLock('b.odt')];
const copies = { recovered: [recovered('a.odt')], conflicts: [conflict('a'), conflict('b')] };
const expired = { code: 'certificate-expired', message: 'The certificate expired.' };
const brokenTls: StateChoice = {
  host: {
    tls: { mode: 'files', names: [], validUntilMs: noonMs, problem: expired, authorityFingerprint: null },
  },
};
const withoutFolder = { status: 'idle', folder: null, folderName: null } as const;

const states: [status: string, icon: string, choice: StateChoice, attention?: string][] = [
  ['Serving R&&D', 'serving', { host: { folderName: 'R&D' } }],
  ['Serving Documents · 1 file open', 'attention', { locks: oneStale }, ' · 1 lock needs attention'],
  ['Serving Documents', 'attention', copies, ' · 1 recovered save · 2 conflict copies'],
  ['Serving Documents', 'attention', needsRestart, ' · the connection must be restarted'],
  ['Serving Documents', 'error', brokenTls, ' · HTTPS has a problem'],
  ['Paused until 14:30', 'paused', paused(150)],
  ['Paused until tomorrow, 09:00', 'paused', paused(21 * 60)],
  ['Resuming…', 'paused', paused(-24 * 60)],
  [
    'Paused until resumed · 1 file open',
    'paused',
    { host: { status: 'paused' }, locks: oneStale },
    ' · 1 lock needs attention',
  ],
  ['No folder chosen yet', 'attention', { host: withoutFolder }],
  ['Not serving: The folder is missing.', 'error', failed('The folder is missing. Connect its drive.')],
  ['Not serving', 'error', { host: { status: 'error', problem: null } }],
  ['Starting…', 'paused', { host: { status: 'starting' } }],
  ['Stopping…', 'paused', { host: { status: 'stopping' } }],
];

for (const [status, icon, choice, attention = ''] of states) {
  test(`the tray shows: ${status}${attention}`, () => {
    const model = modelOf(choice);
    assert.equal(model.icon, icon);
    assert.deepEqual(model.menu[0], { label: status, enabled: false });
    assert.ok(model.tooltip.startsWith(`DocTray: ${status.replace('&&', '&')}${attention}`), model.tooltip);
  });
}

test('disables items that have no effect in the current state', () => {
  const disabled = (choice: StateChoice): string =>
    labels(modelOf(choice).menu.filter(({ enabled }) => enabled === false))
      .slice(1)
      .join();
  const withoutAddress = { host: { ...withoutFolder, baseUrl: null, publicUrl: null } };
  assert.equal(disabled(withoutAddress), 'Open a document…,Open folder,Recent,Pause');
  const missing = { status: 'error', problem: { code: 'folder-missing', message: 'Long.' } } as const;
  assert.ok(disabled({ host: missing }).includes('Open folder'), 'there is nothing to open');
  assert.equal(disabled({ recent: ['a'], locks: [staleLock('a')] }), '');
});

test('lists up to five documents being edited, the latest first, without those with a stale lock', () => {
  const locks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) =>
    lock(`${name}.odt`, { takenAtMs: noonMs + index, isSaved: name !== 'e' }),
  );
  const { menu } = modelOf({ locks: [...locks, staleLock('z.odt')] });
  const shown = labels(menu).slice(1, 8).join(', ');
  assert.equal(shown, 'g.odt, f.odt, e.odt · not saved, d.odt, c.odt, 2 more, -');
  assert.deepEqual(menu[1]?.action, { do: 'open-document', path: 'g.odt' });
  assert.deepEqual(menu[6]?.action, { do: 'show', view: 'locks' });
});

test('has a tooltip that Windows shows, and valid labels, whatever the names are', () => {
  const name = `R&D\n\u202e${'a'.repeat(3000)}\ud800`;
  const recent = Array.from({ length: 20 }, (_, index) => `${index}/${name}`);
  const locks = [lock(name), staleLock(`b${name}`)];
  const host = { folderName: name };
  const { tooltip, menu } = modelOf({ host, locks, recovered: [recovered(name)], recent });
  assert.ok(tooltip.length <= 127 && tooltip.isWellFormed());
  const submenus = menu.flatMap(({ submenu }) => (submenu === undefined ? [] : [submenu]));
  for (const submenu of submenus) assert.ok(submenu.length <= 10);
  for (const label of labels([...menu, ...submenus.flat()])) {
    assert.ok(label.length > 0 && label.length < 2500 && label.isWellFormed());
    assert.doesNotMatch(label.replaceAll('&&', ''), /[&\p{Cc}\u202a-\u202e]/u);
  }
});

test('macOS gets template images, Linux larger ones', () => {
  assert.equal(trayImagePath('/tray', 'darwin', 'serving'), join('/tray', 'servingTemplate.png'));
  assert.equal(trayImagePath('/tray', 'linux', 'serving'), join('/tray', 'serving-22.png'));
  assert.equal(trayImagePath('/tray', 'win32', 'error'), join('/tray', 'error.png'));
});

function bench(t: TestContext) {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const self = { state: stateOf(), hasPanel: true, isRefused: false };
  const done: string[] = [];
  class FakeTray {
    constructor() {
      if (self.isRefused) throw new Error('no tray');
      done.push('created');
    }
    setImage = () => done.push('image');
    setToolTip = () => done.push('tooltip');
    setContextMenu = () => done.push('menu');
    destroy = () => done.push('destroyed');
    on = () => this;
  }
  const tray = createTray({
    electron: {
      Tray: FakeTray,
      Menu: { buildFromTemplate: () => ({}) },
      nativeImage: { createFromPath: () => ({}) },
    } as unknown as TrayDeps['electron'],
    platform: 'linux',
    imageFolder: '/app/tray',
    isSupported: () => Promise.resolve(self.hasPanel),
    state: () => self.state,
    quitProgress: () => undefined,
    clock: () => noonMs,
    act: () => undefined,
    log: quietLog(),
    onVisible: () => void done.push('visible'),
  });
  t.after(() => tray.close());
  const tick = async (ms: number): Promise<void> => {
    t.mock.timers.tick(ms);
    await settled();
  };
  return { self, tray, done, tick };
}

const shown = ['created', 'image', 'tooltip', 'menu'];

test('sets only what changed, since a menu that is open would close; isn’t visible if the desktop rejects it', async (t) => {
  const { self, tray, done } = bench(t);
  await tray.start();
  assert.deepEqual(done.splice(0), [...shown, 'visible']);
  self.state = { ...stateOf(), jobs: [] };
  tray.refresh();
  assert.deepEqual(done, []);
  self.state = stateOf({ recent: ['a.odt'] });
  tray.refresh();
  assert.deepEqual(done, ['menu']);

  const rejected = bench(t);
  rejected.self.isRefused = true;
  await rejected.tray.start();
  rejected.tray.refresh();
  assert.deepEqual([rejected.tray.isVisible(), rejected.done], [false, []]);
});

test('creates a new icon when a panel appears later, and stops checking after a while', async (t) => {
  const { self, tray, done, tick } = bench(t);
  self.hasPanel = false;
  await tray.start();
  await tick(10_000);
  assert.equal(tray.isVisible(), false);
  self.hasPanel = true;
  await tick(10_000);
  assert.equal(tray.isVisible(), true);
  assert.deepEqual(done, [...shown, 'destroyed', ...shown, 'visible']);

  const late = bench(t);
  late.self.hasPanel = false;
  await late.tray.start();
  for (let minute = 0; minute < 20; minute += 1) await late.tick(60_000);
  late.self.hasPanel = true;
  await late.tick(3_600_000);
  assert.equal(late.tray.isVisible(), false);
});

/** What the tray's user is told after an action whose command fails, or clears or restores a lock only partly. */
async function told(
  action: Parameters<ReturnType<typeof createTrayActions>>[0],
  outcome: Error | { done?: object[]; failed: object[]; undoUntilMs?: number },
): Promise<unknown[]> {
  const shown: unknown[] = [];
  createTrayActions({
    run: async (command, args) => {
      // A lock whose editor has reconnected since the notification is kept.
      assert.equal((args as { onlyStale?: boolean }).onlyStale === true, command === 'locks.forceClear');
      if (outcome instanceof Error) throw outcome;
      return { done: [], ...outcome };
    },
    show: () => undefined,
    openDocument: () => undefined,
    quit: () => undefined,
    showError: (error) => void shown.push(error instanceof AppError ? error.code : error.message),
    onCleared: ({ path }, undoUntilMs) => void shown.push(`${path} cleared, undo until ${undoUntilMs}`),
    log: quietLog(),
  })(action);
  await settled();
  return shown;
}

test('says why a command of the tray or of a notification failed, since the window may be hidden', async () => {
  assert.deepEqual(await told({ do: 'open-folder' }, new AppError('folder-missing')), ['folder-missing']);
  assert.deepEqual(await told({ do: 'resume' }, new Error('/home/ana is gone')), ['internal']);
  const clear = { do: 'force-clear', lockId: 'a' } as const;
  const gone = { path: 'x/a.odt', message: 'Not locked.', code: 'file-not-locked' };
  assert.deepEqual(await told(clear, { failed: [{ path: 'a.odt', message: 'In use.' }] }), ['In use.']);
  assert.deepEqual(await told(clear, { failed: [gone] }), [
    'The lock on a.odt was already released or cleared.',
  ]);
  assert.deepEqual(await told(clear, { done: [{ id: 'a', path: 'a.odt' }], failed: [], undoUntilMs: 9 }), [
    'a.odt cleared, undo until 9',
  ]);
  const undo = { do: 'undo-force-clear', lockId: 'a' } as const;
  assert.deepEqual(await told(undo, { failed: [{ path: 'a.odt', message: 'Too late.' }] }), ['Too late.']);
});

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' };

test('there is a tray on Windows, on macOS, and on Linux if a panel is registered at the session bus', async () => {
  // `answer` of gdbus; undefined: it isn't installed
  for (const [expected, platform, env, answer] of [
    [true, 'win32', {}, undefined],
    [true, 'darwin', {}, undefined],
    [true, 'linux', bus, '(<true>,)\n'],
    [true, 'linux', { XDG_RUNTIME_DIR: '/run/user/7' }, '(<true>,)\n'],
    [false, 'linux', bus, '(<false>,)\n'],
    [false, 'linux', bus, new Error('timed out')],
    [true, 'linux', { ...bus, XDG_CURRENT_DESKTOP: 'KDE' }, undefined],
    [true, 'linux', { ...bus, XDG_CURRENT_DESKTOP: 'X-Cinnamon' }, undefined],
    [false, 'linux', { ...bus, XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' }, undefined],
    [false, 'linux', bus, undefined],
    [true, 'linux', { DOCTRAY_TRAY: 'on' }, new Error('not asked')],
    [false, 'win32', { DOCTRAY_TRAY: 'off' }, undefined],
    [true, 'win32', { DOCTRAY_TRAY: 'perhaps' }, undefined],
  ] as [boolean, NodeJS.Platform, NodeJS.ProcessEnv, string | Error | undefined][]) {
    const found = await isTraySupported(platform, env, async (_file, _args, { env: asked }) => {
      assert.match(asked['DBUS_SESSION_BUS_ADDRESS'] ?? '', /^unix:path=\/run\/(?:bus|user\/7\/bus)$/u);
      if (answer instanceof Error) throw answer;
      return answer;
    });
    assert.equal(found, expected, `${platform} ${JSON.stringify(env)} ${String(answer)}`);
  }
});
