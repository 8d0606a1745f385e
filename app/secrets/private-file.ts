// Small files that only this user may read. Writes are atomic, even in a power failure: temporary file, fsync, rename, fsync of
// the folder.

import { randomBytes } from 'node:crypto';
import { chmod, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../contract/errors.ts';
import { syncFolder } from '../files/folder-sync.ts';

const privateMode = 0o600;
const temporarySuffix = '.tmp';

export interface PrivateFile {
  text: string;
  /** Other users could read it until now. */
  wasExposed: boolean;
}

/** Undefined if the file doesn't exist. Corrects permissions that are too open. */
export async function readPrivateFile(path: string): Promise<PrivateFile | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { mode } = await file.stat();
    const wasExposed = process.platform !== 'win32' && (mode & 0o077) !== 0;
    if (wasExposed) await chmod(path, privateMode);
    return { text: await file.readFile('utf8'), wasExposed };
  } finally {
    await file.close();
  }
}

export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}${temporarySuffix}`;
  try {
    const file = await open(temporary, 'wx', privateMode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Removes leftovers of a killed write. */
export async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix) || !name.endsWith(temporarySuffix)) continue;
    await rm(join(dirname(path), name), { force: true });
  }
}
