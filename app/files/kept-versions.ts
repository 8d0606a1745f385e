// The replaced contents on the disk: `versions/<file id>/<version id>` in the data folder, by reflink where the file system
// has it, else hard link, else copy. A version's name carries the inode of the content that was about to replace it, so a
// save that was cut off before it was recorded is recognised afterwards as the host's own.

import { constants, type BigIntStats } from 'node:fs';
import { copyFile, link, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { VersionKind } from '../store/versions.ts';
import { diskErrorCode, isMissing } from './disk-error.ts';
import { syncFolder } from './folder-sync.ts';

export interface KeptFile {
  id: string;
  kind: VersionKind;
}

/** A version file that no row speaks of. */
export interface StrayVersion {
  id: string;
  version: number;
  /** Inode of the content that was to replace it. */
  successorInode: string;
  kind: VersionKind;
  stats: BigIntStats;
}

export interface KeptVersions {
  pathOf(fileId: string, id: string): string;
  keep(input: {
    absolute: string;
    fileId: string;
    version: number;
    successorInode: bigint;
  }): Promise<KeptFile>;
  discard(fileId: string, id: string): Promise<void>;
  strays(fileId: string, recordedIds: ReadonlySet<string>): Promise<StrayVersion[]>;
  folderOf(fileId: string): string;
}

export interface KeptVersionsDeps {
  /** The `versions` folder inside the data folder. */
  directory: string;
  /** Short random text, so that a name is never used twice. */
  randomText: () => string;
}

const kindLetters = { r: 'reflink', l: 'link', c: 'copy' } as const satisfies Record<string, VersionKind>;
const idPattern = /^(\d+)-([0-9a-z]+)-([rlc])[\w-]+$/;

export function createKeptVersions(deps: KeptVersionsDeps): KeptVersions {
  let canReflink = true;
  const folderOf = (fileId: string): string => join(deps.directory, fileId);
  const pathOf = (fileId: string, id: string): string => join(folderOf(fileId), id);

  const place = async (absolute: string, to: (letter: string) => string): Promise<string> => {
    if (canReflink) {
      try {
        const target = to('r');
        await copyFile(absolute, target, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL);
        await syncFile(target);
        return target;
      } catch (error) {
        if (isMissing(error)) throw error;
        canReflink = false;
      }
    }
    try {
      const target = to('l');
      await link(absolute, target);
      return target;
    } catch (error) {
      if (isMissing(error)) throw error;
      const cannotLink = ['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'];
      if (!cannotLink.includes(diskErrorCode(error))) throw error;
    }
    const target = to('c');
    try {
      await copyFile(absolute, target, constants.COPYFILE_EXCL);
      await syncFile(target);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
    return target;
  };

  return {
    pathOf,
    folderOf,

    async keep({ absolute, fileId, version, successorInode }) {
      const folder = folderOf(fileId);
      const to = (letter: string): string =>
        join(folder, `${version}-${successorInode.toString(36)}-${letter}${deps.randomText()}`);
      let path: string;
      try {
        path = await place(absolute, to);
      } catch (error) {
        // Only the first version of a document finds its folder missing.
        if (!isMissing(error)) throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        path = await place(absolute, to);
      }
      const id = path.slice(folder.length + 1);
      const kind = kindOf(id);
      // A link goes to the disk with the rename that follows; a copy has to be there before.
      if (kind !== 'link') await syncFolder(folder);
      return { id, kind };
    },

    async discard(fileId, id) {
      await rm(pathOf(fileId, id), { force: true });
    },

    async strays(fileId, recordedIds) {
      let names: string[];
      try {
        names = await readdir(folderOf(fileId));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
      const found: StrayVersion[] = [];
      for (const name of names) {
        const match = idPattern.exec(name);
        if (recordedIds.has(name) || match === null) continue;
        found.push({
          id: name,
          version: Number(match[1]),
          successorInode: String(fromBase36(match[2] ?? '')),
          kind: kindOf(name),
          stats: await lstat(pathOf(fileId, name), { bigint: true }),
        });
      }
      return found;
    },
  };
}

async function syncFile(absolute: string): Promise<void> {
  const handle = await open(absolute, 'r+');
  await handle.sync().finally(() => handle.close());
}

function kindOf(id: string): VersionKind {
  const letter = idPattern.exec(id)?.[3];
  return letter === 'r' || letter === 'l' ? kindLetters[letter] : 'copy';
}

function fromBase36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
