// Creates a folder and those above it. Node's own `recursive` never returns if a file system such as /proc creates no folders.

import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../contract/errors.ts';

/** @param path absolute */
export async function createFolders(path: string, mode: number): Promise<void> {
  const parent = dirname(path);
  try {
    await createFolder(path, mode);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || parent === path) throw error;
    await createFolders(parent, mode);
    await createFolder(path, mode);
  }
}

async function createFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Some systems answer EISDIR or EROFS for a folder that exists.
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory() !== true) throw error;
  }
}
