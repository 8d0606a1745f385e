// Gives content a name that nothing has yet, never overwriting: a hard link fails where the name is taken, a rename would
// not. On file systems without links an empty file takes the name first and is then replaced, so that the name never stands
// for half a document.

import { constants } from 'node:fs';
import { copyFile, link, open, rename, rm } from 'node:fs/promises';
import { diskErrorCode } from './disk-error.ts';

const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/** The file gets the new name instead of its old one. @throws the system's EEXIST when the name is taken */
export async function moveToNew(from: string, to: string): Promise<void> {
  if (await linkNew(from, to)) {
    try {
      await rm(from);
    } catch (error) {
      // Held by another program: it keeps its old name alone.
      await rm(to, { force: true });
      throw error;
    }
    return;
  }
  await takeName(to);
  try {
    await rename(from, to);
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

/** The content gets a second, new name; `temporary` is used where it has to be copied. @throws the system's EEXIST */
export async function copyToNew(from: string, to: string, temporary: string): Promise<void> {
  if (await linkNew(from, to)) return;
  await takeName(to);
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const handle = await open(temporary, 'r+');
    await handle.sync().finally(() => handle.close());
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    await rm(to, { force: true });
    throw error;
  }
}

/** False where the file system has no links. */
async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (noLinks.includes(diskErrorCode(error))) return false;
    throw error;
  }
}

async function takeName(to: string): Promise<void> {
  const handle = await open(to, 'wx');
  await handle.close();
}
