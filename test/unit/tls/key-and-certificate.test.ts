import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { formatTime } from '../../../app/contract/format.ts';
import { checkCertificate, CertificateFault, namesOf } from '../../../app/tls/key-and-certificate.ts';
import { makeCertificate, openssl, type Made } from './made-certificates.ts';

let directory: string;
let one: Made;
let other: Made;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctray-tls-'));
  one = await makeCertificate(directory, 'one', {
    names: 'DNS:Docs.Example,DNS:localhost,IP:192.0.2.7,IP:2001:db8::5',
  });
  other = await makeCertificate(directory, 'other');
});
after(() => rm(directory, { recursive: true, force: true }));

function faultOf(texts: { cert: string; key: string }, nowMs = Date.now()): string {
  try {
    checkCertificate(texts, nowMs);
  } catch (error) {
    assert.ok(error instanceof CertificateFault);
    for (const text of [texts.key, texts.cert]) {
      if (text.length > 90) assert.ok(!error.message.includes(text.slice(60, 90)));
    }
    return error.message;
  }
  return assert.fail('it was accepted');
}

test('accepts a certificate with its key, and reads its names and expiry', () => {
  const checked = checkCertificate(one, Date.now());
  assert.deepEqual(checked.names, ['docs.example', 'localhost', '192.0.2.7', '2001:db8::5']);
  const days = (checked.validUntilMs - Date.now()) / 86_400_000;
  assert.ok(days > 89 && days <= 90);
});

test('accepts a chain that begins with the certificate of this host, and explains another order and another key', () => {
  checkCertificate({ cert: one.cert + other.cert, key: one.key }, Date.now());
  assert.match(faultOf({ cert: other.cert + one.cert, key: one.key }), /must begin with/);
  assert.match(faultOf({ cert: one.cert, key: other.key }), /doesn’t match/);
});

test('distinguishes invalid, damaged and protected PEM files', async () => {
  assert.match(faultOf({ cert: 'hello', key: one.key }), /certificate file isn’t in PEM format/);
  assert.match(faultOf({ cert: '', key: one.key }), /certificate file isn’t in PEM format/);
  assert.match(faultOf({ cert: one.key, key: one.cert }), /certificate file isn’t in PEM format/);
  assert.match(faultOf({ cert: one.cert, key: one.cert }), /key file isn’t in PEM format/);
  const cut = (text: string): string => text.replace(/\n.{20}/u, '\n');
  assert.match(faultOf({ cert: cut(one.cert), key: one.key }), /certificate in the file is damaged/);
  assert.match(faultOf({ cert: one.cert, key: cut(one.key) }), /key in the file is damaged/);
  const locked = join(directory, 'locked.key');
  await openssl(['pkcs8', '-topk8', '-in', one.keyPath, '-out', locked, '-passout', 'pass:secret']);
  assert.match(faultOf({ cert: one.cert, key: await readFile(locked, 'utf8') }), /passphrase/);
});

test('rejects an expired certificate with the day, and one that isn’t valid yet', () => {
  const endsMs = checkCertificate(one, Date.now()).validUntilMs;
  const day = formatTime('date', endsMs);
  assert.match(faultOf(one, endsMs), new RegExp(`expired on ${day}`, 'u'));
  assert.doesNotThrow(() => checkCertificate(one, endsMs - 1000));
  assert.match(faultOf(one, Date.UTC(2001, 0, 1)), /isn’t valid before .* clock/);
});

test('rejects a key that is too weak for TLS, with OpenSSL’s code', async () => {
  const keyPath = join(directory, 'weak.key');
  const certPath = join(directory, 'weak.pem');
  const request = `req -x509 -newkey rsa:512 -nodes -subj /CN=weak -keyout ${keyPath} -out ${certPath}`;
  await openssl(request.split(' '));
  const [cert, key] = [await readFile(certPath, 'utf8'), await readFile(keyPath, 'utf8')];
  assert.match(faultOf({ cert, key }), /HTTPS can’t use .*\([A-Z_]+\)/);
});

test('reads only host names, and none if there are none', () => {
  assert.deepEqual(namesOf({ subjectAltName: undefined }), []);
  assert.deepEqual(namesOf({ subjectAltName: 'email:a@b.example, URI:urn:x, DNS:a.example' }), ['a.example']);
});
