// This computer's own certificate authority, for networks without one: a client that trusts it trusts every certificate it signs,
// so its key is in the secret store, signs only certificates of this host, and is limited to the names of this host. Certificates
// are renewed in time, and when the host gets a name they don't cover.

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
  /** PEM; undefined if there is none. */
  certificate(): Promise<string | undefined>;
  /**
   * Creates one for these names, unless an existing one covers them. Clients that trusted an older one must trust the new one.
   */
  create(names: readonly string[]): Promise<void>;
  /**
   * The certificate of this host, renewed if it is about to expire or lacks a name that the authority may sign for; other names
   * are left out.
   * @throws CertificateFault if none can be signed
   */
  hostCertificate(
    names: readonly string[],
  ): Promise<{ certificate: CheckedCertificate; leftOut: readonly string[] }>;
}

/** From the global API; its types depend on whether a DOM library is compiled in. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const dayMs = 24 * 60 * 60 * 1000;
/** Its file in the data folder; also the key's name in the secret store. */
const authorityFile = 'authority.pem';
const secretName = 'tls-authority-key';
const authorityDays = 3650;
/** Systems reject certificates that are valid for much longer than a year. */
const certificateDays = 397;
const renewDays = 30;
/** So that clients with a slow clock accept it. */
const backdateMs = dayMs;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export function createLocalAuthority(deps: {
  /** The folder of its files. */
  directory: string;
  secrets: Pick<Secrets, 'get' | 'set'>;
  clock: Clock;
  /** This computer's name: distinguishes the authorities of several computers. */
  hostname: string;
}): LocalAuthority {
  const { secrets, clock } = deps;
  const at = (name: string): string => join(deps.directory, name);
  const read = async (name: string): Promise<string | undefined> => (await readPrivateFile(at(name)))?.text;
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(deps.directory, { recursive: true, mode: 0o700 });
    await writePrivateFile(at(name), text);
  };

  /** Both or neither: a certificate whose key is lost can't sign. */
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

  /** Splits names into those the authority may sign for and the rest. */
  const sorted = async (
    certificate: string,
    names: readonly string[],
  ): Promise<{ signable: string[]; leftOut: string[] }> => {
    const permitted = await permittedBy(certificate);
    const isSignable = (name: string): boolean => permitted === undefined || isPermitted(permitted, name);
    return {
      signable: names.filter(isSignable),
      // IPv6 addresses change with every network, and are rarely used for a host.
      leftOut: names.filter((name) => !isSignable(name) && isIP(name) !== 6),
    };
  };

  return {
    certificate: () => read(authorityFile),

    async create(names) {
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
          // It may sign certificates of hosts, but no other authority.
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
        throw new CertificateFault('host.tls-authority-cant-sign');
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
      // Two files: after a power failure in between, the pair doesn't match, and the next check creates another.
      await write('host.key', key);
      await write('host.pem', cert);
      return { certificate: checkCertificate({ cert, key }, clock()), leftOut };
    },
  };
}

/** Imported only to create a certificate: it is large, and needs its polyfill first. */
async function library(): Promise<typeof x509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function validity(nowMs: number, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(nowMs - backdateMs), notAfter: new Date(nowMs + days * dayMs) };
}

/** 127 random bits; the first bit stays clear, so that the number is positive. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/gu) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
