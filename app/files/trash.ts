// Moves an entry of the hosted folder to the operating system's trash.

import { readFile, writeFile } from 'node:fs/promises';
import { AppError } from '../contract/errors.ts';
import { nameOf, parentOf, type Jail } from './jail.ts';

/** @param reach its path for system calls, while its folder is open. @param absolute its path for users. */
export type MoveToTrash = (reach: string, absolute: string) => Promise<void>;

/** @throws AppError disk-refused, folder-missing */
export async function trashPlace(jail: Jail, path: string, moveToTrash: MoveToTrash): Promise<void> {
  await jail.inFolder(parentOf(path), async (folder) => {
    const name = nameOf(path);
    const detail = `“${name}” couldn’t be moved to the trash.`;
    await moveToTrash(folder.at(name), jail.absolute(path)).catch((cause: unknown) => {
      throw new AppError('disk-refused', { cause, detail });
    });
    if ((await folder.stat(name)) !== undefined) throw new AppError('disk-refused', { detail });
  });
}

export const systemTrash: MoveToTrash = async (reach, absolute) => {
  const { default: trash } = await import('trash');
  // There, Windows programs do the work, and they have no /proc.
  const isWsl = process.env['WSL_DISTRO_NAME'] !== undefined;
  const trashed: unknown = await trash(isWsl ? absolute : reach, { glob: false });
  if (isWsl || reach === absolute) return;
  // Linux: the trash records the original path, and got the descriptor's path.
  for (const { info } of Array.isArray(trashed) ? (trashed as { info: string }[]) : []) {
    const text = await readFile(info, 'utf8');
    await writeFile(
      info,
      text.replace(/^Path=.*$/mu, () => `Path=${encodeURI(absolute)}`),
    );
  }
};
