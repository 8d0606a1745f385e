import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { createGrouping, resultWords, type Group } from '../../../renderer/window/activity/groups.ts';
import { createJournal, mostEntries, type Journal } from '../../../renderer/window/activity/journal.ts';

function item(sequence: number): ActivityItem {
  return {
    sequence,
    atMs: sequence,
    operation: 'Lock',
    method: 'POST',
    path: '/wopi/files/a',
    status: 200,
    code: null,
    durationMs: 1,
    fileId: 'a',
    isVersion: false,
    documentPath: null,
    user: null,
    sessionId: null,
    lock: null,
    correlationId: '',
    address: '',
    bytesIn: 0,
    bytesOut: 0,
  };
}

const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => item(from + index));
const flush = async () => new Promise((resolve) => setImmediate(resolve));

/** A host whose journal has the 10,000 entries up to `last`. */
function lab(last: number) {
  const watched: boolean[] = [];
  const host = {
    last,
    reads: 0,
    /** If set, responses wait for it. */
    gate: undefined as Promise<void> | undefined,
  };
  const journal = createJournal({
    watch: async (isWatching) => watched.push(isWatching),
    list: async () => {
      host.reads += 1;
      const answer = { items: items(Math.max(1, host.last - mostEntries + 1), host.last) };
      await host.gate;
      return answer;
    },
    after: () => () => undefined,
  });
  const push = (from: number, to: number, dropped = 0) => {
    host.last = to;
    journal.take({ items: items(from, to), dropped });
  };
  return { journal, host, watched, push };
}

const shown = (journal: Journal) => {
  const { entries = [] } = journal.snapshot();
  return [entries.at(0)?.sequence, entries.at(-1)?.sequence, entries.length];
};

describe('the window’s journal', () => {
  it('watches before it reads, and keeps an entry only once when both have it', async () => {
    const { journal, host, watched, push } = lab(5);
    const { promise, resolve: open } = Promise.withResolvers<void>();
    host.gate = promise;
    journal.open();
    assert.deepEqual([watched, host.reads], [[true], 1]);
    push(4, 7);
    assert.equal(journal.snapshot().entries, undefined);
    open();
    await flush();
    assert.deepEqual(shown(journal), [1, 7, 7]);
    journal.close();
    assert.deepEqual(watched, [true, false]);
  });

  it('shows no cleared entries, even when an earlier read finishes after the clear', async () => {
    const { journal, host, push } = lab(10);
    journal.open();
    await flush();
    const { promise, resolve: open } = Promise.withResolvers<void>();
    host.gate = promise;
    const reading = journal.read();
    journal.clear();
    open();
    await reading;
    assert.equal(journal.snapshot().entries?.length, 0);
    push(11, 12);
    assert.deepEqual(shown(journal), [11, 12, 2]);
  });
});

describe('the groups of requests', () => {
  const minute = 60_000;
  const entryOf = (sequence: number, minutes: number, over: Partial<ActivityItem> = {}) => ({
    ...item(sequence),
    id: String(sequence),
    atMs: minutes * minute,
    user: 'ana',
    ...over,
  });
  const idsOf = (groups: readonly Group[]) =>
    groups.map(({ entries }) => entries.map(({ id }) => id).toReversed());

  it('are by document and user, whatever the session, and end when the user does nothing for half an hour', () => {
    const entries = [
      entryOf(1, 0),
      entryOf(2, 1, { sessionId: 'first' }),
      entryOf(3, 2, { user: 'ben' }),
      entryOf(4, 3, { isVersion: true }),
      entryOf(5, 30, { sessionId: 'second' }),
      entryOf(6, 61, { sessionId: 'second' }),
    ];
    const groups = createGrouping()(entries);
    assert.deepEqual(idsOf(groups), [['1', '2', '5'], ['6'], ['3'], ['4']]);
    assert.equal(groups[0]?.sessionId, 'second');
  });

  it('keep their id while old requests go and new ones come, and when some are hidden', () => {
    const group = createGrouping();
    const entries = Array.from({ length: 6 }, (_, index) =>
      entryOf(index + 1, index, { operation: index % 2 === 0 ? 'Lock' : 'PutFile' }),
    );
    const [first] = group(entries.slice(0, 4));
    assert.equal(group(entries.slice(0, 4))[0], first, 'an unchanged group is the same object');
    const [later] = group(entries.slice(2));
    assert.equal(later?.id, first?.id);
    const saves = group(entries.slice(2), ({ operation }) => operation === 'PutFile');
    assert.deepEqual([saves[0]?.id, ...idsOf(saves)], [first?.id, ['4', '6']]);
  });

  it('say what came of them: an error first, and whether the text was saved later', () => {
    const words = (...entries: ReturnType<typeof entryOf>[]) => {
      const [group] = createGrouping()(entries);
      assert.ok(group);
      const { error, done, rest } = resultWords(group);
      return [error, done, rest].filter((text) => text !== undefined).join(', ');
    };
    const save = (sequence: number, status = 200) =>
      entryOf(sequence, sequence, { operation: 'PutFile', status });
    const lock = (sequence: number, status = 200) => entryOf(sequence, sequence, { status });
    const read = entryOf(1, 1, { operation: 'GetFile' });
    const other = (operation: string, over: Partial<ActivityItem> = {}) =>
      entryOf(2, 2, { operation, ...over });
    const failed = { status: 401 };
    for (const [shown, ...entries] of [
      ['Opened, 2 requests', read, lock(2)],
      ['Saved 3 times, 4 requests', read, save(2), save(3), save(4)],
      ['Saved once', save(1)],
      ['Opened', read],
      ['Lock', lock(1)],
      ['Renamed', other('RenameFile')],
      ['Save failed, Conflict, 3 requests', save(1), save(2, 409), lock(3)],
      ['Save failed, Saved later', save(1, 500), save(2)],
      // the text is only in the copy
      ['Save failed, 2 requests', save(1, 500), other('PutRelativeFile')],
      ['2 failed, 2 requests', save(1, 500), lock(2, 500)],
      ['Save failed, Conflict', save(1, 409)],
      ['Lock refused', lock(1, 409)],
      ['2 requests', lock(1, 409), lock(2)],
      ['Session ended', other('CheckFileInfo', { ...failed, code: 'session-over' })],
      ['Opening failed, Not authorized', other('CheckFileInfo', failed)],
      ['Sign-in required', other('HostPage', failed)],
    ] as const)
      assert.equal(words(...entries), shown);
  });
});
