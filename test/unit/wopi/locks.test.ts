import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { AccessGrant } from '../../../app/accounts/access-tokens.ts';
import type { HostEvent } from '../../../app/contract/events.ts';
import { createGroupCommit } from '../../../app/store/group-commit.ts';
import { createKeyedMutex } from '../../../app/files/keyed-mutex.ts';
import { createFilesTable, type FileRow } from '../../../app/store/files.ts';
import { createLocksTable } from '../../../app/store/locks.ts';
import { openStore, type Db } from '../../../app/store/open-store.ts';
import { createTenantsTable } from '../../../app/store/tenants.ts';
import { createLocks } from '../../../app/wopi/locks.ts';
import { lockLifeMs, undoLimitMs } from '../../../app/wopi/lock-rules.ts';

const minute = 60_000;
const grant = { id: 'token-1', userId: null, userLogin: 'anna' } as unknown as AccessGrant;

/** A real database with one document in it. */
async function openLocks(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'doctray-locks-'));
  let now = 1_000_000;
  const clock = (): number => now;
  const store = openStore({ dataDir, clock, onNotice: () => undefined });
  t.after(async () => {
    store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  // Locks refer to rows that these tests don't need.
  store.db.pragma('foreign_keys = OFF');
  const files = createFilesTable(store.db);
  const table = createLocksTable(store.db);
  const row: FileRow = {
    id: 'f'.repeat(22),
    tenantId: createTenantsTable(store.db).idOfRoot('/documents', now),
    path: 'reports/a.docx',
    renamingFrom: null,
    device: '1',
    inode: '2',
    birthNs: '3',
    size: 4,
    mtimeNs: '5',
    ctimeNs: '6',
    sha256: Buffer.alloc(32, 1),
    version: 1,
    savedAtMs: null,
    savedBy: null,
    savedHow: null,
    createdAtMs: now,
    deletedAtMs: null,
  };
  files.insert(row);
  const events: HostEvent[] = [];
  addToken(store.db, row.id, 'token-1');
  const errors: unknown[] = [];
  const locks = createLocks({
    table,
    files,
    mutex: createKeyedMutex(),
    commit: createGroupCommit(store.db),
    clock,
    emit: (event) => events.push(event),
    unwritten: () => undefined,
    tokensAfterMs: clock,
    awakeSinceMs: () => 0,
    onError: (error) => errors.push(error),
  });
  const advance = (ms: number): void => {
    now += ms;
  };
  return { db: store.db, locks, table, files, row, events, errors, advance, now: clock };
}

function addToken(db: Db, fileId: string, id: string, editorId: string | null = null): void {
  const sql = `INSERT INTO access_tokens (id, hmac, user_id, file_id, mode, created_at_ms, expires_at_ms, editor_id)
    VALUES (?, ?, 'u1', ?, 'edit', 0, ?, ?)`;
  db.prepare(sql).run(id, Buffer.from(id), fileId, 1_000_000 + 24 * 60 * minute, editorId);
}

test('holds a taken lock under its id, and emits an event without the lock id', async (t) => {
  const { locks, row, events } = await openLocks(t);
  await locks.take(row, 'secret-lock', grant);
  const state = locks.state(row.id);
  assert.ok(state.kind === 'locked');
  assert.equal(state.lock.lockId, 'secret-lock');
  assert.equal(state.lock.accessTokenId, 'token-1');
  assert.deepEqual(events, [{ event: 'lock-taken', fileId: row.id, path: 'reports/a.docx', user: 'anna' }]);
  assert.ok(!JSON.stringify([events, locks.list()]).includes('secret-lock'));
});

test('taking a held lock again only extends it', async (t) => {
  const { locks, row, events, advance, now } = await openLocks(t);
  locks.recordRead(row, grant);
  await locks.take(row, 'mine', grant);
  const takenAtMs = now();
  advance(20 * minute);
  await locks.take({ ...row, version: 2 }, 'mine', grant);
  const state = locks.state(row.id);
  assert.ok(state.kind === 'locked');
  assert.equal(state.lock.takenAtMs, takenAtMs);
  assert.equal(state.lock.expiresAtMs, now() + lockLifeMs);
  assert.equal(state.lock.baseVersion, 1, 'the version that its editor read is still the first');
  assert.equal(state.lock.seenVersion, 2);
  assert.equal(events.length, 1);
});

test('an expired lock that is taken again keeps the content that its editor knows', async (t) => {
  const { locks, row, advance } = await openLocks(t);
  locks.recordRead(row, grant);
  await locks.take(row, 'mine', grant);
  advance(lockLifeMs);
  await locks.take({ ...row, version: 9, sha256: Buffer.alloc(32, 9) }, 'mine', grant);
  const state = locks.state(row.id);
  assert.ok(state.kind === 'locked');
  assert.equal(state.lock.baseVersion, 1);
  assert.ok(state.lock.baseSha256?.equals(Buffer.alloc(32, 1)));
});

test('a lock starts with what its token has read, not with the current content', async (t) => {
  const { locks, row, table, advance } = await openLocks(t);
  await locks.take(row, 'old', grant);
  assert.deepEqual([table.get(row.id)?.baseVersion, table.get(row.id)?.baseSha256], [0, null]);
  advance(lockLifeMs);
  locks.recordRead({ ...row, version: 8, sha256: null }, grant);
  await locks.take({ ...row, version: 9 }, 'new', grant);
  const state = locks.state(row.id);
  assert.ok(state.kind === 'locked');
  assert.deepEqual([state.lock.lockId, state.lock.baseVersion, state.lock.baseSha256], ['new', 8, null]);
});

test('a lock whose token has read nothing passes to the next token that takes it with the same id', async (t) => {
  const { db, locks, row, table } = await openLocks(t);
  addToken(db, row.id, 'token-2');
  const second = { ...grant, id: 'token-2' };
  await locks.take(row, 'mine', grant);
  await locks.take(row, 'mine', second);
  assert.equal(table.get(row.id)?.accessTokenId, 'token-2');
  locks.recordRead(row, second);
  await locks.take(row, 'mine', grant);
  assert.equal(table.get(row.id)?.accessTokenId, 'token-2', 'a token that has read the document keeps it');
});

test('holds an expired lock again after a refresh, and emits an event', async (t) => {
  const { locks, row, events, advance } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  advance(lockLifeMs + 1);
  const state = locks.state(row.id);
  assert.ok(state.kind === 'lapsed');
  await locks.refresh(row, state.lock, grant);
  assert.equal(locks.isHeld(row.id), true);
  assert.equal(events.at(-1)?.event, 'lock-regained');
});

test('swapping the lock id keeps the token and the content that its editor knows', async (t) => {
  const { locks, row } = await openLocks(t);
  locks.recordRead(row, grant);
  await locks.take(row, 'old', grant);
  const before = locks.state(row.id);
  assert.ok(before.kind === 'locked');
  await locks.swap({ ...row, version: 2 }, before.lock, 'new', grant);
  const after = locks.state(row.id);
  assert.ok(after.kind === 'locked');
  assert.deepEqual(
    [after.lock.lockId, after.lock.accessTokenId, after.lock.baseVersion],
    ['new', 'token-1', 1],
  );
});

test('a released lock leaves nothing that could be resumed', async (t) => {
  const { locks, row, table } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  await locks.release(row);
  assert.equal(table.get(row.id), undefined);
  assert.equal(locks.isHeld(row.id), false);
});

test('a read is known immediately, and is written later for its token and for this token’s lock', async (t) => {
  const { db, locks, row, table } = await openLocks(t);
  addToken(db, row.id, 'token-2');
  const second = { ...grant, id: 'token-2' };
  await locks.take(row, 'mine', grant);
  const lock = table.get(row.id)!;
  locks.recordRead({ ...row, version: 4 }, second);
  assert.deepEqual(
    locks.knownTo(lock, second).map(({ version }) => version),
    [0, 4],
  );
  await locks.flush();
  assert.equal(table.get(row.id)?.baseVersion, 0, 'another token has read it');
  locks.recordRead({ ...row, version: 5 }, grant);
  assert.equal(table.known('token-1'), undefined, 'nothing waits for the database');
  assert.deepEqual(
    locks.knownTo(lock, grant).map(({ version }) => version),
    [0, 5, 5],
  );
  await locks.flush();
  assert.deepEqual(
    [table.known('token-1')?.version, table.known('token-2')?.version, table.get(row.id)?.baseVersion],
    [5, 4, 5],
  );
});

test('a read under an expired lock is recorded for its token and doesn’t change the lock', async (t) => {
  const { locks, row, table, advance } = await openLocks(t);
  locks.recordRead(row, grant);
  await locks.take(row, 'mine', grant);
  advance(lockLifeMs);
  locks.recordRead({ ...row, version: 5 }, grant);
  await locks.flush();
  assert.equal(table.get(row.id)?.baseVersion, 1);
  assert.equal(table.known('token-1')?.version, 5);
});

test('a read that can’t be written is still known, and the next one is written', async (t) => {
  const { db, locks, row, table, errors } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  db.pragma('query_only = ON');
  locks.recordRead(row, grant);
  await locks.flush();
  assert.equal(errors.length, 1);
  assert.deepEqual(
    locks.knownTo(table.get(row.id)!, grant).map(({ version }) => version),
    [0, 1, 1],
  );
  db.pragma('query_only = OFF');
  locks.recordRead({ ...row, version: 2 }, grant);
  const { setKnown } = table;
  // Another read ends while this one is being written.
  t.mock.method(table, 'setKnown', (...written: Parameters<typeof setKnown>) => {
    locks.recordRead({ ...row, version: 3 }, grant);
    setKnown(...written);
  });
  await locks.flush();
  assert.equal(table.known('token-1')?.version, 2);
  await locks.flush();
  assert.equal(table.known('token-1')?.version, 3);
});

test('a force-clear removes a held lock, reports the user, and fails if there is no lock', async (t) => {
  const { locks, row, events } = await openLocks(t);
  await assert.rejects(locks.forceClear(row.id, 'owner'), { code: 'file-not-locked' });
  await locks.take(row, 'mine', grant);
  const cleared = await locks.forceClear(row.id, 'owner');
  assert.deepEqual([cleared.fileId, cleared.path, cleared.state], [row.id, 'reports/a.docx', 'held']);
  assert.equal(locks.isHeld(row.id), false);
  assert.deepEqual(events.at(-1), {
    event: 'lock-force-cleared',
    fileId: row.id,
    path: 'reports/a.docx',
    by: 'owner',
  });
  await assert.rejects(locks.forceClear(row.id, 'owner'), { code: 'file-not-locked' });
});

test('doesn’t force-clear an expired lock', async (t) => {
  const { locks, row, advance } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  advance(lockLifeMs);
  await assert.rejects(locks.forceClear(row.id, 'owner'), { code: 'file-not-locked' });
});

test('restores the same lock with its times when a force-clear is undone', async (t) => {
  const { locks, row, table, events, advance } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  const before = table.get(row.id);
  advance(minute);
  await locks.forceClear(row.id, 'owner');
  advance(undoLimitMs - 1);
  assert.equal(await locks.undoForceClear(row.id, 'owner'), 'restored');
  assert.deepEqual(table.get(row.id), before);
  assert.deepEqual(events.at(-1), { event: 'lock-restored', fileId: row.id, path: row.path, by: 'owner' });
  assert.equal(await locks.undoForceClear(row.id, 'owner'), 'too-late', 'it can be undone once');
});

test('a force-clear can’t be undone after ten seconds', async (t) => {
  const { locks, row, advance } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  await locks.forceClear(row.id, 'owner');
  advance(undoLimitMs);
  assert.equal(await locks.undoForceClear(row.id, 'owner'), 'too-late');
  assert.equal(locks.isHeld(row.id), false);
});

test('does not undo a force-clear after another user locked the document', async (t) => {
  const { locks, row, table } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  await locks.forceClear(row.id, 'owner');
  await locks.take(row, 'another', grant);
  assert.equal(await locks.undoForceClear(row.id, 'owner'), 'taken');
  assert.equal(table.get(row.id)?.lockId, 'another');
});

test('an undo succeeds if the editor has already taken the same lock again', async (t) => {
  const { locks, row } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  await locks.forceClear(row.id, 'owner');
  await locks.take(row, 'mine', grant);
  assert.equal(await locks.undoForceClear(row.id, 'owner'), 'restored');
});

test('restores no lock for a document that was moved to the trash', async (t) => {
  const { locks, row, files, table, now } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  await locks.forceClear(row.id, 'owner');
  files.setDeleted(row.id, { nowMs: now() });
  assert.equal(await locks.undoForceClear(row.id, 'owner'), 'too-late');
  assert.equal(table.get(row.id), undefined);
});

test('records an expiry once, with the content version at that time', async (t) => {
  const { locks, row, table, events, advance, now } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  advance(lockLifeMs);
  await locks.noteLapses(async () => {
    // Looking at the document shows that another program has written it since.
    table.noteContent(row.id, { from: 4, to: 5, nowMs: now(), isOwnSave: 0 });
    return 5;
  });
  await locks.noteLapses(async () => 6);
  assert.equal(table.get(row.id)?.lapsedVersion, 4);
  assert.equal(events.filter(({ event }) => event === 'lock-lapsed').length, 1);
});

test('doesn’t record an expiry for a lock that was resumed in between', async (t) => {
  const { locks, row, table, events, advance } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  advance(lockLifeMs);
  await locks.noteLapses(async () => {
    await locks.take(row, 'mine', grant);
    return 4;
  });
  assert.equal(table.get(row.id)?.lapsedVersion, null);
  assert.ok(!events.some(({ event }) => event === 'lock-lapsed'));
});

test('lists held locks only, and why a stale one is stale', async (t) => {
  const { db, locks, row, advance } = await openLocks(t);
  assert.deepEqual(locks.list(), []);
  await locks.take(row, 'mine', grant);
  assert.equal(locks.list()[0]?.state, 'held');
  db.exec('UPDATE access_tokens SET revoked_at_ms = 1');
  assert.deepEqual([locks.list()[0]?.state, locks.list()[0]?.stale], ['stale', { kind: 'revoked' }]);
  advance(lockLifeMs);
  assert.deepEqual(locks.list(), []);
});

test('a read that ends after a save of the same token doesn’t reset what its editor knows', async (t) => {
  const { locks, row } = await openLocks(t);
  await locks.take(row, 'mine', grant);
  const held = locks.state(row.id);
  assert.ok(held.kind === 'locked');
  locks.recordSave({ ...row, version: row.version + 1 }, held.lock, grant);
  locks.recordRead(row, grant);
  const now = locks.state(row.id);
  assert.ok(now.kind === 'locked');
  assert.equal(now.lock.baseVersion, row.version + 1);
});

test('a session that has read nothing knows what its editor’s server keeps, until a session under its lock reads', async (t) => {
  const { db, locks, row } = await openLocks(t);
  const sessions = ['kept', 'next', 'other'].map((id): AccessGrant => ({ ...grant, id, editorId: 'office' }));
  for (const { id, editorId } of sessions) addToken(db, row.id, id, editorId);
  const [kept = grant, next = grant, other = grant] = sessions;
  locks.recordRead({ ...row, version: 5 }, kept);
  await locks.flush();
  const versions = (session: AccessGrant): (number | undefined)[] => {
    const state = locks.state(row.id);
    assert.ok(state.kind === 'locked');
    return locks.knownTo(state.lock, session).map(({ version }) => version);
  };
  await locks.take(row, 'mine', next);
  assert.equal(versions(next).includes(5), true);
  assert.equal(versions({ ...next, editorId: null }).includes(5), false, 'an editor without a server');
  locks.recordRead({ ...row, version: 4 }, next);
  await locks.flush();
  assert.equal(versions(other).includes(5), false);
});
