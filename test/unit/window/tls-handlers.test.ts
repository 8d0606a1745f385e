import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { createTlsHandlers } from '../../../app/window/tls-handlers.ts';

const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

function bench(path: string | undefined, hasAuthority = true) {
  const done: string[] = [];
  const handlers = createTlsHandlers({
    requireHost: () => ({
      tls: {
        async useLocalAuthority() {
          done.push('used');
        },
        async authorityCertificate() {
          if (!hasAuthority) throw new AppError('certificate-invalid');
          return certificate;
        },
      },
    }),
    desktop: {
      async chooseSavePath(name, kind) {
        done.push(`${kind} ${name}`);
        return path;
      },
    },
  });
  return { handlers, done };
}

test('the local authority is made and used by the host', async () => {
  const { handlers, done } = bench(undefined);
  assert.equal(await handlers['tls.useLocalAuthority']({}), null);
  assert.deepEqual(done, ['used']);
});

test('its certificate is saved where the user says, and nowhere when the user thought better of it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-tls-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'authority.crt');
  const { handlers, done } = bench(path);
  assert.deepEqual(await handlers['tls.saveAuthority']({}), { savedTo: path });
  assert.deepEqual(done, ['crt DocTray authority.crt']);
  assert.equal(await readFile(path, 'utf8'), certificate);
  assert.deepEqual(await bench(undefined).handlers['tls.saveAuthority']({}), { savedTo: null });
});

test('where there is none nobody is asked for a place, and a place that refuses is told', async () => {
  const none = bench('/nowhere/a.crt', false);
  await assert.rejects(async () => none.handlers['tls.saveAuthority']({}), { code: 'certificate-invalid' });
  assert.deepEqual(none.done, []);
  const refused = bench('/nowhere/at/all/a.crt');
  await assert.rejects(async () => refused.handlers['tls.saveAuthority']({}), { code: 'disk-refused' });
});
