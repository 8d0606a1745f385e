import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { test } from 'node:test';
import { createCallerCheck } from '../../../app/editors/caller-check.ts';
import type { CallerCheckDeps, EditorCall } from '../../../app/editors/caller-check.ts';
import type { Editor, ProofKeys } from '../../../app/store/editors.ts';
import { proofBytes, proofTicks } from '../../../app/wopi/proof.ts';
import { editorOf, keysOf, minuteMs, signingKey, startMs, type SigningKey } from './editors-fixture.ts';

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
  return editorOf('e1', { proofMode: 'required', discovery: { actions: [], proofKeys }, ...rest });
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

const own = 'http://127.0.0.1:8790';
const otherPort = 'http://127.0.0.1:9999';
const signed = headersOf(key);
const byOther = headersOf(otherKey);
const forOtherPort = headersOf(key, { url: otherPort + target });
const elsewhere = { receivedBase: otherPort, isOwnPort: false };
const optional = { proofMode: 'if-present' } as const;

interface Case {
  editor?: Parameters<typeof editorWith>[0];
  call?: Partial<EditorCall>;
  /** The keys after its discovery was read again. */
  later?: ProofKeys | null;
  /** Why it's refused; none if it's accepted. */
  reason?: string;
  /** Its discovery is read again. */
  isAsked?: boolean;
}
const wrong: Case = { reason: 'wrong', isAsked: true };
const keyless = { proofKeys: null };
const lists = { allowedAddresses: ['10.0.0.1'] };
const absolute = { ...elsewhere, target: otherPort + target };
const nowOthers: Case = { later: keysOf(otherKey), isAsked: true };
const cases: [what: string, headers: Record<string, string>, rest: Case][] = [
  ['signed for the editor’s base address', signed, {}],
  ['signed for the address that received it', headersOf(key, { url: own + target }), {}],
  ['whose request line has a full URL, as from a proxy', signed, { call: { target: `http://p${target}` } }],
  ['signed for another port, by its Host header', forOtherPort, { ...wrong, call: elsewhere }],
  ['signed for another port, by its request line', forOtherPort, { ...wrong, call: absolute }],
  ['signed for another address', headersOf(key, { url: `http://elsewhere.test${target}` }), wrong],
  ['with a token without an editor', {}, { call: { editorId: null }, editor: lists }],
  ['with a token of a removed editor', {}, { call: { editorId: 'gone' }, editor: lists }],
  ['with a wrong signature', byOther, wrong],
  ['signed with keys that discovery has now', byOther, { later: keysOf(otherKey, key), isAsked: true }],
  ['signed with an editor’s first keys', byOther, { editor: keyless, ...nowOthers }],
  ['with a stale signature', headersOf(key, { atMs: startMs - 21 * minuteMs }), { reason: 'stale' }],
  ['with a malformed signature', { ...signed, 'x-wopi-proof': '!' }, { reason: 'malformed' }],
  ['without a signature', {}, { reason: 'missing' }],
  ['without a signature where it is optional', {}, { editor: optional }],
  ['with a valid optional signature', signed, { editor: optional }],
  ['with a wrong optional signature', byOther, { ...wrong, editor: optional }],
  ['of an editor without keys where they are optional', signed, { editor: { ...optional, ...keyless } }],
  ['of an editor without required keys', signed, { editor: keyless, reason: 'no-keys', isAsked: true }],
  ['with a wrong signature where they are off', byOther, { editor: { proofMode: 'off' } }],
];
for (const [what, headers, { editor = {}, call = {}, later, reason, isAsked = false }] of cases) {
  test(`${reason === undefined ? 'accepts' : 'rejects'} a call ${what}`, async () => {
    const { check, asked, refused } = checkOf(editorWith(editor), later);
    const checked = check(callWith(headers, call));
    assert.equal(checked instanceof Promise, isAsked, 'the usual case doesn’t wait');
    const error = await checked;
    assert.equal(error?.code, reason === undefined ? undefined : 'proof-invalid');
    assert.deepEqual(asked, isAsked ? ['e1'] : []);
    const refusal = { editorId: 'e1', clientAddress: '192.168.1.7', reason };
    assert.deepEqual(refused, reason === undefined ? [] : [refusal]);
  });
}

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
    assert.deepEqual([error.code, error.status], ['address-not-allowed', 403]);
  }
  assert.equal(refused[0]?.reason, 'address');
});
