import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { editorUrlOf, isSameHost, publicUrlOf } from '../../../app/editors/editor-url.ts';

const failsAs = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

test('normalizes an editor’s URL as users paste it', () => {
  for (const [given, url] of [
    ['localhost:9980', 'http://localhost:9980'],
    [' http://localhost:9980/ ', 'http://localhost:9980'],
    ['https://Docs.Test:443/hosting/discovery', 'https://docs.test'],
    ['https://docs.test/hosting/discovery/?x=1#y', 'https://docs.test'],
    ['https://docs.test/ds/hosting/capabilities', 'https://docs.test/ds'],
    ['http://docs.test/welcome/', 'http://docs.test'],
    ['docs.test/ds//', 'http://docs.test/ds'],
    ['192.168.1.5', 'http://192.168.1.5'],
    ['http://[fd00::1]:8088', 'http://[fd00::1]:8088'],
  ] as const) {
    assert.equal(editorUrlOf(given), url, given);
  }
});

test('rejects anything but an HTTP or HTTPS URL without credentials', () => {
  const urls =
    'http:// ftp://docs.test file:///etc/passwd http://user:secret@docs.test user@docs.test http://docs.test:99999';
  for (const given of [...urls.split(' '), '', ' ', 'two words', `http://docs.test/${'x'.repeat(3000)}`])
    assert.throws(() => editorUrlOf(given), failsAs('editor-url-invalid'), given);
});

test('a public URL keeps its path, and can’t have a query or fragment', () => {
  assert.equal(publicUrlOf('https://tray.test/below/'), 'https://tray.test/below');
  assert.equal(publicUrlOf('host.docker.internal:8790'), 'http://host.docker.internal:8790');
  for (const given of ['', 'https://tray.test/?a=1', 'https://tray.test/#a', 'ws://tray.test']) {
    assert.throws(() => publicUrlOf(given), failsAs('invalid-argument'), given);
  }
});

test('isSameHost treats loopback names as the same host, and no others', () => {
  assert.ok(isSameHost('localhost', '127.0.0.1'));
  assert.ok(isSameHost('[::1]', '127.0.0.2'));
  assert.ok(isSameHost('docs.test', 'docs.test'));
  assert.ok(!isSameHost('docs.test', 'localhost'));
  assert.ok(!isSameHost('docs.test', 'x.docs.test'));
  assert.ok(!isSameHost('127.0.0.1.evil.test', 'localhost'));
});
