// A served certificate with its key, and what DocTray must know about it. The files' content is untrusted, so each reason why it
// can't be used has its own sentence.

import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { errorCode } from '../contract/errors.ts';
import { inEnglish, t, type MessageKey, type MessageValues } from '../contract/messages.ts';

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

/** Why a certificate can't be used. Its message is in English, for the log. The sentence says what to do and contains no part of the key. */
export class CertificateFault extends Error {
  override readonly name = 'CertificateFault';
  readonly #key: MessageKey;
  readonly #values: MessageValues | undefined;

  constructor(key: MessageKey, values?: MessageValues) {
    super(inEnglish.t(key, values));
    this.#key = key;
    this.#values = values;
  }

  /** In the user's language. */
  get sentence(): string {
    return t(this.#key, this.#values);
  }
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
        ? 'host.tls-order-of-certificates'
        : 'host.tls-key-doesnt-match',
    );
  }
  const { validFromDate, validToDate } = certificate;
  if (validToDate.getTime() <= nowMs) {
    throw new CertificateFault('host.tls-expired', { day: validToDate });
  }
  if (validFromDate.getTime() > nowMs) {
    throw new CertificateFault('host.tls-not-yet-valid', { day: validFromDate });
  }
  try {
    createSecureContext({ ...texts, minVersion: 'TLSv1.2' });
  } catch (error) {
    const code = errorCode(error) || 'unknown';
    throw new CertificateFault('host.tls-refused', { code });
  }
  return { served: texts, names: namesOf(certificate), validUntilMs: validToDate.getTime() };
}

function readChain(text: string): [X509Certificate, ...X509Certificate[]] {
  const blocks = text.match(pemBlock) ?? [];
  let chain: X509Certificate[];
  try {
    chain = blocks.map((block) => new X509Certificate(block));
  } catch {
    throw new CertificateFault('host.tls-certificate-damaged');
  }
  const [first, ...rest] = chain;
  if (first === undefined) {
    throw new CertificateFault('host.tls-certificate-not-pem');
  }
  return [first, ...rest];
}

function readKey(text: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/mu.test(text)) {
    throw new CertificateFault('host.tls-key-has-passphrase');
  }
  if (!/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/u.test(text)) {
    throw new CertificateFault('host.tls-key-not-pem');
  }
  try {
    return createPrivateKey(text);
  } catch {
    throw new CertificateFault('host.tls-key-damaged');
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
