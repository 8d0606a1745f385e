// The pages for signing in and for errors, in the language of the browser that asks, whatever the host speaks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptedLanguages, languageFor } from '../../app/languages.ts';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
before(async () => {
  host = await startTestHost({ files: { 'plan.xyz': 'x' } });
});
after(async () => host.stop());

async function pageOf(path: string, language: string, init: RequestInit = {}): Promise<string> {
  const headers = new Headers(init.headers);
  headers.set('Accept-Language', language);
  return (await fetch(`${host.baseUrl}${path}`, { ...init, headers })).text();
}

test('the page for signing in and its answer are in German for a German browser', async () => {
  const { fileId } = await host.access('plan.xyz');
  const german = await pageOf(`/edit/${fileId}`, 'de-AT,de;q=0.9,en;q=0.8');
  assert.match(german, /<html lang="de-AT">/u);
  assert.match(german, /<h1>Zum Öffnen des Dokuments anmelden<\/h1>/u);
  assert.match(german, /Benutzername <input/u);
  const english = await pageOf(`/edit/${fileId}`, 'en-GB,de;q=0.5');
  assert.match(english, /<html lang="en-GB">/u);
  assert.match(english, /User name <input/u);

  const refused = await pageOf(`/edit/${fileId}/sign-in`, 'de', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: host.baseUrl },
    body: 'userName=owner&password=wrong',
  });
  assert.match(refused, /<p role="alert">Benutzername oder Passwort ist falsch\.<\/p>/u);
});

test('an error is in German for a German browser', async () => {
  const missing = await pageOf('/edit/nothing', 'de');
  assert.match(missing, /<h1>Dieses Dokument gibt es nicht<\/h1>\n<p>Diese Adresse gibt es nicht\.<\/p>/u);
  assert.match(await pageOf('/edit/nothing', 'fr, en'), /<h1>This document doesn’t exist<\/h1>/u);
});

test('an error of the page’s own calls is in German for a German browser', async () => {
  const { fileId } = await host.access('plan.xyz');
  const opened = await pageOf(`/edit/${fileId}/open`, 'de', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: host.baseUrl },
    body: '{}',
  });
  assert.match(opened, /"code":"not-authenticated","message":"Diese Seite ist abgelaufen\./u);
  assert.match(await pageOf('/edit/nothing/state', 'de'), /"message":"Diese Adresse gibt es nicht\."/u);
});

test('chooses the first language that there is', () => {
  for (const [header, tag] of [
    [undefined, 'en-GB'],
    ['', 'en-GB'],
    ['de', 'de'],
    ['fr-FR, de;q=0.4', 'de'],
    ['de;q=0.2, en;q=0.9', 'en'],
    ['en;q=0, de;q=0.1', 'de'],
    ['DE-ch', 'de-CH'],
    ['de-a', 'de'],
    ['de;q=x', 'en-GB'],
    ['*', 'en-GB'],
  ] as const) {
    assert.equal(languageFor(acceptedLanguages(header)).locale, tag, header);
  }
});
