// Gives content a new name, never overwriting: a hard link fails if the name is taken, a rename wouldn't. On file systems without
// links an empty file takes the name first and is then replaced, so that the name never refers to half a document.

import { renameSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../contract/errors.ts';
import { cannotLink } from './disk-error.ts';
import type { OpenFolder } from './jail.ts';

/** A name in an open folder. */
export interface NameInFolder {
  folder: Pick<OpenFolder, 'at' | 'isRemote'>;
  name: string;
}

export function pathOf({ folder, name }: NameInFolder): string {
  return folder.at(name);
}

/** Moves the file to the new name. @throws the system's EEXIST if the name is taken */
export async function moveWithoutOverwrite(from: NameInFolder, to: NameInFolder): Promise<void> {
  if (await linkNew(from, to)) {
    try {
      await rm(pathOf(from));
    } catch (error) {
      // Another program is using it: it keeps only its old name.
      await rm(pathOf(to), { force: true });
      throw error;
    }
    return;
  }
  const handle = await open(pathOf(to), 'wx');
  await handle.close();
  try {
    await rename(pathOf(from), pathOf(to));
  } catch (error) {
    await rm(pathOf(to), { force: true });
    throw error;
  }
}

/** False if the file system has no links. */
async function linkNew(from: NameInFolder, to: NameInFolder): Promise<boolean> {
  try {
    await link(pathOf(from), pathOf(to));
    return true;
  } catch (error) {
    if (cannotLink(error)) return false;
    throw error;
  }
}

/** For this long, a target that another program is using is retried. */
const heldLimitMs = 10_000;

/** Renames over the target; if another program is using it (Windows, SMB), retries for 10 s. */
export async function renameOver(from: NameInFolder, to: NameInFolder): Promise<void> {
  const endAt = performance.now() + heldLimitMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    try {
      // A local disk responds faster than the thread pool.
      if (to.folder.isRemote) await rename(pathOf(from), pathOf(to));
      else renameSync(pathOf(from), pathOf(to));
      return;
    } catch (error) {
      const code = errorCode(error);
      const mayBeHeld =
        code === 'EBUSY' || (process.platform === 'win32' && (code === 'EPERM' || code === 'EACCES'));
      if (!mayBeHeld || performance.now() > endAt) throw error;
    }
    await wait(pauseMs);
  }
}
