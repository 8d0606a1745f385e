// A host that other computers can reach: what it answers, which client address it uses, and TLS.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../app/settings/settings.ts';
import { ask, networkAddress, type Answer, type AskOptions } from './network-host.ts';
import { startTestHost } from './test-host.ts';

async function start(t: TestContext, settings: Partial<Settings> = {}) {
  const files = { 'a.txt': 'text' };
  const host = await startTestHost({ files, settings: { host: networkAddress(), ...settings } }, t);
  const { port } = host;
  const document = await host.document('a.txt');
  return {
    host,
    port,
    document,
    /** Its path with its token. */
    path: `/wopi/files/${document.fileId}?access_token=${document.token}`,
    /** Sends a request as from another computer. */
    askFromNetwork: (asked: Omit<AskOptions, 'port' | 'from'> = {}) =>
      ask({ port, from: networkAddress(), ...asked }),
    set: (change: Partial<Settings>) => host.host.services.settings.update(change),
    lastAddress: () => host.host.services.journal.newest(Infinity).at(-1)?.address,
  };
}

const errorOf = ({ body }: Answer): string => (JSON.parse(body) as { error: { type: string } }).error.type;

/** Waits until the host serves with a certificate of the local authority, and returns the authority's certificate. */
async function servedAuthority({ host, port }: Awaited<ReturnType<typeof start>>): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      const ca = await readFile(join(host.dataDir, 'tls', 'authority.pem'), 'utf8');
      await ask({ port, ca, servername: 'localhost' });
      return ca;
    } catch (error) {
      if (tries === 100) throw error;
      await pause(50);
    }
  }
}

test('serves WOPI to the network, but the API and the pages only while their settings are on', async (t) => {
  const { host, askFromNetwork, set, port, document, path: wopi } = await start(t);
  const api = ['/api/2.0/files', '/API/2.0/people/@self.json', '/api', '/api/'];
  const others = ['/closed', `/edit/${document.fileId}`, '/help', '/', '/EDIT/x', '/apix', '//api/x'];
  // They only resemble WOPI.
  const resembling = ['/WOPI/files/x', '/wopi', '/wopix', '//wopi/files/x', '/%77opi/files/x'];
  /** Whether the path is refused. */
  const areClosed = async (paths: string[]): Promise<boolean[]> =>
    Promise.all(paths.map(async (path) => (await askFromNetwork({ path })).status === 403));
  const all = (paths: string[], isClosed: boolean): boolean[] => paths.map(() => isClosed);
  const assertClosed = async (isApiClosed: boolean, arePagesClosed: boolean): Promise<void> => {
    assert.equal((await askFromNetwork({ path: wopi })).status, 200);
    assert.deepEqual(await areClosed(api), all(api, isApiClosed));
    const pages = [...others, ...resembling];
    assert.deepEqual(await areClosed(pages), all(pages, arePagesClosed));
    assert.equal((await ask({ port })).status, 200, 'this computer may open everything');
  };

  await assertClosed(true, true);
  const refused = await askFromNetwork({
    path: '/api/2.0/authentication.json',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userName: 'owner', password: host.owner.password }),
  });
  assert.deepEqual([refused.status, errorOf(refused)], [403, 'network-closed']);
  assert.match(refused.body, /networkApi/);

  await set({ networkApi: true });
  await assertClosed(false, true);
  assert.deepEqual(host.host.colleagueUrl(), { url: null, settings: ['networkPages'] });
  await set({ networkApi: false, networkPages: true });
  await assertClosed(true, false);
  assert.deepEqual(host.host.colleagueUrl().settings, []);
  await set({ networkPages: false });
  await assertClosed(true, true);
});

test('does not treat an unconfigured proxy on this computer as local', async (t) => {
  const { port, lastAddress } = await start(t);
  for (const headers of [{ 'X-Forwarded-For': '127.0.0.1' }, { Via: '1.1 tunnel' }] as Record<
    string,
    string
  >[])
    assert.equal((await ask({ port, headers })).status, 403, Object.keys(headers)[0]);
  assert.equal(lastAddress(), '127.0.0.1', 'the journal has the real address, not the claimed one');
});

test('uses a configured proxy’s client address for journal and allowed addresses', async (t) => {
  const { port, host, path, set, lastAddress } = await start(t);
  await set({ trustedProxies: ['127.0.0.1'], allowedAddresses: ['198.51.100.0/24', '127.0.0.1'] });
  const from = (chain: string): Promise<Answer> => ask({ port, path, headers: { 'X-Forwarded-For': chain } });
  assert.equal((await from('198.51.100.4')).status, 200);
  assert.equal(lastAddress(), '198.51.100.4');
  assert.equal(host.host.services.sessions.list()[0]?.address, '198.51.100.4');
  assert.equal((await from('203.0.113.9')).status, 403);
  assert.equal((await from('198.51.100.4, 203.0.113.9')).status, 403);
  assert.equal((await ask({ port, path })).status, 200);
});

test('bound to a network address, uses it in the WOPI source', async (t) => {
  const { host, port } = await start(t);
  const { wopiSrc } = await host.access('a.txt');
  assert.equal(new URL(wopiSrc).host, `${networkAddress()}:${port}`);
  assert.equal(new URL(host.baseUrl).hostname, '127.0.0.1');
  assert.equal((await ask({ port, to: networkAddress() })).status, 200);
});

test('requires TLS from other computers and explains it to plain HTTP; this computer may use HTTP', async (t) => {
  const networked = await start(t, { tls: 'local-authority', networkApi: true, networkPages: true });
  const { host, askFromNetwork, port } = networked;
  const ca = await servedAuthority(networked);
  assert.equal(new URL((await host.access('a.txt')).wopiSrc).protocol, 'https:');
  const path = networked.path.replace('?', '/contents?');

  const refused = await askFromNetwork({ path: '/api/2.0/files' });
  assert.deepEqual([refused.status, errorOf(refused)], [400, 'plain-http-refused']);
  assert.match(refused.body, /https:\/\//);
  assert.equal(refused.headers.connection, 'close');
  assert.equal((await askFromNetwork({ path })).status, 400);
  assert.equal((await ask({ port, path })).body, 'text');
  assert.equal((await ask({ port, path, to: networkAddress() })).body, 'text');

  const servername = 'localhost';
  assert.equal((await askFromNetwork({ path, ca, servername })).body, 'text');
  assert.equal((await ask({ port, path, to: networkAddress(), ca })).body, 'text');
});

test('switches TLS on and off without a restart, and open documents keep working', async (t) => {
  const networked = await start(t);
  const { host, askFromNetwork, path, set } = networked;
  assert.equal((await askFromNetwork({ path })).status, 200);
  await set({ tls: 'local-authority' });
  const ca = await servedAuthority(networked);
  assert.equal((await askFromNetwork({ path, ca, servername: 'localhost' })).status, 200);
  // The editor still uses its old http:// address and must be able to save. Documents opened from now on require TLS.
  for (const [override, at] of [
    ['LOCK', path],
    ['PUT', path.replace('?', '/contents?')],
  ] as const) {
    const headers = { 'X-WOPI-Override': override, 'X-WOPI-Lock': 'mine' };
    assert.equal((await askFromNetwork({ path: at, method: 'POST', headers, body: 'more' })).status, 200);
  }
  const { fileId, token } = await host.document('a.txt');
  for (const other of [`${fileId}?access_token=${token}`, fileId, 'AAAAAAAAAAAAAAAAAAAAAA?access_token=x'])
    assert.equal((await askFromNetwork({ path: `/wopi/files/${other}` })).status, 400);
  await set({ tls: 'off' });
  assert.equal((await askFromNetwork({ path })).status, 200);
});

test('accepts a former public URL as Host only for documents that were opened through it', async (t) => {
  const publicUrl = 'http://tray.example:8790';
  const { host, askFromNetwork, set, path, document } = await start(t, { publicUrl });
  const { fileId, token } = document;
  const formerHost = { host: 'tray.example:8790' };
  assert.equal((await askFromNetwork({ path, ...formerHost })).status, 200);
  await set({ publicUrl: null });
  const rename = { 'X-WOPI-Override': 'RENAME_FILE', 'X-WOPI-RequestedName': 'b' };
  const renamed = await askFromNetwork({ path, ...formerHost, method: 'POST', headers: rename });
  assert.equal(renamed.status, 200);
  // Collabora continues at this URL, so it must keep the host that Collabora knows.
  assert.match(
    (JSON.parse(renamed.body) as { Url: string }).Url,
    /^http:\/\/tray\.example:8790\/wopi\/files\//,
  );
  const { accessToken: other } = await host.access('b.txt');
  for (const asked of [
    { path: `/wopi/files/${fileId}?access_token=${other}` },
    { path: `/wopi/files/${fileId}` },
    { path: `/wopi/files/AAAAAAAAAAAAAAAAAAAAAA?access_token=${token}` },
    { path: '/closed' },
    { path, host: 'evil.example' },
  ]) {
    assert.equal((await askFromNetwork({ ...formerHost, ...asked })).status, 421, asked.path);
  }
});

test('with TLS on but without a usable certificate, doesn’t fall back to HTTP for the network', async (t) => {
  const { askFromNetwork, port } = await start(t, { tls: 'files' });
  assert.equal((await askFromNetwork({ path: '/wopi/files/x' })).status, 400);
  await assert.rejects(askFromNetwork({ ca: 'x', path: '/wopi/files/x' }));
  assert.equal((await ask({ port })).status, 200);
});
