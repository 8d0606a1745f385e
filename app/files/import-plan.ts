// Plans an import before anything is written. Sources come from a drop onto the window, from the terminal, or from an attacker who
// controls the window: only plain files and folders on ordinary disks are accepted, links are never followed, and neither the
// hosted folder nor the data folder is ever a source.

import type { BigIntStats } from 'node:fs';
import { opendir, statfs } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { assertDisjoint } from './disjoint-folders.ts';
import { statLater, realPathOf } from './file-signature.ts';
import { isHiddenName } from './visible.ts';

export interface PlannedFile {
  absolute: string;
  name: string;
  size: number;
}

export interface PlannedFolder {
  name: string;
  files: PlannedFile[];
  folders: PlannedFolder[];
}

export interface ImportPlan {
  /** Files for the target folder itself. */
  files: PlannedFile[];
  folders: PlannedFolder[];
  /** Including all subfolders. */
  fileCount: number;
  bytes: number;
  /** Links, hidden files, and special files. */
  leftOut: number;
  refused: { name: string; sentence: string }[];
}

export interface ImportPlanDeps {
  /** Absolute, real. */
  hostedFolder: string;
  dataDir: string;
  signal: AbortSignal;
}

const maxImportFiles = 100_000;
export const maxImportDepth = 64;

/** @throws AppError invalid-argument for a path that no file or folder can have */
export function assertSource(source: string): void {
  if (!isAbsolute(source) || source.includes('\0') || parse(source).root === source) {
    throw new AppError('invalid-argument', { detail: () => t('host.import-choose-files') });
  }
}

/** @throws AppError import-failed if it exceeds the import limits; the signal's reason */
export async function planImport(sources: readonly string[], deps: ImportPlanDeps): Promise<ImportPlan> {
  const plan: ImportPlan = { files: [], folders: [], fileCount: 0, bytes: 0, leftOut: 0, refused: [] };
  for (const source of new Set(sources)) {
    deps.signal.throwIfAborted();
    const name = basename(source);
    await unlessRefused(plan, name, async () => {
      const absolute = await realSource(source, deps);
      const stats = await statLater(absolute);
      if (stats?.isFile() === true) addFile(plan, plan, { absolute, name, stats });
      else if (stats?.isDirectory() === true) {
        const folder = { absolute, name, depth: 1, stats, parentDevice: stats.dev };
        plan.folders.push(await planFolder(plan, folder, deps.signal));
      } else
        throw new Refusal(
          t(stats === undefined ? 'host.import-missing' : 'host.import-neither-file-nor-folder'),
        );
    });
  }
  return plan;
}

interface FolderSource {
  absolute: string;
  name: string;
  depth: number;
  stats: BigIntStats;
  parentDevice: bigint;
}

/** Records a refused source and continues with the others. */
async function unlessRefused<T>(
  plan: ImportPlan,
  name: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    plan.refused.push({ name, sentence: error.message });
    return undefined;
  }
}

class Refusal extends Error {}

/** The real path of the source, which itself isn't a link. */
async function realSource(source: string, deps: ImportPlanDeps): Promise<string> {
  const folder = await realPathOf(dirname(source));
  if (folder === undefined) throw new Refusal(t('host.import-missing'));
  const absolute = join(folder, basename(source));
  if (isHiddenName(basename(source))) throw new Refusal(t('host.import-hidden'));
  if ((await statLater(absolute))?.isSymbolicLink() === true) throw new Refusal(t('host.import-link'));
  await assertOrdinaryDisk(absolute);
  if (!(await areDisjoint(absolute, deps.dataDir))) throw new Refusal(t('host.import-own-data'));
  if (!(await areDisjoint(absolute, deps.hostedFolder))) {
    throw new Refusal(t('host.import-hosted-folder'));
  }
  return absolute;
}

async function areDisjoint(one: string, other: string): Promise<boolean> {
  try {
    await assertDisjoint(one, other);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

async function planFolder(
  plan: ImportPlan,
  { absolute, name, depth, stats, parentDevice }: FolderSource,
  signal: AbortSignal,
): Promise<PlannedFolder> {
  // Another file system may be mounted here, even one that isn't a disk.
  if (stats.dev !== parentDevice) await assertOrdinaryDisk(absolute);
  if (depth > maxImportDepth) throw tooLarge(t('host.import-too-deep', { depth: maxImportDepth }));
  const planned: PlannedFolder = { name, files: [], folders: [] };
  for (const entry of await namesIn(absolute)) {
    signal.throwIfAborted();
    const path = join(absolute, entry);
    const entryStats = isHiddenName(entry) ? undefined : await statLater(path).catch(() => undefined);
    if (entryStats?.isFile() === true)
      addFile(plan, planned, { absolute: path, name: entry, stats: entryStats });
    else if (entryStats?.isDirectory() === true) {
      const inner = {
        absolute: path,
        name: entry,
        depth: depth + 1,
        stats: entryStats,
        parentDevice: stats.dev,
      };
      const folder = await unlessRefused(plan, entry, () => planFolder(plan, inner, signal));
      if (folder !== undefined) planned.folders.push(folder);
    } else plan.leftOut += 1;
  }
  return planned;
}

async function namesIn(absolute: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(absolute, { bufferSize: 256 })) {
      names.push(name);
      if (names.length > maxImportFiles) throw tooMany();
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new Refusal(t('host.import-unreadable'));
  }
  return names.toSorted();
}

function addFile(
  plan: ImportPlan,
  into: Pick<PlannedFolder, 'files'>,
  { absolute, name, stats }: { absolute: string; name: string; stats: BigIntStats },
): void {
  if (plan.fileCount >= maxImportFiles) throw tooMany();
  into.files.push({ absolute, name, size: Number(stats.size) });
  plan.fileCount += 1;
  plan.bytes += Number(stats.size);
}

function tooMany(): AppError {
  return tooLarge(t('host.import-too-many', { max: maxImportFiles }));
}

function tooLarge(detail: string): AppError {
  return new AppError('import-failed', { detail });
}

/** Linux file systems whose files are generated when read, endlessly or with side effects. */
const generatedTypes = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x1cd1, // devpts
  0x62656570, // configfs
  0xcafe4a11, // bpf
  0xde5e81e4, // efivarfs
  0x6165676c, // pstore
  0x42494e4d, // binfmt_misc
  0xf97cff8c, // selinuxfs
  0x19800202, // mqueue
  0x6e736673, // nsfs
]);

async function assertOrdinaryDisk(absolute: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const disk = await statfs(absolute).catch(() => undefined);
  if (disk === undefined) throw new Refusal(t('host.import-missing'));
  // The system's number is signed if the field is 32 bits wide.
  if (generatedTypes.has(disk.type >>> 0)) throw new Refusal(t('host.import-not-on-a-disk'));
}
