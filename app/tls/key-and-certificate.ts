// A certificate with its key, as it is served, and what is to be known of it. The texts come from files that anybody may have
// put there, so each way in which they cannot be used has a sentence of its own.

import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { errorCode } from '../contract/errors.ts';

/** What is served; PEM, both. */
export interface KeyAndCertificate {
  key: string;
  cert: string;
}

export interface CheckedCertificate {
  served: KeyAndCertificate;
  /** Names and addresses it is for. */
  names: string[];
  validUntilMs: number;
}

/** Why a certificate cannot be used; the sentence says what would be right and holds nothing of the key. */
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
        ? 'The certificate of this host must stand first in its file, before those of its authorities.'
        : 'The key does not belong to the certificate.',
    );
  }
  const { validFromDate, validToDate } = certificate;
  if (validToDate.getTime() <= nowMs) {
    throw new CertificateFault(`The certificate was valid until ${dayOf(validToDate)}. Renew it.`);
  }
  if (validFromDate.getTime() > nowMs) {
    throw new CertificateFault(
      `The certificate is valid from ${dayOf(validFromDate)} on. Look whether the clock of this machine is right.`,
    );
  }
  try {
    createSecureContext({ ...texts, minVersion: 'TLSv1.2' });
  } catch (error) {
    const code = errorCode(error) || 'unknown';
    throw new CertificateFault(`TLS does not take this certificate and key (${code}).`);
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
      'The certificate file is not PEM: a text with the line "-----BEGIN CERTIFICATE-----".',
    );
  }
  return [first, ...rest];
}

function readKey(text: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/mu.test(text)) {
    throw new CertificateFault('The key is protected by a passphrase. Save it without one.');
  }
  if (!/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/u.test(text)) {
    throw new CertificateFault(
      'The key file is not PEM: a text with the line "-----BEGIN PRIVATE KEY-----".',
    );
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateFault('The key in the file is damaged.');
  }
}

/** IPv6 as it stands in an address, without brackets. */
export function namesOf({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  return subjectAltName
    .split(', ')
    .map((entry) => /^(?:DNS|IP Address):(.+)$/u.exec(entry)?.[1])
    .filter((name) => name !== undefined)
    .map(plainName);
}

/** One way to write a name, so that two can be compared. */
export function plainName(name: string): string {
  if (isIP(name) !== 6) return name.toLowerCase();
  return URL.parse(`http://[${name}]`)?.hostname.slice(1, -1) ?? name.toLowerCase();
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
