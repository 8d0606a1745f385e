import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewNames } from '../../../app/contract/pushes.ts';
import { trayModel, type TrayItem, type TrayModel } from '../../../app/desktop/tray.ts';
import {
  conflict,
  lock,
  noonMs,
  recovered,
  staleLock,
  stateOf,
  type StateChoice,
} from './desktop-fixture.ts';
import { fc } from '../../random.ts';

const minuteMs = 60_000;

function modelOf(choice: StateChoice, finishing?: { saves: number }): TrayModel {
  return trayModel(stateOf(choice), noonMs, finishing);
}

function labels(items: readonly TrayItem[]): string[] {
  return items.map(({ label }) => label ?? '-');
}

function find(model: TrayModel, start: string): TrayItem {
  const item = model.menu.find(({ label }) => label?.startsWith(start) === true);
  assert.ok(item?.action !== undefined || item?.submenu !== undefined, `no ${start}`);
  return item;
}

const states: { name: string; choice: StateChoice; icon: string; status: string; tooltip?: string }[] = [
  { name: 'serving, nothing open', choice: {}, icon: 'serving', status: 'Serving Documents' },
  {
    name: 'one file open',
    choice: { locks: [lock('a.odt')] },
    icon: 'editing',
    status: 'Serving Documents · 1 file open',
  },
  {
    name: 'two files open',
    choice: { locks: [lock('a.odt'), lock('b.odt')] },
    icon: 'editing',
    status: 'Serving Documents · 2 files open',
  },
  {
    name: 'a stale lock beside an open file',
    choice: { locks: [lock('a.odt'), staleLock('b.odt')] },
    icon: 'attention',
    status: 'Serving Documents · 1 file open',
    tooltip: 'DocTray: Serving Documents · 1 file open · 1 lock needs attention',
  },
  {
    name: 'a recovered save and two conflict copies',
    choice: { recovered: [recovered('a.odt')], conflicts: [conflict('a'), conflict('b')] },
    icon: 'attention',
    status: 'Serving Documents',
    tooltip: 'DocTray: Serving Documents · 1 recovered save · 2 conflict copies',
  },
  {
    name: 'a port that must be reopened',
    choice: { host: { needsListenerRestart: true } },
    icon: 'attention',
    status: 'Serving Documents',
    tooltip: 'DocTray: Serving Documents · the port must be reopened',
  },
  {
    name: 'paused for a while',
    choice: { host: { status: 'paused', pausedUntilMs: noonMs + 150 * minuteMs } },
    icon: 'paused',
    status: 'Paused until 14:30',
  },
  {
    name: 'paused into the next day',
    choice: { host: { status: 'paused', pausedUntilMs: noonMs + 21 * 60 * minuteMs } },
    icon: 'paused',
    status: 'Paused until tomorrow, 09:00',
  },
  {
    name: 'paused until a time in the past',
    choice: { host: { status: 'paused', pausedUntilMs: noonMs - 24 * 60 * minuteMs } },
    icon: 'paused',
    status: 'Resuming…',
  },
  {
    name: 'paused until resumed, with a file open',
    choice: { host: { status: 'paused' }, locks: [lock('a.odt')] },
    icon: 'paused',
    status: 'Paused until resumed · 1 file open',
  },
  {
    name: 'paused with a stale lock',
    choice: { host: { status: 'paused' }, locks: [staleLock('a.odt')] },
    icon: 'paused',
    status: 'Paused until resumed',
  },
  {
    name: 'no folder',
    choice: { host: { status: 'idle', folder: null, folderName: null } },
    icon: 'attention',
    status: 'No folder chosen yet',
  },
  {
    name: 'the drive was unplugged',
    choice: {
      host: {
        status: 'error',
        problem: { code: 'folder-missing', message: 'The folder is missing. Connect its drive.' },
      },
    },
    icon: 'error',
    status: 'Not serving: The folder is missing.',
  },
  {
    name: 'an error, with a stale lock',
    choice: {
      host: { status: 'error', problem: { code: 'port-taken', message: 'Port 8790 is in use.' } },
      locks: [staleLock('a')],
    },
    icon: 'error',
    status: 'Not serving: Port 8790 is in use.',
  },
  {
    name: 'an error without a problem',
    choice: { host: { status: 'error', problem: null } },
    icon: 'error',
    status: 'Not serving',
  },
  { name: 'starting', choice: { host: { status: 'starting' } }, icon: 'paused', status: 'Starting…' },
  { name: 'stopping', choice: { host: { status: 'stopping' } }, icon: 'paused', status: 'Stopping…' },
];

for (const { name, choice, icon, status, tooltip } of states) {
  test(`the tray shows: ${name}`, () => {
    const model = modelOf(choice);
    assert.equal(model.icon, icon);
    assert.deepEqual(model.menu[0], { label: status, enabled: false });
    assert.equal(model.tooltip, tooltip ?? model.tooltip);
    assert.ok(model.tooltip.startsWith(`DocTray: ${status}`));
  });
}

test('the menu has its items in a fixed order', () => {
  assert.deepEqual(labels(modelOf({ recent: ['a.odt'] }).menu), [
    'Serving Documents',
    '-',
    'Open DocTray',
    'Open a document…',
    'Open folder',
    'Recent',
    '-',
    'Pause',
    'Needs attention (0)',
    'Settings',
    '-',
    'Quit',
  ]);
});

test('disables items that have no effect in the current state', () => {
  const idle = modelOf({
    host: { status: 'idle', folder: null, folderName: null, baseUrl: null, publicUrl: null },
  });
  for (const start of ['Open a document', 'Open folder', 'Recent', 'Pause']) {
    assert.equal(find(idle, start).enabled, false, start);
  }
  for (const start of ['Open DocTray', 'Settings', 'Quit'])
    assert.equal(find(idle, start).enabled, true, start);
  const missing = modelOf({
    host: { status: 'error', problem: { code: 'folder-missing', message: 'Long.' } },
  });
  assert.equal(find(missing, 'Open folder').enabled, false, 'there is nothing to open');
  const serving = modelOf({ recent: ['a'], locks: [staleLock('a')] });
  for (const start of ['Open a document', 'Open folder', 'Recent', 'Pause', 'Needs attention']) {
    assert.equal(find(serving, start).enabled, true, start);
  }
});

test('Pause offers three durations, and is Resume while paused', () => {
  const pause = find(modelOf({}), 'Pause');
  assert.deepEqual(labels(pause.submenu ?? []), ['For 5 minutes', 'For 30 minutes', 'Until resumed']);
  assert.deepEqual(
    pause.submenu?.map(({ action }) => action),
    [
      { do: 'pause', minutes: 5 },
      { do: 'pause', minutes: 30 },
      { do: 'pause', minutes: null },
    ],
  );
  const resume = find(modelOf({ host: { status: 'paused' } }), 'Resume');
  assert.deepEqual(resume.action, { do: 'resume' });
});

test('counts everything that needs attention, and leads to the overview', () => {
  const model = modelOf({
    locks: [lock('a'), staleLock('b'), staleLock('c')],
    recovered: [recovered('d.odt')],
  });
  const item = find(model, 'Needs attention');
  assert.equal(item.label, 'Needs attention (3)');
  const idle = find(modelOf({ host: { status: 'idle', folder: null, folderName: null } }), 'Needs attention');
  assert.deepEqual(
    [idle.label, idle.enabled],
    ['Needs attention (1)', true],
    'the folder, as the icon shows',
  );
  assert.deepEqual(item.action, { do: 'show', view: 'overview' });
});

test('lists up to five documents being edited, the latest first, without those with a stale lock', () => {
  const locks = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => ({
    ...lock(`${name}.odt`),
    takenAtMs: noonMs + index,
  }));
  const unsaved = modelOf({ locks: [{ ...locks[0]!, isSaved: false }] });
  assert.equal(labels(unsaved.menu)[1], 'a.odt · not saved');
  const one = modelOf({ locks: [locks[0]!, staleLock('z.odt')] });
  assert.deepEqual(labels(one.menu).slice(0, 3), ['Serving Documents · 1 file open', 'a.odt', '-']);
  const opens = one.menu[1];
  assert.deepEqual(opens?.action, { do: 'open-document', path: 'a.odt' });
  const many = modelOf({ locks });
  assert.deepEqual(labels(many.menu).slice(1, 8), [
    'g.odt',
    'f.odt',
    'e.odt',
    'd.odt',
    'c.odt',
    '2 more',
    '-',
  ]);
  const more = many.menu[6];
  assert.deepEqual(more?.action, { do: 'show', view: 'locks' });
});

test('Quit names up to three open documents, without those with a stale lock', () => {
  const paths = ['x/Budget.xlsx', 'Letter.docx', 'Notes.odt', 'Plan.pptx', 'R&D.odt'];
  const quit = (count: number): string =>
    find(modelOf({ locks: [...paths.slice(0, count).map((path) => lock(path)), staleLock('z')] }), 'Quit')
      .label ?? '';
  assert.equal(quit(0), 'Quit');
  assert.equal(quit(1), 'Quit (Budget.xlsx still open)');
  assert.equal(quit(3), 'Quit (Budget.xlsx, Letter.docx and Notes.odt still open)');
  assert.equal(quit(5), 'Quit (Budget.xlsx, Letter.docx, Notes.odt and 2 more still open)');
});

test('labels recent documents with the file name, and with the folder if two have the same name', () => {
  const recent = find(
    modelOf({ recent: ['2025/Budget.xlsx', 'Q&A.odt', '2026/Budget.xlsx', 'Letter.docx'] }),
    'Recent',
  );
  assert.deepEqual(labels(recent.submenu ?? []), [
    'Budget.xlsx – 2025',
    'Q&&A.odt',
    'Budget.xlsx – 2026',
    'Letter.docx',
  ]);
  const [first] = recent.submenu ?? [];
  assert.deepEqual(first?.action, { do: 'open-document', path: '2025/Budget.xlsx' });
});

test('escapes ampersands in the menu but not in the tooltip', () => {
  const model = modelOf({ host: { folderName: 'R&D' } });
  assert.deepEqual(model.menu[0], { label: 'Serving R&&D', enabled: false });
  assert.equal(model.tooltip, 'DocTray: Serving R&D');
});

test('limits the tooltip to the length that Windows shows', () => {
  const model = modelOf({
    host: { folderName: '🙂'.repeat(40), needsListenerRestart: true },
    locks: [lock('a'), staleLock('b')],
    recovered: [recovered('a')],
    conflicts: [conflict('a')],
  });
  assert.ok(model.tooltip.length <= 127 && model.tooltip.endsWith('…'), model.tooltip);
  assert.ok(model.tooltip.isWellFormed());
});

test('shows the number of pending saves while the app is quitting', () => {
  const stopping = { host: { status: 'stopping' as const } };
  assert.equal(labels(modelOf(stopping, { saves: 1 }).menu)[0], 'Finishing 1 save…');
  assert.equal(labels(modelOf(stopping, { saves: 3 }).menu)[0], 'Finishing 3 saves…');
  assert.equal(labels(modelOf(stopping, { saves: 0 }).menu)[0], 'Stopping…');
  assert.equal(find(modelOf(stopping, { saves: 1 }), 'Quit').enabled, true);
});

const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('a', '&', '/', '\u202e', '\n', '\ud800', 'א', '\u0301', '👩‍👩‍👧‍👦') }),
);
const moment = fc.integer({ min: -8.64e15, max: 8.64e15 });
const anyState = fc
  .record({
    host: fc.record({
      status: fc.constantFrom('starting', 'idle', 'serving', 'paused', 'error', 'stopping'),
      problem: fc.option(fc.record({ code: name, message: name })),
      folder: fc.option(name),
      folderName: fc.option(name),
      baseUrl: fc.option(name),
      publicUrl: fc.option(name),
      pausedUntilMs: fc.option(moment),
    }),
    locks: fc.array(fc.record({ path: name, isStale: fc.boolean() }), { maxLength: 8 }),
    recovered: fc.array(name, { maxLength: 3 }),
    conflicts: fc.array(name, { maxLength: 3 }),
    recent: fc.array(name, { maxLength: 20 }),
  })
  .map(({ host, locks, recovered: saves, conflicts, recent }) =>
    stateOf({
      host,
      recent,
      locks: locks.map(({ path, isStale }) => (isStale ? staleLock(path) : lock(path))),
      recovered: saves.map((path) => recovered(path)),
      conflicts: conflicts.map((path) => conflict(path)),
    }),
  );

const actions = [
  'open-window',
  'open-folder',
  'quick-open',
  'pause',
  'resume',
  'show',
  'quit',
  'open-document',
];

test('has a known icon and valid labels and actions in any state', () => {
  const check = (items: readonly TrayItem[], depth: number): void => {
    for (const { type, label = '', submenu, action } of items) {
      if (type === 'separator') continue;
      assert.ok(label.length > 0 && label.length < 2500, String(label.length));
      assert.ok(label.isWellFormed());
      assert.doesNotMatch(label, /[\p{Cc}\u202a-\u202e]/u);
      assert.doesNotMatch(label.replaceAll('&&', ''), /&/u);
      if (submenu !== undefined) {
        assert.ok(depth === 0 && submenu.length <= 10);
        check(submenu, depth + 1);
      }
      if (action === undefined) continue;
      assert.ok(actions.includes(action.do));
      if (action.do === 'show') assert.ok(viewNames.includes(action.view));
    }
  };
  fc.assert(
    fc.property(anyState, moment, fc.option(fc.nat(5), { nil: undefined }), (state, nowMs, saves) => {
      const model = trayModel(state, nowMs, saves === undefined ? undefined : { saves });
      assert.ok(['serving', 'editing', 'attention', 'paused', 'error'].includes(model.icon));
      assert.ok(model.tooltip.length <= 127 && model.tooltip.isWellFormed());
      assert.equal(find(model, 'Quit').enabled, true);
      check(model.menu, 0);
    }),
  );
});
