// A temporary hosted folder and data folder with a real database, and the modules of app/files and app/store wired to them as the
// host does it. `restart` closes the database and opens it again, as after a kill; `faults` make operations fail.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, statSync, type BigIntStats } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import type { HostEvent } from '../../../app/contract/events.ts';
import { parentOf, nameOf } from '../../../app/contract/names.ts';
import { createReconcile } from '../../../app/files/reconcile.ts';
import { createDiskSpace } from '../../../app/files/disk-space.ts';
import { createDocuments } from '../../../app/files/documents.ts';
import { createDocumentIndex, type FoundFile } from '../../../app/files/document-index.ts';
import { receiveBody, type ReceivedBody } from '../../../app/files/received-body.ts';
import { openJail, type Jail } from '../../../app/files/jail.ts';
import { createVersionFiles, type VersionFiles } from '../../../app/files/version-files.ts';
import { createKeyedMutex } from '../../../app/files/keyed-mutex.ts';
import { createPurge } from '../../../app/files/purge.ts';
import { recoverFolder } from '../../../app/files/crash-recovery.ts';
import { createRecoveredSaves } from '../../../app/files/recovered-saves.ts';
import { createContentReplacer } from '../../../app/files/replace-content.ts';
import { createTempNames } from '../../../app/files/temp-names.ts';
import { createVersionLimits } from '../../../app/files/version-limits.ts';
import { createVersionHistory } from '../../../app/files/version-history.ts';
import { createFilesTable, type SaveOrigin } from '../../../app/store/files.ts';
import { createLocksTable, type LockRow } from '../../../app/store/locks.ts';
import { openStore } from '../../../app/store/open-store.ts';
import { createTenantsTable } from '../../../app/store/tenants.ts';
import { createRecoveredTable, createVersionsTable } from '../../../app/store/versions.ts';
import { candidateNames, recoveredName } from '../../../app/wopi/target-names.ts';
import { nameKey } from '../../../app/wopi/names.ts';

/** A folder on a second disk, on which versions are copies, if there is one: in memory, or on the disk if temporary folders are in memory. */
export const otherDisk = ['/dev/shm', process.env['DOCTRAY_TEST_RUN']].find(
  (folder) => folder !== undefined && existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

export const minute = 60_000;
export const day = 24 * 60 * minute;
export const origin: SaveOrigin = { savedAtMs: 7, savedBy: 'anna', savedHow: 'explicit' };
export const nothing = (): void => undefined;

export interface RoomOptions {
  /** Content by path inside the folder. */
  files?: Record<string, string>;
  /** Wraps the real version files. */
  versionFiles?: (real: VersionFiles) => VersionFiles;
  /** Wraps the real jail, for a file system with other rules. */
  jail?: (real: Jail) => Jail;
  /** The folder of the versions; on another disk, versions are copies. */
  versionsDirectory?: string;
  newFileMode?: number;
}

export type Room = Awaited<ReturnType<typeof openRoom>>;

export async function temporaryFolder(t: TestContext, within = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(within, 'doctray-files-'));
  t.after(async () => rm(path, { recursive: true, force: true }));
  return path;
}

export async function openRoom(t: TestContext, options: RoomOptions = {}) {
  const base = await temporaryFolder(t);
  const root = join(base, 'documents');
  const dataDir = join(base, 'data');
  const trash = join(base, 'trash');
  const recoveredDirectory = join(dataDir, 'rescued');
  for (const path of [root, dataDir, trash, recoveredDirectory]) await mkdir(path, { recursive: true });
  const at = (path: string): string => join(root, ...path.split('/'));
  const write = async (path: string, content: string): Promise<void> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  for (const [path, content] of Object.entries(options.files ?? {})) await write(path, content);

  /** Real time, and how far the computer's clock is off. */
  const time = { nowMs: Date.UTC(2026, 10, 20, 12), wrongByMs: 0 };
  const clock = (): number => time.nowMs + time.wrongByMs;
  const livedMs = (): number => time.nowMs;
  const events: HostEvent[] = [];
  const emit = (event: HostEvent): void => void events.push(event);
  const logged: string[] = [];
  const note = (_: object, text: string): void => void logged.push(text);
  const unhashed: string[] = [];
  const missed = new Set<string>();
  const failures: unknown[] = [];
  /** Values of the settings. */
  const limits = {
    versionCount: 100,
    minFreeMB: 0,
    recoveredMB: 2000,
    recoveredTokenMB: 250,
  };
  const faults = {
    failsToRecord: false,
    failsToTrash: false,
    trashesNothing: false,
    trashesElsewhere: false,
  };
  let store = openStore({ dataDir, clock, onNotice: nothing });
  let starts = 0;

  const build = async () => {
    const { db } = store;
    const transaction = <T>(work: () => T): T => {
      if (faults.failsToRecord) throw new Error('The process ended here.');
      return db.transaction(work).immediate();
    };
    const files = createFilesTable(db);
    const locks = createLocksTable(db);
    const versionsTable = createVersionsTable(db, livedMs);
    const recoveredTable = createRecoveredTable(db, livedMs);
    const mutex = createKeyedMutex();
    starts += 1;
    const tempNames = createTempNames({
      dataFolderId: 'room0001',
      randomText: () => `${starts}x${randomBytes(4).toString('hex')}`,
    });
    const realVersionFiles = createVersionFiles({
      directory: options.versionsDirectory ?? join(dataDir, 'versions'),
      randomText: () => randomBytes(3).toString('hex'),
    });
    const versionFiles = options.versionFiles?.(realVersionFiles) ?? realVersionFiles;
    const reconcile = createReconcile({
      files,
      locks,
      versions: versionsTable,
      versionFiles,
      clock,
      transaction,
      onError: (error) => void failures.push(error),
    });
    const diskSpace = createDiskSpace({ dataDir, minFreeMB: () => limits.minFreeMB });
    const realJail = await openJail(root);
    const jail = options.jail?.(realJail) ?? realJail;
    const tenantId = createTenantsTable(db).idOfRoot(jail.root, clock());
    const newId = (): string => randomBytes(16).toString('base64url');
    const folder = createDocumentIndex({
      jail,
      tenantId,
      files,
      clock,
      newId,
      mutex,
      nameKey,
      transaction,
      reconcile: (row, place) => reconcile(jail, row, place),
    });
    const content = createContentReplacer({
      jail,
      files,
      versions: versionsTable,
      versionFiles,
      reconcile,
      limits: createVersionLimits({
        table: versionsTable,
        versionFiles,
        diskSpace,
        versionCount: () => limits.versionCount,
        log: { warn: note },
      }),
      clock,
      emit,
      commit: async (work) => transaction(work),
      checksSaves: () => true,
      tempName: tempNames.next,
      onKeptUnhashed: (fileId, id) => void unhashed.push(`${fileId} ${id}`),
      onError: (error) => void failures.push(error),
    });
    const isLocked = (fileId: string): boolean => (locks.get(fileId)?.expiresAtMs ?? 0) > clock();
    const documents = createDocuments({
      folder,
      files,
      mutex,
      clock,
      emit,
      transaction,
      nameKey,
      moveToTrash: async (absolute) => {
        if (faults.failsToTrash) throw Object.assign(new Error('no trash'), { code: 'ENOSPC' });
        const place = { absolute: join(trash, basename(absolute)) };
        if (faults.trashesElsewhere) {
          await rename(absolute, `${place.absolute} elsewhere`);
          await writeFile(place.absolute, 'another');
        } else if (!faults.trashesNothing) await rename(absolute, place.absolute);
        return [place];
      },
      newFileMode: options.newFileMode ?? 0o640,
      isLocked,
    });
    const recoveredSaves = createRecoveredSaves({
      table: recoveredTable,
      prunedBefore: versionsTable.prunedBefore,
      directory: recoveredDirectory,
      clock,
      emit,
      log: { info: note, warn: note },
      quota: () => ({
        totalBytes: limits.recoveredMB * 1_000_000,
        tokenBytes: limits.recoveredTokenMB * 1_000_000,
      }),
      newId: () => randomBytes(4).toString('hex'),
      tempName: tempNames.next,
      openFolder: (_, path) => jail.openFolder(path),
      createDocument: async (_, { folderPath, name, incoming }) => {
        const created = await documents.create({ folderPath, names: candidateNames(name), incoming, origin });
        if (created === undefined) throw new AppError('disk-refused');
        return created.row.path;
      },
      replaceDocument: () => assert.fail('no test here replaces a document'),
      recoveredName,
    });
    const versions = createVersionHistory({
      table: versionsTable,
      versionFiles,
      folder,
      content,
      mutex,
      clock,
      emit,
      tempName: tempNames.next,
      incomingDirectory: recoveredDirectory,
      isLocked,
    });
    return {
      db,
      files,
      locks,
      versionsTable,
      recoveredTable,
      mutex,
      tempNames,
      versionFiles,
      reconcile,
      jail,
      tenantId,
      folder,
      content,
      documents,
      diskSpace,
      recoveredSaves,
      versions,
      purge: createPurge({
        jail,
        tenantId,
        files,
        clock,
        transaction,
        startId: '',
      }),
      recover: () =>
        recoverFolder({
          folder,
          files,
          versions: versionsTable,
          versionFiles,
          reconcile,
          recoveredSaves,
          missedSaves: { set: (fileId) => void missed.add(fileId) },
          mutex,
          tempNames,
          incomingDirectory: recoveredDirectory,
          onError: (error) => void failures.push(error),
        }),
    };
  };

  const room = {
    root,
    dataDir,
    trash,
    recoveredDirectory,
    time,
    clock,
    events,
    logged,
    unhashed,
    /** Errors that were reported without ending the recovery. */
    failures,
    /** Documents whose newest save isn't in their file. */
    missed,
    faults,
    limits,
    at,
    write,
    ...(await build()),

    read: async (path: string): Promise<string> => readFile(at(path), 'utf8'),
    names: async (path = ''): Promise<string[]> => (await readdir(at(path))).toSorted(),
    stats: (path: string): BigIntStats => lstatSync(at(path), { bigint: true }),

    async receive(body: string, folderPath = ''): Promise<ReceivedBody> {
      return receiveBody({
        source: pieces(body),
        folder: await room.jail.openFolder(folderPath === '.' ? '' : folderPath),
        fallbackDirectory: recoveredDirectory,
        name: room.tempNames.next(),
        maxBytes: 4_000_000,
      });
    },
    async open(path: string): Promise<FoundFile> {
      const { id } = await room.folder.openPath(path);
      return present(await room.folder.find(id));
    },
    async save(path: string, body: string): Promise<FoundFile> {
      const found = await room.open(path);
      const incoming = await room.receive(body, dirname(path));
      return present(await room.content.replace({ found, incoming, origin, record: nothing }));
    },
    lock(fileId: string, change: Partial<LockRow> = {}): LockRow {
      const row: LockRow = {
        fileId,
        lockId: 'lock-1',
        accessTokenId: null,
        userId: null,
        takenAtMs: time.nowMs,
        refreshedAtMs: time.nowMs,
        expiresAtMs: time.nowMs + 30 * minute,
        baseVersion: 1,
        baseSha256: null,
        seenVersion: 1,
        lapsedVersion: null,
        ...change,
      };
      room.locks.put(row);
      return row;
    },
    /** Drops everything in memory, like a process that is killed and started again. */
    async restart(): Promise<void> {
      faults.failsToRecord = false;
      store.close();
      store = openStore({ dataDir, clock, onNotice: nothing });
      Object.assign(room, await build());
    },
  };
  t.after(() => {
    store.close();
  });
  return room;
}

/** A locked document with `old`; the process was killed after its content was kept for a save of `new`. */
export async function killedBeforeRename(
  t: TestContext,
  versions?: string,
): Promise<{ room: Room; id: string }> {
  const room = await openRoom(t, {
    files: { 'a.txt': 'old' },
    ...(versions !== undefined && { versionsDirectory: await temporaryFolder(t, versions) }),
  });
  const { row, stats } = await room.open('a.txt');
  room.lock(row.id);
  const incoming = await room.receive('new');
  await keepNamed(room, 'a.txt', { stats, fileId: row.id, version: 1, successorInode: incoming.inode });
  await incoming.release();
  await room.restart();
  return { room, id: row.id };
}

/** Keeps a document's content as a version, as a save does. */
export function keepNamed(
  room: Pick<Room, 'jail' | 'versionFiles'>,
  path: string,
  about: Omit<Parameters<VersionFiles['keep']>[0], 'folder' | 'name'>,
): ReturnType<VersionFiles['keep']> {
  return room.jail.inFolder(parentOf(path), (folder) =>
    room.versionFiles.keep({ ...about, folder, name: nameOf(path) }),
  );
}

/** What this process has open. Only Linux shows it. */
export async function openPaths(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return Promise.all(links);
}

export async function* pieces(body: string | Uint8Array, bytes = 64 * 1024): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(body);
  for (let start = 0; start < all.length; start += bytes) yield all.subarray(start, start + bytes);
}

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The value is undefined.');
  return value;
}

/** For `assert.rejects`: an AppError with that code. */
export function refused(code: string): (error: unknown) => boolean {
  return (error) => error instanceof AppError && error.code === code;
}
