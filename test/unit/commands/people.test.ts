// Locks, sessions, tokens and users, as the window changes them on a running host.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenName } from '../../../app/editors/editor-rules.ts';
import { until, windowPlace, type WindowPlace } from '../live-state/window-fixture.ts';

let place: WindowPlace;
before(async () => {
  place = await windowPlace({ files: ['a.docx', 'b.docx', 'c.docx', 'd.docx'] });
});
after(() => place.close());

const state = () => place.window.state();
const services = () => place.host().services;
const owner = () => services().users.byLogin('owner')!;
const isHeld = (fileId: string): boolean => services().locks.isHeld(fileId);
/** What the journal has of them since the last call. */
function windowActions(): string[] {
  const entries = services().journal.newest(Infinity);
  services().journal.clear(0);
  return entries
    .filter(({ user, method }) => user === 'window' && method === '')
    .map(({ operation, path }) => `${operation} ${path}`);
}

const messages = (failed: readonly { message: string }[]) => failed.map(({ message }) => message);

const notLocked = 'The document isn’t locked.';
const tooLate = 'It’s too late to undo this. You can undo it once, within 10 seconds.';

test('force-clears several locks and restores the given ones, once and within ten seconds', async () => {
  const [one, two] = [await place.lock('a.docx', 'one'), await place.lock('b.docx', 'two')];
  const free = await place.idOf('c.docx');
  const ids = [one.fileId, two.fileId];
  const cleared = await place.run('locks.forceClear', { ids: [...ids, free, 'unknown', one.fileId] });
  assert.deepEqual(cleared.done.map(({ path }) => path).toSorted(), ['a.docx', 'b.docx']);
  assert.deepEqual(messages(cleared.failed), [notLocked, notLocked]);
  const leftMs = (cleared.undoUntilMs ?? 0) - place.clock();
  assert.ok(leftMs <= 10_000 && leftMs > 5000, String(leftMs));
  assert.equal(await place.wopi(one, 'UNLOCK', { 'X-WOPI-Lock': 'one' }), 409);
  const undo = (some: string[]) => place.run('locks.undoForceClear', { ids: some });
  assert.deepEqual(await undo([one.fileId]), { done: [{ id: one.fileId, path: 'a.docx' }], failed: [] });
  assert.deepEqual(ids.map(isHeld), [true, false]);
  assert.equal(await place.wopi(one, 'REFRESH_LOCK', { 'X-WOPI-Lock': 'one' }), 200);
  const late = {
    done: [],
    failed: [{ id: one.fileId, path: 'a.docx', message: tooLate, code: 'undo-over' }],
  };
  assert.deepEqual(await undo([one.fileId]), late);
  const actions = windowActions();
  const expected = ['ForceClear a.docx', 'ForceClear b.docx', 'UndoForceClear a.docx'];
  assert.deepEqual([...actions.slice(0, 2).toSorted(), ...actions.slice(2)], expected);
  await place.run('locks.forceClear', { ids: [one.fileId] });
  place.advance(10_001);
  assert.deepEqual(await undo([one.fileId]), late);
  assert.equal(isHeld(one.fileId), false);
  assert.equal((await place.run('locks.forceClear', { ids: ['unknown'] })).undoUntilMs, null);
});

test('keeps a lock whose editor is using it again, or that another user has taken since', async () => {
  const { fileId } = await place.lock('c.docx');
  const kept = await place.run('locks.forceClear', { ids: [fileId], onlyStale: true });
  const reused = 'The lock wasn’t force-cleared, because its editor is using it again.';
  assert.deepEqual([kept.done, messages(kept.failed)], [[], [reused]]);
  await place.run('locks.forceClear', { ids: [fileId] });
  const mia = { login: 'mia', displayName: 'Mia', role: 'editor', password: 'long enough' } as const;
  const user = await services().users.add(mia);
  const { token } = services().accessTokens.mint({ user, fileId, mode: 'edit' });
  assert.equal(await place.wopi({ fileId, token }, 'LOCK', { 'X-WOPI-Lock': 'mias' }), 200);
  const { failed } = await place.run('locks.undoForceClear', { ids: [fileId] });
  assert.deepEqual(messages(failed), ['Mia has locked the document since, so its lock wasn’t restored.']);
  assert.equal(await place.wopi({ fileId, token }, 'UNLOCK', { 'X-WOPI-Lock': 'mias' }), 200);
});

test('shows the beginning of a lock id on request, and the document’s requests; the state has no lock id', async () => {
  const { fileId } = await place.lock('d.docx', 'a-secret-lock-id');
  assert.deepEqual(await place.run('locks.details', { fileId }), { lockId: 'a-secret…' });
  assert.deepEqual(await place.run('locks.details', { fileId: 'unknown' }), { lockId: null });
  const { items } = await place.run('activity.ofDocument', { fileId, count: 1 });
  assert.deepEqual([items.length, items[0]?.operation, items[0]?.fileId], [1, 'Lock', fileId]);
  assert.equal(JSON.stringify([state(), items]).includes('a-secret-lock-id'), false);
});

test('ending a session rejects its editor’s next call, and is logged', async () => {
  windowActions();
  const access = await place.access('a.docx');
  assert.equal(await place.wopi(access), 200);
  // An editor hasn't used it yet.
  const unused = await place.access('b.docx');
  const outcome = await place.run('sessions.end', { ids: [access.tokenId, unused.tokenId] });
  const message = 'This session doesn’t exist. It may have expired.';
  assert.deepEqual(outcome, {
    done: [{ id: access.tokenId, path: 'a.docx' }],
    failed: [{ id: unused.tokenId, path: '', message, code: 'not-found' }],
  });
  assert.deepEqual([await place.wopi(access), await place.wopi(unused)], [401, 200]);
  assert.deepEqual(windowActions(), ['EndSession a.docx']);
});

test('revokes API and access tokens together, and more than a thousand in one call', async () => {
  const access = await place.access('b.docx');
  const api = services().apiTokens.issue(owner());
  const both = await place.run('tokens.revoke', { ids: [access.tokenId, api.id, access.tokenId] });
  const paths = both.done.map(({ id, path }) => `${id} ${path}`);
  assert.deepEqual([paths, both.failed], [[`${access.tokenId} b.docx`, `${api.id} `], []]);
  assert.equal(await place.wopi(access), 401);
  assert.equal(services().apiTokens.authenticate(api.token), undefined);
  assert.deepEqual(windowActions(), ['RevokeToken 2 tokens']);
  const ids = Array.from({ length: 1001 }, () => services().apiTokens.issue(owner()).id);
  assert.equal((await place.run('tokens.revoke', { ids })).done.length, 1001);
  assert.deepEqual(services().apiTokens.list(), []);
});

test('revokes all tokens of one user, and no one else’s', async () => {
  const { users, apiTokens, accessTokens } = services();
  const ana = { login: 'ana', displayName: ' ', role: 'editor', password: 'long enough' } as const;
  const { displayName } = await place.run('users.add', ana);
  assert.equal(displayName, 'ana');
  const mine = await place.access('c.docx');
  const owners = apiTokens.issue(owner());
  const user = users.byLogin('ana')!;
  apiTokens.issue(user);
  for (const mode of ['view', 'edit'] as const) accessTokens.mint({ user, fileId: mine.fileId, mode });
  assert.deepEqual(await place.run('tokens.revokeOfUser', { login: 'ana' }), { count: 3 });
  assert.deepEqual(await place.run('tokens.revokeOfUser', { login: 'ana' }), { count: 0 });
  assert.equal(await place.wopi(mine), 200);
  assert.notEqual(apiTokens.authenticate(owners.token), undefined);
  await assert.rejects(place.run('tokens.revokeOfUser', { login: 'nobody' }), { code: 'user-unknown' });
});

test('creates an API token, and keeps its text out of the journal and the state', async () => {
  windowActions();
  const create = (login: string, name: string, days: number | null = null) =>
    place.run('tokens.createApiToken', { login, name, days });
  const created = await create('owner', ' Backup ', 7);
  await until(() => state().tokens.some(({ id, name }) => id === created.id && name === 'Backup'));
  const visible = JSON.stringify([state(), services().journal.newest(Infinity)]);
  assert.equal(visible.includes(created.token), false);
  assert.deepEqual(windowActions(), ['CreateApiToken owner']);
  await assert.rejects(create('owner', 'backup'), { code: 'name-taken', message: /already uses it/u });
  await place.run('tokens.revoke', { ids: [created.id] });
  await create('owner', 'backup');
  await assert.rejects(create('nobody', 'Backup'), { code: 'user-unknown' });
});

test('rejects names that don’t show what they are, and makes older ones visible', async () => {
  const name = '\u202elive';
  const rejected = { code: 'invalid-argument', message: /visible/ };
  await assert.rejects(place.run('tokens.createApiToken', { login: 'owner', name, days: null }), rejected);
  const user = { login: 'eve', displayName: name, role: 'viewer', password: 'long enough' } as const;
  await assert.rejects(place.run('users.add', user), rejected);
  assert.throws(() => givenName(name, []), rejected);
  const long = { ...user, displayName: 'Eve', password: 'x'.repeat(4097) };
  await assert.rejects(place.run('users.add', long), { message: /is too long/ });
  const { id } = services().apiTokens.issue(owner(), { name });
  await until(() => state().tokens.some((token) => token.id === id && token.name === '\ufffdlive'));
});
