// A certificate authority of this machine's own, for networks where none is at hand: who trusts it trusts every certificate it
// signs, so its key lies in the secret store, signs nothing but the certificates of this host, and counts for the names of this
// host alone. Certificates are renewed in time, and when the host is known by a name they lack.

import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type * as x509 from '@peculiar/x509';
import type { Clock } from '../contract/clock.ts';
import { readPrivateFile, writePrivateFile } from '../secrets/private-file.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { CertificateFault, checkCertificate, type CheckedCertificate } from './key-and-certificate.ts';
import { constraintsExtension, isPermitted, permittedBy, permittedFor } from './name-constraints.ts';

export interface LocalAuthority {
  /** PEM; undefined while there is none. */
  certificate(): Promise<string | undefined>;
  /**
   * Makes it where there is none that can go on signing, and for all of these names. Those who trusted one before must trust the
   * new one.
   */
  make(names: readonly string[]): Promise<void>;
  /**
   * The certificate of this host, a new one where the last is about to end or lacks a name that the authority may sign for; those
   * that it may not are left out.
   * @throws CertificateFault where none can be signed
   */
  hostCertificate(
    names: readonly string[],
  ): Promise<{ certificate: CheckedCertificate; leftOut: readonly string[] }>;
}

/** By the global API, whose types are those of the library where a DOM is compiled in as well. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const dayMs = 24 * 60 * 60 * 1000;
/** Under its file in the data folder; the key's name in the secret store. */
const authorityFile = 'authority.pem';
const secretName = 'tls-authority-key';
const authorityDays = 3650;
/** Systems refuse certificates that are good for much longer than a year. */
const certificateDays = 397;
const renewDays = 30;
/** Clocks that are a little behind take it too. */
const earlierMs = dayMs;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export function createLocalAuthority(deps: {
  /** Where its files lie. */
  directory: string;
  secrets: Pick<Secrets, 'get' | 'set'>;
  clock: Clock;
  /** Of this machine: tells the authorities of several machines apart. */
  hostname: string;
}): LocalAuthority {
  const { secrets, clock } = deps;
  const at = (name: string): string => join(deps.directory, name);
  const read = async (name: string): Promise<string | undefined> => (await readPrivateFile(at(name)))?.text;
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(deps.directory, { recursive: true, mode: 0o700 });
    await writePrivateFile(at(name), text);
  };

  /** Both or nothing: a certificate whose key is lost signs no more. */
  const signer = async (): Promise<{ certificate: string; key: SigningKey } | undefined> => {
    const certificate = await read(authorityFile);
    const stored = certificate === undefined ? undefined : await secrets.get(secretName);
    if (certificate === undefined || stored === undefined) return undefined;
    try {
      const parsed = new X509Certificate(certificate);
      const bytes = Buffer.from(stored, 'base64');
      const key = await crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
      const isPair = parsed.checkPrivateKey(createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }));
      const isLasting = parsed.validToDate.getTime() - clock() > renewDays * dayMs;
      return isPair && isLasting ? { certificate, key } : undefined;
    } catch {
      return undefined;
    }
  };

  const lastHostCertificate = async (names: readonly string[]): Promise<CheckedCertificate | undefined> => {
    const [cert, key, authority] = await Promise.all([
      read('host.pem'),
      read('host.key'),
      read(authorityFile),
    ]);
    if (cert === undefined || key === undefined || authority === undefined) return undefined;
    try {
      const checked = checkCertificate({ cert, key }, clock());
      const isOurs = new X509Certificate(cert).verify(new X509Certificate(authority).publicKey);
      const isComplete = names.every((name) => checked.names.includes(name));
      const isLasting = checked.validUntilMs - clock() > renewDays * dayMs;
      return isOurs && isComplete && isLasting ? checked : undefined;
    } catch {
      return undefined;
    }
  };

  /** Names that the authority may sign for, and those that it may not. */
  const sorted = async (
    certificate: string,
    names: readonly string[],
  ): Promise<{ signable: string[]; leftOut: string[] }> => {
    const permitted = await permittedBy(certificate);
    const isSignable = (name: string): boolean => permitted === undefined || isPermitted(permitted, name);
    return {
      signable: names.filter(isSignable),
      // IPv6 addresses come and go with every network, and hardly anyone calls a host by one.
      leftOut: names.filter((name) => !isSignable(name) && isIP(name) !== 6),
    };
  };

  return {
    certificate: () => read(authorityFile),

    async make(names) {
      const present = await signer();
      if (present !== undefined && (await sorted(present.certificate, names)).leftOut.length === 0) return;
      const x509 = await library();
      const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.createSelfSigned({
        serialNumber: serialNumber(),
        name: [{ CN: [`DocTray on ${deps.hostname} (${randomBytes(3).toString('hex')})`.slice(0, 64)] }],
        ...validity(clock(), authorityDays),
        signingAlgorithm: algorithm,
        keys,
        extensions: [
          // It signs certificates of hosts, and no other authority.
          new x509.BasicConstraintsExtension(true, 0, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
          await constraintsExtension(permittedFor(names)),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
      await secrets.set(secretName, key.toString('base64'));
      await write(authorityFile, `${certificate.toString('pem')}\n`);
    },

    async hostCertificate(names) {
      const last = await lastHostCertificate(names);
      if (last !== undefined) return { certificate: last, leftOut: [] };
      const present = await read(authorityFile);
      const { signable, leftOut } =
        present === undefined ? { signable: [...names], leftOut: [] } : await sorted(present, names);
      const lastOfSignable = await lastHostCertificate(signable);
      if (lastOfSignable !== undefined) return { certificate: lastOfSignable, leftOut };
      const issuer = await signer();
      if (issuer === undefined) {
        throw new CertificateFault(
          'The local authority can’t sign certificates any more. Create a new authority and trust it instead.',
        );
      }
      const x509 = await library();
      const authority = new x509.X509Certificate(issuer.certificate);
      const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const wanted = validity(clock(), certificateDays);
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: [{ CN: ['DocTray'] }],
        issuer: authority.subject,
        notBefore: wanted.notBefore,
        notAfter: authority.notAfter < wanted.notAfter ? authority.notAfter : wanted.notAfter,
        signingAlgorithm: algorithm,
        publicKey: keys.publicKey,
        signingKey: issuer.key,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            signable.map((value) => ({
              type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const),
              value,
            })),
          ),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
          await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
        ],
      });
      const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
      const key = pem('PRIVATE KEY', der);
      const cert = `${certificate.toString('pem')}\n`;
      // Two files: where a power cut falls between them the pair does not fit, and the next look makes another.
      await write('host.key', key);
      await write('host.pem', cert);
      return { certificate: checkCertificate({ cert, key }, clock()), leftOut };
    },
  };
}

/** Loaded only to make a certificate: it is large, and asks for its polyfill first. */
async function library(): Promise<typeof x509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function validity(nowMs: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - earlierMs), notAfter: new Date(nowMs + days * dayMs) };
}

/** 127 bits, not to be guessed; the first bit stays clear, since the number is positive. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/gu) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
