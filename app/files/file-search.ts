// Finds a document that another program moved inside the folder, by its identity on disk. Its cost grows with the folder, so it
// is limited in time and runs only on a miss.

import { joinPath, parentOf, nameOf } from '../contract/names.ts';
import type { FileSignature } from '../store/files.ts';
import { createYieldTurn } from './event-loop.ts';
import { isSameFile } from './file-signature.ts';
import { type Jail, type OpenFolder } from './jail.ts';
import { readVisible } from './read-folder.ts';

/** A moved document must respond under its id within 2 s; the rest is for the call itself. */
const searchLimitMs = 1500;
const parallelStats = 64;

/**
 * The current path of the file, or undefined if it wasn't found in time. Searches the folders nearest to its old place first.
 * Skips hidden folders, including the trash.
 */
export async function searchFile(
  jail: Jail,
  known: FileSignature,
  formerPath: string,
): Promise<string | undefined> {
  const startFolder = parentOf(formerPath);
  const wantedName = nameOf(formerPath);
  const endAt = performance.now() + searchLimitMs;
  const queue = startFolder === '' ? [''] : [startFolder, ''];
  const visited = new Set<string>();
  let other: string | undefined;
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    if (visited.has(folder)) continue;
    visited.add(folder);
    const opened = await jail.openFolder(folder).catch(() => undefined);
    if (opened === undefined) continue;
    let found: Found | undefined;
    try {
      const { names, folders } = await readNames(jail, opened);
      queue.push(...folders.map((name) => joinPath(folder, name)));
      found = await searchNames(opened, known, names, wantedName, endAt);
    } finally {
      opened.close();
    }
    if (found?.isSure === true) return found.path;
    other ??= found?.path;
    if (performance.now() > endAt) break;
  }
  return other;
}

/** If a file has several names (hard links), its old name wins. */
interface Found {
  path: string;
  isSure: boolean;
}

async function searchNames(
  folder: OpenFolder,
  known: FileSignature,
  names: string[],
  wantedName: string,
  endAt: number,
): Promise<Found | undefined> {
  let other: Found | undefined;
  for (let start = 0; start < names.length && performance.now() < endAt; start += parallelStats) {
    const some = names.slice(start, start + parallelStats);
    const stats = await Promise.all(some.map(async (name) => folder.stat(name)).map(orUndefined));
    for (const [index, entry] of stats.entries()) {
      const name = some[index];
      if (name === undefined || entry?.isFile() !== true || !isSameFile(known, entry)) continue;
      const path = joinPath(folder.path, name);
      if (entry.nlink === 1n || name === wantedName) return { path, isSure: true };
      other ??= { path, isSure: false };
    }
  }
  return other;
}

/** A link's target is found at its real path. */
async function readNames(jail: Jail, folder: OpenFolder): Promise<{ names: string[]; folders: string[] }> {
  const names: string[] = [];
  const folders: string[] = [];
  try {
    for await (const batch of readVisible(jail, folder, createYieldTurn())) {
      for (const entry of batch) {
        if (entry.isDirectory()) folders.push(entry.name);
        else if (entry.isFile()) names.push(entry.name);
      }
    }
  } catch {
    // A folder that is gone or can't be read contains nothing that could be served.
  }
  return { names, folders };
}

function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined);
}
