import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { WindowState } from '../../../app/contract/state.ts';
import { silentAfterMs } from '../../../app/wopi/lock-rules.ts';
import { activityItems } from '../../../app/live-state/activity-feed.ts';
import { createWindowSettings } from '../../../app/live-state/window-settings.ts';
import { createLiveState, type LiveState } from '../../../app/live-state/live-state.ts';
import { until, windowPlace, type WindowPlace } from './window-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let place: WindowPlace;
let live: LiveState;
let settings: ReturnType<typeof createWindowSettings>;
/** The state of a window that read it once and then applied every change. */
let seen: WindowState;
let changes: Partial<WindowState>[];

before(async () => {
  place = await windowPlace();
  settings = createWindowSettings({ keeper: place.keeper, onChange: () => undefined });
  changes = [];
  live = createLiveState({
    ...place,
    settings,
    onChange(change) {
      changes.push(change);
      seen = { ...seen, ...change };
    },
  });
  seen = live.state();
});
after(async () => {
  live.close();
  await place.close();
});

const lockOf = (id: string) => seen.locks.find((lock) => lock.id === id);
const sessionOf = (id: string) => seen.sessions.find((session) => session.id === id);
const tokenOf = (id: string) => seen.tokens.find((token) => token.id === id);

test('the state is complete from the start, and stays the same object while nothing changes', () => {
  const state = live.state();
  assert.equal(state.host.status, 'serving');
  assert.equal(state.host.folder, place.folder);
  assert.equal(state.host.folderName, 'documents');
  assert.equal(state.host.baseUrl, place.host().baseUrl);
  assert.equal(state.host.owner, 'owner');
  assert.equal(state.app.version, '1.2.3');
  assert.match(state.app.versions['SQLite'] ?? '', /^3\./);
  assert.equal(state.app.isFirstRun, true);
  assert.deepEqual(
    state.users.map(({ login, role }) => ({ login, role })),
    [{ login: 'owner', role: 'owner' }],
  );
  assert.equal(live.state(), state);
});

test('follows a document that is opened, locked and unlocked', async () => {
  const access = await place.access('a.docx');
  await until(() => tokenOf(access.tokenId) !== undefined);
  assert.equal(tokenOf(access.tokenId)?.path, 'a.docx');
  assert.equal(tokenOf(access.tokenId)?.lastUsedAtMs, null);
  assert.equal(sessionOf(access.tokenId), undefined);

  assert.equal(await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'secret lock id' }), 200);
  await until(() => lockOf(access.fileId) !== undefined && sessionOf(access.tokenId) !== undefined);
  const lock = lockOf(access.fileId);
  assert.deepEqual(
    { ...lock, takenAtMs: 0, refreshedAtMs: 0, expiresAtMs: 0, lastCallAtMs: 0 },
    {
      id: access.fileId,
      path: 'a.docx',
      user: 'owner',
      userName: 'owner',
      editor: 'Editor/1',
      takenAtMs: 0,
      refreshedAtMs: 0,
      expiresAtMs: 0,
      lastCallAtMs: 0,
      state: 'held',
      stale: null,
      isSaved: true,
    },
  );
  await place.wopi(access, 'PUT', { 'X-WOPI-Lock': 'another' });
  await until(() => lockOf(access.fileId)?.isSaved === false);
  await place.wopi(access, 'PUT', { 'X-WOPI-Lock': 'secret lock id' });
  await until(() => lockOf(access.fileId)?.isSaved === true);
  await until(() => sessionOf(access.tokenId)?.saves === 1);
  const calls = sessionOf(access.tokenId)?.calls ?? 0;
  await place.wopi(access);
  await until(() => sessionOf(access.tokenId)?.calls === calls + 1);
  assert.equal(tokenOf(access.tokenId)?.lastUsedAtMs, sessionOf(access.tokenId)?.lastCallAtMs);

  assert.equal(await place.wopi(access, 'UNLOCK', { 'X-WOPI-Lock': 'secret lock id' }), 200);
  await until(() => lockOf(access.fileId) === undefined);
});

test('shows the editor of the session that called last for a lock', async () => {
  const one = await place.access('b.docx');
  const other = await place.access('b.docx', 'view');
  await place.wopi(one, 'LOCK', { 'X-WOPI-Lock': 'b', 'User-Agent': 'First/1' });
  await until(() => lockOf(one.fileId)?.editor === 'First/1');
  await place.wopi(other, undefined, { 'User-Agent': 'Second/2' });
  await until(() => lockOf(one.fileId)?.editor === 'Second/2');
  await place.wopi(one, 'UNLOCK', { 'X-WOPI-Lock': 'b' });
  await until(() => lockOf(one.fileId) === undefined);
});

test('numbers the sessions of one user in one document, and each keeps its number when another one ends', async () => {
  const opened = [await place.access('b.docx'), await place.access('b.docx'), await place.access('b.docx')];
  const tabs = () => opened.map(({ tokenId }) => sessionOf(tokenId)?.tab);
  for (const [index, access] of opened.entries()) {
    await place.wopi(access);
    await until(() => sessionOf(access.tokenId) !== undefined);
    assert.ok((tabs()[index] ?? 0) > (tabs()[index - 1] ?? 0));
  }
  const [first, ...others] = tabs();
  place.host().services.accessTokens.revoke(opened[0]!.tokenId);
  await until(() => tabs()[0] === undefined);
  assert.ok(first !== undefined);
  assert.deepEqual(tabs(), [undefined, ...others]);
});

test('a lock becomes stale by time, with the time of the last call, and expires by time', async () => {
  const access = await place.access('c.docx');
  await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'c' });
  await until(() => lockOf(access.fileId)?.state === 'held');
  const heardAtMs = lockOf(access.fileId)?.lastCallAtMs ?? 0;
  place.advance(silentAfterMs - minuteMs);
  live.state();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(lockOf(access.fileId)?.state, 'held');
  place.advance(minuteMs);
  live.state();
  await until(() => lockOf(access.fileId)?.state === 'stale');
  assert.deepEqual(lockOf(access.fileId)?.stale, { kind: 'silent', quietSinceMs: heardAtMs });
  place.advance(15 * minuteMs);
  live.state();
  await until(() => lockOf(access.fileId) === undefined);
});

test('updates by itself when a change by time is due', async () => {
  const access = await place.access('c.docx');
  await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'c2' });
  await until(() => lockOf(access.fileId)?.state === 'held');
  place.advance(silentAfterMs - 1200);
  // Any change makes it read the advanced clock.
  live.refresh();
  await until(() => lockOf(access.fileId)?.state === 'stale');
  await place.wopi(access, 'UNLOCK', { 'X-WOPI-Lock': 'c2' });
  await until(() => lockOf(access.fileId) === undefined);
});

test('a lock whose token was revoked is stale with a reason, and its session ends', async () => {
  const access = await place.access('a.docx');
  await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'a2' });
  await until(() => lockOf(access.fileId)?.state === 'held');
  place.host().services.accessTokens.revokeOfUser(seen.users[0]!.id);
  await until(() => lockOf(access.fileId)?.state === 'stale');
  assert.deepEqual(lockOf(access.fileId)?.stale, { kind: 'revoked' });
  assert.equal(sessionOf(access.tokenId), undefined);
  assert.equal(tokenOf(access.tokenId), undefined);
  await place.host().services.locks.forceClear(access.fileId, 'test');
  await until(() => lockOf(access.fileId) === undefined);
  await place.host().services.locks.undoForceClear(access.fileId, 'test');
  await until(() => lockOf(access.fileId)?.state === 'stale');
  await place.host().services.locks.forceClear(access.fileId, 'test');
  await until(() => lockOf(access.fileId) === undefined);
});

test('a lock becomes stale when the last token that used it is revoked, whatever unused tokens there are', async () => {
  const { accessTokens } = place.host().services;
  const used = await place.access('a.docx');
  await place.access('a.docx');
  const sharing = await place.access('a.docx');
  for (const access of [used, sharing]) await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'a3' });
  accessTokens.revoke(used.tokenId);
  await until(() => tokenOf(used.tokenId) === undefined && lockOf(used.fileId) !== undefined);
  assert.equal(lockOf(used.fileId)?.state, 'held');
  accessTokens.revoke(sharing.tokenId);
  await until(() => lockOf(used.fileId)?.state === 'stale');
  assert.equal(lockOf(used.fileId)?.editor, 'Editor/1');
  const { locks, sessions } = place.host().services;
  sessions.flush();
  assert.equal(locks.find(used.fileId)?.client, 'Editor/1', 'also after a restart');
  await place.host().services.locks.forceClear(used.fileId, 'test');
  await until(() => lockOf(used.fileId) === undefined);
});

test('a session expires by time, and its token still shows a last use until it is removed', async () => {
  const access = await place.access('b.docx');
  await place.wopi(access);
  await until(() => sessionOf(access.tokenId) !== undefined);
  place.advance(11 * hourMs);
  live.state();
  await until(() => sessionOf(access.tokenId) === undefined);
  assert.notEqual(tokenOf(access.tokenId)?.lastUsedAtMs, null);
  place.advance(24 * hourMs);
  live.state();
  await until(() => tokenOf(access.tokenId) === undefined);
});

test('a renamed document has its new path in every table', async () => {
  const access = await place.access('b.docx');
  const unused = await place.access('b.docx', 'view');
  await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'b3' });
  await until(() => lockOf(access.fileId) !== undefined);
  const status = await place.wopi(access, 'RENAME_FILE', {
    'X-WOPI-Lock': 'b3',
    'X-WOPI-RequestedName': 'renamed',
  });
  assert.equal(status, 200);
  await until(() => lockOf(access.fileId)?.path === 'renamed.docx');
  await until(() => sessionOf(access.tokenId)?.path === 'renamed.docx');
  await until(() => tokenOf(access.tokenId)?.path === 'renamed.docx');
  await until(() => tokenOf(unused.tokenId)?.path === 'renamed.docx');
});

test('follows users and their roles', async () => {
  const { users } = place.host().services;
  await users.add({ login: 'ana', displayName: 'Ana', role: 'editor', password: 'a long password' });
  await until(() => seen.users.length === 2);
  users.setRole('ana', 'viewer');
  await until(() => seen.users.find(({ login }) => login === 'ana')?.role === 'viewer');
  users.remove('ana');
  await until(() => seen.users.length === 1);
});

test('a part that can’t be read freezes no other part, and is read again with the next change', async (t) => {
  const { recent, users, accessTokens } = place.host().services;
  const broken = t.mock.method(recent, 'list', () => {
    throw new Error('broken');
  });
  live.refresh();
  await users.add({ login: 'ben', displayName: 'Ben', role: 'viewer', password: 'a long password' });
  const access = await place.access('a.docx');
  await until(
    () => seen.users.length === 2 && broken.mock.callCount() > 0 && tokenOf(access.tokenId) !== undefined,
  );
  broken.mock.restore();
  const readAgain = t.mock.method(recent, 'list');
  users.remove('ben');
  accessTokens.revoke(access.tokenId);
  await until(() => readAgain.mock.callCount() > 0 && seen.users.length === 1);
});

test('follows settings, pausing and resuming', async () => {
  const host = place.host();
  await host.services.settings.update({ appearance: 'dark' });
  await until(() => seen.settings.appearance === 'dark');
  assert.equal('windowFirstRunDone' in seen.settings, false);
  host.pause(null);
  await until(() => seen.host.status === 'paused');
  assert.equal(seen.host.pausedUntilMs, null);
  host.resume();
  await until(() => seen.host.status === 'serving');
  await host.services.settings.update({ port: 1234 });
  await until(() => seen.settings.port === 1234);
  await host.services.settings.update({ windowFirstRunDone: true });
  await until(() => !seen.app.isFirstRun);
});

test('shows where a document was that another program deleted, also when another one has its name', async () => {
  await mkdir(join(place.folder, 'in'));
  for (const name of ['old.docx', 'new.docx']) await writeFile(join(place.folder, 'in', name), 'x');
  const old = await place.access('in/old.docx');
  await place.wopi(old);
  await until(() => sessionOf(old.tokenId) !== undefined);
  await rm(join(place.folder, 'in', 'old.docx'));
  await place.run('documents.rename', { path: 'in/new.docx', name: 'old' });
  const request = activityItems(place.host().services, 100).find(({ fileId }) => fileId === old.fileId);
  const save = await fetch(
    `${place.host().baseUrl}/wopi/files/${old.fileId}/contents?access_token=${old.token}`,
    { method: 'POST', headers: { 'X-WOPI-Override': 'PUT' }, body: 'late' },
  );
  assert.equal(save.status, 404);
  const later = createLiveState({ ...place, settings, onChange: () => undefined });
  const { tokens, sessions, recovered } = later.state();
  later.close();
  const ended = await place.run('sessions.end', { ids: [old.tokenId] });
  const places = [
    ended.done[0]?.path,
    request?.documentPath,
    tokens.find(({ id }) => id === old.tokenId)?.path,
    sessions.find(({ id }) => id === old.tokenId)?.path,
    recovered.at(-1)?.path,
  ];
  assert.deepEqual(places, Array(5).fill('in/old.docx'));
});

test('the changes add up to the whole state', () => {
  assert.deepEqual(seen, live.state());
  assert.ok(changes.length > 10);
});

test('neither the changes nor the state contain a token or a lock id', async () => {
  const access = await place.access('a.docx');
  await place.wopi(access, 'LOCK', { 'X-WOPI-Lock': 'a-lock-id-nobody-may-see' });
  await until(() => lockOf(access.fileId) !== undefined);
  const text = JSON.stringify([changes, live.state()]);
  assert.ok(!text.includes(access.token));
  assert.ok(!text.includes('a-lock-id-nobody-may-see'));
  assert.ok(!text.includes('secret lock id'));
});

test('the tables are empty without a host, and filled again by the next host', async () => {
  await place.keeper.stop();
  await until(() => seen.host.status === 'stopping' && seen.locks.length === 0);
  assert.deepEqual([seen.locks, seen.sessions, seen.tokens, seen.users], [[], [], [], []]);
  assert.equal(seen.host.baseUrl, null);
  assert.equal(seen.settings.appearance, 'dark');
  await place.keeper.start();
  await until(() => seen.host.status === 'serving' && seen.locks.length > 0);
  assert.equal(seen.users.length, 1);
  const access = await place.access('c.docx');
  await until(() => tokenOf(access.tokenId) !== undefined);
});
