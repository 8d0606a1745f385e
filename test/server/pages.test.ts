// The host's pages in a complete host: from a link to a token, and what an editor does with that token.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;

/** A document server that only serves its discovery. */
const discovery = createServer((_request, response) => {
  const { port } = discovery.address() as AddressInfo;
  const action = (name: string, ext: string): string =>
    `<action name="${name}" ext="${ext}" urlsrc="http://127.0.0.1:${port}/${name}?"/>`;
  const actions = action('edit', 'docx') + action('view', 'doc') + action('convert', 'doc');
  response.setHeader('Content-Type', 'text/xml');
  response.end(
    `<wopi-discovery><net-zone name="external-http"><app name="Word">${actions}</app></net-zone></wopi-discovery>`,
  );
});
before(async () => {
  host = await startTestHost({ files: { 'a.docx': 'x', 'old.doc': 'y' } });
  await new Promise<void>((resolve) => void discovery.listen(0, '127.0.0.1', resolve));
  const { port } = discovery.address() as AddressInfo;
  await host.host.services.editors.add({ url: `http://127.0.0.1:${port}` });
});
after(async () => {
  discovery.close();
  await host.stop();
});

interface Page {
  /** Its address, without a query. */
  url: string;
  cookie: string;
}

async function enter(link: string): Promise<Page> {
  const answer = await fetch(link, { redirect: 'manual' });
  assert.equal(answer.status, 303);
  const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  return { url: new URL(answer.headers.get('Location') ?? '', link).href, cookie };
}

async function call({ url, cookie }: Page, name: string, body = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(url).origin, Cookie: cookie },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, unknown>;
}

async function stateOf(
  { url, cookie }: Page,
  tokenId: unknown,
): Promise<{ copies: { name: string; fileId: string }[] }> {
  const answer = await fetch(`${url}/state?token=${String(tokenId)}`, { headers: { Cookie: cookie } });
  return (await answer.json()) as { copies: { name: string; fileId: string }[] };
}

function assertPage(answer: Response, text: string, { hasScript = false } = {}): void {
  assert.equal(answer.headers.get('Content-Type'), 'text/html; charset=utf-8');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(answer.headers.get('Content-Length'), String(Buffer.byteLength(text)));
  const policy = answer.headers.get('Content-Security-Policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `script-src ${hasScript ? "'self'" : "'none'"}`,
    "frame-src 'none'",
  ]) {
    assert.ok(policy.includes(rule), rule);
  }
  assert.equal(/<script/i.test(text), hasScript);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.doesNotMatch(text, /<style|<img|style=|\son\w+=/i);
}

test('the pages are complete HTML with a policy that forbids frames and framing, and scripts of others', async () => {
  const { fileId } = await host.access('a.docx');
  for (const [path, status, referrer] of [
    ['/closed', 200, 'no-referrer'],
    [`/edit/${fileId}`, 401, 'same-origin'],
    [`/view/${fileId}`, 401, 'same-origin'],
    ['/edit/nothing', 404, 'no-referrer'],
  ] as const) {
    const answer = await fetch(host.baseUrl + path);
    const text = await answer.text();
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('Referrer-Policy'), referrer);
    assert.match(text, /^<!doctype html>/);
    assertPage(answer, text, { hasScript: path === '/closed' });
  }
});

test('the help pages have no broken links and no scripts', async () => {
  for (const page of [
    'start',
    'text-editor',
    'onlyoffice',
    'collabora',
    'network',
    'linux-window',
    'troubleshooting',
  ]) {
    const answer = await fetch(`${host.baseUrl}/help/${page}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, page);
    assert.match(text, /<h1>.+<\/h1>/);
    assert.doesNotMatch(text, /<script|<img|style=|\son\w+=/i);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    assert.match(
      policy,
      /default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'/,
    );
    assert.match(text, /<link rel="icon" href="/);
    for (const [, address = ''] of text.matchAll(/href="([^"]+)"/g)) {
      assert.equal((await fetch(new URL(address, `${host.baseUrl}/help/`))).status, 200, address);
    }
  }
});

test('serves the licenses as plain text', async () => {
  const answer = await fetch(`${host.baseUrl}/help/licenses`);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'text/plain; charset=utf-8');
  assert.match(answer.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
  assert.match(
    await answer.text(),
    /^DocTray is published under the MIT license|^From the sources, run “npm run build”/,
  );
});

test('/help serves no other files', async () => {
  for (const page of ['..%2fdurability', '%2e%2e/durability', 'start.md', 'constructor']) {
    assert.equal((await fetch(`${host.baseUrl}/help/${page}`)).status, 404, page);
  }
});

test('the link from files/access opens a page whose token opens the document', async () => {
  const { fileId, hostEditUrl } = await host.access('a.docx');
  assert.match(hostEditUrl, new RegExp(`^${host.baseUrl}/edit/${fileId}\\?ticket=`, 'u'));
  const page = await enter(hostEditUrl);
  assert.equal(page.url, `${host.baseUrl}/edit/${fileId}`);
  const shown = await fetch(page.url, { headers: { Cookie: page.cookie } });
  assert.equal(shown.status, 200);
  const { accessToken, action } = await call(page, 'open');
  assert.ok(String(action).includes(encodeURIComponent(`${host.baseUrl}/wopi/files/${fileId}`)));
  const info = await host.wopi({ fileId, token: String(accessToken) });
  const seen = JSON.parse(info.body.toString()) as Record<string, unknown>;
  assert.equal(seen['PostMessageOrigin'], host.baseUrl);
  assert.equal(seen['HostEditUrl'], page.url);
  assert.equal(seen['UserCanWrite'], true);
});

test('a page offers the copies that its editor created, and a conversion links to its result', async () => {
  const { fileId, hostEditUrl } = await host.access('old.doc');
  const page = await enter(hostEditUrl);
  const { accessToken, tokenId } = await call(page, 'open');
  const answer = await host.wopi({
    fileId,
    token: String(accessToken),
    override: 'PUT_RELATIVE',
    headers: { 'X-WOPI-SuggestedTarget': '.docx', 'X-WOPI-FileConversion': 'true' },
    body: 'converted',
  });
  assert.equal(answer.status, 200);
  const created = JSON.parse(answer.body.toString()) as { HostEditUrl: string };
  const [copy] = (await stateOf(page, tokenId)).copies;
  assert.equal(copy?.name, 'old.docx');
  // ONLYOFFICE opens this link when its user presses a button, which can be after the minute for which a ticket is valid.
  host.clock.advance(5 * 60_000);
  const converted = await enter(created.HostEditUrl);
  assert.equal(converted.url, `${host.baseUrl}/edit/${copy?.fileId}`);
  assert.equal((await call(converted, 'open'))['canEdit'], true);
  const { url } = await call(page, 'ticket', { fileId: copy?.fileId, mode: 'view' });
  assert.equal((await enter(String(url))).url, `${host.baseUrl}/view/${copy?.fileId}`);
});

test('revoking a page’s access token ends the page session, so it can’t get another', async () => {
  const { hostEditUrl } = await host.access('a.docx');
  const page = await enter(hostEditUrl);
  const { accessToken } = await call(page, 'open');
  const { accessTokens } = host.host.services;
  const { id = '' } = accessTokens.find(String(accessToken)) ?? {};
  assert.equal(accessTokens.revoke(id), true);
  assert.equal((await call(page, 'token'))['code'], 'not-authenticated');
});

test('a page session survives a restart of the host', async () => {
  const { fileId, hostEditUrl } = await host.access('a.docx');
  const page = await enter(hostEditUrl);
  const { port } = new URL(host.baseUrl);
  host.listenOn({ port: Number(port) });
  await host.restart();
  const { accessToken } = await call(page, 'token');
  assert.equal((await host.wopi({ fileId, token: String(accessToken) })).status, 200);
});

test('the journal has no ticket, cookie or token', async () => {
  const { hostEditUrl } = await host.access('a.docx');
  const page = await enter(hostEditUrl);
  const { accessToken } = await call(page, 'open');
  const journal = JSON.stringify(host.host.services.journal.newest(Infinity));
  const ticket = new URL(hostEditUrl).searchParams.get('ticket') ?? '';
  for (const secret of [ticket, page.cookie.split('=')[1] ?? '', String(accessToken)]) {
    assert.equal(secret.length, 43);
    assert.ok(!journal.includes(secret));
  }
  assert.match(journal, /"operation":"HostPageOpen".*"user":"owner"/);
});

test('redirects a trailing slash and the form’s address to the page without using up the ticket', async () => {
  const { fileId, hostEditUrl } = await host.access('a.docx');
  const ask = (url: string): Promise<Response> => fetch(url, { redirect: 'manual' });
  const [page = '', query = ''] = hostEditUrl.split('?');
  const slashed = await ask(`${page}/?${query}`);
  assert.deepEqual([slashed.status, slashed.headers.get('location')], [303, `../${fileId}?${query}`]);
  assert.equal(new URL(slashed.headers.get('location') ?? '', `${page}/`).href, hostEditUrl);
  const form = await ask(`${page}/sign-in`);
  assert.equal(new URL(form.headers.get('location') ?? '', `${page}/sign-in`).href, page);
  assert.equal((await ask(page.replace('/edit/', '/EDIT/'))).status, 404);
  const entered = await ask(hostEditUrl);
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, fileId]);
});
