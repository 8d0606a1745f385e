import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createEvents } from '../../../app/contract/events.ts';
import { loadSettings } from '../../../app/settings/load-settings.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { createTls, type TlsService } from '../../../app/tls/tls-service.ts';
import { makeCertificate, openssl } from './made-certificates.ts';

const day = 24 * 60 * 60 * 1000;

async function openTls(t: TestContext, initial: Partial<Settings> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'doctray-tls-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const dataDir = join(directory, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  const events = createEvents((error) => assert.fail(String(error)));
  const onChange = (keys: (keyof Settings)[]): void => events.emit({ event: 'settings-changed', keys });
  const settings = await loadSettings({ dataDir, onChange });
  await settings.update(initial);
  const secrets = new Map<string, string>();
  const lines: string[] = [];
  let movedMs = 0;
  const names = ['localhost', '127.0.0.1', '::1'];
  const make = (): TlsService =>
    createTls({
      dataDir,
      settings,
      events,
      secrets: {
        get: async (name) => secrets.get(name),
        set: async (name, value) => void secrets.set(name, value),
      },
      clock: () => Date.now() + movedMs,
      names: () => names,
      log: {
        info: (fields, text) => void lines.push(`${text} ${JSON.stringify(fields)}`),
        warn: (fields, text) =>
          void lines.push(`${text} ${JSON.stringify(fields)} ${String((fields as { err?: unknown }).err)}`),
      },
    });
  const tls = make();
  return {
    directory,
    dataDir,
    events,
    tls,
    secrets,
    lines,
    names,
    advance: (days: number) => void (movedMs += days * day),
    async set(change: Partial<Settings>) {
      await settings.update(change);
      await tls.check();
    },
    /** Opens the same data folder again, as after a restart. */
    async restart() {
      const next = make();
      await next.check();
      return next;
    },
  };
}

test('reports files that are not set, missing or unusable, each with its own sentence', async (t) => {
  const { tls, set, directory } = await openTls(t);
  const message = (): string => tls.state().problem?.message ?? '';
  await set({ tls: 'files' });
  assert.match(
    message(),
    /HTTPS isn’t working, so other computers get no response\. Choose a certificate file/,
  );
  await set({ tlsCertificate: join(directory, 'cert.pem') });
  assert.match(message(), /Choose a key file/);
  await set({ tlsKey: join(directory, 'key.pem') });
  assert.match(message(), /certificate file doesn’t exist/);
  await mkdir(join(directory, 'cert.pem'));
  await writeFile(join(directory, 'key.pem'), 'no key');
  await tls.check();
  assert.match(message(), /isn’t a certificate file/);
  await rm(join(directory, 'cert.pem'), { recursive: true });
  await writeFile(join(directory, 'cert.pem'), 'x'.repeat(2_000_000));
  await tls.check();
  assert.match(message(), /isn’t a certificate file/);
  assert.equal(tls.state().problem?.code, 'certificate-invalid');
  assert.equal(tls.context(), undefined);
});

test('serves renewed files after the next check, and keeps the old certificate if they are invalid', async (t) => {
  const { tls, set, directory, events } = await openTls(t);
  const first = await makeCertificate(directory, 'first');
  await set({ tls: 'files', tlsCertificate: first.certificatePath, tlsKey: first.keyPath });
  const served = tls.context();
  assert.deepEqual(served, { cert: first.cert, key: first.key });
  assert.equal(tls.state().problem, null);
  assert.deepEqual(tls.state().names, ['localhost', '127.0.0.1']);
  await tls.check();
  assert.equal(tls.context(), served, 'the same object while nothing changed');

  let changes = 0;
  events.on('host-changed', () => void (changes += 1));
  const second = await makeCertificate(directory, 'second', { names: 'DNS:renewed.example' });
  // A renewal writes one file after the other.
  await writeFile(first.certificatePath, second.cert);
  await tls.check();
  await tls.check();
  assert.equal(tls.context(), served);
  assert.match(
    tls.state().problem?.message ?? '',
    /keeps using the previous certificate\. The key doesn’t match/,
  );
  assert.equal(changes, 1);
  await writeFile(first.keyPath, second.key);
  await tls.check();
  assert.equal(tls.context()?.cert, second.cert);
  assert.deepEqual([tls.state().problem, tls.state().names], [null, ['renewed.example']]);
  assert.equal(changes, 2);

  await rm(first.certificatePath);
  await tls.check();
  assert.equal(tls.context()?.cert, second.cert);
  assert.match(tls.state().problem?.message ?? '', /doesn’t exist/);
  await writeFile(first.certificatePath, second.cert);
  await tls.check();
  assert.equal(tls.state().problem, null);
});

test('warns two weeks before a certificate expires, and keeps serving it afterwards', async (t) => {
  const { tls, set, directory, advance } = await openTls(t);
  const certificate = await makeCertificate(directory, 'short', { days: 20 });
  await set({ tls: 'files', tlsCertificate: certificate.certificatePath, tlsKey: certificate.keyPath });
  assert.equal(tls.state().problem, null);
  advance(7);
  assert.equal(tls.state().problem?.code, 'certificate-ending');
  advance(14);
  assert.equal(tls.state().problem?.code, 'certificate-expired');
  assert.ok(tls.context());
});

test('logs a key file that every user can read as a warning, without the key', async (t) => {
  if (process.platform === 'win32') return;
  const { tls, set, directory, lines } = await openTls(t);
  const certificate = await makeCertificate(directory, 'open');
  await chmod(certificate.keyPath, 0o644);
  await set({ tls: 'files', tlsCertificate: certificate.certificatePath, tlsKey: certificate.keyPath });
  await tls.check();
  const readable = /Every user of this computer can read the key file/u;
  assert.equal(lines.filter((line) => readable.test(line)).length, 1);
  assert.ok(lines.every((line) => !line.includes('PRIVATE KEY')));
});

test('the local authority issues a certificate that openssl accepts, for the names of this host', async (t) => {
  const { tls, dataDir, directory, names, secrets, lines } = await openTls(t);
  names.push('desk', '192.0.2.7', '2001:db8::5');
  await tls.useLocalAuthority();
  const state = tls.state();
  assert.deepEqual([state.mode, state.problem], ['local-authority', null]);
  assert.deepEqual(state.names, names);
  const authority = await tls.authorityCertificate();
  assert.equal(state.authorityFingerprint, new X509Certificate(authority).fingerprint256);

  const caPath = join(directory, 'ca.pem');
  const hostPath = join(dataDir, 'tls', 'host.pem');
  await writeFile(caPath, authority);
  const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', caPath];
  assert.match(await openssl([...verify, '-verify_ip', '192.0.2.7', hostPath]), /OK/);
  assert.match(await openssl([...verify, '-verify_hostname', 'desk', hostPath]), /OK/);
  await assert.rejects(openssl([...verify, '-verify_hostname', 'evil.example', hostPath]));
  const text = await openssl(['x509', '-in', caPath, '-noout', '-text']);
  assert.match(text, /CA:TRUE, pathlen:0/);
  assert.match(text, /Certificate Sign, CRL Sign/);
  assert.match(
    await openssl(['x509', '-in', hostPath, '-noout', '-text']),
    /CA:FALSE[^]*Digital Signature[^]*TLS Web Server Authentication/,
  );
  // Only this user can read the files, and the authority's key isn't in a file.
  if (process.platform !== 'win32') {
    for (const name of ['authority.pem', 'host.pem', 'host.key']) {
      assert.equal((await stat(join(dataDir, 'tls', name))).mode & 0o777, 0o600, name);
    }
    assert.equal((await stat(join(dataDir, 'tls'))).mode & 0o777, 0o700);
  }
  assert.deepEqual([...secrets.keys()], ['tls-authority-key']);
  const stored = secrets.get('tls-authority-key') ?? 'none';
  assert.ok(lines.every((line) => !line.includes('PRIVATE KEY') && !line.includes(stored)));
  for (const name of ['authority.pem', 'host.pem', 'host.key']) {
    const file = await readFile(join(dataDir, 'tls', name), 'utf8');
    assert.ok(!file.replaceAll('\n', '').includes(stored.slice(0, 80)), name);
  }
});

test('the same authority renews the local certificate 30 days before it expires and if a name is missing', async (t) => {
  const { tls, names, advance } = await openTls(t);
  await tls.useLocalAuthority();
  const authority = await tls.authorityCertificate();
  const first = tls.context();
  await tls.check();
  assert.equal(tls.context(), first);
  names.push('192.168.7.99');
  await tls.check();
  const second = tls.context();
  assert.notEqual(second?.cert, first?.cert);
  assert.ok(tls.state().names.includes('192.168.7.99'));
  // Fewer names don't cause a renewal, because a laptop may return to its network.
  names.pop();
  await tls.check();
  assert.equal(tls.context(), second);
  advance(397 - 31);
  await tls.check();
  assert.equal(tls.context(), second);
  advance(2);
  await tls.check();
  assert.notEqual(tls.context()?.cert, second?.cert);
  assert.equal(tls.state().problem, null);
  assert.equal(await tls.authorityCertificate(), authority);
});

test('limits the local authority to the names of this host', async (t) => {
  const { tls, directory, names, secrets } = await openTls(t);
  names.push('desk', 'docs.example', '203.0.113.7', '2001:db8::5');
  await tls.useLocalAuthority();
  const caPath = join(directory, 'ca.pem');
  await writeFile(caPath, await tls.authorityCertificate());
  const text = await openssl(['x509', '-in', caPath, '-noout', '-text']);
  assert.match(
    text,
    /Name Constraints: critical[^]*Permitted:[^]*DNS:docs\.example[^]*IP:203\.0\.113\.7\/255/,
  );
  // Signs with the authority's own key, as a thief could.
  const keyPath = join(directory, 'ca.key');
  const der = Buffer.from(secrets.get('tls-authority-key') ?? '', 'base64');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  await writeFile(keyPath, key.export({ type: 'pkcs8', format: 'pem' }));
  const verified = async (name: string): Promise<string> => {
    const at = (end: string): string => join(directory, `signed${end}`);
    await writeFile(at('.ext'), `subjectAltName=${name}`);
    const request = `req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=x -keyout ${at('.key')} -out ${at('.csr')}`;
    await openssl(request.split(' '));
    const sign = `x509 -req -in ${at('.csr')} -CA ${caPath} -CAkey ${keyPath} -days 9 -extfile ${at('.ext')} -out ${at('.pem')}`;
    await openssl(sign.split(' '));
    return openssl(['verify', '-CAfile', caPath, at('.pem')]).catch((error: unknown) => String(error));
  };
  const own = 'DNS:desk DNS:docs.example IP:203.0.113.7 IP:2001:db8::5 IP:192.168.3.4 DNS:new.local';
  for (const name of own.split(' ')) assert.match(await verified(name), /OK/, name);
  for (const name of ['DNS:bank.example', 'IP:198.51.100.1', 'IP:2001:db8::6', 'DNS:desk,DNS:bank.example'])
    assert.match(await verified(name), /permitted subtree violation/, name);
});

test('omits and reports a name that the authority may not sign for, until the user creates a new authority', async (t) => {
  const { tls, names, restart } = await openTls(t);
  await tls.useLocalAuthority();
  const authority = await tls.authorityCertificate();
  names.push('renamed', 'desk.local', '2001:db8::77');
  await tls.check();
  assert.match(tls.state().problem?.message ?? '', /doesn’t cover renamed: .* Create a new authority/);
  assert.deepEqual(tls.state().names, ['localhost', '127.0.0.1', '::1', 'desk.local']);
  const served = tls.context();
  await tls.check();
  assert.equal(tls.context(), served);
  assert.deepEqual((await restart()).context(), served);
  assert.equal(await tls.authorityCertificate(), authority);
  await tls.useLocalAuthority();
  assert.notEqual(await tls.authorityCertificate(), authority);
  assert.deepEqual([tls.state().problem, tls.state().names], [null, names]);
  // Another address of the network doesn't require a new authority.
  names.pop();
  names.push('2001:db8::78');
  const second = await tls.authorityCertificate();
  await tls.useLocalAuthority();
  assert.equal(await tls.authorityCertificate(), second);
  assert.equal(tls.state().problem, null);
});

test('serves the certificate until it expires if the authority’s key is lost, and creates no new authority', async (t) => {
  const { tls, names, secrets } = await openTls(t);
  await tls.useLocalAuthority();
  const authority = await tls.authorityCertificate();
  const before = tls.context();
  secrets.clear();
  names.push('new.local');
  await tls.check();
  assert.equal(tls.context(), before);
  assert.match(tls.state().problem?.message ?? '', /can no longer sign certificates/);
  assert.equal(await tls.authorityCertificate(), authority);
  await tls.useLocalAuthority();
  assert.notEqual(await tls.authorityCertificate(), authority);
  assert.deepEqual([tls.state().problem, tls.state().names], [null, names]);
});

test('creates a new host certificate if it doesn’t match its key or another authority signed it', async (t) => {
  const { tls, dataDir, directory, restart } = await openTls(t);
  await tls.useLocalAuthority();
  const same = { names: 'DNS:localhost,IP:127.0.0.1,IP:::1' };
  const stranger = await makeCertificate(directory, 'stranger', same);
  await writeFile(join(dataDir, 'tls', 'host.key'), stranger.key);
  assert.equal((await restart()).state().problem, null);
  await writeFile(join(dataDir, 'tls', 'host.key'), stranger.key);
  await writeFile(join(dataDir, 'tls', 'host.pem'), stranger.cert);
  assert.notEqual((await restart()).context()?.cert, stranger.cert);
});
