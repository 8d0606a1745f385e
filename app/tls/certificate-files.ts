// Certificate and key from files of the user's, which another program may renew at any moment: they are looked at by their
// times, and read again when those changed.

import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../contract/errors.ts';
import type { Clock } from '../contract/clock.ts';
import { CertificateFault, checkCertificate, type CheckedCertificate } from './key-and-certificate.ts';

export interface CertificateFiles {
  /**
   * What the files hold now; undefined where they are as they were when they were read last.
   * @throws CertificateFault
   */
  read(paths: { certificate: string | null; key: string | null }): Promise<CheckedCertificate | undefined>;
  /** The next `read` reads, whatever the files' times are. */
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
        const missing = certificate === null ? 'a certificate file (tlsCertificate)' : 'a key file (tlsKey)';
        throw new CertificateFault(`Choose ${missing}.`);
      }
      // One after the other, so that of two faults it is always the same one that is told.
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
      // Last: files that could not be used are read again at the next look, where only one of the two was renewed so far.
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
  if (!stats.isFile()) throw new CertificateFault(`The path of the ${part} isn’t a file.`);
  if (stats.size > maxBytes) throw new CertificateFault(`The ${part} file is too large to be a ${part}.`);
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
  if (code === 'ENOENT' || code === 'ENOTDIR') return new CertificateFault(`The ${part} file doesn’t exist.`);
  if (code === 'EACCES' || code === 'EPERM') {
    return new CertificateFault(`DocTray doesn’t have permission to read the ${part} file.`);
  }
  return new CertificateFault(`The ${part} file can’t be read (${code || 'unknown'}).`);
}
