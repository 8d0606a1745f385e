// What a window that read the state once and then applied every change shows, over a real host.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, mock, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import type { WindowState } from '../../../app/contract/state.ts';
import { activityItems } from '../../../app/live-state/activity-feed.ts';
import { createLiveState } from '../../../app/live-state/live-state.ts';
import { silentAfterMs } from '../../../app/wopi/lock-rules.ts';
import { fakeKeeper } from './fake-keeper.ts';
import { fakeDesktop, until, windowPlace, type WindowPlace } from './window-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let place: WindowPlace;
let seen: WindowState;
const pushes: unknown[] = [];
before(async () => {
  place = await windowPlace({ isStarted: false });
  seen = place.window.state();
  place.window.onPush(() => {
    throw new Error('gone');
  });
  place.window.onPush((name, push) => {
    pushes.push(push);
    if (name === 'state-changed') seen = { ...seen, ...push };
  });
  await place.run('activity.watch', { isWatching: true });
});
after(() => place.close());

const lockOf = (id: string) => seen.locks.find((lock) => lock.id === id);
const sessionOf = (id: string) => seen.sessions.find((session) => session.id === id);
const tokenOf = (id: string) => seen.tokens.find((token) => token.id === id);
const services = () => place.host().services;
/** Lets time pass until something in the state may have changed. */
function advance(ms: number): void {
  place.advance(ms);
  place.window.state();
}

test('the state follows the host, also before its start, and stays the same object while nothing changes', async () => {
  assert.equal(place.window.state().host.status, 'starting');
  const started = place.keeper.start();
  await until(() => seen.host.status === 'starting');
  await started;
  await until(() => seen.host.status === 'serving' && seen.app.isFirstRun);
  const { host, app, users } = seen;
  assert.deepEqual(
    [host.folder, host.folderName, host.baseUrl, host.owner, users.map(({ login }) => login)],
    [place.folder, 'documents', place.host().baseUrl, 'owner', ['owner']],
  );
  assert.match(app.versions['SQLite'] ?? '', /^3\./);
  assert.equal(place.window.state(), place.window.state());
  await place.run('app.finishFirstRun', {});
  await place.run('settings.set', { key: 'appearance', value: 'dark' });
  await place.run('settings.set', { key: 'minFreeMB', value: 16_000_000 });
  await until(() => !seen.app.isFirstRun && seen.settings.appearance === 'dark' && seen.host.isDiskLow);
  await place.run('settings.set', { key: 'minFreeMB', value: 0 });
  await until(() => !seen.host.isDiskLow);
  assert.equal('windowFirstRunDone' in seen.settings, false);
  const { promise, resolve: finish } = Promise.withResolvers<string>();
  services().jobs.run('Import', 'files', () => promise);
  await until(() => seen.jobs[0]?.state === 'running');
  finish('2 files copied.');
  await until(() => seen.jobs[0]?.sentence === '2 files copied.');
});

test('follows a document that is opened, locked, saved and unlocked', async () => {
  const access = await place.access('a.docx');
  await until(() => tokenOf(access.tokenId) !== undefined);
  const { path, lastUsedAtMs } = tokenOf(access.tokenId)!;
  assert.deepEqual([path, lastUsedAtMs, sessionOf(access.tokenId)], ['a.docx', null, undefined]);
  const lock = { 'X-WOPI-Lock': 'secret lock id' };
  assert.equal(await place.wopi(access, 'LOCK', lock), 200);
  await until(() => lockOf(access.fileId) !== undefined && sessionOf(access.tokenId) !== undefined);
  const {
    takenAtMs: _,
    refreshedAtMs: __,
    expiresAtMs: ___,
    lastCallAtMs: ____,
    ...shown
  } = lockOf(access.fileId)!;
  const owner = { user: 'owner', userName: 'owner', editor: 'Editor/1' };
  const held = { id: access.fileId, path: 'a.docx', state: 'held', stale: null, isSaved: true };
  assert.deepEqual(shown, { ...held, ...owner });
  await place.wopi(access, 'PUT', { 'X-WOPI-Lock': 'another' });
  await until(() => lockOf(access.fileId)?.isSaved === false);
  await place.wopi(access, 'PUT', lock);
  await until(() => lockOf(access.fileId)?.isSaved === true && sessionOf(access.tokenId)?.saves === 1);
  const calls = sessionOf(access.tokenId)?.calls ?? 0;
  await place.wopi(access);
  await until(() => sessionOf(access.tokenId)?.calls === calls + 1);
  assert.equal(tokenOf(access.tokenId)?.lastUsedAtMs, sessionOf(access.tokenId)?.lastCallAtMs);
  assert.equal(await place.wopi(access, 'UNLOCK', lock), 200);
  await until(() => lockOf(access.fileId) === undefined);
});

test('shows the editor that called last for a lock, and numbers the sessions of one user in one document', async () => {
  const opened = [
    await place.access('b.docx'),
    await place.access('b.docx', 'view'),
    await place.access('b.docx'),
  ];
  const [one, other] = [opened[0]!, opened[1]!];
  await place.wopi(one, 'LOCK', { 'X-WOPI-Lock': 'b', 'User-Agent': 'First/1' });
  await until(() => lockOf(one.fileId)?.editor === 'First/1');
  await place.wopi(other, undefined, { 'User-Agent': 'COOLWSD WOPI Agent 24.04' });
  await until(() => lockOf(one.fileId)?.editor === 'Collabora Online');
  await place.wopi(one, 'UNLOCK', { 'X-WOPI-Lock': 'b' });
  const tabs = () => opened.map(({ tokenId }) => sessionOf(tokenId)?.tab);
  for (const access of opened) {
    await place.wopi(access);
    await until(() => sessionOf(access.tokenId) !== undefined);
  }
  assert.deepEqual(tabs(), [1, 2, 3]);
  services().accessTokens.revoke(one.tokenId);
  await until(() => tabs()[0] === undefined);
  assert.deepEqual(tabs(), [undefined, 2, 3], 'each keeps its number');
});

test('a lock becomes stale and expires by time, without an event', async () => {
  const { fileId } = await place.lock('c.docx');
  await until(() => lockOf(fileId)?.state === 'held');
  const quietSinceMs = lockOf(fileId)?.lastCallAtMs ?? 0;
  place.advance(silentAfterMs - minuteMs);
  await place.run('settings.set', { key: 'appearance', value: 'light' });
  await until(() => seen.settings.appearance === 'light');
  assert.equal(lockOf(fileId)?.state, 'held');
  // The state waits at least a second.
  place.advance(minuteMs - 1200);
  place.window.desktopChanged();
  await until(() => lockOf(fileId)?.state === 'stale');
  assert.deepEqual(lockOf(fileId)?.stale, { kind: 'silent', quietSinceMs });
  advance(15 * minuteMs);
  await until(() => lockOf(fileId) === undefined);
});

test('a lock becomes stale when the last token that used it is revoked, whatever unused tokens there are', async () => {
  const { accessTokens, locks, sessions } = services();
  const used = await place.lock('a.docx');
  await place.access('a.docx');
  const sharing = await place.lock('a.docx');
  accessTokens.revoke(used.tokenId);
  await until(() => tokenOf(used.tokenId) === undefined && lockOf(used.fileId) !== undefined);
  assert.equal(lockOf(used.fileId)?.state, 'held');
  accessTokens.revoke(sharing.tokenId);
  await until(() => lockOf(used.fileId)?.state === 'stale');
  assert.deepEqual(lockOf(used.fileId)?.stale, { kind: 'revoked' });
  assert.deepEqual([sessionOf(sharing.tokenId), tokenOf(sharing.tokenId)], [undefined, undefined]);
  assert.equal(lockOf(used.fileId)?.editor, 'Editor/1');
  sessions.flush();
  assert.equal(locks.find(used.fileId)?.client, 'Editor/1', 'also after a restart');
  await locks.forceClear(used.fileId, 'test');
  await until(() => lockOf(used.fileId) === undefined);
  await locks.undoForceClear(used.fileId, 'test');
  await until(() => lockOf(used.fileId)?.state === 'stale');
});

test('a session expires by time, and its token still shows a last use until it is removed', async () => {
  const access = await place.access('b.docx');
  await place.wopi(access);
  await until(() => sessionOf(access.tokenId) !== undefined);
  advance(11 * hourMs);
  await until(() => sessionOf(access.tokenId) === undefined);
  assert.notEqual(tokenOf(access.tokenId)?.lastUsedAtMs, null);
  advance(24 * hourMs);
  await until(() => tokenOf(access.tokenId) === undefined);
});

test('every table shows where a document is, or was if another program deleted it and another one has its name', async () => {
  const access = await place.lock('b.docx');
  const unused = await place.access('b.docx', 'view');
  const headers = { 'X-WOPI-Lock': 'lock', 'X-WOPI-RequestedName': 'renamed' };
  assert.equal(await place.wopi(access, 'RENAME_FILE', headers), 200);
  const places = () => [
    lockOf(access.fileId)?.path,
    sessionOf(access.tokenId)?.path,
    tokenOf(access.tokenId)?.path,
    tokenOf(unused.tokenId)?.path,
  ];
  await until(() => places().every((path) => path === 'renamed.docx'));
  await place.wopi(access, 'UNLOCK', headers);
  await rm(place.at('renamed.docx'));
  await place.run('documents.rename', { path: 'c.docx', name: 'renamed' });
  assert.equal(await place.wopi(access, 'PUT', headers), 404);
  await until(() => lockOf(access.fileId) === undefined && seen.recovered.length > 0);
  const request = activityItems(services(), 100).findLast(({ fileId }) => fileId === access.fileId);
  const former = [...places().slice(1), request?.documentPath, seen.recovered[0]?.path];
  const ended = await place.run('sessions.end', { ids: [access.tokenId] });
  assert.deepEqual([...former, ended.done[0]?.path], Array(6).fill('renamed.docx'));
});

const ben = { login: 'ben', displayName: 'Ben', role: 'viewer', password: 'a long password' } as const;

test('a viewer’s API token is for viewing', async () => {
  const { users, apiTokens } = services();
  const { id } = apiTokens.issue(await users.add(ben));
  await until(() => tokenOf(id)?.mode === 'view');
  users.remove('ben');
  await until(() => tokenOf(id) === undefined);
});

test('a part that can’t be read freezes no other part, and is read again with the next change', async (t) => {
  const { recent, users } = services();
  const broken = t.mock.method(recent, 'list', () => {
    throw new Error('broken');
  });
  await users.add(ben);
  await until(() => seen.users.length === 2 && broken.mock.callCount() > 0);
  broken.mock.restore();
  const readAgain = t.mock.method(recent, 'list');
  users.remove('ben');
  await until(() => readAgain.mock.callCount() > 0 && seen.users.length === 1);
});

test('the changes add up to the whole state, and no push contains a token, a lock id or the owner’s password', async () => {
  const access = await place.lock('a.docx', 'a-lock-id-nobody-may-see');
  await until(() => lockOf(access.fileId)?.state === 'held');
  assert.deepEqual(seen, place.window.state());
  await until(() => JSON.stringify(pushes).includes('"operation":"Lock"'));
  const text = JSON.stringify([pushes, seen]);
  const { generatedOwnerPassword = 'unknown' } = place.host();
  for (const secret of [access.token, 'a-lock-id-nobody-may-see', 'secret lock id', generatedOwnerPassword])
    assert.ok(!text.includes(secret), secret);
});

test('the tables are empty without a host, and filled again by the next host', async () => {
  await place.keeper.stop();
  await until(() => seen.host.status === 'stopping' && seen.locks.length === 0);
  assert.deepEqual([seen.sessions, seen.tokens, seen.users, seen.host.baseUrl], [[], [], [], null]);
  assert.equal(seen.settings.appearance, 'light');
  await place.keeper.start();
  await until(() => seen.host.status === 'serving' && seen.locks.length > 0 && seen.users.length === 1);
});

test('a thousand events in a second cause at most ten pushes, including the last; events that change nothing, none', () => {
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate', 'Date'] });
  const keeper = fakeKeeper('/data');
  const pushed: Partial<WindowState>[] = [];
  const live = createLiveState({
    keeper,
    desktop: fakeDesktop(),
    clock: Date.now,
    log: place.log,
    settings: { current: () => undefined },
    onChange: (change) => pushed.push(change),
  });
  try {
    pushed.length = 0;
    const emit = (): void => {
      keeper.emit({ event: 'host-changed' });
      mock.timers.tick(1);
    };
    for (let count = 1; count <= 1000; count += 1) {
      keeper.problemNow = new AppError('port-taken', { detail: `${count}` });
      emit();
    }
    // Fewer if reading the state takes long, as on a busy computer.
    assert.ok(pushed.length <= 10 && pushed.length >= 3, `${pushed.length} pushes`);
    mock.timers.tick(200);
    assert.match(pushed.at(-1)?.host?.problem?.message ?? '', /^Port 1000 is already in use/);
    assert.deepEqual(new Set(pushed.flatMap(Object.keys)), new Set(['host']));
    const before = pushed.length;
    for (let count = 1; count <= 1000; count += 1) emit();
    assert.equal(pushed.length, before);
  } finally {
    live.close();
    mock.timers.reset();
  }
});
