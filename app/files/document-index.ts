// The hosted folder as documents with ids. An id is random, created when a document is first opened or listed, and follows it
// across renames, moves and atomic replacements by other programs, and restarts. Paths and files are never trusted from one call
// to the next: everything is read again.

import type { BigIntStats } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import { nameOf } from '../contract/names.ts';
import type { FileRow, FilesTable } from '../store/files.ts';
import {
  hasLastingInodes,
  isSameContent,
  isSameContentMoved,
  isSameFile,
  modifiedMsOf,
  signatureOf,
} from './file-signature.ts';
import { searchFile } from './file-search.ts';
import { itemVersionOf } from './item-version.ts';
import { type Jail, type Place } from './jail.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { spelledPath, type NameKey } from './real-name.ts';
import { findVisible, isHiddenPath } from './visible.ts';

/** A document as the JSON API and the window see it. */
export interface HostedFile {
  id: string;
  /** Inside the folder, '/'-separated. */
  path: string;
  name: string;
  /** Bytes. */
  size: number;
  itemVersion: string;
  lastModifiedMs: number;
}

/** A document as it is on disk at this moment, with its row up to date: `row.path` is real. */
export interface FoundFile {
  row: FileRow;
  stats: BigIntStats;
}

export interface DocumentIndex {
  readonly jail: Jail;
  readonly root: string;
  readonly tenantId: number;
  /** Finds or creates the id. @throws AppError path-invalid, file-missing, folder-missing */
  openPath(path: string): Promise<HostedFile>;
  /**
   * The document with this id as it is now. Undefined: unknown id, deleted, or not in the folder. Waits for a running save if the
   * content differs from the recorded one.
   */
  find(id: string): Promise<FoundFile | undefined>;
  /** The same, for a caller that holds the document's mutex. */
  findHeld(id: string): Promise<FoundFile | undefined>;
  /** Updates the row's path to the spelling that its folder lists. */
  updateSpelling(id: string): Promise<void>;
  /** Ids for places with current stats, in one transaction. */
  rowsOf(places: readonly Place[]): Promise<FileRow[]>;
  /** A row with a new id for a new document; not written yet. */
  newRow(place: Place): FileRow;
  /** The row of an id, whatever its file's state; undefined if unknown, deleted or of another folder. */
  rowOf(id: string): FileRow | undefined;
  /** The last known row, also of a deleted document. */
  lastRowOf(id: string): FileRow | undefined;
}

export interface DocumentIndexDeps {
  jail: Jail;
  tenantId: number;
  files: FilesTable;
  clock: Clock;
  newId: () => string;
  mutex: KeyedMutex;
  /** Names with the same key may be one file on some file system. */
  nameKey: NameKey;
  transaction: <T>(work: () => T) => T;
  /** Brings the row up to date with content that the host didn't record; the document's mutex is held. */
  reconcile: (row: FileRow, place: Place) => Promise<{ row: FileRow; place: Place }>;
}

/** For this long, a document that wasn't found isn't searched for again. */
const missMemoryMs = 1000;
/** Between moving the old file away and putting the new one in its place. */
const backupGapMs = 150;

export function createDocumentIndex(deps: DocumentIndexDeps): DocumentIndex {
  const { jail, files, tenantId, mutex } = deps;
  const missedAt = new Map<string, number>();

  const rowOf = (id: string): FileRow | undefined => {
    const row = files.byId(id);
    return row === undefined || row.deletedAtMs !== null || row.tenantId !== tenantId ? undefined : row;
  };

  const isKnown = (path: string): boolean => files.byPath(tenantId, path) !== undefined;
  const spelled = (path: string): Promise<string | undefined> => spelledPath(jail, path, deps.nameKey);

  /** What is at the row's path, with the name its folder lists. Undefined: nothing, or another document. */
  const entryOf = async (row: FileRow): Promise<Place | undefined> => {
    const place = await jail.stat(row.path);
    if (place?.stats.isFile() !== true) return undefined;
    const path = await spelled(row.path);
    if (path === row.path) return place;
    if (path === undefined || isKnown(path)) return undefined;
    return { ...place, path };
  };

  /** The stats of the file at the row's path, if no write has changed it. */
  const asRecorded = async (row: FileRow): Promise<BigIntStats | undefined> => {
    const stats = jail.peek(row.path) ?? (await jail.stat(row.path))?.stats;
    return stats?.isFile() === true && isSameContent(row, stats) ? stats : undefined;
  };

  const findAtPath = async (row: FileRow): Promise<{ row: FileRow; place: Place } | undefined> => {
    const stats = await asRecorded(row);
    if (stats !== undefined) return { row, place: { path: row.path, stats } };
    const entry = await entryOf(row);
    if (entry === undefined) return undefined;
    return { row: entry.path === row.path ? row : moveRow(row, entry), place: entry };
  };

  /** Where the document is now: its recorded path first, then the place it was moved to. */
  const findPlace = async (row: FileRow): Promise<{ row: FileRow; place: Place } | undefined> => {
    const located = await findAtPath(row);
    if (located !== undefined) return located;
    await jail.requireRoot();
    const identity = `${row.id} ${row.inode} ${row.birthNs}`;
    const missed = missedAt.get(identity);
    if (missed !== undefined && performance.now() - missed < missMemoryMs) return undefined;
    const path = await searchFile(jail, row, row.path);
    const found = path === undefined ? undefined : await jail.stat(path);
    if (found !== undefined) {
      // A program that saves by first moving the old file away isn't moving the document.
      await wait(backupGapMs);
      const back = await findAtPath(row);
      if (back !== undefined) return back;
    }
    if (found === undefined || isKnown(found.path)) {
      if (missedAt.size > 1000) missedAt.clear();
      missedAt.set(identity, performance.now());
      return undefined;
    }
    return { row: moveRow(row, found), place: found };
  };

  const moveRow = (row: FileRow, place: Place): FileRow => {
    const moved = { ...row, path: place.path, renamingFrom: null };
    deps.transaction(() => {
      files.setPath(row.id, moved);
      // The move changed the ctime; that alone doesn't mean new content.
      if (!isSameContent(row, place.stats) && isSameContentMoved(row, place.stats)) {
        Object.assign(moved, signatureOf(place.stats));
        files.setContent(row.id, moved);
      }
    });
    return moved;
  };

  const findHeld = async (id: string): Promise<FoundFile | undefined> => {
    const known = rowOf(id);
    const located = known === undefined ? undefined : await findPlace(known);
    if (located === undefined) return undefined;
    const { row, place } = isSameContent(located.row, located.place.stats)
      ? located
      : await deps.reconcile(located.row, located.place);
    return { row, stats: place.stats };
  };

  const find = async (id: string): Promise<FoundFile | undefined> => {
    const row = rowOf(id);
    if (row === undefined) return undefined;
    const stats = await asRecorded(row);
    if (stats !== undefined) return { row, stats };
    return mutex.run(id, () => findHeld(id));
  };

  /** Rows that may belong to the file at one of these places, with another spelling of its path. */
  const namesakes = async (places: readonly Place[]): Promise<(place: Place) => FileRow[]> => {
    // Stable inode numbers show it. Without them, all paths of the folder are compared.
    if (places.length === 0 || (await hasLastingInodes(jail.root))) return () => [];
    const idsByKey = Map.groupBy(files.paths(tenantId), ({ path }) => deps.nameKey(path));
    return ({ path }) =>
      (idsByKey.get(deps.nameKey(path)) ?? []).map(({ id }) => rowOf(id)).filter((row) => row !== undefined);
  };

  /** Rows whose files another program moved to these places, by place. */
  const movedRows = async (places: readonly Place[]): Promise<Map<Place, FileRow>> => {
    const gone = new Map<Place, FileRow>();
    const moved = new Map<Place, FileRow>();
    const namesakesOf = await namesakes(places);
    for (const place of places) {
      const known = files
        .byInode(tenantId, signatureOf(place.stats))
        .filter((row) => isSameFile(row, place.stats));
      for (const row of [...known, ...namesakesOf(place)]) {
        const entry = await entryOf(row);
        if (entry?.path === place.path) {
          // One directory entry whose spelling changed. A hard link has its own entry.
          moved.set(place, moveRow(row, place));
          break;
        }
        if (entry === undefined && known.includes(row)) gone.set(place, row);
      }
      if (moved.has(place)) gone.delete(place);
    }
    if (gone.size > 0) await wait(backupGapMs);
    for (const [place, { id }] of gone) {
      const row = rowOf(id);
      if (row !== undefined && (await entryOf(row)) === undefined) moved.set(place, moveRow(row, place));
    }
    return moved;
  };

  const newRow = (place: Place): FileRow => ({
    ...signatureOf(place.stats),
    id: deps.newId(),
    tenantId,
    path: place.path,
    renamingFrom: null,
    sha256: null,
    version: 1,
    savedAtMs: null,
    savedBy: null,
    savedHow: null,
    createdAtMs: deps.clock(),
    deletedAtMs: null,
  });

  const rowsOf = async (places: readonly Place[]): Promise<FileRow[]> => {
    const rows: FileRow[] = [];
    const newRows: FileRow[] = [];
    const moved = await movedRows(places.filter(({ path }) => !isKnown(path)));
    for (const place of places) {
      const row = files.byPath(tenantId, place.path) ?? moved.get(place);
      const rowOfPlace = row ?? newRow(place);
      if (row === undefined) newRows.push(rowOfPlace);
      rows.push(rowOfPlace);
    }
    if (newRows.length > 0) {
      deps.transaction(() => {
        for (const row of newRows) {
          // Another call may have created it while this one searched for moved files.
          const other = files.byPath(tenantId, row.path);
          if (other === undefined) files.insert(row);
          else rows[rows.indexOf(row)] = other;
        }
      });
    }
    return rows;
  };

  return {
    jail,
    root: jail.root,
    tenantId,
    newRow,
    lastRowOf: files.byId,
    rowsOf,
    rowOf,
    find,
    findHeld,

    async updateSpelling(id) {
      const row = rowOf(id);
      const entry = row && (await entryOf(row));
      if (row !== undefined && entry !== undefined && entry.path !== row.path) moveRow(row, entry);
    },

    async openPath(wanted) {
      const parsed = jail.parse(wanted);
      await jail.requireRoot();
      const visible = await findVisible(jail, parsed);
      const path =
        visible === undefined || isKnown(visible.path) ? visible?.path : await spelled(visible.path);
      if (visible === undefined || path === undefined || isHiddenPath(path))
        throw new AppError('file-missing');
      const place = { ...visible, path };
      if (!place.stats.isFile()) throw new AppError('not-a-document');
      const [row] = await rowsOf([place]);
      const found = row === undefined ? undefined : await find(row.id);
      if (found === undefined) throw new AppError('file-missing');
      return hostedFile(found);
    },
  };
}

export function hostedFile({ row, stats }: Pick<FoundFile, 'row' | 'stats'>): HostedFile {
  return {
    id: row.id,
    path: row.path,
    name: nameOf(row.path),
    size: Number(stats.size),
    itemVersion: itemVersionOf(row),
    lastModifiedMs: modifiedMsOf(stats),
  };
}
