// The host's own pages: nothing on them depends on who asks, and no page of another origin can use them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
before(async () => {
  host = await startTestHost({ files: { 'a.docx': 'x' } });
});
after(() => host.stop());

function assertPage(answer: Response, text: string): void {
  assert.equal(answer.headers.get('Content-Type'), 'text/html; charset=utf-8');
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  assert.equal(answer.headers.get('Referrer-Policy'), 'no-referrer');
  assert.equal(answer.headers.get('X-Content-Type-Options'), 'nosniff');
  assert.equal(answer.headers.get('Content-Length'), String(Buffer.byteLength(text)));
  const policy = answer.headers.get('Content-Security-Policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ]) {
    assert.ok(policy.includes(rule), rule);
  }
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.doesNotMatch(text, /<script|<link|<img|style=|\son\w+=/i);
}

test('The pages are whole HTML under a policy that lets nothing in, and are not to be framed', async () => {
  const { fileId } = await host.access('a.docx');
  for (const [path, status] of [
    ['/closed', 200],
    [`/edit/${fileId}`, 501],
    [`/view/${fileId}`, 501],
  ] as const) {
    const answer = await fetch(host.baseUrl + path);
    const text = await answer.text();
    assert.equal(answer.status, status, path);
    assert.match(text, /^<!doctype html>/);
    assertPage(answer, text);
  }
});

test('The help pages are whole, lead only to each other, and let nothing in', async () => {
  for (const page of ['start', 'onlyoffice', 'collabora', 'troubleshooting']) {
    const answer = await fetch(`${host.baseUrl}/help/${page}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, page);
    assert.match(text, /<h1>.+<\/h1>/);
    assert.doesNotMatch(text, /<script|<img|style=|\son\w+=/i);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    assert.match(policy, /default-src 'none'; style-src 'self'; frame-ancestors 'none'/);
    for (const [, address = ''] of text.matchAll(/href="([^"]+)"/g)) {
      assert.equal((await fetch(new URL(address, `${host.baseUrl}/help/`))).status, 200, address);
    }
  }
});

test('Nothing but the help pages can be asked for below their address', async () => {
  for (const page of ['..%2fdurability', '%2e%2e/durability', 'start.md', 'constructor', '']) {
    assert.equal((await fetch(`${host.baseUrl}/help/${page}`)).status, 404, page);
  }
});

test('A page is the same whether or not there is such a document, and whatever stands in its address', async () => {
  const { fileId } = await host.access('a.docx');
  const page = async (path: string): Promise<string> => (await fetch(host.baseUrl + path)).text();
  const known = await page(`/edit/${fileId}`);
  assert.equal(await page(`/edit/${'A'.repeat(22)}`), known);
  assert.equal(await page('/edit/%3Cscript%3Ealert(1)%3C%2Fscript%3E'), known);
  assert.equal(await page(`/edit/x?title=<b>&access_token=y`), known);
});
