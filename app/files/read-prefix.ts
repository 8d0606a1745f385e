// Reads the first bytes of a document: they show its type, or are all of a short one.

import { closeSync } from 'node:fs';
import { AppError } from '../contract/errors.ts';
import { readAt } from './copy-bytes.ts';
import type { Jail } from './jail.ts';

/** At most `bytes`; fewer if the file is shorter. @throws AppError file-missing */
export async function readStart(jail: Pick<Jail, 'openFile'>, path: string, bytes: number): Promise<Buffer> {
  const file = await jail.openFile(path);
  if (file === undefined) throw new AppError('file-missing');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(bytes, Number(file.stats.size)));
    let filled = 0;
    while (filled < buffer.length) {
      const read = await readAt(file.fd, buffer.subarray(filled), buffer.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(file.fd);
  }
}
