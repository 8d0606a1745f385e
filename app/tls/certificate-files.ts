// Certificate and key from the user's files, which another program may renew at any time: every check reads them again.

import { readFile, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { errorCode } from '../contract/errors.ts';
import type { Clock } from '../contract/clock.ts';
import type { MessageKey } from '../contract/messages.ts';
import {
  CertificateFault,
  checkCertificate,
  type CheckedCertificate,
  type KeyAndCertificate,
} from './key-and-certificate.ts';

export interface CertificateFiles {
  /**
   * The files' current content; undefined if they haven't changed since the last read.
   * @throws CertificateFault
   */
  read(paths: { certificate: string | null; key: string | null }): Promise<CheckedCertificate | undefined>;
  /** The next `read` returns the content, even if it is the same. */
  forget(): void;
}

const maxBytes = 1024 * 1024;

export function createCertificateFiles(deps: {
  clock: Clock;
  warn: (sentence: string) => void;
}): CertificateFiles {
  let seen: KeyAndCertificate | undefined;
  return {
    async read({ certificate, key }) {
      if (certificate === null) throw new CertificateFault('host.tls-choose-certificate');
      if (key === null) throw new CertificateFault('host.tls-choose-key');
      // One after the other, so that of two faults always the same one is reported.
      const { text: cert } = await contentOf(certificate, 'certificate');
      const { text, isOpenToAll } = await contentOf(key, 'key');
      const texts = { cert, key: text };
      if (isDeepStrictEqual(texts, seen)) return undefined;
      const checked = checkCertificate(texts, deps.clock());
      if (isOpenToAll) {
        deps.warn(
          'Every user of this computer can read the key file of the certificate. Restrict its permissions.',
        );
      }
      // Last: files that can't be used, such as a renewal that is half done, are checked again.
      seen = texts;
      return checked;
    },
    forget() {
      seen = undefined;
    },
  };
}

const faults: Readonly<Record<string, MessageKey>> = {
  ENOENT: 'host.tls-file-missing',
  ENOTDIR: 'host.tls-file-missing',
  EACCES: 'host.tls-file-forbidden',
  EPERM: 'host.tls-file-forbidden',
};

async function contentOf(
  path: string,
  part: 'certificate' | 'key',
): Promise<{ text: string; isOpenToAll: boolean }> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes)
      throw new CertificateFault('host.tls-isnt-such-a-file', { part });
    const isOpenToAll = process.platform !== 'win32' && (stats.mode & 0o004) !== 0;
    return { text: await readFile(path, 'utf8'), isOpenToAll };
  } catch (error) {
    if (error instanceof CertificateFault) throw error;
    const code = errorCode(error) || 'unknown';
    throw new CertificateFault(faults[code] ?? 'host.tls-file-unreadable', { part, code });
  }
}
