import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getSetting, setSetting } from '../../../app/control/setting-commands.ts';
import { tlsCommands } from '../../../app/control/tls-commands.ts';
import { makeFakeHost, type FakeHost } from './fake-services.ts';

let fake: FakeHost;
before(async () => {
  fake = await makeFakeHost();
});
after(() => fake.remove());

test('TLS by files is chosen once both files are, by paths as they were typed', async () => {
  const { settings } = fake.services;
  const set = (key: string, value: string): ReturnType<typeof setSetting> =>
    setSetting(settings, { key, value, cwd: fake.folder }, true);
  await assert.rejects(set('tls', 'files'), {
    code: 'setting-invalid',
    message: /Set tlsCertificate and tlsKey/,
  });
  await assert.rejects(set('tlsCertificate', 'nowhere.pem'), { message: /tlsCertificate: There is no file/ });
  await writeFile(join(fake.folder, 'host.pem'), 'x');
  assert.deepEqual(await set('tlsCertificate', 'host.pem'), {
    key: 'tlsCertificate',
    value: join(fake.folder, 'host.pem'),
    needsRestart: false,
  });
  await assert.rejects(set('tls', 'files'), { code: 'setting-invalid' });
  await set('tlsKey', join(fake.folder, 'host.pem'));
  assert.deepEqual(await set('tls', 'files'), { key: 'tls', value: 'files', needsRestart: false });
  await set('tls', 'off');
  await set('tlsKey', 'none');
  assert.equal(getSetting(settings, { key: 'tlsKey' }).value, null);
});

test('Guards and TLS take effect at once, the address with the next start', async () => {
  const { settings } = fake.services;
  for (const [key, value] of [
    ['networkApi', 'true'],
    ['networkPages', 'true'],
    ['trustedProxies', '10.0.0.1'],
    ['tls', 'local-authority'],
  ] as const) {
    const { needsRestart } = await setSetting(settings, { key, value, cwd: '/' }, true);
    assert.equal(needsRestart, false, key);
  }
  const { needsRestart } = await setSetting(settings, { key: 'host', value: '0.0.0.0', cwd: '/' }, true);
  assert.equal(needsRestart, true);
  await settings.update({ tls: 'off' });
});

test('The local authority is made, shown and given away, and nothing of it is a key', async () => {
  const other = await makeFakeHost();
  const context = { services: other.services };
  await assert.rejects(async () => tlsCommands['tls-authority'].run(context, {}), {
    code: 'certificate-invalid',
  });
  const state = await tlsCommands['use-local-authority'].run(context, {});
  assert.deepEqual([state.mode, state.names, state.problem], ['local-authority', ['localhost'], null]);
  assert.deepEqual(await tlsCommands.tls.run(context, {}), state);
  const { certificate, fingerprint } = await tlsCommands['tls-authority'].run(context, {});
  assert.equal(new X509Certificate(certificate).fingerprint256, fingerprint);
  assert.ok(!certificate.includes('PRIVATE'));
  await other.remove();
});
