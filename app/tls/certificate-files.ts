// Certificate and key from the user's files, which another program may renew at any time: they are read again when their
// timestamps change.

import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../contract/errors.ts';
import type { Clock } from '../contract/clock.ts';
import { CertificateFault, checkCertificate, type CheckedCertificate } from './key-and-certificate.ts';

export interface CertificateFiles {
  /**
   * The files' current content; undefined if they haven't changed since the last read.
   * @throws CertificateFault
   */
  read(paths: { certificate: string | null; key: string | null }): Promise<CheckedCertificate | undefined>;
  /** The next `read` reads the files, whatever their timestamps. */
  forget(): void;
}

const maxBytes = 1024 * 1024;

export function createCertificateFiles(deps: {
  clock: Clock;
  warn: (sentence: string) => void;
}): CertificateFiles {
  let seen: string | undefined;
  return {
    async read({ certificate, key }) {
      if (certificate === null || key === null) {
        throw new CertificateFault(
          certificate === null ? 'host.tls-choose-certificate' : 'host.tls-choose-key',
        );
      }
      // One after the other, so that of two faults always the same one is reported.
      const certificateMark = await markOf(certificate, 'certificate');
      const keyMark = await markOf(key, 'key');
      const mark = `${certificateMark.text} ${keyMark.text}`;
      if (mark === seen) return undefined;
      const cert = await textOf(certificate, 'certificate');
      const keyText = await textOf(key, 'key');
      const checked = checkCertificate({ cert, key: keyText }, deps.clock());
      if (keyMark.isOpenToAll) {
        deps.warn(
          'Every user of this computer can read the key file of the certificate. Restrict its permissions.',
        );
      }
      // Last: if only one of the two was renewed so far, the next check reads both again.
      seen = mark;
      return checked;
    },
    forget() {
      seen = undefined;
    },
  };
}

type Part = 'certificate' | 'key';

async function markOf(path: string, part: Part): Promise<{ text: string; isOpenToAll: boolean }> {
  const stats = await stat(path).catch((error: unknown) => {
    throw unreadable(part, error);
  });
  if (!stats.isFile())
    throw new CertificateFault(
      part === 'key' ? 'host.tls-key-isnt-a-file' : 'host.tls-certificate-isnt-a-file',
    );
  if (stats.size > maxBytes)
    throw new CertificateFault(part === 'key' ? 'host.tls-key-too-large' : 'host.tls-certificate-too-large');
  return {
    text: `${stats.ino}-${stats.size}-${stats.mtimeMs}-${stats.ctimeMs}`,
    isOpenToAll: process.platform !== 'win32' && (stats.mode & 0o004) !== 0,
  };
}

async function textOf(path: string, part: Part): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unreadable(part, error);
  }
}

function unreadable(part: Part, error: unknown): CertificateFault {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new CertificateFault(part === 'key' ? 'host.tls-key-missing' : 'host.tls-certificate-missing');
  if (code === 'EACCES' || code === 'EPERM') {
    return new CertificateFault(part === 'key' ? 'host.tls-key-forbidden' : 'host.tls-certificate-forbidden');
  }
  return new CertificateFault(
    part === 'key' ? 'host.tls-key-unreadable' : 'host.tls-certificate-unreadable',
    { code: code || 'unknown' },
  );
}
