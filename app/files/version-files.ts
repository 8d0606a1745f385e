// The replaced contents on disk: `versions/<file id>/<version id>` in the data folder, by reflink if the file system supports it,
// else hard link, else copy. A hard link is only used for a file that is about to lose its only visible name: a version never
// shares its inode with anything a user can edit. A version's name contains the inode of the content that was about to replace
// it, so a save that was interrupted before it was recorded can be recognized as the host's own.

import { closeSync, linkSync, lstatSync, type BigIntStats } from 'node:fs';
import { link, lstat, mkdir, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { VersionKind } from '../store/versions.ts';
import { copyToFile, reflinkToFile } from './copy-bytes.ts';
import { cannotLink, isMissing } from './disk-error.ts';
import { syncFolder } from './folder-sync.ts';
import type { OpenFolder } from './jail.ts';
import type { ReceivedBody } from './received-body.ts';

export interface VersionFile {
  id: string;
  kind: VersionKind;
}

/** A version file without a row. */
export interface OrphanedVersion {
  id: string;
  version: number;
  /** Inode of the content that was to replace it. */
  successorInode: string;
  kind: VersionKind;
  stats: BigIntStats;
}

export interface VersionFiles {
  pathOf(fileId: string, id: string): string;
  /**
   * Keeps the content of that name, which is about to be replaced.
   * @throws AppError file-changed if it isn't the same file any more
   */
  keep(input: {
    folder: OpenFolder;
    name: string;
    /** From when the file was found. */
    stats: BigIntStats;
    fileId: string;
    version: number;
    successorInode: bigint;
    /** Before bytes have to be copied, which takes space. */
    beforeCopy?: () => Promise<void>;
  }): Promise<VersionFile>;
  /** Keeps a received body as a version, beside its temporary file. */
  keepBody(incoming: ReceivedBody, about: { fileId: string; version: number }): Promise<VersionFile>;
  /** Bytes; undefined if it is gone. */
  sizeOf(fileId: string, id: string): Promise<number | undefined>;
  discard(fileId: string, id: string): Promise<void>;
  orphans(fileId: string, recordedIds: ReadonlySet<string>): Promise<OrphanedVersion[]>;
  folderOf(fileId: string): string;
}

export interface VersionFilesDeps {
  /** The `versions` folder inside the data folder. */
  directory: string;
  /** Short random text, so that a name is never reused. */
  randomText: () => string;
}

interface Source {
  folder: OpenFolder;
  name: string;
  stats: BigIntStats;
  beforeCopy?: () => Promise<void>;
}

const kindLetters = { r: 'reflink', l: 'link', c: 'copy' } as const satisfies Record<string, VersionKind>;
const idPattern = /^(\d+)-([0-9a-z]+)-([rlc])[\w-]+$/;

export function createVersionFiles(deps: VersionFilesDeps): VersionFiles {
  let canReflink = true;
  const folderOf = (fileId: string): string => join(deps.directory, fileId);
  const pathOf = (fileId: string, id: string): string => join(folderOf(fileId), id);

  const linkTo = async (source: Source, target: string): Promise<boolean> => {
    // Another visible name of the same file would stay editable, and change the version with it.
    if (source.stats.nlink > 1n) return false;
    try {
      const from = source.folder.at(source.name);
      // A local disk responds faster than the thread pool.
      if (source.folder.isRemote) await link(from, target);
      else linkSync(from, target);
    } catch (error) {
      if (cannotLink(error)) return false;
      throw error;
    }
    const linked = lstatSync(target, { bigint: true });
    if (linked.ino === source.stats.ino && linked.isFile()) return true;
    await rm(target, { force: true });
    throw new AppError('file-changed');
  };

  const copyTo = async (source: Source, to: (letter: string) => string): Promise<string> => {
    const file = await source.folder.openFile(source.name);
    if (file === undefined) throw new AppError('file-changed');
    try {
      if (file.stats.ino !== source.stats.ino) throw new AppError('file-changed');
      if (canReflink) {
        const target = to('r');
        canReflink = await reflinkToFile(file, target);
        if (canReflink) return target;
        if (await linkTo(source, to('l'))) return to('l');
      }
      await source.beforeCopy?.();
      const target = to('c');
      await copyToFile(file, target);
      return target;
    } finally {
      closeSync(file.fd);
    }
  };

  const place = async (source: Source, to: (letter: string) => string): Promise<string> => {
    if (!canReflink && (await linkTo(source, to('l')))) return to('l');
    return copyTo(source, to);
  };

  return {
    pathOf,
    folderOf,

    async keep({ fileId, version, successorInode, ...source }) {
      const folder = folderOf(fileId);
      const random = deps.randomText();
      const to = (letter: string): string =>
        join(folder, `${version}-${successorInode.toString(36)}-${letter}${random}`);
      let path: string;
      try {
        path = await place(source, to);
      } catch (error) {
        // Only the first version of a document finds its folder missing.
        if (!isMissing(error)) throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        path = await place(source, to);
      }
      const id = path.slice(folder.length + 1);
      const kind = kindOf(id);
      // A link reaches the disk with the rename that follows; a copy has to be there before.
      if (kind !== 'link') await syncFolder(folder);
      return { id, kind };
    },

    async keepBody(incoming, { fileId, version }) {
      const folder = folderOf(fileId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // It replaces nothing, so it has no successor.
      const id = `${version}-0-c${deps.randomText()}`;
      await incoming.copyTo(join(folder, id));
      await syncFolder(folder);
      return { id, kind: kindOf(id) };
    },

    sizeOf: (fileId, id) =>
      lstat(pathOf(fileId, id)).then(
        ({ size }) => size,
        () => undefined,
      ),

    async discard(fileId, id) {
      await unlink(pathOf(fileId, id)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    },

    async orphans(fileId, recordedIds) {
      let names: string[];
      try {
        names = await readdir(folderOf(fileId));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
      const found: OrphanedVersion[] = [];
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

function kindOf(id: string): VersionKind {
  const letter = idPattern.exec(id)?.[3];
  return letter === 'r' || letter === 'l' ? kindLetters[letter] : 'copy';
}

function fromBase36(text: string): bigint {
  let value = 0n;
  for (const digit of text) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
