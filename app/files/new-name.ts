// Gives content a name that nothing has yet, never overwriting: a hard link fails where the name is taken, a rename would
// not. File systems without links get an exclusive copy.

import { constants } from 'node:fs';
import { copyFile, link, open, rm } from 'node:fs/promises';
import { diskErrorCode } from './disk-error.ts';

const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/** The content gets a second, new name. @throws the system's EEXIST when the name is taken */
export async function placeNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!noLinks.includes(diskErrorCode(error))) throw error;
    await copyNew(from, to);
  }
}

async function copyNew(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  try {
    const handle = await open(to, 'r+');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}
