import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLockHandlers, type LockHandlers } from '../../../app/window/lock-handlers.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { windowPlace, type WindowPlace } from './window-fixture.ts';

let place: WindowPlace;
let handlers: LockHandlers;
const live = { find: () => undefined };

before(async () => {
  place = await windowPlace({ files: Array.from({ length: 12 }, (_, index) => `${index}.docx`) });
  handlers = createLockHandlers({ ...place, live });
});
after(() => place.close());

async function locked(path: string, lock = `lock of ${path}`) {
  const access = await place.access(path);
  assert.equal(await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': lock }), 200);
  return access;
}

const isHeld = (fileId: string): boolean => place.host().services.locks.isHeld(fileId);

test('many locks are cleared, and one that is not there does not stop the others', async () => {
  const one = await locked('0.docx');
  const two = await locked('1.docx');
  const free = await place.access('2.docx');
  const result = await handlers['locks.forceClear']({
    ids: [one.fileId, free.fileId, two.fileId, 'unknown', one.fileId],
  });
  assert.deepEqual(
    result.done.toSorted((left, right) => left.path.localeCompare(right.path)),
    [
      { id: one.fileId, path: '0.docx' },
      { id: two.fileId, path: '1.docx' },
    ],
  );
  assert.deepEqual(
    result.failed.map(({ message }) => message),
    ['The document has no lock.', 'The document has no lock.'],
  );
  assert.equal(isHeld(one.fileId), false);
  assert.equal(await place.wopi(one, 'UNLOCK', { 'X-WOPI-Lock': 'lock of 0.docx' }), 409);
});

test('within ten seconds the very same locks come back, once', async () => {
  const one = await locked('3.docx');
  const two = await locked('4.docx');
  const { undoId, undoUntilMs } = await handlers['locks.forceClear']({ ids: [one.fileId, two.fileId] });
  assert.ok(undoId !== null && undoUntilMs !== null);
  assert.ok(undoUntilMs - place.clock() <= 10_000 && undoUntilMs - place.clock() > 5000);
  const outcome = await handlers['locks.undoForceClear']({ undoId });
  assert.deepEqual([outcome.done.length, outcome.failed], [2, []]);
  assert.equal(await place.wopi(one, 'REFRESH_LOCK', { 'X-WOPI-Lock': 'lock of 3.docx' }), 200);
  await assert.rejects(async () => handlers['locks.undoForceClear']({ undoId }), { code: 'undo-over' });
});

test('after ten seconds undoing is refused in a sentence', async () => {
  const access = await locked('5.docx');
  const { undoId } = await handlers['locks.forceClear']({ ids: [access.fileId] });
  place.advance(10_001);
  await assert.rejects(
    async () => handlers['locks.undoForceClear']({ undoId: undoId ?? '' }),
    (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /too late to undo this/);
      return true;
    },
  );
  assert.equal(isHeld(access.fileId), false);
});

test('a lock that somebody took meanwhile stays theirs, and it is said whose it is', async () => {
  const { users, accessTokens } = place.host().services;
  const ana = await users.add({
    login: 'ana',
    displayName: 'Ana',
    role: 'editor',
    password: 'a long password',
  });
  const mine = await locked('6.docx');
  const other = await locked('7.docx');
  const { undoId } = await handlers['locks.forceClear']({ ids: [mine.fileId, other.fileId] });
  const { token } = accessTokens.mint({ user: ana, fileId: mine.fileId, mode: 'edit' });
  assert.equal(await place.wopi({ fileId: mine.fileId, token }, 'LOCK', { 'X-WOPI-Lock': 'anas' }), 200);
  const outcome = await handlers['locks.undoForceClear']({ undoId: undoId ?? '' });
  assert.deepEqual(outcome, {
    done: [{ id: other.fileId, path: '7.docx' }],
    failed: [
      {
        id: mine.fileId,
        path: '6.docx',
        message: 'Ana has taken the lock meanwhile, and keeps it.',
      },
    ],
  });
  assert.equal(await place.wopi({ fileId: mine.fileId, token }, 'UNLOCK', { 'X-WOPI-Lock': 'anas' }), 200);
});

test('each batch is undone by itself', async () => {
  const one = await locked('8.docx');
  const two = await locked('9.docx');
  const first = await handlers['locks.forceClear']({ ids: [one.fileId] });
  const second = await handlers['locks.forceClear']({ ids: [two.fileId] });
  assert.notEqual(first.undoId, second.undoId);
  await handlers['locks.undoForceClear']({ undoId: first.undoId ?? '' });
  assert.deepEqual([isHeld(one.fileId), isHeld(two.fileId)], [true, false]);
});

test('nothing cleared is nothing to undo', async () => {
  const result = await handlers['locks.forceClear']({ ids: ['unknown'] });
  assert.deepEqual([result.undoId, result.undoUntilMs, result.done], [null, null, []]);
  await assert.rejects(async () => handlers['locks.undoForceClear']({ undoId: 'unknown' }), {
    code: 'undo-over',
  });
});

test('while no host runs it is said why', async () => {
  const keeper = fakeKeeper('/data');
  const away = createLockHandlers({ ...place, live, keeper });
  await assert.rejects(async () => away['locks.forceClear']({ ids: ['x'] }), { code: 'host-away' });
});
