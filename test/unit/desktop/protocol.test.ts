// The responses of app://doctray. test/security checks what Chromium makes of them and of their policy.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { contentSecurityPolicy, createAppAnswer, listAppFiles } from '../../../app/desktop/protocol.ts';

let root: string;
let answer: (url: string, method?: string) => Promise<Response>;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'doctray-app-'));
  for (const path of [
    'secret.txt',
    'window/index.html',
    'window/assets/main-a1.js',
    'window/assets/main-a1.js.map',
    'window/assets/gone.css',
    'window/notes.txt',
    'window/a b.js',
    'window/.hidden',
  ]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `the content of ${path}`);
  }
  await symlink(join(root, 'secret.txt'), join(root, 'window', 'link.js'));
  await symlink(root, join(root, 'window', 'up'));
  const respond = createAppAnswer(await listAppFiles(join(root, 'window')));
  await rm(join(root, 'window/assets/gone.css'));
  // Node's Request would normalize these URLs
  answer = (url, method = 'GET') => respond({ url, method } as Request);
});
after(() => rm(root, { recursive: true, force: true }));

test('serves a page and its files to GET and HEAD, each response with the same security headers', async () => {
  for (const [method, path, status, type] of [
    ['GET', 'index.html', 200, 'text/html; charset=utf-8'],
    ['HEAD', 'index.html', 200, 'text/html; charset=utf-8'],
    ['GET', 'assets/main-a1.js', 200, 'text/javascript; charset=utf-8'],
    ['GET', 'nothing', 404, 'text/plain; charset=utf-8'],
    ['GET', 'assets/gone.css', 500, 'text/plain; charset=utf-8'],
    ['POST', 'index.html', 405, 'text/plain; charset=utf-8'],
    ['OPTIONS', 'index.html', 405, 'text/plain; charset=utf-8'],
  ] as const) {
    const response = await answer(`app://doctray/${path}`, method);
    const { headers } = response;
    assert.deepEqual([response.status, headers.get('content-type')], [status, type], `${method} ${path}`);
    assert.equal(headers.get('content-security-policy'), contentSecurityPolicy);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\), .*usb=\(\)/);
    const text = await response.text();
    assert.equal(text.includes('the content of'), status === 200 && method === 'GET');
    assert.ok(!text.includes(root));
  }
});

// test/security/contents.test.ts has the spellings that Chromium sends.
test('responds with 404 to links, files that aren’t of a page, and other addresses', async () => {
  for (const path of [
    '../secret.txt',
    'up/secret.txt',
    'link.js',
    `${root}/secret.txt`,
    'index.html\0',
    'assets/main-a1.js.map',
    'notes.txt',
    'a b.js',
    '.hidden',
    '__proto__',
  ])
    assert.equal((await answer(`app://doctray/${path}`)).status, 404, path);
  for (const url of ['app://doctray:80/index.html', 'http://doctray/index.html', 'file:///etc/passwd', ''])
    assert.equal((await answer(url)).status, 404, url);
});

test('the content security policy blocks everything by default, and anything inline', () => {
  assert.equal(
    contentSecurityPolicy,
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
});
