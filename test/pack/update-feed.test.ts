import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertSigned } from '../../app/desktop/updates.ts';
import { feedArguments, feedOf, signMetadata } from '../../build/update-feed.ts';

const pem = (algorithm: 'ed25519' | 'x25519'): string =>
  (algorithm === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();

test('enables the update feed only if both variables are set and valid', () => {
  assert.equal(feedOf({}), undefined);
  assert.equal(
    feedOf({ UPDATE_FEED: '', UPDATE_KEY: '' }),
    undefined,
    'a workflow passes unset ones as empty',
  );
  assert.throws(() => feedOf({ UPDATE_FEED: 'https://updates.example' }), /UPDATE_KEY is missing/);
  assert.throws(() => feedOf({ UPDATE_KEY: pem('ed25519') }), /UPDATE_FEED/);
  for (const url of ['http://updates.example/', 'updates.example'])
    assert.throws(() => feedOf({ UPDATE_FEED: url, UPDATE_KEY: pem('ed25519') }), /https:/);
  assert.throws(
    () => feedOf({ UPDATE_FEED: 'https://updates.example', UPDATE_KEY: pem('x25519') }),
    /Ed25519/,
  );
  assert.equal(
    feedOf({ UPDATE_FEED: 'https://updates.example/doctray', UPDATE_KEY: pem('ed25519') })?.url,
    'https://updates.example/doctray/',
  );
});

test('the app accepts metadata that the build has signed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-feed-'));
  try {
    const feed = feedOf({ UPDATE_FEED: 'https://updates.example', UPDATE_KEY: pem('ed25519') });
    assert.ok(feed);
    writeFileSync(join(folder, 'latest-linux.yml'), 'version: 1.2.3\nsha512: abc\n');
    writeFileSync(join(folder, 'latest.yml'), 'version: 1.2.3\n');
    writeFileSync(join(folder, 'builder-debug.yml'), '');
    assert.deepEqual(signMetadata(folder, feed.key), ['latest-linux.yml', 'latest.yml']);
    assert.throws(() => signMetadata(join(folder, 'none'), feed.key), /no latest/);
    const args = feedArguments(feed, 'notes.md');
    const prefix = '-c.extraMetadata.updates.publicKey=';
    assertSigned({
      metadata: readFileSync(join(folder, 'latest-linux.yml'), 'utf8'),
      signature: readFileSync(join(folder, 'latest-linux.yml.sig'), 'utf8'),
      publicKey: args.find((arg) => arg.startsWith(prefix))?.slice(prefix.length) ?? '',
    });
    assert.ok(!args.join(' ').includes('PRIVATE'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
