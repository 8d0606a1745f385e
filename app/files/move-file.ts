// Gives content a name that nothing has yet, never overwriting: a hard link fails where the name is taken, a rename would
// not. On file systems without links an empty file takes the name first and is then replaced, so that the name never stands
// for half a document.

import { renameSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode } from '../contract/errors.ts';
import { cannotLink } from './disk-error.ts';
import type { OpenFolder } from './jail.ts';

/** A name in a folder that is held open. */
export interface NamedIn {
  folder: Pick<OpenFolder, 'at' | 'isRemote'>;
  name: string;
}

export function pathOf({ folder, name }: NamedIn): string {
  return folder.at(name);
}

/** The file gets the new name instead of its old one. @throws the system's EEXIST when the name is taken */
export async function moveWithoutOverwrite(from: NamedIn, to: NamedIn): Promise<void> {
  if (await linkNew(from, to)) {
    try {
      await rm(pathOf(from));
    } catch (error) {
      // Held by another program: it keeps its old name only.
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

/** False where the file system has no links. */
async function linkNew(from: NamedIn, to: NamedIn): Promise<boolean> {
  try {
    await link(pathOf(from), pathOf(to));
    return true;
  } catch (error) {
    if (cannotLink(error)) return false;
    throw error;
  }
}

/** For this long a target that another program holds is tried again. */
const heldLimitMs = 10_000;

/** Renames over the target; where another program holds it (Windows, SMB), again and again for 10 s. */
export async function renameOver(from: NamedIn, to: NamedIn): Promise<void> {
  const endAt = performance.now() + heldLimitMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    try {
      // A disk of this computer takes less time than asking another thread.
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
