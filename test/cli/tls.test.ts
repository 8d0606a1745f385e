// The TLS commands, with and without a running host.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from '../server/network-host.ts';
import { commandsOf, makePlace } from './processes.ts';

test('a running host creates a local authority, saves its certificate once, and uses it without restart; without a host, it is shown and switched off', async (t) => {
  const place = await makePlace();
  t.after(() => place.remove());
  const { cli, done, json, refused, printed } = commandsOf(place, place.folder);
  const host = await place.serve();
  assert.match(await done(['tls']), /HTTPS +off/);
  const save = ['tls', 'save', 'ca.pem'];
  await refused(save, 3, /There is no local certificate authority yet.*tls authority/);

  const state: { mode: string; authorityFingerprint: string; names: string[] } = await json([
    'tls',
    'authority',
  ]);
  assert.equal(state.mode, 'local-authority');
  assert.ok(state.names.includes('localhost'));
  assert.ok((await done(save)).includes(state.authorityFingerprint));
  const ca = await readFile(join(place.folder, 'ca.pem'), 'utf8');
  assert.equal(new X509Certificate(ca).fingerprint256, state.authorityFingerprint);
  await refused(save, 1, /name is taken/);

  const port = Number(new URL(host.baseUrl).port);
  assert.equal((await ask({ port, ca, servername: 'localhost' })).status, 200);
  assert.match(await done(['doctor']), /certificate expires on/);
  for (const text of [...printed, ca]) assert.ok(!text.includes('PRIVATE'));
  await host.stop();

  const { mode, problem } = await json(['tls', 'show']);
  assert.deepEqual([mode, problem], ['local-authority', null]);
  await done(['settings', 'set', 'tls', 'off']);
  assert.match(await done(['tls']), /HTTPS +off/);
  const files = await cli(['settings', 'set', 'tls', 'files']);
  assert.match(files.stderr, /Set tlsCertificate and tlsKey first/);
});
