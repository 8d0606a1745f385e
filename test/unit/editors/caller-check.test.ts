import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import {
  calledUrls,
  createCallerCheck,
  checkProof,
  type CallerCheckDeps,
  type EditorCall,
} from '../../../app/editors/caller-check.ts';
import type { Editor, ProofKeys } from '../../../app/store/editors.ts';
import { proofBytes, proofTicks } from '../../../app/wopi/proof.ts';
import { keysOf, minuteMs, signingKey, startMs, type SigningKey } from './editors-fixture.ts';

const key = signingKey();
const otherKey = signingKey();
const token = 'a-token';
const target = `/wopi/files/abc/contents?access_token=${token}`;
const base = 'https://tray.test/below';

function headersOf(by: SigningKey, change: { url?: string; atMs?: number } = {}): Record<string, string> {
  const ticks = proofTicks(change.atMs ?? startMs);
  const bytes = proofBytes(token, change.url ?? base + target, ticks);
  return {
    'x-wopi-proof': sign('RSA-SHA256', bytes, by.privateKey).toString('base64'),
    'x-wopi-timestamp': String(ticks),
  };
}

function callWith(headers: Record<string, string>, change: Partial<EditorCall> = {}): EditorCall {
  return {
    editorId: 'e1',
    token,
    target,
    receivedBase: 'http://127.0.0.1:8790',
    isOwnPort: true,
    clientAddress: '192.168.1.7',
    header: (name) => headers[name.toLowerCase()],
    ...change,
  };
}

function editorWith(change: Partial<Editor> & { proofKeys?: ProofKeys | null }): Editor {
  const { proofKeys = keysOf(key), ...rest } = change;
  return {
    id: 'e1',
    name: 'Office',
    url: 'http://office.test',
    kind: 'collabora',
    product: null,
    version: null,
    publicUrl: null,
    proofMode: 'required',
    allowedAddresses: [],
    acceptsOtherHosts: false,
    discovery: { actions: [], proofKeys },
    addedAtMs: 0,
    discoveredAtMs: 0,
    problem: null,
    ...rest,
  };
}

function checkOf(editor: Editor, later?: ProofKeys | null) {
  const asked: string[] = [];
  const refused: Parameters<NonNullable<CallerCheckDeps['onRefused']>>[0][] = [];
  const check = createCallerCheck({
    editors: {
      byId: (id) => (id === editor.id ? editor : undefined),
      keysAfterFailure: async (id) => {
        asked.push(id);
        return Promise.resolve(later === undefined ? editor.discovery.proofKeys : later);
      },
    },
    clock: () => startMs,
    baseUrlOf: () => base,
    onRefused: (refusal) => void refused.push(refusal),
  });
  return { check, asked, refused };
}

test('accepts a call signed for the editor’s base address, without refreshing the keys', () => {
  const { check, asked } = checkOf(editorWith({}));
  assert.equal(check(callWith(headersOf(key))), undefined);
  assert.deepEqual(asked, []);
});

test('accepts a call signed for the address that received it', () => {
  const { check } = checkOf(editorWith({}));
  assert.equal(check(callWith(headersOf(key, { url: `http://127.0.0.1:8790${target}` }))), undefined);
});

test('rejects a call signed for another port of this computer, by Host header or request line', async () => {
  const { check } = checkOf(editorWith({}));
  const receivedBase = 'http://127.0.0.1:9999';
  const headers = headersOf(key, { url: receivedBase + target });
  for (const change of [{}, { target: receivedBase + target }]) {
    const error = await check(callWith(headers, { receivedBase, isOwnPort: false, ...change }));
    assert.equal(error?.code, 'proof-invalid');
  }
});

test('checks nothing for a token without an editor or of a removed one', () => {
  const { check } = checkOf(editorWith({ allowedAddresses: ['10.0.0.1'] }));
  assert.equal(check(callWith({}, { editorId: null })), undefined);
  assert.equal(check(callWith({}, { editorId: 'gone' })), undefined);
});

test('refreshes the keys once after a wrong signature, and rejects it if they are the same', async () => {
  const { check, asked, refused } = checkOf(editorWith({}));
  const error = await check(callWith(headersOf(otherKey)));
  assert.equal(error?.code, 'proof-invalid');
  assert.equal(error.status, 500);
  assert.deepEqual(asked, ['e1']);
  assert.deepEqual(refused, [{ editorId: 'e1', clientAddress: '192.168.1.7', reason: 'wrong' }]);
});

test('accepts a signature by new keys after refreshing discovery', async () => {
  const { check } = checkOf(editorWith({}), keysOf(otherKey, key));
  assert.equal(await check(callWith(headersOf(otherKey))), undefined);
  const withoutKeys = checkOf(editorWith({ proofKeys: null }), keysOf(otherKey));
  assert.equal(await withoutKeys.check(callWith(headersOf(otherKey))), undefined);
});

test('rejects a signature for another address', async () => {
  const { check } = checkOf(editorWith({}));
  const error = await check(callWith(headersOf(key, { url: `http://elsewhere.test${target}` })));
  assert.equal(error?.code, 'proof-invalid');
});

test('rejects a stale, malformed or missing signature without refreshing discovery', () => {
  const { check, asked, refused } = checkOf(editorWith({}));
  for (const headers of [
    headersOf(key, { atMs: startMs - 21 * minuteMs }),
    { ...headersOf(key), 'x-wopi-proof': '!' },
    {},
  ]) {
    const error = check(callWith(headers));
    assert.ok(error !== undefined && !(error instanceof Promise));
    assert.equal(error.code, 'proof-invalid');
  }
  assert.deepEqual(asked, []);
  assert.deepEqual(
    refused.map(({ reason }) => reason),
    ['stale', 'malformed', 'missing'],
  );
});

test('checks an optional signature only if it is present', async () => {
  const { check } = checkOf(editorWith({ proofMode: 'if-present' }));
  assert.equal(check(callWith({})), undefined);
  assert.equal(check(callWith(headersOf(key))), undefined);
  assert.equal((await check(callWith(headersOf(otherKey))))?.code, 'proof-invalid');
});

test('without keys, accepts a call unless signatures are required', async () => {
  const optional = checkOf(editorWith({ proofMode: 'if-present', proofKeys: null }));
  assert.equal(optional.check(callWith(headersOf(key))), undefined);
  assert.deepEqual(optional.asked, []);
  const required = checkOf(editorWith({ proofKeys: null }));
  assert.equal((await required.check(callWith(headersOf(key))))?.code, 'proof-invalid');
});

test('checks no signature if signatures are off', () => {
  const { check } = checkOf(editorWith({ proofMode: 'off' }));
  assert.equal(check(callWith(headersOf(otherKey))), undefined);
});

test('allows an editor with an address list to call only from there, whatever it signs', () => {
  const editor = editorWith({ allowedAddresses: ['192.168.1.0/24', 'fd00::/8', '10.0.0.7'] });
  const { check, refused } = checkOf(editor);
  const from = (clientAddress: string) => check(callWith(headersOf(key), { clientAddress }));
  for (const address of ['192.168.1.7', '::ffff:192.168.1.7', 'fd00::1', '10.0.0.7']) {
    assert.equal(from(address), undefined, address);
  }
  for (const address of ['192.168.2.7', '10.0.0.8', '::1', 'fe80::1%eth0', '', 'unknown']) {
    const error = from(address);
    assert.ok(error !== undefined && !(error instanceof Promise), address);
    assert.equal(error.code, 'address-not-allowed');
    assert.equal(error.status, 403);
  }
  assert.equal(refused[0]?.reason, 'address');
});

test('calledUrls returns the URL at the base address and at the receiving address, each once', () => {
  const call = { target: '/wopi/files/a?x=1', receivedBase: 'http://h', isOwnPort: true };
  assert.deepEqual(calledUrls(call, 'https://t/b'), [
    'https://t/b/wopi/files/a?x=1',
    'http://h/wopi/files/a?x=1',
  ]);
  assert.deepEqual(calledUrls(call, 'http://h'), ['http://h/wopi/files/a?x=1']);
  assert.deepEqual(calledUrls({ ...call, target: 'http://p/wopi' }, 'http://h'), ['http://h/wopi']);
  assert.deepEqual(calledUrls({ ...call, isOwnPort: false }, 'http://t'), ['http://t/wopi/files/a?x=1']);
});

test('judgeProof returns the clock skew with every verdict, also without keys', () => {
  const judge = (headers: Record<string, string>, keys: ProofKeys | null = keysOf(key)) =>
    checkProof({
      keys,
      token,
      urls: [base + target],
      header: (name) => headers[name.toLowerCase()],
      nowMs: startMs,
    });
  const late = headersOf(key, { atMs: startMs - 30 * minuteMs });
  assert.deepEqual(judge(late), { verdict: 'stale', clockSkewMs: -30 * minuteMs });
  assert.deepEqual(judge(headersOf(key), null), { verdict: 'no-keys', clockSkewMs: 0 });
  assert.deepEqual(judge({}), { verdict: 'missing', clockSkewMs: null });
  assert.deepEqual(judge(headersOf(key)), { verdict: 'valid', clockSkewMs: 0 });
});
