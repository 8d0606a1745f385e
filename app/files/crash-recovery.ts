// After a start: finishes what a killed process left half done, in the folders of documents that may still be edited. A leftover
// is removed only if its bytes are known to be elsewhere, or known to be incomplete: everything else becomes a recovered save.
// See docs/durability.md, "The states of a save".

import { closeSync, createReadStream, type BigIntStats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { parentOf, nameOf } from '../contract/names.ts';
import type { FileRow, FilesTable } from '../store/files.ts';
import { unwritten, type VersionRow, type VersionsTable } from '../store/versions.ts';
import { hashFd } from './content-hash.ts';
import type { Reconcile } from './reconcile.ts';
import { isMissing } from './disk-error.ts';
import { hasLastingInodes, isSameContentMoved, signatureOf } from './file-signature.ts';
import type { DocumentIndex } from './document-index.ts';
import { receiveBody } from './received-body.ts';
import { openJail, type OpenFile, type OpenFolder, type Place } from './jail.ts';
import type { VersionFiles } from './version-files.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { moveWithoutOverwrite, renameOver } from './move-file.ts';
import type { MissedSavesTable } from '../store/missed-saves.ts';
import { unknownSender, type RecoveredSaves } from './recovered-saves.ts';
import type { TempNames, Upload } from './temp-names.ts';

export interface RecoveryDeps {
  folder: DocumentIndex;
  files: FilesTable;
  versions: VersionsTable;
  versionFiles: VersionFiles;
  reconcile: Reconcile;
  recoveredSaves: Pick<RecoveredSaves, 'keep'>;
  missedSaves: Pick<MissedSavesTable, 'set'>;
  mutex: KeyedMutex;
  tempNames: TempNames;
  /** The `rescued` folder, for bodies that couldn't be written to the hosted folder. */
  incomingDirectory: string;
  onError: (error: unknown) => void;
}

export async function recoverFolder(deps: RecoveryDeps): Promise<void> {
  const { folder, files, mutex } = deps;
  // All known tokens, however old: the clock may be wrong at this start.
  const rows = files.inUse(folder.tenantId, 0);
  // A document that can't be recovered must not stop the others.
  const inTurn = (id: string, work: () => Promise<void>): Promise<void> =>
    mutex.run(id, work).catch(deps.onError);

  for (const { id, renamingFrom } of rows) {
    if (renamingFrom !== null) await inTurn(id, () => finishRename(deps, id));
  }
  const { jail } = folder;
  for (const path of new Set(rows.map((row) => parentOf(row.path)))) {
    const opened = await jail.openFolder(path);
    if (opened !== undefined) await clearFolder(deps, opened, inTurn).finally(opened.close);
  }
  const spilled = await openJail(deps.incomingDirectory);
  await spilled.inFolder('', (opened) => clearFolder(deps, opened, inTurn));
  for (const { id } of rows) await inTurn(id, () => recordOrphans(deps, id));
}

/** A version without a row shows that a save was interrupted between its rename and its record. */
async function recordOrphans(
  { folder, versions, versionFiles, reconcile }: RecoveryDeps,
  id: string,
): Promise<void> {
  const found = await folder.findHeld(id);
  const recorded = new Set(versions.list(id).map((version) => version.id));
  const orphans = await versionFiles.orphans(id, recorded);
  if (orphans.length > 0 && found !== undefined) {
    await reconcile(folder.jail, found.row, { path: found.row.path, stats: found.stats });
  }
}

async function clearFolder(
  deps: RecoveryDeps,
  opened: OpenFolder,
  inTurn: (id: string, work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  // What the last run couldn't sync becomes durable before any of it is confirmed.
  await opened.sync().catch(deps.onError);
  for (const { name } of await opened.list()) {
    if (!deps.tempNames.isLeftover(name)) continue;
    const upload = deps.tempNames.uploadOf(name);
    // A copy whose source still exists. If it can't be removed, the next start tries again.
    if (upload === undefined) await rm(opened.at(name), { force: true }).catch(deps.onError);
    else await inTurn(upload.fileId, () => clearUpload(deps, { opened, name, upload }));
  }
}

interface Leftover {
  opened: OpenFolder;
  name: string;
  upload: Upload;
}

/** New content that didn't become the document, or whose rename was lost in a power failure. The document's mutex is held. */
async function clearUpload(deps: RecoveryDeps, leftover: Leftover): Promise<void> {
  const { opened, name, upload } = leftover;
  const file = await opened.openFile(name);
  if (file === undefined) return;
  try {
    const size = Number(file.stats.size);
    const isTorn = upload.declaredBytes !== undefined && size < upload.declaredBytes;
    const isDone = size === 0 || isTorn || (await isInPlace(deps, leftover, file));
    // Without space it stays, for the next start.
    if (!isDone && !(await keepAsRecovered(deps, leftover, file))) return;
    await rm(opened.at(name), { force: true });
  } finally {
    closeSync(file.fd);
  }
}

/** True if the document has these bytes, or has them now. */
async function isInPlace(
  deps: RecoveryDeps,
  { opened, name, upload }: Leftover,
  file: OpenFile,
): Promise<boolean> {
  const { folder } = deps;
  const row = folder.rowOf(upload.fileId);
  if (row === undefined) return false;
  const place = await folder.jail.stat(row.path);
  // Killed between the new name and the removal of the temporary one.
  if (place?.stats.ino === file.stats.ino && place.stats.dev === file.stats.dev) return true;
  const sha256 = await hashFd(file.fd);
  const present = place === undefined ? undefined : await hashPresent(deps, row);
  if (present?.equals(sha256) === true) return true;
  // Killed before the temporary name of a save that wasn't written was removed.
  for (const version of deps.versions.list(row.id)) {
    const isSame = version.savedHow === unwritten && version.sha256?.equals(sha256) === true;
    if (isSame && (await deps.versionFiles.sizeOf(row.id, version.id)) === version.size) return true;
  }
  // Only bytes that were recorded as saved become the document, and only if it is missing or still what they replaced.
  if (row.sha256?.equals(sha256) !== true || parentOf(row.path) !== opened.path) return false;
  const target = { folder: opened, name: nameOf(row.path) };
  if (place === undefined) await moveWithoutOverwrite({ folder: opened, name }, target);
  else if (present !== undefined && (await isReplaced(deps, row, present, place.stats))) {
    await keepPresent(deps, row, { opened, place, present, successor: file });
    await renameOver({ folder: opened, name }, target);
  } else return false;
  await opened.sync();
  return true;
}

async function hashPresent({ folder }: RecoveryDeps, row: FileRow): Promise<Buffer | undefined> {
  const file = await folder.jail.openFile(row.path);
  return file === undefined ? undefined : hashFd(file.fd).finally(() => closeSync(file.fd));
}

/** It is the content that the recorded save had replaced, not another program's. */
async function isReplaced(
  { versions, versionFiles }: RecoveryDeps,
  row: FileRow,
  present: Buffer,
  stats: BigIntStats,
): Promise<boolean> {
  const latest = latestReplaced(versions, row);
  if (latest === undefined) return false;
  const sha256 = latest.sha256 ?? (await hashVersion(versionFiles, latest));
  if (sha256 !== undefined) return sha256.equals(present);
  // Its version was taken by the rename, before it was hashed.
  return latest.size === Number(stats.size) && latest.mtimeMs === Number(stats.mtimeNs / 1_000_000n);
}

/** What the last save replaced. */
function latestReplaced(versions: VersionsTable, row: FileRow): VersionRow | undefined {
  return versions.list(row.id).find(({ savedHow }) => savedHow !== unwritten);
}

async function hashVersion(
  versionFiles: VersionFiles,
  { fileId, id }: { fileId: string; id: string },
): Promise<Buffer | undefined> {
  const versions = await openJail(versionFiles.folderOf(fileId)).catch(() => undefined);
  const file = await versions?.openFile(id);
  return file === undefined ? undefined : hashFd(file.fd).finally(() => closeSync(file.fd));
}

/** The version of the replaced content may have been lost with the rename. */
async function keepPresent(
  { versions, versionFiles }: RecoveryDeps,
  row: FileRow,
  replaced: { opened: OpenFolder; place: Place; present: Buffer; successor: OpenFile },
): Promise<void> {
  const latest = latestReplaced(versions, row);
  if (latest === undefined || (await hashVersion(versionFiles, latest))?.equals(replaced.present) === true)
    return;
  const { id, kind } = await versionFiles.keep({
    folder: replaced.opened,
    name: nameOf(row.path),
    stats: replaced.place.stats,
    fileId: row.id,
    version: latest.version,
    successorInode: replaced.successor.stats.ino,
  });
  versions.remove(row.id, latest.id);
  versions.insert({ ...latest, id, kind, sha256: replaced.present });
}

async function keepAsRecovered(deps: RecoveryDeps, { upload }: Leftover, file: OpenFile): Promise<boolean> {
  const incoming = await receiveBody({
    source: createReadStream('', { fd: file.fd, start: 0, autoClose: false, highWaterMark: 1024 * 1024 }),
    folder: undefined,
    fallbackDirectory: deps.incomingDirectory,
    name: deps.tempNames.next(),
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
  try {
    const id = await deps.recoveredSaves.keep(incoming, {
      fileId: upload.fileId,
      path: deps.folder.lastRowOf(upload.fileId)?.path ?? 'document',
      ...unknownSender,
      isCopy: false,
      isUnreadable: false,
      reason: upload.declaredBytes === undefined ? 'recovered.end-missing' : 'recovered.stopped',
    });
    const row = deps.folder.rowOf(upload.fileId);
    const atMs = Number(file.stats.mtimeMs);
    // Nothing newer was saved before the process died.
    if (id !== undefined && row !== undefined && atMs >= (row.savedAtMs ?? 0))
      deps.missedSaves.set(row.id, { kind: 'recovered', keptId: id, atMs });
    return id !== undefined;
  } finally {
    await incoming.discard();
  }
}

/** Two entries, rather than one that a case-insensitive file system shows under both names. */
async function hasBothNames(folder: DocumentIndex, path: string, other: string): Promise<boolean> {
  const inFolderOf = <T>(one: string, work: (opened: OpenFolder) => Promise<T>): Promise<T> =>
    folder.jail.inFolder(parentOf(one), work);
  const hasName = async (opened: OpenFolder, one: string): Promise<boolean> =>
    (await opened.list()).some(({ name }) => name === nameOf(one));
  return inFolderOf(path, (opened) =>
    inFolderOf(other, async (otherOpened) => {
      // Two spellings of one folder's path show the same entries.
      const isSameFolder = (await opened.stat('.'))?.ino === (await otherOpened.stat('.'))?.ino;
      if (isSameFolder && nameOf(path) === nameOf(other)) return false;
      return (await hasName(opened, path)) && (await hasName(otherOpened, other));
    }),
  );
}

/** The process died between creating the new name and removing the old one. */
async function finishRename({ folder, files }: RecoveryDeps, id: string): Promise<void> {
  const row = folder.rowOf(id);
  if (row === undefined || row.renamingFrom === null) return;
  const { renamingFrom } = row;
  await folder.jail.requireRoot();
  const [from, to] = await Promise.all([folder.jail.stat(renamingFrom), folder.jail.stat(row.path)]);
  const isOneFile = from !== undefined && from.stats.ino === to?.stats.ino && from.stats.dev === to.stats.dev;
  if (isOneFile && from.stats.nlink > 1n && (await hasBothNames(folder, renamingFrom, row.path))) {
    await folder.jail.inFolder(parentOf(renamingFrom), async (opened) => {
      await rm(opened.at(nameOf(renamingFrom))).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    });
  }
  // Where inode numbers aren't stable, only the old name can tell.
  const isGone = from === undefined && !(await hasLastingInodes(folder.root));
  const isRenamed = to !== undefined && (isGone || String(to.stats.ino) === row.inode);
  const path = isRenamed ? row.path : renamingFrom;
  const place = await folder.jail.stat(path);
  if (place !== undefined && isSameContentMoved(row, place.stats)) {
    files.setContent(id, { ...row, ...signatureOf(place.stats) });
  }
  files.setPath(id, { path, renamingFrom: null });
}
