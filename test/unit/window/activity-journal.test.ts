import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import {
  createGrouping,
  createJournal,
  mostEntries,
  readAgainAfterMs,
  type Journal,
} from '../../../renderer/window/activity/journal.ts';

function item(sequence: number): ActivityItem {
  return {
    sequence,
    atMs: sequence,
    operation: 'Lock',
    method: 'POST',
    path: '/wopi/files/a',
    status: 200,
    durationMs: 1,
    fileId: 'a',
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
  const timers: { ms: number; run: () => void }[] = [];
  const host = {
    last,
    reads: 0,
    problem: undefined as Error | undefined,
    /** If set, responses wait for it. */
    gate: undefined as Promise<void> | undefined,
  };
  const journal = createJournal({
    watch: async (isWatching) => watched.push(isWatching),
    list: async () => {
      host.reads += 1;
      const answer = { items: items(Math.max(1, host.last - mostEntries + 1), host.last) };
      await host.gate;
      if (host.problem !== undefined) throw host.problem;
      return answer;
    },
    after: (ms, run) => {
      const timer = { ms, run };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  const push = (from: number, to: number, dropped = 0) => {
    host.last = to;
    journal.take({ items: items(from, to), dropped });
  };
  return { journal, host, watched, timers, push };
}

const shown = (journal: Journal) => {
  const { entries = [] } = journal.snapshot();
  return [entries.at(0)?.sequence, entries.at(-1)?.sequence, entries.length];
};

describe('the window’s journal', () => {
  it('watches before it reads, and keeps an entry only once when both have it', async () => {
    const { journal, host, watched, push } = lab(5);
    let open = () => undefined as void;
    host.gate = new Promise((resolve) => {
      open = resolve;
    });
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

  it('keeps at most the last 10,000 entries', async () => {
    const { journal, push } = lab(10_000);
    journal.open();
    await flush();
    push(10_001, 10_500);
    assert.deepEqual(shown(journal), [501, 10_500, mostEntries]);
  });

  it('reads everything again when a push dropped entries, but not once per push', async () => {
    const { journal, host, timers, push } = lab(10);
    journal.open();
    await flush();
    push(21, 30, 10);
    push(41, 50, 10);
    assert.deepEqual(
      timers.map(({ ms }) => ms),
      [readAgainAfterMs],
    );
    assert.equal(host.reads, 1);
    timers.pop()?.run();
    await flush();
    assert.deepEqual([host.reads, ...shown(journal)], [2, 1, 50, 50]);
  });

  it('also notices a gap in the sequence numbers', async () => {
    const { journal, timers, push } = lab(10);
    journal.open();
    await flush();
    push(11, 12);
    assert.equal(timers.length, 0);
    push(14, 15);
    assert.equal(timers.length, 1);
  });

  it('shows no new entries while paused, counts them, and shows them when resumed', async () => {
    const { journal, push } = lab(10);
    journal.open();
    await flush();
    journal.pause();
    const before = journal.snapshot().entries;
    push(11, 30);
    push(41, 60, 10);
    assert.deepEqual([journal.snapshot().isPaused, journal.snapshot().waiting], [true, 50]);
    assert.equal(journal.snapshot().entries, before);
    await journal.resume();
    assert.deepEqual([journal.snapshot().isPaused, journal.snapshot().waiting], [false, 0]);
    assert.deepEqual(shown(journal), [1, 60, 60]);
  });

  it('misses no entry that arrives while it resumes', async () => {
    const { journal, host, timers, push } = lab(10);
    journal.open();
    await flush();
    journal.pause();
    push(11, 20);
    let open = () => undefined as void;
    host.gate = new Promise((resolve) => {
      open = resolve;
    });
    const going = journal.resume();
    await flush();
    push(21, 25);
    open();
    await going;
    assert.deepEqual([...shown(journal), timers.length], [1, 25, 25, 0]);
  });

  it('stays paused when the new entries can’t be read', async () => {
    const { journal, host, push } = lab(10);
    journal.open();
    await flush();
    journal.pause();
    push(11, 20);
    host.problem = new Error('away');
    await assert.rejects(journal.resume(), /away/u);
    push(21, 22);
    assert.deepEqual([journal.snapshot().isPaused, journal.snapshot().waiting], [true, 12]);
    assert.deepEqual(shown(journal), [1, 10, 10]);
  });

  it('shows no cleared entries, even when an earlier read finishes after the clear', async () => {
    const { journal, host, push } = lab(10);
    journal.open();
    await flush();
    let open = () => undefined as void;
    host.gate = new Promise((resolve) => {
      open = resolve;
    });
    const reading = journal.read();
    journal.clear();
    open();
    await reading;
    assert.equal(journal.snapshot().entries?.length, 0);
    push(11, 12);
    assert.deepEqual(shown(journal), [11, 12, 2]);
  });

  it('reports why it is empty until a read succeeds', async () => {
    const { journal, host } = lab(10);
    host.problem = new Error('away');
    journal.open();
    await flush();
    assert.equal((journal.snapshot().problem as Error).message, 'away');
    host.problem = undefined;
    await journal.read();
    assert.equal(journal.snapshot().problem, undefined);
    assert.deepEqual(shown(journal), [1, 10, 10]);
  });
});

it('groups the requests of the page that opened a document with the session, unless they are older than a minute', () => {
  const entryOf = (sequence: number, atMs: number, sessionId: string | null) => ({
    ...item(sequence),
    atMs,
    id: String(sequence),
    fileId: 'file1',
    user: 'ana',
    sessionId,
  });
  const entries = [
    entryOf(1, 1000, null),
    entryOf(2, 200_000, null),
    entryOf(3, 203_000, 'session1'),
    entryOf(4, 400_000, null),
    entryOf(5, 500_000, 'session2'),
  ];
  const groupsOf = (shown: typeof entries) =>
    createGrouping()(shown).map((group) => group.entries.map(({ id }) => id).toReversed());
  assert.deepEqual(groupsOf(entries), [['1', '4'], ['2', '3'], ['5']]);
});
