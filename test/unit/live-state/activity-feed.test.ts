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

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
  pushes = [];
  journal = createJournal({ capacity: 10_000 });
  const shownPath = (id: string) => (id === 'letter' ? 'Letters/letter.odt' : undefined);
  const services = () => ({ journal, filesTable: { shownPath }, store: { db: { open: true } } });
  keeper = fakeKeeper('/data');
  keeper.host = () => (journal && { services: services() }) as unknown as Host;
  feed = createActivityFeed({ keeper, push: (added) => pushes.push(added) });
});
afterEach(() => {
  feed.close();
  mock.timers.reset();
});

const request: JournalEntry = {
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
};

function addRequests(count = 1, over: Partial<JournalEntry> = {}): void {
  for (let index = 0; index < count; index += 1) journal?.add({ ...request, ...over });
}

const pushed = (): number[] => pushes.flatMap(({ items }) => items.map(({ sequence }) => sequence));
const from1 = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('lists all entries oldest first, numbered without gaps', () => {
  addRequests(2);
  addRequests(1, { lock: 'x'.repeat(2000) });
  const listed = feed.list();
  assert.equal(listed.map(({ sequence }) => sequence).join(), '1,2,3');
  const empty = { code: null, fileId: null, documentPath: null, user: null, sessionId: null, lock: null };
  assert.deepEqual(listed[0], { ...request, ...empty, sequence: 1, isVersion: false });
  assert.equal(listed[2]?.lock, `${'x'.repeat(40)}…`);
});

test('names the document of an entry by its current path, and what an action was about once that is gone', () => {
  addRequests(1, { fileId: 'letter' });
  addRequests(1, { fileId: 'gone' });
  addRequests(1, { fileId: 'gone', method: '', path: 'old.odt' });
  const paths = feed.list().map(({ documentPath }) => documentPath);
  assert.deepEqual(paths, ['Letters/letter.odt', null, 'old.odt']);
});

test('pushes entries only while they are watched', () => {
  addRequests();
  mock.timers.tick(200);
  feed.watch(true);
  mock.timers.tick(200);
  assert.deepEqual(pushes, []);
  addRequests();
  mock.timers.tick(0);
  feed.watch(false);
  addRequests();
  mock.timers.tick(200);
  assert.deepEqual(pushed(), [2]);
});

test('batches entries into at most ten pushes a second, each entry once, and counts those beyond 500', () => {
  feed.watch(true);
  for (let ms = 0; ms < 1000; ms += 1) {
    addRequests(2);
    mock.timers.tick(1);
  }
  assert.ok(pushes.length <= 10, `${pushes.length} pushes`);
  mock.timers.tick(200);
  assert.deepEqual(pushed(), from1(2000));
  addRequests(1200);
  mock.timers.tick(200);
  const last = pushes.at(-1);
  assert.deepEqual([last?.dropped, last?.items.length, last?.items.at(-1)?.sequence], [700, 500, 3200]);
});

test('continues the numbering after a clear, and with the journal of the next host', () => {
  feed.watch(true);
  addRequests(2);
  journal?.clear(0);
  mock.timers.tick(200);
  assert.deepEqual([feed.list(), pushes], [[], []]);
  addRequests();
  mock.timers.tick(200);
  journal = undefined;
  keeper.emit({ event: 'host-changed' });
  journal = createJournal({ capacity: 10 });
  addRequests();
  keeper.emit({ event: 'host-changed' });
  addRequests();
  mock.timers.tick(200);
  assert.deepEqual(pushed(), [3, 4, 5]);
  const [first, ...others] = feed.list();
  assert.deepEqual([first?.sequence, others.length], [4, 1]);
});
