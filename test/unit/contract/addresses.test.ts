// What host names and addresses refer to, in all their notations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalHost,
  isLoopbackHost,
  isMixedContent,
  isWildcard,
} from '../../../app/contract/addresses.ts';

test('recognizes this computer in every notation', () => {
  const loopback =
    'localhost LOCALHOST 127.0.0.1 127.8.9.1 ::1 [::1] 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::FFFF:7f00:1';
  for (const host of loopback.split(' ')) assert.equal(isLoopbackHost(host), true, host);
  const others =
    'localhost.example 127.0.0.1.example 127.example user@127.0.0.1 127.0.0.1/path :: ::ffff:10.0.0.1 10.0.0.1';
  for (const host of ['', ...others.split(' ')]) assert.equal(isLoopbackHost(host), false, host);
});

test('recognizes all addresses of a computer in every notation', () => {
  for (const host of ['0.0.0.0', '::', '[::]', '0:0:0:0:0:0:0:0', '::0', '::ffff:0.0.0.0']) {
    assert.equal(isWildcard(host), true, host);
  }
  for (const host of ['0.0.0.0.example', '10.0.0.0', '::1', '']) assert.equal(isWildcard(host), false, host);
});

test('writes a host in one notation', () => {
  assert.equal(canonicalHost('Docs.Example'), 'docs.example');
  assert.equal(canonicalHost('2001:DB8:0:0::7'), '2001:db8::7');
  assert.equal(canonicalHost('fe80::1%eth0'), 'fe80::1');
  assert.equal(canonicalHost('::ffff:192.168.1.7'), '192.168.1.7');
  assert.equal(canonicalHost('docs.example:80'), '');
});

test('knows that browsers refuse HTTP content in an HTTPS page, unless it is on this computer', () => {
  for (const [page, content, isRefused] of [
    ['https://tray.example/x', 'http://docs.example/x', true],
    ['https://tray.example/x', 'http://localhost:9980/x', false],
    ['https://tray.example/x', 'http://127.0.0.1/x', false],
    ['https://tray.example/x', 'http://127.0.0.1.example/x', true],
    ['https://tray.example/x', 'https://docs.example/x', false],
    ['http://tray.example/x', 'http://docs.example/x', false],
  ] as const)
    assert.equal(isMixedContent(content, page), isRefused, content);
});
