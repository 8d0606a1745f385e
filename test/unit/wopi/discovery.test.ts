import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { parseDiscovery } from '../../../app/wopi/discovery.ts';
import type { Discovery } from '../../../app/store/editors.ts';

const fixtures = join(import.meta.dirname, '../../fixtures/discovery');
const read = (name: string): string => readFileSync(join(fixtures, `${name}.xml`), 'utf8');

const find = ({ actions }: Discovery, extension: string, name: string) =>
  actions.find((action) => action.extension === extension && action.name === name);

const page = 'http://docs.test/page?';
const action = (attributes: string): string => `<action ${attributes}/>`;
const usable = action(`name="edit" ext="odt" urlsrc="${page}"`);
const wrapped = (inside: string, after = ''): string =>
  `<wopi-discovery><net-zone name="z"><app name="writer">${inside}</app></net-zone>${after}</wopi-discovery>`;

const isInvalid = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'discovery-invalid';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const modulus = Buffer.from(pair.publicKey.export({ format: 'jwk' }).n!, 'base64url');
const blob = (bytes: Buffer): string => {
  const head = Buffer.from('0602000000a400005253413100000000', 'hex');
  head.writeUInt32LE(bytes.length * 8, 12);
  return Buffer.concat([head, Buffer.from([1, 0, 1, 0]), bytes.toReversed()]).toString('base64');
};
const keysOf = (attributes: string) =>
  parseDiscovery(wrapped(usable, `<proof-key ${attributes}/>`)).proofKeys;

test('reads edit, editnew, convert and the proof keys of ONLYOFFICE Docs', () => {
  const discovery = parseDiscovery(read('onlyoffice'));
  assert.deepEqual(find(discovery, 'docx', 'edit'), {
    app: 'Word',
    name: 'edit',
    extension: 'docx',
    urlsrc:
      'http://docs.test:8088/hosting/wopi/word/edit?<rs=DC_LLCC&><dchat=DISABLE_CHAT&><embed=EMBEDDED&>' +
      '<thm=THEME_ID&><ui=UI_LLCC&><wopisrc=WOPI_SOURCE&>&',
    isDefault: true,
  });
  assert.match(find(discovery, 'doc', 'convert')?.urlsrc ?? '', /\/convert-and-edit\/doc\/docx\?/u);
  assert.ok(find(discovery, 'xlsx', 'editnew'));
  assert.equal(find(discovery, 'odt', 'editnew'), undefined);
  assert.ok(discovery.proofKeys?.old);
  assert.notEqual(discovery.proofKeys.old, discovery.proofKeys.current);
});

test('omits actions by media type, which are also listed by extension', () => {
  const { actions } = parseDiscovery(read('collabora'));
  assert.deepEqual(
    actions.filter(({ extension }) => extension === '').map(({ app, name }) => `${app} ${name}`),
    ['Capabilities getinfo'],
  );
});

test('converts extensions and names to lower case, and strips the dot', () => {
  const { actions } = parseDiscovery(wrapped(action(`name="Edit" ext=".DOCX" urlsrc="${page}"`)));
  assert.equal(actions[0]?.extension, 'docx');
  assert.equal(actions[0]?.name, 'edit');
});

test('omits an action that requires what this host doesn’t support', () => {
  const discovery = parseDiscovery(read('office-online'));
  assert.equal(find(discovery, 'one', 'edit'), undefined);
  assert.ok(find(discovery, 'docx', 'edit'));
});

test('uses the zone at the given address, or else the external HTTPS zone', () => {
  const xml = read('office-online');
  const host = (address?: string): string =>
    new URL(find(parseDiscovery(xml, address), 'docx', 'view')!.urlsrc.replaceAll(/<.*>/gu, '')).origin;
  assert.equal(host('http://oos.lan.test'), 'http://oos.lan.test');
  assert.equal(host('https://oos.test'), 'https://oos.test');
  assert.equal(host('http://oos.test:81'), 'https://oos.test');
  assert.equal(host(), 'https://oos.test');
  // Both zones have the same name: only scheme and port differ.
  const [action] = parseDiscovery(xml.replaceAll('oos.lan.test', 'oos.test'), 'https://oos.test').actions;
  assert.match(action?.urlsrc ?? '', /^https:/u);
});

test('decodes predefined and numeric entities, and each only once', () => {
  const urlsrc = 'http://docs.test/p?a=&quot;&apos;&#38;&#x26;&amp;lt;b&lt;ui=UI_LLCC&amp;&gt;&copy;';
  const { actions } = parseDiscovery(wrapped(action(`name="edit" ext="odt" urlsrc='${urlsrc}'`)));
  assert.equal(actions[0]?.urlsrc, `http://docs.test/p?a="'&&&lt;b<ui=UI_LLCC&>&copy;`);
});

test('omits an action whose URL isn’t plain http or https', () => {
  const bad = [
    'javascript:alert(1)//',
    'file:///etc/passwd',
    '//docs.test/x',
    'http://user:pass@docs.test/',
    '',
  ];
  const { actions } = parseDiscovery(
    wrapped(bad.map((urlsrc) => action(`name="edit" ext="docx" urlsrc="${urlsrc}"`)).join('') + usable),
  );
  assert.deepEqual(
    actions.map(({ extension }) => extension),
    ['odt'],
  );
});

test('omits an action with placeholders in the host or path of its URL', () => {
  for (const urlsrc of [
    'http://docs.test&lt;.evil.test&gt;/page?',
    'http://&lt;evil.test/?x=UI_LLCC&amp;&gt;docs.test/page?',
    'http://docs.test/&lt;x=UI_LLCC&amp;&gt;?',
  ]) {
    const actions = action(`name="edit" ext="docx" urlsrc="${urlsrc}"`);
    assert.equal(find(parseDiscovery(wrapped(actions + usable)), 'docx', 'edit'), undefined, urlsrc);
  }
});

test('omits an action whose host name has a special meaning in a content security policy', () => {
  for (const host of ['*', '*.evil.test', 'a;sandbox', 'a,b', "'self'", 'a(b)', 'x=y']) {
    const actions = action(`name="edit" ext="docx" urlsrc="http://${host}/page?"`);
    assert.equal(find(parseDiscovery(wrapped(actions + usable)), 'docx', 'edit'), undefined, host);
  }
  for (const host of ['docs_1.test:8080', '[2001:db8::1]:9980', '192.168.1.7', 'bücher.test']) {
    const actions = action(`name="edit" ext="docx" urlsrc="http://${host}/page?"`);
    assert.ok(find(parseDiscovery(wrapped(actions)), 'docx', 'edit'), host);
  }
});

test('rejects a DOCTYPE, wherever it is and however it is written', () => {
  for (const head of [
    '<!DOCTYPE x>',
    '<!doctype x [<!ENTITY a "b">]>',
    '<?xml version="1.0"?>\n<!DOCTYPE x SYSTEM "f">',
  ]) {
    assert.throws(() => parseDiscovery(head + wrapped(usable)), isInvalid, head);
  }
});

test('rejects a discovery that is malformed, truncated, too large, too deep or empty', () => {
  const texts = [
    '',
    'OK',
    '<html><body>Not found</body></html>',
    '{"a":1}',
    wrapped(usable).slice(0, -20),
    wrapped(usable).replace(/<\/net-zone>.*/u, ''),
    wrapped(usable).replace('</app>', ''),
    wrapped(''),
    wrapped(action('name="getinfo" ext="" urlsrc="http://docs.test/"')),
    '<wopi-discovery/>',
    wrapped(usable) + `<!--${'x'.repeat(1024 * 1024)}-->`,
    '<a>'.repeat(5000) + '</a>'.repeat(5000),
    wrapped(usable).replaceAll('wopi-discovery', '__proto__'),
  ];
  for (const text of texts) assert.throws(() => parseDiscovery(text), isInvalid, text.slice(0, 80));
});

test('names of object properties don’t reach a prototype', () => {
  const { actions } = parseDiscovery(
    wrapped(usable + action(`name="edit" ext="odp" __proto__="x" urlsrc="${page}"`)),
  );
  assert.equal(actions.length, 2);
  assert.throws(() => parseDiscovery(wrapped(`${usable}<constructor/>`)), isInvalid);
  assert.equal(Reflect.get({}, 'x'), undefined);
});

test('reads a key from modulus and exponent, in base64 or as a number, or from the blob', () => {
  const n = modulus.toString('base64');
  const zero = Buffer.concat([Buffer.alloc(1), modulus]).toString('base64');
  for (const attributes of [
    `modulus="${n}" exponent="AQAB"`,
    `modulus="${n}" exponent="65537"`,
    `modulus="${zero}" exponent="AAEAAQ=="`,
    `value="${blob(modulus)}"`,
    `value="x" modulus="${n}" exponent="AQAB"`,
  ]) {
    assert.deepEqual(keysOf(attributes), { current: pem, old: null }, attributes);
  }
});

test('keeps the old key unless it is the current one', () => {
  const n = modulus.toString('base64');
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const otherN = Buffer.from(other.export({ format: 'jwk' }).n!, 'base64url').toString('base64');
  const current = `modulus="${n}" exponent="AQAB"`;
  assert.equal(keysOf(`${current} oldmodulus="${n}" oldexponent="AQAB"`)?.old, null);
  const old = keysOf(`${current} oldmodulus="${otherN}" oldexponent="AQAB"`)?.old ?? '';
  assert.ok(createPublicKey(old).equals(other));
});

test('has no keys if none is usable', () => {
  const n = modulus.toString('base64');
  for (const attributes of [
    '',
    'modulus="" exponent="" value=""',
    `modulus="${n}"`,
    `modulus="${n}" exponent="AQABAQAB"`,
    `modulus="!" exponent="AQAB"`,
    `modulus="${modulus.subarray(0, 64).toString('base64')}" exponent="AQAB"`,
    `modulus="${Buffer.alloc(4096, 1).toString('base64')}" exponent="AQAB"`,
    `value="${Buffer.from('BgIAAACkAABSU0Ex', 'base64').toString('base64')}"`,
  ]) {
    assert.equal(keysOf(attributes), null, attributes);
  }
  assert.equal(parseDiscovery(wrapped(usable)).proofKeys, null);
});
