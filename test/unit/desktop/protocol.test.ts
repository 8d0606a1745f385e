// The responses of app://doctray and their headers. test/security checks what Chromium makes of them.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  contentSecurityPolicy,
  createAppAnswer,
  listAppFiles,
  registerAppScheme,
} from '../../../app/desktop/protocol.ts';

let root: string;
let answer: (url: string, method?: string) => Promise<Response>;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'doctray-app-'));
  const files = {
    'secret.txt': 'outside',
    'renderer/index.html': '<!doctype html>',
    'renderer/assets/main-a1.js': 'void 0',
    'renderer/assets/main-a1.js.map': '{}',
    'renderer/assets/main.css': '',
    'renderer/notes.txt': 'inside, but no part of a page',
    'renderer/a b.js': '',
    'renderer/.hidden': '',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  await symlink(join(root, 'secret.txt'), join(root, 'renderer', 'link.js'));
  await symlink(root, join(root, 'renderer', 'up'));
  const respond = createAppAnswer(await listAppFiles(join(root, 'renderer')));
  // Node's Request would normalize these URLs
  answer = (url, method = 'GET') => respond({ url, method } as Request);
});
after(() => rm(root, { recursive: true, force: true }));

test('lists only the files that pages consist of', async () => {
  const found = [...(await listAppFiles(join(root, 'renderer'))).keys()].toSorted();
  assert.deepEqual(found, [
    'app://doctray/assets/main-a1.js',
    'app://doctray/assets/main.css',
    'app://doctray/index.html',
  ]);
});

test('serves a page and its files with their content types', async () => {
  for (const [path, type] of [
    ['index.html', 'text/html; charset=utf-8'],
    ['assets/main-a1.js', 'text/javascript; charset=utf-8'],
    ['assets/main.css', 'text/css; charset=utf-8'],
  ]) {
    const response = await answer(`app://doctray/${path}`);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, type]);
  }
  assert.equal(await (await answer('app://doctray/index.html')).text(), '<!doctype html>');
});

test('responds to HEAD without a body, and rejects methods other than GET and HEAD', async () => {
  assert.equal(await (await answer('app://doctray/index.html', 'HEAD')).text(), '');
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    assert.equal((await answer('app://doctray/index.html', method)).status, 405);
  }
});

test('responds with 404 to every other path in any spelling', async () => {
  const addresses = [
    '../secret.txt',
    '..%2fsecret.txt',
    '%2e%2e/secret.txt',
    '%2e%2e%2fsecret.txt',
    '..\\secret.txt',
    '..%5csecret.txt',
    '%252e%252e%252fsecret.txt',
    'assets/../../secret.txt',
    'assets/../index.html',
    'up/secret.txt',
    'link.js',
    `${root}/secret.txt`,
    '/etc/passwd',
    'index.html%00.png',
    'index.html\0',
    'index.html/',
    'index.html?x',
    'index%2ehtml',
    'INDEX.HTML',
    'assets',
    'assets/',
    'assets/main-a1.js.map',
    'notes.txt',
    'a b.js',
    'a%20b.js',
    '.hidden',
    '__proto__',
    'constructor',
  ];
  for (const address of addresses) {
    const response = await answer(`app://doctray/${address}`);
    assert.equal(response.status, 404, address);
    assert.equal(await response.text(), 'Not found.', address);
  }
});

test('responds with 404 to other hosts, schemes and ports', async () => {
  for (const url of [
    'app://other/index.html',
    'app://doctray:80/index.html',
    'app://user@doctray/index.html',
    'app://doctray.evil/index.html',
    'app:///index.html',
    'app:index.html',
    'http://doctray/index.html',
    'file:///etc/passwd',
    '',
  ]) {
    assert.equal((await answer(url)).status, 404, url);
  }
});

test('sends the same security headers with every response, including errors', async () => {
  for (const [url, method] of [
    ['app://doctray/index.html', 'GET'],
    ['app://doctray/nothing', 'GET'],
    ['app://doctray/index.html', 'POST'],
  ] as const) {
    const { headers } = await answer(url, method);
    assert.equal(headers.get('content-security-policy'), contentSecurityPolicy);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\), .*usb=\(\)/);
  }
});

test('the content security policy blocks everything by default, and anything inline', () => {
  assert.equal(
    contentSecurityPolicy,
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
});

test('responds with 500 for a deleted file, without its path', async () => {
  const folder = await mkdtemp(join(root, 'other-'));
  await writeFile(join(folder, 'index.html'), '');
  const respond = createAppAnswer(await listAppFiles(folder));
  await rm(join(folder, 'index.html'));
  const response = await respond({ url: 'app://doctray/index.html', method: 'GET' } as Request);
  assert.equal(response.status, 500);
  assert.ok(!(await response.text()).includes(folder));
});

test('registers the scheme with only the privileges it needs', () => {
  const registered: unknown[] = [];
  registerAppScheme({ registerSchemesAsPrivileged: (schemes) => void registered.push(...schemes) });
  const privileges = { standard: true, secure: true, codeCache: true };
  assert.deepEqual(registered, [{ scheme: 'app', privileges }]);
});
