import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Host } from '../../../app/host/running-host.ts';
import type { Pushes } from '../../../app/contract/pushes.ts';
import { createJournal, type Journal, type JournalEntry } from '../../../app/log/journal.ts';
import { createActivityFeed, type ActivityFeed } from '../../../app/live-state/activity-feed.ts';
import { fakeKeeper, type FakeKeeper } from './fake-keeper.ts';

let keeper: FakeKeeper;
let journal: Journal | undefined;
let pushes: Pushes['activity-added'][];
let feed: ActivityFeed;
const documents = new Map([['letter', { path: 'Letters/letter.odt' }]]);

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
  pushes = [];
  journal = createJournal({ capacity: 10_000 });
  const host = (): Host | undefined =>
    journal === undefined
      ? undefined
      : ({
          services: {
            journal,
            filesTable: { shownPath: (id: string) => documents.get(id)?.path },
            store: { db: { open: true } },
          },
        } as unknown as Host);
  keeper = { ...fakeKeeper('/data'), host };
  feed = createActivityFeed({ keeper, push: (added) => pushes.push(added) });
});
afterEach(() => {
  feed.close();
  mock.timers.reset();
});

function addRequests(count = 1, over: Partial<JournalEntry> = {}): void {
  for (let index = 0; index < count; index += 1) {
    journal?.add({
      atMs: 1,
      operation: 'GetFile',
      method: 'GET',
      path: '/wopi/files/x/contents',
      status: 200,
      durationMs: 1,
      correlationId: 'c',
      address: '127.0.0.1',
      bytesIn: 0,
      bytesOut: 1,
      ...over,
    });
  }
}

const sequences = (): number[] => pushes.flatMap(({ items }) => items.map(({ sequence }) => sequence));

test('lists all entries oldest first, numbered without gaps', () => {
  addRequests(3);
  assert.deepEqual(
    feed.list().map(({ sequence }) => sequence),
    [1, 2, 3],
  );
  assert.deepEqual(feed.list()[0], {
    sequence: 1,
    atMs: 1,
    operation: 'GetFile',
    method: 'GET',
    path: '/wopi/files/x/contents',
    status: 200,
    code: null,
    durationMs: 1,
    fileId: null,
    isVersion: false,
    documentPath: null,
    user: null,
    sessionId: null,
    lock: null,
    correlationId: 'c',
    address: '127.0.0.1',
    bytesIn: 0,
    bytesOut: 1,
  });
});

test('names the document of an entry by its current path, and what an action was about once that is gone', () => {
  addRequests(1, { fileId: 'letter' });
  addRequests(1, { fileId: 'gone' });
  addRequests(1, { fileId: 'gone', method: '', path: 'old.odt' });
  assert.deepEqual(
    feed.list().map(({ documentPath }) => documentPath),
    ['Letters/letter.odt', null, 'old.odt'],
  );
});

test('pushes entries only while they are watched', () => {
  addRequests();
  mock.timers.tick(200);
  feed.watch(true);
  mock.timers.tick(200);
  assert.deepEqual(pushes, []);
  addRequests();
  mock.timers.tick(0);
  assert.deepEqual(sequences(), [2]);
  feed.watch(false);
  addRequests();
  mock.timers.tick(200);
  assert.deepEqual(sequences(), [2]);
});

test('batches entries into at most ten pushes a second, each entry once', () => {
  feed.watch(true);
  for (let ms = 0; ms < 1000; ms += 1) {
    addRequests(2);
    mock.timers.tick(1);
  }
  assert.ok(pushes.length <= 10, `${pushes.length} pushes`);
  mock.timers.tick(200);
  assert.deepEqual(
    sequences(),
    Array.from({ length: 2000 }, (_, index) => index + 1),
  );
});

test('pushes at most the newest 500 entries, and counts the dropped ones', () => {
  feed.watch(true);
  addRequests(1200);
  mock.timers.tick(0);
  assert.equal(pushes.length, 1);
  assert.equal(pushes[0]?.dropped, 700);
  assert.equal(pushes[0]?.items.length, 500);
  assert.equal(pushes[0]?.items.at(-1)?.sequence, 1200);
});

test('truncates a long lock', () => {
  addRequests(1, { lock: 'x'.repeat(2000) });
  assert.equal(feed.list()[0]?.lock, `${'x'.repeat(40)}…`);
});

test('clearing drops all entries and continues the numbering', () => {
  feed.watch(true);
  addRequests(5);
  journal?.clear();
  mock.timers.tick(200);
  assert.deepEqual([feed.list(), pushes], [[], []]);
  addRequests();
  mock.timers.tick(200);
  assert.deepEqual(sequences(), [6]);
});

test('continues the numbering with the journal of the next host', () => {
  feed.watch(true);
  addRequests(3);
  mock.timers.tick(200);
  journal = undefined;
  keeper.emit({ event: 'host-changed' });
  journal = createJournal({ capacity: 10 });
  addRequests();
  keeper.emit({ event: 'host-changed' });
  addRequests();
  mock.timers.tick(200);
  assert.deepEqual(sequences(), [1, 2, 3, 4, 5]);
  assert.deepEqual(
    feed.list().map(({ sequence }) => sequence),
    [4, 5],
  );
});
