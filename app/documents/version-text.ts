// The texts that a comparison of versions shows.

import { hash } from 'node:crypto';
import { AppError } from '../contract/errors.ts';
import { maxComparedBytes } from '../contract/text-documents.ts';
import type { HostedFile } from '../files/document-index.ts';
import { readStart } from '../files/read-prefix.ts';
import type { HostedFolder } from '../host/hosted-folder.ts';

/**
 * @param versionId null: the current content
 * @throws AppError not-text, file-missing, version-unknown, version-damaged
 */
export async function readVersionText(
  { folder, versions }: Pick<HostedFolder, 'folder' | 'versions'>,
  { id, path }: Pick<HostedFile, 'id' | 'path'>,
  versionId: string | null,
): Promise<string> {
  if (versionId === null) {
    const bytes = await readStart(folder.jail, path, maxComparedBytes + 1);
    if (bytes.length > maxComparedBytes) throw new AppError('not-text');
    return decode(bytes);
  }
  const { version, file } = await versions.read(id, versionId);
  try {
    if (version.size > maxComparedBytes) throw new AppError('not-text');
    const bytes = await file.readFile();
    if (version.sha256?.equals(hash('sha256', bytes, 'buffer')) === false)
      throw new AppError('version-damaged');
    return decode(bytes);
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array): string {
  try {
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Not in this encoding.
  }
  throw new AppError('not-text');
}
