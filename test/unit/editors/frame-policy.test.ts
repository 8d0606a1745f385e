import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowsFraming } from '../../../app/editors/frame-policy.ts';

const page = 'http://office.example:9980/browser/cool.html';
const own = 'http://127.0.0.1:8790';

/** [sources of frame-ancestors, the origins that may frame the page, those that may not] */
const policies: [sources: string, allowed: string[], refused: string[]][] = [
  ['*', [own], []],
  ['http:', [own], []],
  ['127.0.0.1:*', [own], []],
  ['http://127.0.0.1:8790/', [own], ['http://localhost:8790']],
  ['other.example 127.0.0.1:8790', [own], []],
  ["'none'", [], [own]],
  ["'self'", ['http://office.example:9980'], [own]],
  ['', [], [own]],
  ['https:', ['https://127.0.0.1'], [own]],
  ['127.0.0.1', ['http://127.0.0.1'], [own]],
  ['127.0.0.1:9980', [], [own]],
  ['https://127.0.0.1:8790', [], [own]],
  ['*.example:*', ['http://docs.example'], [own]],
  [
    'http://*.example.org',
    ['http://docs.example.org'],
    ['https://docs.example.org:444', 'http://example.org'],
  ],
  ['http://*.example.org:*', ['https://docs.example.org'], []],
];
test('evaluates frame-ancestors like browsers', () => {
  for (const [sources, allowed, refused] of policies) {
    const headers = { 'content-security-policy': `default-src 'none'; frame-ancestors ${sources}` };
    for (const within of allowed) assert.equal(allowsFraming(headers, page, within), true, sources);
    for (const within of refused) assert.equal(allowsFraming(headers, page, within), false, sources);
  }
});

test('uses X-Frame-Options only without frame-ancestors, and allows a page without either', () => {
  assert.equal(allowsFraming({}, page, own), true);
  assert.equal(allowsFraming({ 'content-security-policy': "default-src 'self'" }, page, own), true);
  assert.equal(allowsFraming({ 'x-frame-options': 'DENY' }, page, own), false);
  assert.equal(allowsFraming({ 'x-frame-options': 'SAMEORIGIN' }, page, own), false);
  assert.equal(allowsFraming({ 'x-frame-options': 'SAMEORIGIN' }, page, 'http://office.example:9980'), true);
  const both = { 'x-frame-options': 'DENY', 'content-security-policy': 'frame-ancestors 127.0.0.1:*' };
  assert.equal(allowsFraming(both, page, own), true);
});
