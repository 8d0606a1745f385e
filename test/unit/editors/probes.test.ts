import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProbes, probeAction, type ProbeRequest } from '../../../app/editors/probes.ts';
import type { DiscoveryAction } from '../../../app/store/editors.ts';

const baseUrl = 'http://192.168.1.5:8790';
const create = () =>
  createProbes({ clock: () => 1_000, editors: { byId: () => undefined }, baseUrlOf: () => baseUrl });

function request(change: Partial<ProbeRequest> & { override?: string } = {}): ProbeRequest {
  const { override, ...rest } = change;
  return {
    fileId: '',
    token: undefined,
    method: override === undefined ? 'GET' : 'POST',
    hasContents: false,
    header: (name) => (name === 'X-WOPI-Override' ? override : undefined),
    target: '/wopi/files/x?access_token=secret&x=1',
    receivedBase: baseUrl,
    isOwnPort: true,
    clientAddress: '192.168.1.9',
    ...rest,
  };
}

test('answers only for a running probe, never for a real document', () => {
  const probes = create();
  assert.equal(probes.answer(request({ fileId: 'a'.repeat(22) })), undefined);
  const { fileId, token, end } = probes.begin('abcdef01', 'docx');
  assert.match(fileId, /^[\w-]{22}$/);
  assert.notEqual(probes.answer(request({ fileId, token })), undefined);
  end();
  assert.equal(probes.answer(request({ fileId, token })), undefined);
});

test('reveals nothing to a client without the token, and records it', async () => {
  const probes = create();
  const probe = probes.begin('abcdef01', 'docx');
  const { fileId } = probe;
  for (const token of [undefined, '', 'x', 'x'.repeat(43), probe.token.slice(1)]) {
    assert.equal((await probes.answer(request({ fileId, token })))?.status, 401, token);
  }
  assert.deepEqual(new Set(probe.tokenlessCallers()), new Set(['192.168.1.9']));
  for (let tries = 0; tries < 200; tries += 1) await probes.answer(request({ fileId }));
  assert.equal(probe.tokenlessCallers().length, 100);
  const early = await Promise.race([probe.firstCall, Promise.resolve('none')]);
  assert.equal(early, 'none');
});

test('reports the first call with the token, without the token', async () => {
  const probes = create();
  const probe = probes.begin('abcdef01', 'docx');
  await probes.answer(request({ fileId: probe.fileId, token: probe.token }));
  const call = await probe.firstCall;
  assert.equal(call.clientAddress, '192.168.1.9');
  assert.equal(call.verdict, 'no-keys');
  assert.ok(!JSON.stringify(call).includes(probe.token));
});

test('serves a complete, blank, read-only document', async () => {
  const probes = create();
  const { fileId, token } = probes.begin('abcdef01', 'docx');
  const info = (await probes.answer(request({ fileId, token })))?.json as Record<string, unknown>;
  const content = await probes.answer(request({ fileId, token, hasContents: true }));
  assert.equal(info['BaseFileName'], 'DocTray connection test.docx');
  assert.equal(info['Size'], content?.bytes?.length);
  assert.equal(content?.bytes?.subarray(0, 2).toString(), 'PK');
  assert.equal(info['ReadOnly'], true);
  assert.equal(info['UserCanWrite'], false);
  assert.equal(info['UserCanNotWriteRelative'], true);
  assert.equal(info['PostMessageOrigin'], baseUrl);
  assert.ok(Object.values(info).every((value) => value !== null && value !== undefined));
});

test('responds to operations as for a read-only token', async () => {
  const probes = create();
  const { fileId, token } = probes.begin('abcdef01', 'txt');
  const expected: [string, number][] = [
    ['LOCK', 200],
    ['REFRESH_LOCK', 200],
    ['UNLOCK', 200],
    ['GET_LOCK', 200],
    ['PUT', 401],
    ['PUT_RELATIVE', 501],
    ['RENAME_FILE', 401],
    ['DELETE', 401],
    ['PUT_USER_INFO', 200],
    ['ANYTHING', 501],
    ['', 400],
  ];
  for (const [override, status] of expected) {
    const answer = await probes.answer(request({ fileId, token, override }));
    assert.equal(answer?.status, status, override);
  }
  const held = await probes.answer(request({ fileId, token, override: 'get_lock' }));
  assert.equal(held?.headers?.['X-WOPI-Lock'], '');
});

test('prefers a type that DocTray can create, and viewing to editing', () => {
  const action = (extension: string, name: string): DiscoveryAction => ({
    app: '',
    name,
    extension,
    urlsrc: '',
    isDefault: false,
  });
  const choose = (...actions: DiscoveryAction[]) => {
    const found = probeAction({ discovery: { actions, proofKeys: null } });
    return found === undefined ? undefined : `${found.name} ${found.extension}`;
  };
  assert.equal(choose(action('txt', 'view'), action('odt', 'edit'), action('docx', 'edit')), 'edit docx');
  assert.equal(choose(action('odt', 'edit'), action('odt', 'view')), 'view odt');
  assert.equal(choose(action('', 'getinfo'), action('dwg', 'view')), 'view dwg');
  assert.equal(choose(action('doc', 'convert'), action('', 'view')), undefined);
});
