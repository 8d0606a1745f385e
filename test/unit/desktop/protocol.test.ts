// The responses of app://doctray. test/security checks what Chromium makes of them and of their policy, and which spellings it sends.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentSecurityPolicy, createAppAnswer, listAppFiles } from '../../../app/desktop/protocol.ts';

test('serves only the files of a page, each response with the same security headers', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'doctray-app-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'assets'));
  for (const path of [
    'index.html',
    'assets/a.js',
    'assets/a.js.map',
    'assets/gone.css',
    'notes.txt',
    '.hidden',
  ])
    await writeFile(join(root, path), `the content of ${path}`);
  await symlink('index.html', join(root, 'link.js'));
  await symlink('assets', join(root, 'linked'));
  const respond = createAppAnswer(await listAppFiles(root));
  await rm(join(root, 'assets/gone.css'));
  for (const [path, status, type = 'plain', method = 'GET'] of [
    ['index.html', 200, 'html'],
    ['index.html', 200, 'html', 'HEAD'],
    ['index.html', 405, 'plain', 'POST'],
    ['assets/a.js', 200, 'javascript'],
    ['assets/gone.css', 500],
    ...['nothing', 'link.js', 'linked/a.js', 'assets/a.js.map', 'notes.txt', '.hidden', '__proto__'].map(
      (other) => [other, 404] as const,
    ),
  ] as const) {
    // Node's Request would normalize some of these.
    const response = await respond({ url: `app://doctray/${path}`, method } as Request);
    const { headers } = response;
    assert.deepEqual(
      [response.status, headers.get('content-type')],
      [status, `text/${type}; charset=utf-8`],
      path,
    );
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
  for (const url of ['app://doctray:80/index.html', 'http://doctray/index.html', 'file:///etc/passwd', ''])
    assert.equal((await respond({ url, method: 'GET' } as Request)).status, 404, url);
});

test('the content security policy blocks everything by default, and anything inline', () => {
  assert.equal(
    contentSecurityPolicy,
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  );
});
