// One hosted folder with all that acts on its documents. One is active; others stay open after a switch for as long as
// somebody may still save into them.

import type { AccessTokens } from './accounts/access-tokens.ts';
import type { Users } from './accounts/users.ts';
import type { Clock } from './contract/clock.ts';
import type { EmitEvent } from './contract/events.ts';
import { composeWopi, type ComposedWopi, type WopiParts } from './compose-wopi.ts';
import type { Background } from './files/background.ts';
import type { ContentRecord } from './files/content-record.ts';
import type { DiskSpace } from './files/disk-space.ts';
import { createDocuments, type Documents } from './files/documents.ts';
import { createFolder, type Folder } from './files/folder.ts';
import type { Jail } from './files/jail.ts';
import type { KeptVersions } from './files/kept-versions.ts';
import type { KeyedMutex } from './files/keyed-mutex.ts';
import { createPurge, type PurgeMissingFiles } from './files/purge.ts';
import { recoverFolder } from './files/recovery.ts';
import { createSaves } from './files/saves.ts';
import type { TempNames } from './files/temp-names.ts';
import type { RescuedSaves } from './files/rescued-saves.ts';
import { systemTrash } from './files/trash.ts';
import { createVersionLimits } from './files/version-limits.ts';
import { createVersions, type Versions } from './files/versions.ts';
import type { Logger } from './log/logger.ts';
import type { FilesTable } from './store/files.ts';
import type { Commit } from './store/group-commit.ts';
import type { VersionsTable } from './store/versions.ts';
import type { LockBook } from './wopi/lock-book.ts';
import { nameKey } from './wopi/names.ts';
import type { Uploads } from './wopi/upload.ts';

export interface Hosting {
  folder: Folder;
  documents: Documents;
  versions: Versions;
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
  kept: KeptVersions;
  record: ContentRecord;
  mutex: KeyedMutex;
  background: Background;
  diskSpace: DiskSpace;
  tempNames: TempNames;
  incomingDirectory: string;
  uploads: Uploads;
  rescued: RescuedSaves;
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
  const { files, kept, record, mutex, background, tempNames, locks, clock, emit, log, transaction } = parts;
  const folder = createFolder({
    jail,
    tenantId,
    files,
    clock,
    newId: parts.newId,
    mutex,
    nameKey,
    transaction,
    settle: (row, place) => record.settle(jail, row, place),
  });
  const saves = createSaves({
    jail,
    files,
    versions: parts.versionsTable,
    kept,
    record,
    limits: createVersionLimits({
      table: parts.versionsTable,
      kept,
      diskSpace: parts.diskSpace,
      versionCount: parts.versionCount,
      log,
    }),
    clock,
    emit,
    commit: parts.commit,
    tempName: tempNames.next,
    onKeptUnhashed: (fileId, id) => {
      background.add(`version ${fileId} ${id}`, (signal) => versions.fingerprint(fileId, id, signal));
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
  const versions = createVersions({
    table: parts.versionsTable,
    kept,
    folder: () => folder,
    saves,
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
    saves,
    documents,
    uploads: parts.uploads,
    accessTokens: parts.accessTokens,
    users: parts.users,
    background,
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
        kept,
        record,
        rescued: parts.rescued,
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
