import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { User } from '../../../app/store/users.ts';
import { hour, openAccounts, type Accounts } from './accounts-fixture.ts';

let accounts: Accounts;
let ada: User;
beforeEach(async () => {
  accounts = await openAccounts();
  ada = accounts.addUser('ada');
});
afterEach(() => accounts.close());

function open(fileId: string, mode: 'edit' | 'view' = 'edit') {
  const minted = accounts.accessTokens.mint({ user: ada, fileId, mode });
  return { ...minted, grant: accounts.accessTokens.find(minted.token)! };
}

test('adds up calls from before and after a flush, also across a restart', () => {
  const { id, grant, expiresAtMs } = open(accounts.addFile('a'));
  const sinceMs = accounts.time.nowMs;
  accounts.sessions.note(grant, { bytesRead: 100, client: 'ONLYOFFICE', address: '192.0.2.7' });
  accounts.time.nowMs += 1000;
  accounts.sessions.note(grant, { bytesWritten: 40, isSave: true });
  accounts.sessions.flush();
  accounts.time.nowMs += 1000;
  accounts.sessions.note(grant, { bytesRead: 1, bytesWritten: 2, isSave: true, client: 'Collabora' });
  const expected = [
    {
      id,
      fileId: 'a',
      path: 'letters/a.docx',
      userId: ada.id,
      userLogin: 'ada',
      userName: 'ADA',
      mode: 'edit',
      editorName: null,
      client: 'Collabora',
      address: '192.0.2.7',
      sinceMs,
      lastCallAtMs: accounts.time.nowMs,
      expiresAtMs,
      calls: 3,
      bytesRead: 101,
      bytesWritten: 42,
      saves: 2,
      lockState: null,
    },
  ];
  assert.deepEqual(accounts.sessions.list(), expected);
  accounts.sessions.flush();
  assert.deepEqual(accounts.sessions.list(), expected);
  accounts.sessions.flush();
  accounts.restart();
  assert.deepEqual(accounts.sessions.list(), expected);
});

test('noting a call writes nothing until the flush', () => {
  const { grant } = open(accounts.addFile('a'));
  const changes = () => accounts.db.prepare('SELECT total_changes()').pluck().get();
  const before = changes();
  for (let call = 0; call < 100; call += 1) accounts.sessions.note(grant, { bytesRead: 1 });
  accounts.sessions.list();
  accounts.sessions.unwritten(grant.id);
  assert.equal(changes(), before);
  accounts.sessions.flush();
  assert.equal(changes(), Number(before) + 1);
});

test('lists no session for an unused token, and the latest call first', () => {
  const first = open(accounts.addFile('a'));
  const second = open(accounts.addFile('b'));
  open(accounts.addFile('c'));
  const order = () => accounts.sessions.list().map((session) => session.fileId);
  assert.deepEqual(order(), []);
  accounts.sessions.note(first.grant, {});
  accounts.time.nowMs += 1;
  accounts.sessions.note(second.grant, {});
  assert.deepEqual(order(), ['b', 'a']);
  accounts.sessions.flush();
  accounts.time.nowMs += 1;
  accounts.sessions.note(first.grant, {});
  assert.deepEqual(order(), ['a', 'b']);
});

test('a session ends when its token expires or is revoked, unless the editor saves after the expiry', () => {
  const revoked = open(accounts.addFile('a'));
  const expired = open(accounts.addFile('b'));
  const saving = open(accounts.addFile('c'));
  for (const { grant } of [revoked, expired, saving]) accounts.sessions.note(grant, {});
  accounts.accessTokens.revoke(revoked.id);
  accounts.time.nowMs += 10 * hour;
  accounts.sessions.note(saving.grant, { isSave: true });
  assert.deepEqual(
    accounts.sessions.list().map((session) => session.fileId),
    ['c'],
  );
  accounts.time.nowMs += 24 * hour;
  assert.deepEqual(accounts.sessions.list(), []);
});

test('returns the last unflushed call of this token only, and none after a flush', () => {
  const fileId = accounts.addFile('a');
  const first = open(fileId);
  const second = open(fileId);
  assert.equal(accounts.sessions.unwritten(first.id)?.lastCallAtMs, undefined);
  accounts.sessions.note(first.grant, {});
  const firstCallAtMs = accounts.time.nowMs;
  accounts.time.nowMs += 1000;
  accounts.sessions.note(second.grant, {});
  assert.equal(accounts.sessions.unwritten(first.id)?.lastCallAtMs, firstCallAtMs);
  accounts.sessions.flush();
  assert.equal(accounts.sessions.unwritten(first.id)?.lastCallAtMs, undefined);
});

test('a token counts as used if another token of the same document and host page was used', () => {
  const [fileId, other] = [accounts.addFile('a'), accounts.addFile('b')];
  const place = { editorId: null, pageUrl: null, pageSessionId: 'page' };
  const grantFor = (id: string, at = place) => {
    const { token } = accounts.accessTokens.mint({ user: ada, fileId: id, mode: 'edit', place: at });
    return accounts.accessTokens.find(token) ?? assert.fail('no grant');
  };
  const [first, renewed] = [grantFor(fileId), grantFor(fileId)];
  assert.equal(accounts.sessions.hasCalled(renewed), false);
  accounts.sessions.note(first, {});
  for (const flush of [() => undefined, () => accounts.sessions.flush()]) {
    flush();
    assert.equal(accounts.sessions.hasCalled(renewed), true);
    assert.equal(accounts.sessions.hasCalled(grantFor(other)), false);
    assert.equal(
      accounts.sessions.hasCalled(grantFor(fileId, { ...place, pageSessionId: 'another' })),
      false,
    );
  }
});

test('a token counts as used after its first call, flushed or not', () => {
  const used = open(accounts.addFile('a'));
  const unused = open(accounts.addFile('b'));
  assert.equal(accounts.sessions.hasCalled(used.grant), false);
  accounts.sessions.note(used.grant, {});
  assert.equal(accounts.sessions.hasCalled(used.grant), true);
  accounts.sessions.flush();
  assert.equal(accounts.sessions.hasCalled(used.grant), true);
  assert.equal(accounts.sessions.hasCalled(unused.grant), false);
  assert.deepEqual(accounts.sessions.find(used.id), accounts.sessions.list()[0]);
  assert.equal(accounts.sessions.find(unused.id), undefined);
});

test('forgets which session has the lock once 10,000 later ones have asked for theirs', () => {
  const { id, grant } = open(accounts.addFile('a'));
  const lockStates = (others: number) => {
    for (let other = 0; other < others; other += 1)
      accounts.sessions.note({ ...grant, id: `${other}` }, { lock: 'granted' });
    return accounts.sessions.find(id)?.lockState;
  };
  accounts.sessions.note(grant, { lock: 'granted' });
  assert.deepEqual([lockStates(9999), lockStates(10_000)], ['held', null]);
});

test('a flush skips calls of a deleted token and keeps the others', () => {
  const ben = accounts.addUser('ben');
  const minted = accounts.accessTokens.mint({ user: ben, fileId: accounts.addFile('a'), mode: 'edit' });
  accounts.sessions.note(accounts.accessTokens.find(minted.token)!, {});
  accounts.sessions.note(open(accounts.addFile('b')).grant, {});
  accounts.users.remove('ben');
  accounts.sessions.flush();
  assert.deepEqual(
    accounts.sessions.list().map((session) => session.fileId),
    ['b'],
  );
});

test('keeps the counts if a flush fails', () => {
  const { grant } = open(accounts.addFile('a'));
  accounts.sessions.note(grant, { isSave: true });
  accounts.db.exec(
    `CREATE TEMP TRIGGER full BEFORE UPDATE ON access_tokens BEGIN SELECT raise(ABORT, 'full'); END`,
  );
  assert.throws(() => accounts.sessions.flush(), /full/);
  accounts.db.exec('DROP TRIGGER full');
  accounts.sessions.flush();
  assert.equal(accounts.sessions.list()[0]?.saves, 1);
});

test('shows view mode for a user who became a viewer, and truncates a long client name', () => {
  const { grant } = open(accounts.addFile('a'));
  accounts.sessions.note(grant, { client: 'x'.repeat(5000) });
  accounts.users.setRole('ada', 'viewer');
  assert.equal(accounts.sessions.list()[0]?.mode, 'view');
  assert.equal(accounts.sessions.list()[0]?.client?.length, 200);
});
