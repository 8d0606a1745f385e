// Who else might use the dashboard: a web page in the same browser, a program of another user, somebody on the network, and a script
// that got into the page.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import { ownerPasswordSecret } from '../../app/accounts/users.ts';
import { idleSessionLifeMs, linkLifeMs } from '../../app/dashboard/sessions.ts';
import { closeCodes, type DashboardSessionKey } from '../../app/contract/dashboard.ts';
import { ask as askFrom, networkAddress } from '../server/network-host.ts';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { connectPage, secretOf, type DashboardPage } from './dashboard-page.ts';

let host: TestHost;
let log = '';
/** Of all links and sessions of these tests. */
const secrets: string[] = [];
before(async () => {
  const logTo = new PassThrough();
  logTo.on('data', (chunk: Buffer) => (log += chunk.toString()));
  host = await startTestHost({ files: { 'a.txt': 'text' }, settings: { maxUploadMB: 1 }, logTo });
});
after(() => host.stop());

/** A page that has opened a session. */
async function openPage(): Promise<{ page: DashboardPage; url: string; session: DashboardSessionKey }> {
  const url = await host.host.createDashboardLink();
  const page = await connectPage(url);
  const session = await page.open(secretOf(url));
  secrets.push(secretOf(url), session.secret);
  return { page, url, session };
}

/** The answer to a request with any headers. */
function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const request = httpRequest(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

test('a WebSocket of another origin, or without one, is refused', async () => {
  const url = await host.host.createDashboardLink();
  for (const origin of [
    'https://evil.example',
    'null',
    host.baseUrl,
    new URL(url).origin.replace('http:', 'https:'),
    new URL(url).origin.replace('127.0.0.1', 'localhost'),
  ]) {
    await assert.rejects(connectPage(url, { Origin: origin }), { message: '403' }, origin);
  }
  const withoutOrigin = await ask(new URL('/socket', url).href, {
    headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
  });
  assert.equal(withoutOrigin.status, 403);
  // The link still works for its user.
  const page = await connectPage(url);
  await page.open(secretOf(url));
});

test('a name that was pointed at this computer (DNS rebinding) gets neither the page nor a WebSocket', async () => {
  const url = await host.host.createDashboardLink();
  const { port } = new URL(url);
  for (const name of ['rebind.evil.example', `rebind.evil.example:${port}`, '127.0.0.1.nip.io']) {
    for (const address of [url, new URL('/command', url).href])
      assert.equal((await ask(address, { headers: { Host: name } })).status, 421);
    await assert.rejects(connectPage(url, { Host: name, Origin: `http://${name}` }), { message: '421' });
  }
  assert.equal((await ask(new URL('/command', url).href, {})).status, 200, 'to its own page');
  const forwarded = { 'X-Forwarded-For': '203.0.113.9' };
  assert.equal((await ask(url, { headers: forwarded })).status, 403);
  await assert.rejects(connectPage(url, forwarded), { message: '403' });
});

test('a link works once; a second use ends the session that it had opened', async () => {
  const { page, url, session } = await openPage();
  const thief = await connectPage(url);
  thief.send({ type: 'open', link: secretOf(url) });
  assert.equal(await thief.closed, closeCodes.linkUsed);
  assert.equal(await page.closed, closeCodes.linkUsedAgain);
  const again = await connectPage(url);
  again.send({ type: 'resume', id: session.id, nonce: '' });
  assert.equal(await again.closed, closeCodes.sessionEnded);
});

test('links and sessions expire, and an unknown one opens nothing', async () => {
  const url = await host.host.createDashboardLink();
  host.clock.advance(linkLifeMs);
  const late = await connectPage(url);
  late.send({ type: 'open', link: secretOf(url) });
  assert.equal(await late.closed, closeCodes.linkInvalid);

  const { page, session } = await openPage();
  host.clock.advance(idleSessionLifeMs);
  assert.equal((await page.call('state.get', {})).isDone, true, 'a connected page stays signed in');
  page.close();
  await page.closed;
  const soon = await connectPage(url);
  await soon.resume(session);
  soon.close();
  await soon.closed;
  host.clock.advance(idleSessionLifeMs);
  for (const wrong of [session.id, 'A'.repeat(16), '']) {
    const page = await connectPage(url);
    page.send({ type: 'resume', id: wrong, nonce: '' });
    assert.equal(await page.closed, closeCodes.sessionEnded, wrong);
  }
});

test('before a session is open, nothing is answered; no cookie of the browser opens one', async () => {
  const { session, url } = await openPage();
  const served = await ask(url);
  assert.equal(served.headers['set-cookie'], undefined);
  for (const message of [
    { type: 'call', id: 1, name: 'state.get', args: {} },
    { type: 'answer', id: 1, answer: null },
    { type: 'unknown' },
    'no JSON',
    { type: 'open', link: 'A'.repeat(43), more: 1 },
  ]) {
    const page = await connectPage(url, { Cookie: `doctray-session=${session.secret}` });
    page.send(message);
    assert.equal(await page.closed, closeCodes.unexpected);
    assert.deepEqual(page.received, []);
  }
});

test('a script in the page reads no file of this computer and no secret of the keychain', async () => {
  await host.host.services.secrets.set(ownerPasswordSecret, host.owner.password);
  const { page } = await openPage();
  const codeOf = async (name: string, args: unknown): Promise<string> => {
    const answer = await page.call(name, args);
    return answer.isDone ? 'done' : answer.error.code;
  };
  assert.equal(
    await codeOf('documents.import', { folderPath: '', sources: [join(host.dataDir, 'secrets.json')] }),
    'permission-denied',
  );
  assert.equal(await codeOf('host.copyOwnerPassword', {}), 'not-in-browser');
  assert.equal(await codeOf('settings.set', { key: 'folder', value: '/etc' }), 'setting-invalid');
  assert.equal(await codeOf('host.status', {}), 'not-found');
  assert.equal(await codeOf('__proto__', {}), 'not-found');
  assert.ok(!(await readdir(host.folder)).includes('secrets.json'));
  assert.ok(!JSON.stringify(page.received).includes(host.owner.password));
});

test('a session is resumed only with a proof, and its secret is never sent', async () => {
  const { page, url, session } = await openPage();
  page.close();
  await page.closed;
  const thief = await connectPage(url);
  thief.send({ type: 'resume', id: session.id, nonce: 'n' });
  const { proof } = await thief.next('prove');
  // What the host proved isn't what the page has to prove.
  thief.send({ type: 'proof', proof });
  assert.equal(await thief.closed, closeCodes.unexpected);
  const own = await connectPage(url);
  await own.resume(session);
  // It may show what was before it lost its connection.
  const { push } = await own.next('push');
  const whole = await own.call('state.get', {});
  assert.deepEqual(push, ['state-changed', whole.isDone && whole.result]);
  assert.ok(!JSON.stringify(own.received).includes(session.secret));
});

test('connections that say nothing push out neither the page nor each other’s successor', async () => {
  const { page, url } = await openPage();
  const silent = await Promise.all(Array.from({ length: 40 }, () => connectPage(url)));
  assert.equal((await page.call('state.get', {})).isDone, true);
  await openPage();
  // Plain connections that use up those for this computer.
  const { port } = new URL(url);
  const sockets = Array.from({ length: 250 }, () =>
    connect(Number(port), '127.0.0.1').on('error', () => undefined),
  );
  await Promise.allSettled(
    sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
  );
  assert.equal((await page.call('state.get', {})).isDone, true);
  for (const socket of sockets) socket.destroy();
  for (const one of silent) one.close();
});

test('many links don’t sign out a page that is open', async () => {
  const { page } = await openPage();
  for (let count = 0; count < 20; count += 1) {
    const { page: other } = await openPage();
    other.close();
    await other.closed;
  }
  assert.equal((await page.call('state.get', {})).isDone, true);
});

test('uploads need the session in a header, and stay inside the folder', async () => {
  const { url, session } = await openPage();
  const { origin } = new URL(url);
  const upload = (
    name: string,
    {
      folder = '',
      headers = {},
      body = 'new',
    }: { folder?: string; headers?: Record<string, string>; body?: string } = {},
  ) => {
    const list = JSON.stringify([{ name, size: body.length }]);
    const query = new URLSearchParams({ folderPath: folder, listBytes: String(list.length) });
    return ask(`${origin}/upload?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${session.secret}`, Origin: origin, ...headers },
      body: list + body,
    });
  };
  assert.equal((await upload('b.txt')).status, 200);
  assert.equal(await readFile(join(host.folder, 'b.txt'), 'utf8'), 'new');
  assert.equal((await upload('b.txt', { body: 'other' })).status, 200);
  assert.equal(await readFile(join(host.folder, 'b.txt'), 'utf8'), 'new', 'nothing is overwritten');
  assert.equal((await upload('../c.txt')).status, 200);
  const before = (await readdir(host.folder)).toSorted();
  assert.deepEqual(before.length, 4);
  assert.deepEqual(await readdir(join(host.folder, '..')).then((names) => names.toSorted()), [
    'data',
    'documents',
    'pages',
  ]);
  assert.equal((await upload('d.txt', { folder: '../data' })).status, 400);
  assert.equal((await upload('d.txt', { headers: { Authorization: '' } })).status, 401);
  assert.equal(
    (await upload('d.txt', { headers: { Authorization: `Bearer ${'A'.repeat(43)}` } })).status,
    401,
  );
  assert.equal((await upload('d.txt', { headers: { Origin: 'https://evil.example' } })).status, 403);
  assert.equal((await upload('d.txt', { headers: { 'Sec-Fetch-Site': 'same-site' } })).status, 403);
  const { jobId } = JSON.parse((await upload('d.txt', { body: 'x'.repeat(1_000_001) })).body) as {
    jobId: string;
  };
  const jobs = host.host.services.jobs.items('window');
  assert.equal(jobs.find(({ id }) => id === jobId)?.state, 'failed');
  assert.deepEqual((await readdir(host.folder)).toSorted(), before);
});

test('the network reaches it only when it is switched on, and only over HTTPS', async (t) => {
  const settings = { host: '0.0.0.0', tls: 'local-authority', networkPages: true } as const;
  const host = await startTestHost({ settings });
  t.after(() => host.stop());
  const { services } = host.host;
  const from = networkAddress();
  const here = await host.host.createDashboardLink();
  assert.equal(new URL(here).hostname, '127.0.0.1');
  const port = Number(new URL(here).port);
  await assert.rejects(askFrom({ port, to: from, path: '/' }), { code: 'ECONNREFUSED' });
  assert.equal((await askFrom({ port, from, path: '/' })).status, 400);

  await services.settings.update({ networkDashboard: true });
  const link = await host.host.createDashboardLink();
  assert.equal(new URL(link).protocol, 'https:');
  assert.equal(Number(new URL(link).port), port);
  assert.equal((await askFrom({ port, to: from, path: '/' })).status, 200);
  assert.equal((await askFrom({ port, from, path: '/' })).status, 400, 'plain HTTP');
  const ca = await services.tls.authorityCertificate();
  const servername = 'localhost';
  assert.equal((await askFrom({ port, from, path: '/', ca, servername })).status, 200);
  const page = await connectPage(`https://127.0.0.1:${port}`, {}, { ca, servername, localAddress: from });
  await page.open(secretOf(link));
  assert.equal((await page.call('state.get', {})).isDone, true);

  await services.settings.update({ networkDashboard: false });
  assert.equal(await page.closed, closeCodes.sessionEnded);
  await host.host.createDashboardLink();
  await assert.rejects(askFrom({ port, to: from, path: '/' }), { code: 'ECONNREFUSED' });
  assert.equal((await askFrom({ port, from, path: '/', ca, servername })).status, 403);
});

test('the page’s policy allows only its own scripts, connections to itself, and no frame around it', async () => {
  const url = await host.host.createDashboardLink();
  const { origin } = new URL(url);
  const html = (await ask(url)).body;
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? [];
  for (const address of [url, new URL(script, origin).href]) {
    const { status, headers } = await ask(address);
    assert.equal(status, 200, address);
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
        "frame-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  }
});

test('what needs a confirmation in the app needs the owner’s password, and wrong ones are counted', async () => {
  const { page, session, url } = await openPage();
  const setPages = { type: 'call', id: 1, name: 'settings.set', args: { key: 'networkPages', value: true } };
  const { settings } = host.host.services;

  page.send(setPages);
  const { id, question, problem } = await page.next('ask');
  assert.equal(question.kind, 'confirm');
  assert.equal(problem, null);
  page.send({ type: 'answer', id, answer: { password: 'wrong' } });
  assert.match(String((await page.next('ask')).problem?.message), /isn’t the owner’s password/);
  assert.equal(settings.current().networkPages, false);
  page.send({ type: 'answer', id, answer: { password: host.owner.password } });
  assert.equal((await page.next('result')).answer.isDone, true);
  assert.equal(settings.current().networkPages, true);

  // A user who cancels while the password is checked has canceled.
  const setApi = { type: 'call', id: 4, name: 'settings.set', args: { key: 'networkApi', value: true } };
  page.send(setApi);
  const { id: apiId } = await page.next('ask');
  page.send({ type: 'answer', id: apiId, answer: { password: host.owner.password } });
  page.send({ type: 'answer', id: apiId, answer: null });
  assert.equal((await page.next('result')).answer.isDone, false);
  assert.equal(settings.current().networkApi, false);

  // A viewer gets no more rights without the password.
  const { users } = host.host.services;
  await users.add({ login: 'vera', role: 'viewer', password: 'long enough' });
  page.send({ type: 'call', id: 5, name: 'users.setRole', args: { login: 'vera', role: 'editor' } });
  const { id: roleId, question: roleQuestion } = await page.next('ask');
  assert.equal(roleQuestion.kind === 'confirm' && roleQuestion.message, 'Let vera edit documents?');
  page.send({ type: 'answer', id: roleId, answer: { password: 'wrong' } });
  await page.next('ask');
  assert.equal(users.byLogin('vera')?.role, 'viewer');
  page.send({ type: 'answer', id: roleId, answer: { password: host.owner.password } });
  assert.equal((await page.next('result')).answer.isDone, true);
  assert.equal(users.byLogin('vera')?.role, 'editor');

  // A script in the page can’t give itself the password.
  const setPassword = { login: 'owner', password: 'known to the script' };
  page.send({ type: 'call', id: 2, name: 'users.setPassword', args: setPassword });
  let asked = await page.next('ask');
  page.send({ type: 'answer', id: asked.id, answer: null });
  const refused = (await page.next('result')).answer;
  assert.equal(refused.isDone ? 'done' : refused.error.code, 'not-confirmed');
  page.send({ type: 'call', id: 3, name: 'host.chooseFolder', args: {} });
  asked = await page.next('ask');
  assert.equal(asked.question.kind, 'folder');
  let last = '';
  for (let tries = 0; tries < 12; tries += 1) {
    page.send({ type: 'answer', id: asked.id, answer: { password: `guess ${tries}`, path: '/etc' } });
    last = String((await page.next('ask')).problem?.message);
  }
  assert.match(last, /^Too many wrong passwords\. Try again in 1[45]\smin\.$/);
  page.close();
  await page.closed;

  // After a change of the password elsewhere, everyone has to come back with a new link.
  const other = await connectPage(url);
  await other.resume(session);
  await host.host.services.users.setPassword('owner', 'another password');
  assert.equal(await other.closed, closeCodes.sessionEnded);
});

test('a page whose session has ended runs no command, even if it ignores that it was closed', async () => {
  const { page } = await openPage();
  page.stopReading();
  await host.host.services.users.setPassword('owner', 'another password');
  page.send({ type: 'call', id: 1, name: 'host.pause', args: { minutes: null } });
  // By then, the call has arrived, too.
  await openPage();
  assert.equal(host.host.state().status, 'serving');
});

test('neither the log nor the journal has a link or a session', () => {
  const written = log + JSON.stringify(host.host.services.journal.newest(1000));
  assert.ok(log.length > 0);
  assert.ok(secrets.length > 20);
  assert.deepEqual(
    secrets.filter((secret) => written.includes(secret)),
    [],
  );
});
