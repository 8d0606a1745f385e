// Who can reach the text editor, and at which address: on this computer, from the network, with TLS, behind a reverse proxy.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { textEditorOrigin } from '../../app/text-editor/addresses.ts';
import { ask, networkAddress } from './network-host.ts';
import { openPage, postForm, send, startTextEditorHost, until } from './text-editor-host.ts';
import { enterPage } from './test-page.ts';

function frameAncestors(policy: string | string[] | undefined): string[] {
  const [, sources = ''] = /frame-ancestors ([^;]*)/u.exec(String(policy)) ?? [];
  return sources.split(' ');
}

test('on this computer, the editor has another host name than the page, and only pages of the host may frame it', async (t) => {
  const host = await startTextEditorHost(t);
  const port = host.port;
  const { origin, page, call } = await host.open('a.txt');
  assert.equal(origin, `http://localhost:${host.editorPort}`);
  assert.deepEqual(frameAncestors(page.headers['content-security-policy']), [`http://127.0.0.1:${port}`]);
  const info = JSON.parse((await call()).body.toString()) as { PostMessageOrigin: string };
  assert.equal(info.PostMessageOrigin, `http://127.0.0.1:${port}`);
  assert.equal(page.headers['set-cookie'], undefined);
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  assert.match(page.headers['cache-control'] ?? '', /no-store/);
  assert.doesNotMatch(String(page.headers['content-security-policy']), /unsafe|\*/);

  const shownIn = await enterPage(await host.link('a.txt'));
  const policy = (await shownIn.get()).headers.get('content-security-policy') ?? '';
  for (const rule of ['frame-src', 'form-action']) assert.ok(policy.includes(`${rule} ${origin};`), rule);

  const other = await openPage((await host.link('a.txt')).replace('127.0.0.1', 'localhost'));
  assert.deepEqual(other.opened.editorOrigins, [`http://127.0.0.1:${host.editorPort}`]);
  const shown = await postForm(other.opened.action, { access_token: other.opened.accessToken });
  assert.deepEqual(frameAncestors(shown.headers['content-security-policy']), [
    `http://localhost:${port}`,
    `http://127.0.0.1:${port}`,
  ]);
});

test('answers the network only if the pages do, at the same host name', async (t) => {
  const address = networkAddress();
  const host = await startTextEditorHost(t, { settings: { host: '0.0.0.0' } });
  const port = host.editorPort;
  const { session } = await host.open('a.txt');
  const askFromNetwork = (path: string, headers = {}) =>
    ask({ port, from: address, host: `${address}:${port}`, path, headers });
  const callPath = `/wopi/files/${session.fileId}`;
  const authorized = { Authorization: `Bearer ${session.accessToken}` };
  for (const path of ['/edit', '/assets/text-editor.js', '/hosting/discovery', callPath]) {
    assert.equal((await askFromNetwork(path, authorized)).status, 403, path);
  }
  await host.set({ networkPages: true });
  assert.equal((await askFromNetwork('/assets/text-editor.js')).status, 200);
  assert.equal((await askFromNetwork(callPath, authorized)).status, 200);
  const shown = await askFromNetwork('/edit');
  assert.ok(
    frameAncestors(shown.headers['content-security-policy']).includes(`http://${address}:${host.port}`),
  );
  assert.equal((await ask({ port, from: address, host: 'evil.example', path: '/edit' })).status, 421);
});

test('a page that was opened from the network over TLS gets the editor at the same host name over TLS', async (t) => {
  const address = networkAddress();
  const host = await startTextEditorHost(t, {
    settings: { host: '0.0.0.0', networkPages: true, tls: 'local-authority' },
  });
  const port = host.port;
  let ca = '';
  await until('there is a certificate', async () => {
    ca = await readFile(join(host.dataDir, 'tls', 'authority.pem'), 'utf8').catch(() => '');
    return ca !== '';
  });
  const { fileId } = await host.access('a.txt');
  const fromNetwork = { from: address, host: `${address}:${port}`, ca, servername: 'localhost' };
  const post = (path: string, type: string, body: string, headers = {}) =>
    ask({
      ...fromNetwork,
      port,
      path: `/edit/${fileId}/${path}`,
      method: 'POST',
      headers: { 'Content-Type': type, Origin: `https://${address}:${port}`, ...headers },
      body,
    });
  const form = 'application/x-www-form-urlencoded';
  const { login, password } = host.owner;
  const credentials = new URLSearchParams({ userName: login, password }).toString();
  const signedIn = await post('sign-in', form, credentials);
  const Cookie = (signedIn.headers['set-cookie'] ?? [])[0]?.split(';')[0] ?? '';
  const opened = await post('open', 'application/json', '{}', { Cookie });
  const { action, accessToken, editorOrigins } = JSON.parse(opened.body);
  assert.deepEqual(editorOrigins, [`https://${address}:${host.editorPort}`]);
  const { pathname, search } = new URL(action);
  const at = { ...fromNetwork, port: host.editorPort, host: `${address}:${host.editorPort}` };
  const page = await ask({
    ...at,
    path: pathname + search,
    method: 'POST',
    headers: { 'Content-Type': form },
    body: new URLSearchParams({ access_token: accessToken }).toString(),
  });
  assert.equal(page.status, 200);
  assert.ok(frameAncestors(page.headers['content-security-policy']).includes(`https://${address}:${port}`));
  for (const path of ['/edit', `/wopi/files/${fileId}`]) {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const plain = await ask({ port: host.editorPort, from: address, path, headers });
    assert.equal(plain.status, 400, 'others must use HTTPS');
  }
  assert.equal((await host.open('a.txt')).page.status, 200);
});

test('behind a reverse proxy, accepts calls from pages at its public URL only', async (t) => {
  const host = await startTextEditorHost(t, {
    settings: {
      publicUrl: 'https://docs.example.org',
      textEditorUrl: 'https://edit.example.org',
      trustedProxies: ['127.0.0.1'],
      networkPages: true,
    },
  });
  const addresses = {
    hostUrl: host.baseUrl,
    port: host.editorPort,
    publicUrl: 'https://docs.example.org',
    textEditorUrl: 'https://edit.example.org',
  };
  assert.equal(textEditorOrigin('https://docs.example.org', addresses), 'https://edit.example.org');
  const proxied = {
    'X-Forwarded-For': '203.0.113.9',
    'X-Forwarded-Host': 'edit.example.org',
    'X-Forwarded-Proto': 'https',
  };
  const { opened, session } = await host.open('a.txt');
  const page = await send(opened.action, {
    method: 'POST',
    headers: { ...proxied, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ access_token: opened.accessToken }).toString(),
  });
  assert.equal(page.status, 200);
  assert.ok(frameAncestors(page.headers['content-security-policy']).includes('https://docs.example.org'));
  const call = (origin: string) =>
    send(`http://localhost:${host.editorPort}/wopi/files/${session.fileId}`, {
      headers: { ...proxied, Authorization: `Bearer ${session.accessToken}`, Origin: origin },
    });
  assert.equal((await call('https://edit.example.org')).status, 200);
  assert.equal((await call('https://docs.example.org')).status, 403);
  // On this computer, pages keep the local address.
  assert.equal(opened.editorOrigins[0], `http://localhost:${host.editorPort}`);
});
