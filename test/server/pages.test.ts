// The host's HTML pages without an editor: signing in, errors, help; and their language, which is the browser's, whatever the host speaks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptedLanguages, languageFor } from '../../app/languages.ts';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
let fileId: string;
before(async () => {
  host = await startTestHost({ files: { 'plan.xyz': 'x' } });
  ({ fileId } = await host.access('plan.xyz'));
});
after(() => host.stop());

const get = (path: string, language = 'en'): Promise<Response> =>
  fetch(host.baseUrl + path, { headers: { 'Accept-Language': language } });
const post = async (call: string, type: string, body: string, language = 'de'): Promise<string> => {
  const headers = { 'Content-Type': type, Origin: host.baseUrl, 'Accept-Language': language };
  return (await fetch(`${host.baseUrl}/edit/${fileId}/${call}`, { method: 'POST', headers, body })).text();
};

test('the pages are complete HTML with a policy that forbids frames and framing, and scripts of others', async () => {
  for (const [path, status, referrer] of [
    ['/closed', 200, 'no-referrer'],
    [`/edit/${fileId}`, 401, 'same-origin'],
    [`/view/${fileId}`, 401, 'same-origin'],
    ['/edit/nothing', 404, 'no-referrer'],
  ] as const) {
    const answer = await get(path);
    const text = await answer.text();
    const hasScript = path === '/closed';
    assert.equal(answer.status, status, path);
    for (const [name, value] of Object.entries({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Length': String(Buffer.byteLength(text)),
      'Referrer-Policy': referrer,
    }))
      assert.equal(answer.headers.get(name), value, name);
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      `script-src ${hasScript ? "'self'" : "'none'"}`,
      "frame-src 'none'",
    ])
      assert.ok(policy.includes(rule), rule);
    assert.match(text, /^<!doctype html>/);
    assert.equal(/<script/i.test(text), hasScript);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.doesNotMatch(text, /<style|<img|style=|\son\w+=/i);
  }
});

test('the help pages have no broken links and no scripts', async () => {
  for (const page of 'start text-editor onlyoffice collabora network linux-window troubleshooting'.split(
    ' ',
  )) {
    const answer = await get(`/help/${page}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, page);
    assert.match(text, /<h1>.+<\/h1>/);
    assert.doesNotMatch(text, /<script|<img|style=|\son\w+=/i);
    assert.match(
      answer.headers.get('Content-Security-Policy') ?? '',
      /default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'/,
    );
    assert.match(text, /<link rel="icon" href="/);
    for (const [, address = ''] of text.matchAll(/href="([^"]+)"/g))
      assert.equal((await fetch(new URL(address, `${host.baseUrl}/help/`))).status, 200, address);
  }
});

test('/help serves the licenses as plain text, and no other files', async () => {
  const answer = await get('/help/licenses');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('Content-Type'), 'text/plain; charset=utf-8');
  assert.match(answer.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
  const text = await answer.text();
  assert.match(text, /^DocTray is published under the MIT license|^From the sources, run “npm run build”/);
  for (const page of ['..%2fdurability', '%2e%2e/durability', 'start.md', 'constructor'])
    assert.equal((await get(`/help/${page}`)).status, 404, page);
});

test('the page for signing in and its answer are in German for a German browser', async () => {
  const german = await (await get(`/edit/${fileId}`, 'de-AT,de;q=0.9,en;q=0.8')).text();
  assert.match(german, /<html lang="de-AT">/u);
  assert.match(german, /<h1>Zum Öffnen des Dokuments anmelden<\/h1>/u);
  assert.match(german, /Benutzername <input/u);
  const english = await (await get(`/edit/${fileId}`, 'en-GB,de;q=0.5')).text();
  assert.match(english, /<html lang="en-GB">/u);
  assert.match(english, /User name <input/u);
  const form = 'userName=owner&password=wrong';
  const refused = await post('sign-in', 'application/x-www-form-urlencoded', form);
  assert.match(refused, /<p role="alert">Benutzername oder Passwort ist falsch\.<\/p>/u);
});

test('an error, also of the page’s own calls, is in German for a German browser', async () => {
  const missing = await (await get('/edit/nothing', 'de')).text();
  assert.match(missing, /<h1>Dieses Dokument gibt es nicht<\/h1>\n<p>Diese Adresse gibt es nicht\.<\/p>/u);
  assert.match(await (await get('/edit/nothing', 'la, en')).text(), /<h1>This document doesn’t exist<\/h1>/u);
  const opened = await post('open', 'application/json', '{}');
  assert.match(opened, /"code":"not-authenticated","message":"Sie sind abgemeldet\./u);
  const state = await (await get('/edit/nothing/state', 'de')).text();
  assert.match(state, /"message":"Diese Adresse gibt es nicht\."/u);
});

test('chooses the first language that there is', () => {
  for (const [header, tag] of [
    [undefined, 'en-GB'],
    ['', 'en-GB'],
    ['de', 'de'],
    ['la-VA, de;q=0.4', 'de'],
    ['de;q=0.2, en;q=0.9', 'en'],
    ['en;q=0, de;q=0.1', 'de'],
    ['DE-ch', 'de-CH'],
    ['de-a', 'de'],
    ['de;q=x', 'en-GB'],
    ['*', 'en-GB'],
  ] as const)
    assert.equal(languageFor(acceptedLanguages(header)).locale, tag, header);
});
