import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostStatus } from '../../../app/contract/host-status.ts';
import { trayModel } from '../../../app/desktop/tray.ts';
import { lock, noonMs, recovered, staleLock, stateOf, type StateChoice } from '../desktop/desktop-fixture.ts';

const cases: { name: string; choice: StateChoice; mark: string; attention: number; short: string }[] = [
  { name: 'quiet', choice: {}, mark: 'serving', attention: 0, short: 'Serving' },
  { name: 'editing', choice: { locks: [lock('a.odt')] }, mark: 'editing', attention: 0, short: 'Serving' },
  {
    name: 'editing, with a stale lock and a recovered save',
    choice: { locks: [lock('a.odt'), staleLock('b.odt')], recovered: [recovered('c.odt')] },
    mark: 'attention',
    attention: 2,
    short: '2 need attention',
  },
  {
    name: 'paused with a stale lock',
    choice: { host: { status: 'paused' }, locks: [staleLock('b.odt')] },
    mark: 'paused',
    attention: 1,
    short: 'Paused',
  },
  {
    name: 'without a folder',
    choice: { host: { status: 'idle', folder: null, folderName: null } },
    mark: 'attention',
    attention: 0,
    short: 'No folder yet',
  },
  {
    name: 'failed',
    choice: { host: { status: 'error', problem: { code: 'port-taken', message: 'Taken.' } } },
    mark: 'error',
    attention: 1,
    short: 'Not serving',
  },
];

for (const { name, choice, mark, attention, short } of cases) {
  test(`the state of a host that is ${name}: one mark for window and tray`, () => {
    const state = stateOf(choice);
    const status = hostStatus(state);
    assert.deepEqual(
      { mark: status.mark, attention: status.attention, short: status.short },
      { mark, attention, short },
    );
    assert.equal(trayModel(state, noonMs).icon, status.mark);
  });
}
