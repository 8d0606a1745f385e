import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessGrant } from '../../../app/accounts/access-tokens.ts';
import type { DocumentIndex } from '../../../app/files/document-index.ts';
import type { LockRow } from '../../../app/store/locks.ts';
import type { LockState } from '../../../app/wopi/lock-rules.ts';
import { checkToken } from '../../../app/wopi/check-token.ts';
import { selectOperation, type WopiOperations } from '../../../app/wopi/select-operation.ts';
import type { WopiCall } from '../../../app/wopi/wopi-call.ts';

const named = (name: string) => ({ name, run: async () => ({ status: 299 }) });
const operations: WopiOperations = {
  checkFileInfo: named('CheckFileInfo'),
  getFile: named('GetFile'),
  lock: named('Lock'),
  unlockAndRelock: named('UnlockAndRelock'),
  getLock: named('GetLock'),
  refreshLock: named('RefreshLock'),
  unlock: named('Unlock'),
  putFile: named('PutFile'),
  putRelativeFile: named('PutRelativeFile'),
  renameFile: named('RenameFile'),
  deleteFile: named('DeleteFile'),
  putUserInfo: named('PutUserInfo'),
};

function headers(values: Record<string, string>) {
  const known = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return (name: string): string | undefined => known.get(name.toLowerCase());
}

function select(method: string, hasContents: boolean, values: Record<string, string> = {}) {
  return selectOperation(operations, { method, hasContents, header: headers(values) });
}

for (const [override, hasContents, name] of [
  ['LOCK', false, 'Lock'],
  ['GET_LOCK', false, 'GetLock'],
  ['REFRESH_LOCK', false, 'RefreshLock'],
  ['UNLOCK', false, 'Unlock'],
  ['PUT_RELATIVE', false, 'PutRelativeFile'],
  ['RENAME_FILE', false, 'RenameFile'],
  ['DELETE', false, 'DeleteFile'],
  ['PUT_USER_INFO', false, 'PutUserInfo'],
  ['PUT', true, 'PutFile'],
] as const) {
  test(`POST with ${override} on the ${hasContents ? 'contents' : 'file'} is ${name}, in any case`, () => {
    assert.equal(select('POST', hasContents, { 'X-WOPI-Override': override }).name, name);
    assert.equal(select('POST', hasContents, { 'X-WOPI-Override': override.toLowerCase() }).name, name);
    assert.equal(select('POST', hasContents, { 'X-WOPI-Override': ` ${override} ` }).name, name);
  });

  test(`POST with ${override} on the ${hasContents ? 'file' : 'contents'} is 501`, async () => {
    const operation = select('POST', !hasContents, { 'X-WOPI-Override': override });
    assert.deepEqual(await operation.run({} as WopiCall), { status: 501 });
  });
}

test('LOCK with X-WOPI-OldLock is UnlockAndRelock, or Lock if that header is empty', () => {
  const lock = { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': 'new' };
  assert.equal(select('POST', false, { ...lock, 'X-WOPI-OldLock': 'old' }).name, 'UnlockAndRelock');
  assert.equal(select('POST', false, { ...lock, 'X-WOPI-OldLock': '' }).name, 'Lock');
});

test('GET and HEAD ignore X-WOPI-Override', () => {
  for (const method of ['GET', 'HEAD']) {
    assert.equal(select(method, false, { 'X-WOPI-Override': 'DELETE' }).name, 'CheckFileInfo');
    assert.equal(select(method, true, { 'X-WOPI-Override': 'PUT' }).name, 'GetFile');
  }
});

test('a POST without X-WOPI-Override, or with an empty one, is 400 on file and contents', async () => {
  for (const hasContents of [false, true]) {
    for (const values of [{}, { 'X-WOPI-Override': '' }, { 'X-WOPI-Override': '  ' }]) {
      assert.equal((await select('POST', hasContents, values).run({} as WopiCall)).status, 400);
    }
  }
});

test('names an unknown operation after its override only if that is a plain word', () => {
  assert.equal(select('POST', false, { 'X-WOPI-Override': 'COBALT' }).name, 'COBALT');
  for (const override of ['constructor()', 'A\tB', 'é', 'X'.repeat(41), '<script>', '__proto__ ']) {
    const { name } = select('POST', false, { 'X-WOPI-Override': override });
    assert.ok(name === 'Unknown' || name === '__PROTO__', name);
  }
  assert.equal(select('POST', false, { 'X-WOPI-Override': 'X'.repeat(41) }).name, 'Unknown');
});

// ---- Tokens

const fileId = 'f'.repeat(22);
const now = 1_000_000;

function grant(change: Partial<AccessGrant> = {}): AccessGrant {
  return {
    id: 'token-1',
    fileId,
    userId: 'u1',
    userLogin: 'anna',
    userName: 'Anna',
    issuedMode: 'edit',
    mode: 'edit',
    canWrite: true,
    userCanEdit: true,
    isOwner: false,
    createdAtMs: 0,
    expiresAtMs: now + 1,
    editorId: null,
    pageUrl: null,
    pageSessionId: null,
    ...change,
  };
}

interface Situation {
  found?: AccessGrant | undefined;
  state?: LockState;
  canResume?: boolean;
  isThere?: boolean;
}

function check(situation: Situation, call: { operation: string; lock?: string }) {
  const { found = grant({ expiresAtMs: now }), state = { kind: 'unlocked' }, canResume = false } = situation;
  return checkToken(
    {
      accessTokens: { find: () => ('found' in situation ? situation.found : found) } as never,
      folder: {
        find: async () => (situation.isThere === false ? undefined : {}),
      } as unknown as DocumentIndex,
      locks: { state: () => state },
      externalChanges: { canResume: async () => canResume },
      clock: () => now,
    },
    {
      token: 'token',
      fileId,
      operation: call.operation,
      header: headers(call.lock === undefined ? {} : { 'X-WOPI-Lock': call.lock }),
    },
  );
}

const row = { lockId: 'mine' } as LockRow;
const held: LockState = { kind: 'locked', lock: row };
const lapsed: LockState = { kind: 'lapsed', lock: row };

async function refused(situation: Situation, call: { operation: string; lock?: string }): Promise<number> {
  const answer = await check(situation, call);
  assert.ok('status' in answer, 'it was accepted');
  if (answer.status === 401) assert.deepEqual(answer.headers, { 'WWW-Authenticate': 'Bearer' });
  return answer.status;
}

test('an unknown token is 401, and a valid one of another file 404', async () => {
  assert.equal(await refused({ found: undefined }, { operation: 'CheckFileInfo' }), 401);
  assert.equal(await refused({ found: grant({ fileId: 'other' }) }, { operation: 'CheckFileInfo' }), 404);
});

test('a token is valid until the millisecond before it expires', async () => {
  const valid = grant({ expiresAtMs: now + 1 });
  assert.equal(await check({ found: valid }, { operation: 'GetFile' }), valid);
  assert.equal(await refused({ found: grant({ expiresAtMs: now }) }, { operation: 'GetFile' }), 401);
});

for (const operation of ['RefreshLock', 'Lock', 'PutFile', 'Unlock']) {
  test(`accepts ${operation} from an expired token with the id of the held lock`, async () => {
    const answer = await check({ state: held }, { operation, lock: 'mine' });
    assert.ok('userLogin' in answer);
  });

  test(`accepts ${operation} from an expired token with the id of an expired lock only if that can be resumed`, async () => {
    assert.ok('userLogin' in (await check({ state: lapsed, canResume: true }, { operation, lock: 'mine' })));
    assert.equal(await refused({ state: lapsed, canResume: false }, { operation, lock: 'mine' }), 401);
  });

  test(`rejects ${operation} from an expired token with another lock id, without one, or without a lock`, async () => {
    assert.equal(await refused({ state: held }, { operation, lock: 'MINE' }), 401);
    assert.equal(await refused({ state: held }, { operation }), 401);
    assert.equal(await refused({ state: held }, { operation, lock: '' }), 401);
    assert.equal(await refused({ state: { kind: 'unlocked' } }, { operation, lock: 'mine' }), 401);
  });

  test(`rejects ${operation} from an expired token of another file with 401, not 404`, async () => {
    const found = grant({ fileId: 'other', expiresAtMs: now });
    assert.equal(await refused({ found, state: held }, { operation, lock: 'mine' }), 401);
  });
}

for (const operation of [
  'CheckFileInfo',
  'GetFile',
  'UnlockAndRelock',
  'GetLock',
  'PutRelativeFile',
  'RenameFile',
  'DeleteFile',
  'PutUserInfo',
  'Unknown',
]) {
  test(`rejects ${operation} from an expired token, even with the id of the held lock`, async () => {
    assert.equal(await refused({ state: held }, { operation, lock: 'mine' }), 401);
  });
}

test('accepts PutFile from an expired token if the document was deleted under its expired lock', async () => {
  const answer = await check({ state: lapsed, isThere: false }, { operation: 'PutFile', lock: 'mine' });
  assert.ok('userLogin' in answer);
});
