// One hosted folder with all that acts on its documents. One is active; others stay open after a switch for as long as
// somebody may still save into them.

import type { AccessTokens } from './accounts/access-tokens.ts';
import type { Users } from './accounts/users.ts';
import type { Clock } from './contract/clock.ts';
import type { EmitEvent } from './contract/events.ts';
import { composeWopi, type ComposedWopi, type WopiParts } from './compose-wopi.ts';
import type { IdleQueue } from './files/idle-queue.ts';
import type { Reconcile } from './files/reconcile.ts';
import type { DiskSpace } from './files/disk-space.ts';
import { createDocuments, type Documents } from './files/documents.ts';
import { createDocumentIndex, type DocumentIndex } from './files/document-index.ts';
import type { Jail } from './files/jail.ts';
import type { VersionFiles } from './files/version-files.ts';
import type { KeyedMutex } from './files/keyed-mutex.ts';
import { createPurge, type PurgeMissingFiles } from './files/purge.ts';
import { recoverFolder } from './files/recovery.ts';
import { createContentReplacer } from './files/replace-content.ts';
import type { TempNames } from './files/temp-names.ts';
import type { RecoveredSaves } from './files/recovered-saves.ts';
import { systemTrash } from './files/trash.ts';
import { createVersionLimits } from './files/version-limits.ts';
import { createVersionHistory, type VersionHistory } from './files/version-history.ts';
import type { Logger } from './log/logger.ts';
import type { FilesTable } from './store/files.ts';
import type { Commit } from './store/group-commit.ts';
import type { VersionsTable } from './store/versions.ts';
import type { LockBook } from './wopi/lock-book.ts';
import { nameKey } from './wopi/names.ts';
import type { Uploads } from './wopi/upload.ts';

export interface Hosting {
  folder: DocumentIndex;
  documents: Documents;
  versions: VersionHistory;
  wopi: ComposedWopi;
  /** Clears away what a killed predecessor left. Never rejects: the next start tries again. */
  recover(): Promise<void>;
  /** Removes the rows of documents that are gone and that nothing refers to. */
  purgeMissing: PurgeMissingFiles;
}

/** What all hosted folders share. */
export interface HostingParts {
  files: FilesTable;
  versionsTable: VersionsTable;
  versionFiles: VersionFiles;
  reconcile: Reconcile;
  mutex: KeyedMutex;
  idleQueue: IdleQueue;
  diskSpace: DiskSpace;
  tempNames: TempNames;
  incomingDirectory: string;
  uploads: Uploads;
  recoveredSaves: RecoveredSaves;
  locks: LockBook;
  accessTokens: AccessTokens;
  users: Users;
  newId: () => string;
  transaction: <T>(work: () => T) => T;
  commit: Commit;
  clock: Clock;
  /** Never set: for ages that are kept in memory. */
  elapsed: Clock;
  log: Logger;
  emit: EmitEvent;
  versionCount: () => number;
  desktopLocks: () => 'block' | 'warn' | 'ignore';
  hasModeInAddress: WopiParts['hasModeInAddress'];
  ticketFor: WopiParts['ticketFor'];
  onCopied: WopiParts['onCopied'];
}

export function createHosting(parts: HostingParts, jail: Jail, tenantId: number): Hosting {
  const { files, versionFiles, reconcile, mutex, tempNames, locks, clock, emit, log, transaction } = parts;
  const folder = createDocumentIndex({
    jail,
    tenantId,
    files,
    clock,
    newId: parts.newId,
    mutex,
    nameKey,
    transaction,
    reconcile: (row, place) => reconcile(jail, row, place),
  });
  const content = createContentReplacer({
    jail,
    files,
    versions: parts.versionsTable,
    versionFiles,
    reconcile,
    limits: createVersionLimits({
      table: parts.versionsTable,
      versionFiles,
      diskSpace: parts.diskSpace,
      versionCount: parts.versionCount,
      log,
    }),
    clock,
    emit,
    commit: parts.commit,
    tempName: tempNames.next,
    onKeptUnhashed: (fileId, id) => {
      parts.idleQueue.add(`version ${fileId} ${id}`, (signal) => versions.fingerprint(fileId, id, signal));
    },
    onError: (error, text) => log.error({ err: error }, text),
  });
  const documents = createDocuments({
    folder: () => folder,
    files,
    mutex,
    clock,
    emit,
    transaction,
    nameKey,
    moveToTrash: systemTrash,
    newFileMode: 0o666 & ~process.umask(),
    isLocked: locks.isHeld,
  });
  const versions = createVersionHistory({
    table: parts.versionsTable,
    versionFiles,
    folder: () => folder,
    content,
    mutex,
    clock,
    emit,
    tempName: tempNames.next,
    incomingDirectory: parts.incomingDirectory,
    isLocked: locks.isHeld,
  });
  const wopi = composeWopi({
    folder: () => folder,
    locks,
    mutex,
    content,
    documents,
    uploads: parts.uploads,
    accessTokens: parts.accessTokens,
    users: parts.users,
    idleQueue: parts.idleQueue,
    diskSpace: parts.diskSpace,
    clock,
    elapsed: parts.elapsed,
    warn: (text) => log.warn({}, text),
    onError: (error, text) => log.error({ err: error }, text),
    desktopLocks: parts.desktopLocks,
    hasModeInAddress: parts.hasModeInAddress,
    ticketFor: parts.ticketFor,
    onCopied: parts.onCopied,
  });
  return {
    folder,
    documents,
    versions,
    wopi,
    purgeMissing: createPurge({
      jail,
      tenantId,
      files,
      clock,
      transaction,
      startId: parts.newId(),
    }),
    recover: () =>
      recoverFolder({
        folder,
        files,
        versions: parts.versionsTable,
        versionFiles,
        reconcile,
        recoveredSaves: parts.recoveredSaves,
        mutex,
        clock,
        tempNames,
        incomingDirectory: parts.incomingDirectory,
        onError: (error) =>
          log.error({ err: error }, 'A document could not be recovered after the last run.'),
      }).catch((error: unknown) => {
        log.error({ err: error }, 'A folder could not be recovered after the last run.');
      }),
  };
}
