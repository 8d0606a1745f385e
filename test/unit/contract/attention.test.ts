import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attentionCounts, attentionItems, attentionTitle } from '../../../app/contract/attention.ts';
import type { AttentionSource } from '../../../app/contract/attention.ts';
import type { EditorItem } from '../../../app/contract/editors.ts';
import type { LockItem, TlsState } from '../../../app/contract/state.ts';

const quiet: AttentionSource = {
  host: { status: 'serving', problem: null, isDiskLow: false, needsListenerRestart: false, tls: null },
  locks: [],
  recovered: [],
  conflicts: [],
  editors: [],
};
const lock = (path: string, state: LockItem['state'], refreshedAtMs: number): LockItem =>
  ({ id: path, path, state, refreshedAtMs }) as LockItem;
const editor = (name: string, isAway: boolean): EditorItem =>
  ({ id: name, name, problem: isAway ? { sentence: 'No answer.' } : null, lastTest: null }) as EditorItem;

test('lists problems before items that wait for the user, and stale locks oldest first', () => {
  const items = attentionItems({
    host: {
      status: 'serving',
      problem: { code: 'port-taken', message: 'The port is already in use.' },
      isDiskLow: true,
      needsListenerRestart: true,
      tls: { problem: { code: 'certificate-invalid', message: 'It expired.' } } as TlsState,
    },
    locks: [lock('in/b.txt', 'stale', 2), lock('held.txt', 'held', 0), lock('a.txt', 'stale', 1)],
    recovered: [
      { id: 'r', path: 'in/Budget.xlsx', size: 1, reason: 'full', receivedAtMs: 0, isUnreadable: false },
    ],
    conflicts: [{ id: 'c', path: 'c.txt', copy: 'c', madeAtMs: 0 }],
    editors: [editor('Office', true), editor('Text editor', false)],
  });
  assert.deepEqual(
    items.map((item) => attentionTitle(item)),
    [
      'The port is already in use.',
      'Office can’t be reached',
      'Restart the connection to use a changed setting',
      'HTTPS has a problem',
      'Low disk space',
      'Budget.xlsx wasn’t saved',
      'Two programs changed c.txt',
      'a.txt has a stale lock',
      'b.txt has a stale lock',
    ],
  );
  assert.deepEqual(attentionCounts(items), [
    '2 locks need attention',
    '1 recovered save',
    '1 conflict copy',
    '1 editor needs attention',
    'HTTPS has a problem',
    'Low disk space',
    'the connection must be restarted',
  ]);
});

test('lists nothing while all is well, and a missing folder or a connection to restart only if no problem explains it', () => {
  const problem = { code: 'port-taken', message: 'The port is already in use.' };
  for (const [change, kinds] of [
    [{}, []],
    [{ status: 'idle' }, ['folder']],
    [{ status: 'idle', problem }, ['problem']],
    [{ status: 'error', problem, needsListenerRestart: true }, ['problem']],
  ] as const) {
    const items = attentionItems({ ...quiet, host: { ...quiet.host, ...change } });
    assert.equal(items.map(({ kind }) => kind).join(), kinds.join());
  }
});
