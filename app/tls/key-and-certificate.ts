// A served certificate with its key, and what DocTray must know about it. The files' content is untrusted, so each reason why it
// can't be used has its own sentence.

import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { errorCode } from '../contract/errors.ts';

/** PEM, both. */
export interface KeyAndCertificate {
  key: string;
  cert: string;
}

export interface CheckedCertificate {
  served: KeyAndCertificate;
  /** The names and addresses it covers. */
  names: string[];
  validUntilMs: number;
}

/** Why a certificate can't be used. The sentence says what to do and contains no part of the key. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault';
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** @throws CertificateFault */
export function checkCertificate(texts: KeyAndCertificate, nowMs: number): CheckedCertificate {
  const chain = readChain(texts.cert);
  const [certificate] = chain;
  const key = readKey(texts.key);
  if (!certificate.checkPrivateKey(key)) {
    throw new CertificateFault(
      chain.some((one) => one.checkPrivateKey(key))
        ? 'The certificate file must begin with this host’s certificate, before those of its authorities.'
        : 'The key doesn’t match the certificate.',
    );
  }
  const { validFromDate, validToDate } = certificate;
  if (validToDate.getTime() <= nowMs) {
    throw new CertificateFault(`The certificate expired on ${dayOf(validToDate)}. Renew it.`);
  }
  if (validFromDate.getTime() > nowMs) {
    throw new CertificateFault(
      `The certificate isn’t valid before ${dayOf(validFromDate)}. Check the clock of this computer.`,
    );
  }
  try {
    createSecureContext({ ...texts, minVersion: 'TLSv1.2' });
  } catch (error) {
    const code = errorCode(error) || 'unknown';
    throw new CertificateFault(`HTTPS can’t use this certificate and key (${code}).`);
  }
  return { served: texts, names: namesOf(certificate), validUntilMs: validToDate.getTime() };
}

function readChain(text: string): [X509Certificate, ...X509Certificate[]] {
  const blocks = text.match(pemBlock) ?? [];
  let chain: X509Certificate[];
  try {
    chain = blocks.map((block) => new X509Certificate(block));
  } catch {
    throw new CertificateFault('A certificate in the file is damaged.');
  }
  const [first, ...rest] = chain;
  if (first === undefined) {
    throw new CertificateFault(
      'The certificate file isn’t in PEM format: it needs a line "-----BEGIN CERTIFICATE-----".',
    );
  }
  return [first, ...rest];
}

function readKey(text: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/mu.test(text)) {
    throw new CertificateFault('The key has a passphrase. Save it without one.');
  }
  if (!/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/u.test(text)) {
    throw new CertificateFault(
      'The key file isn’t in PEM format: it needs a line "-----BEGIN PRIVATE KEY-----".',
    );
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateFault('The key in the file is damaged.');
  }
}

/** IPv6 addresses without brackets. */
export function namesOf({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  return subjectAltName
    .split(', ')
    .map((entry) => /^(?:DNS|IP Address):(.+)$/u.exec(entry)?.[1])
    .filter((name) => name !== undefined)
    .map(plainName);
}

/** Normalizes a name, so that two can be compared. */
export function plainName(name: string): string {
  if (isIP(name) !== 6) return name.toLowerCase();
  return URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name.toLowerCase();
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
