import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;

before(async () => {
  place = await windowPlace({ files: Array.from({ length: 12 }, (_, index) => `${index}.docx`) });
});
after(() => place.close());

async function locked(path: string, lock = `lock of ${path}`) {
  const access = await place.access(path);
  assert.equal(await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': lock }), 200);
  return access;
}

const isHeld = (fileId: string): boolean => place.host().services.locks.isHeld(fileId);

test('force-clears several locks, and reports the documents that aren’t locked', async () => {
  const one = await locked('0.docx');
  const two = await locked('1.docx');
  const free = await place.access('2.docx');
  const result = await place.run('locks.forceClear', {
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
    result.failed.map(({ path, message }) => [path, message]),
    [
      ['2.docx', 'The document isn’t locked.'],
      ['', 'The document isn’t locked.'],
    ],
  );
  assert.equal(isHeld(one.fileId), false);
  assert.equal(await place.wopi(one, 'UNLOCK', { 'X-WOPI-Lock': 'lock of 0.docx' }), 409);
});

test('with `onlyStale`, keeps a lock whose editor is using it', async () => {
  const { fileId } = await locked('11.docx');
  const { done, failed } = await place.run('locks.forceClear', { ids: [fileId], onlyStale: true });
  assert.deepEqual(
    [done, failed.map(({ message }) => message)],
    [[], ['The lock wasn’t force-cleared, because its editor is using it again.']],
  );
  assert.equal(isHeld(fileId), true);
});

const tooLate = 'It’s too late to undo this. You can undo it once, within 10 seconds.';

test('undo restores the same locks within ten seconds, once', async () => {
  const one = await locked('3.docx');
  const two = await locked('4.docx');
  const ids = [one.fileId, two.fileId];
  const { undoUntilMs } = await place.run('locks.forceClear', { ids });
  assert.ok(undoUntilMs !== null);
  assert.ok(undoUntilMs - place.clock() <= 10_000 && undoUntilMs - place.clock() > 5000);
  const outcome = await place.run('locks.undoForceClear', { ids });
  assert.deepEqual([outcome.done.length, outcome.failed], [2, []]);
  const { items } = await place.run('activity.list', {});
  const actions = items.filter(({ method, path }) => method === '' && /^[34]\.docx$/.test(path));
  assert.deepEqual(
    actions.map(({ operation, path, fileId, user }) => [operation, path, fileId, user]),
    ['ForceClear', 'UndoForceClear'].flatMap((operation) => [
      [operation, '3.docx', one.fileId, 'window'],
      [operation, '4.docx', two.fileId, 'window'],
    ]),
  );
  assert.equal(await place.wopi(one, 'REFRESH_LOCK', { 'X-WOPI-Lock': 'lock of 3.docx' }), 200);
  const again = await place.run('locks.undoForceClear', { ids });
  assert.deepEqual([again.done, again.failed.map(({ message }) => message)], [[], [tooLate, tooLate]]);
});

test('undo fails after ten seconds, with a reason', async () => {
  const { fileId } = await locked('5.docx');
  await place.run('locks.forceClear', { ids: [fileId] });
  place.advance(10_001);
  assert.deepEqual(await place.run('locks.undoForceClear', { ids: [fileId] }), {
    done: [],
    failed: [{ id: fileId, path: '5.docx', message: tooLate, code: 'undo-over' }],
  });
  assert.equal(isHeld(fileId), false);
});

test('undo keeps a lock that another user has taken since, and names the user', async () => {
  const { users, accessTokens } = place.host().services;
  const ana = await users.add({
    login: 'ana',
    displayName: 'Ana',
    role: 'editor',
    password: 'a long password',
  });
  const mine = await locked('6.docx');
  const other = await locked('7.docx');
  const ids = [mine.fileId, other.fileId];
  await place.run('locks.forceClear', { ids });
  const { token } = accessTokens.mint({ user: ana, fileId: mine.fileId, mode: 'edit' });
  assert.equal(await place.wopi({ fileId: mine.fileId, token }, 'LOCK', { 'X-WOPI-Lock': 'anas' }), 200);
  assert.deepEqual(await place.run('locks.undoForceClear', { ids }), {
    done: [{ id: other.fileId, path: '7.docx' }],
    failed: [
      {
        id: mine.fileId,
        path: '6.docx',
        message: 'Ana has locked the document since, so its lock wasn’t restored.',
        code: 'undo-taken',
      },
    ],
  });
  assert.equal(await place.wopi({ fileId: mine.fileId, token }, 'UNLOCK', { 'X-WOPI-Lock': 'anas' }), 200);
});

test('undo restores only the given locks', async () => {
  const one = await locked('8.docx');
  const two = await locked('9.docx');
  await place.run('locks.forceClear', { ids: [one.fileId, two.fileId] });
  await place.run('locks.undoForceClear', { ids: [one.fileId] });
  assert.deepEqual([isHeld(one.fileId), isHeld(two.fileId)], [true, false]);
});

test('offers no undo if no lock was cleared', async () => {
  const { undoUntilMs, done } = await place.run('locks.forceClear', { ids: ['unknown'] });
  assert.deepEqual([undoUntilMs, done], [null, []]);
  const { failed } = await place.run('locks.undoForceClear', { ids: ['unknown'] });
  assert.deepEqual(failed, [{ id: 'unknown', path: '', message: tooLate, code: 'undo-over' }]);
});

test('shows the beginning of a lock id on request, and the document’s requests; the state has no lock id', async () => {
  const access = await locked('9.docx', 'a-secret-lock-id');
  assert.deepEqual(await place.run('locks.details', { fileId: access.fileId }), { lockId: 'a-secret…' });
  const { items } = await place.run('activity.ofDocument', { fileId: access.fileId, count: 1 });
  assert.deepEqual(
    items.map(({ operation, fileId }) => [operation, fileId]),
    [['Lock', access.fileId]],
  );
  assert.equal(JSON.stringify([place.window.state(), items]).includes('a-secret-lock-id'), false);
  assert.deepEqual(await place.run('locks.details', { fileId: 'unknown' }), { lockId: null });
});
