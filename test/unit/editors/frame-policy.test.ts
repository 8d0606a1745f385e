import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowsFraming } from '../../../app/editors/frame-policy.ts';

const page = 'http://office.example:9980/browser/cool.html';
const within = 'http://127.0.0.1:8790';
const byPolicy = (sources: string) =>
  allowsFraming(
    { 'content-security-policy': `default-src 'none'; frame-ancestors ${sources}` },
    page,
    within,
  );

test('allows a page without a policy to be framed', () => {
  assert.equal(allowsFraming({}, page, within), true);
  assert.equal(allowsFraming({ 'content-security-policy': "default-src 'self'" }, page, within), true);
});

test('evaluates frame-ancestors like browsers', () => {
  const allowed = [
    '*',
    'http:',
    '127.0.0.1:*',
    'http://127.0.0.1:8790',
    'other.example 127.0.0.1:8790',
    'http://127.0.0.1:8790/',
  ];
  for (const sources of allowed) assert.equal(byPolicy(sources), true, sources);
  const refused = [
    "'none'",
    "'self'",
    '',
    'https:',
    '127.0.0.1',
    '127.0.0.1:9980',
    'https://127.0.0.1:8790',
    '*.example:*',
  ];
  for (const sources of refused) assert.equal(byPolicy(sources), false, sources);
});

test('matches subdomains with a wildcard, and https with http', () => {
  const policy = { 'content-security-policy': 'frame-ancestors http://*.example.org' };
  assert.equal(allowsFraming(policy, page, 'https://docs.example.org:444'), false);
  assert.equal(allowsFraming(policy, page, 'http://docs.example.org'), true);
  assert.equal(allowsFraming(policy, page, 'http://example.org'), false);
  const anyPort = { 'content-security-policy': 'frame-ancestors http://*.example.org:*' };
  assert.equal(allowsFraming(anyPort, page, 'https://docs.example.org'), true);
});

test('uses X-Frame-Options only without frame-ancestors', () => {
  assert.equal(allowsFraming({ 'x-frame-options': 'DENY' }, page, within), false);
  assert.equal(allowsFraming({ 'x-frame-options': 'SAMEORIGIN' }, page, within), false);
  assert.equal(allowsFraming({ 'x-frame-options': 'SAMEORIGIN' }, page, 'http://office.example:9980'), true);
  const both = { 'x-frame-options': 'DENY', 'content-security-policy': 'frame-ancestors 127.0.0.1:*' };
  assert.equal(allowsFraming(both, page, within), true);
});
