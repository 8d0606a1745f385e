// The TLS commands, with and without a running host.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from '../server/network-host.ts';
import { makePlace, type Ended, type Place } from './processes.ts';

let place: Place;
before(async () => {
  place = await makePlace({ 'letter.docx': 'first' });
});
after(() => place.remove());

const cli = (args: string[], cwd?: string): Promise<Ended> =>
  place.run([...args, '--data', place.dataDir], cwd === undefined ? {} : { cwd });

test('A running host creates a local authority, saves its certificate once, and uses it without restart', async () => {
  const host = await place.serve();
  const before = await cli(['tls']);
  assert.equal(before.code, 0, before.stderr);
  assert.match(before.stdout, /HTTPS +off/);
  const none = await cli(['tls', 'save', 'ca.pem'], place.folder);
  assert.match(none.stderr, /There is no local certificate authority yet.*tls authority/);
  assert.equal(none.code, 3);

  const made = await cli(['tls', 'authority', '--json']);
  assert.equal(made.code, 0, made.stderr);
  const state = JSON.parse(made.stdout) as { mode: string; authorityFingerprint: string; names: string[] };
  assert.equal(state.mode, 'local-authority');
  assert.ok(state.names.includes('localhost'));

  const saved = await cli(['tls', 'save', 'ca.pem'], place.folder);
  assert.equal(saved.code, 0, saved.stderr);
  assert.ok(saved.stdout.includes(state.authorityFingerprint));
  const ca = await readFile(join(place.folder, 'ca.pem'), 'utf8');
  assert.equal(new X509Certificate(ca).fingerprint256, state.authorityFingerprint);
  const again = await cli(['tls', 'save', 'ca.pem'], place.folder);
  assert.match(again.stderr, /name is taken/);

  const { port } = new URL(host.baseUrl);
  assert.equal((await ask({ port: Number(port), ca, servername: 'localhost' })).status, 200);
  const doctor = await cli(['doctor']);
  assert.match(doctor.stdout, /certificate expires on/);
  for (const text of [made.stdout, saved.stdout, doctor.stdout, ca]) assert.ok(!text.includes('PRIVATE'));
  host.child.kill('SIGTERM');
  await host.ended;
});

test('Without a running host, shows the same authority and switches TLS off', async () => {
  const shown = JSON.parse((await cli(['tls', 'show', '--json'])).stdout) as Record<string, unknown>;
  assert.deepEqual([shown['mode'], shown['problem']], ['local-authority', null]);
  assert.equal((await cli(['settings', 'set', 'tls', 'off'])).code, 0);
  assert.match((await cli(['tls'])).stdout, /HTTPS +off/);
  const files = await cli(['settings', 'set', 'tls', 'files']);
  assert.match(files.stderr, /Set tlsCertificate and tlsKey first/);
});
