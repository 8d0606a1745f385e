// One hosted folder with everything that works on its documents. One is active; others stay open after a switch for as long as
// documents in them can still be saved.

import { accessTokenGraceMs } from '../contract/age.ts';
import { clearImportLeftovers } from '../documents/import.ts';
import { conversionLinkLifeMs } from '../accounts/tickets.ts';
import { hasModeInAddress } from '../editors/product.ts';
import { createDesktopLockFinder } from '../files/desktop-lock-finder.ts';
import { createDocumentIndex, type DocumentIndex, type FoundFile } from '../files/document-index.ts';
import { createDocuments, type Documents } from '../files/documents.ts';
import { newFileId } from '../files/file-id.ts';
import type { Jail } from '../files/jail.ts';
import { createPurge, type PurgeMissingFiles } from '../files/purge.ts';
import type { RecoveredSaves } from '../files/recovered-saves.ts';
import { recoverFolder } from '../files/crash-recovery.ts';
import { createContentReplacer, type ContentReplacer } from '../files/replace-content.ts';
import { systemTrash } from '../files/trash.ts';
import { createVersionHistory, type VersionHistory } from '../files/version-history.ts';
import { createVersionLimits } from '../files/version-limits.ts';
import { createExternalChanges } from '../wopi/external-changes.ts';
import { createCopyLimit } from '../wopi/copy-limit.ts';
import { createDesktopLockCheck } from '../wopi/desktop-lock-check.ts';
import { nameKey } from '../wopi/names.ts';
import type { TokenCheckDeps } from '../wopi/check-token.ts';
import type { WopiOperations } from '../wopi/select-operation.ts';
import { createCheckFileInfo } from '../wopi/operations/check-file-info.ts';
import { createDeleteFile } from '../wopi/operations/delete-file.ts';
import { createGetFile } from '../wopi/operations/get-file.ts';
import { createLocking } from '../wopi/operations/locking.ts';
import { createPutFile } from '../wopi/operations/put-file.ts';
import { createPutRelativeFile } from '../wopi/operations/put-relative-file.ts';
import { createPutUserInfo } from '../wopi/operations/put-user-info.ts';
import { createRenameFile } from '../wopi/operations/rename-file.ts';
import type { Uploads } from '../wopi/upload.ts';
import type { SharedServices } from './shared.ts';

export interface HostedFolder {
  folder: DocumentIndex;
  documents: Documents;
  versions: VersionHistory;
  content: ContentReplacer;
  wopi: TokenCheckDeps & { operations: WopiOperations };
  /** Cleans up after a killed process. Never rejects: the next start tries again. */
  recover(): Promise<void>;
  /** Removes the rows of missing documents that nothing refers to. */
  purgeMissing: PurgeMissingFiles;
}

export type HostedFolderDeps = SharedServices & { recoveredSaves: RecoveredSaves; uploads: Uploads };

export function createHostedFolder(services: HostedFolderDeps, jail: Jail, tenantId: number): HostedFolder {
  const {
    settings,
    filesTable: files,
    versionsTable,
    versionFiles,
    reconcile,
    transaction,
    commit,
  } = services;
  const { accessTokens, users, tickets, pageCopies, editors, locks, recoveredSaves, uploads } = services;
  const { mutex, idleQueue, tempNames, diskSpace, clock, elapsed, emit, log, onError } = services;
  const folder = createDocumentIndex({
    jail,
    tenantId,
    files,
    clock,
    newId: newFileId,
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
      versionCount: () => settings.current().versionCount,
      log,
    }),
    clock,
    emit,
    commit,
    checksSaves: () => settings.current().checkSaves,
    tempName: tempNames.next,
    onKeptUnhashed: (fileId, id) => {
      idleQueue.add(`version ${fileId} ${id}`, (signal) => versions.fingerprint(fileId, id, signal));
    },
    onError,
  });
  const documents = createDocuments({
    folder,
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
    table: versionsTable,
    versionFiles,
    folder,
    content,
    mutex,
    clock,
    emit,
    tempName: tempNames.next,
    incomingDirectory: services.recoveredDirectory,
    isLocked: locks.isHeld,
  });

  const externalChanges = createExternalChanges({ content });
  const findDesktopLock = createDesktopLockFinder();
  const desktopLockCheck = createDesktopLockCheck({
    setting: () => settings.current().desktopLocks,
    find: (path) => findDesktopLock(jail, path),
    warn: (text) => log.warn({}, text),
  });
  // If another program later only touches the document, its hash shows that the content is still the one that was opened.
  const hashWhenIdle = (found: FoundFile): void => {
    if (found.row.sha256 !== null) return;
    idleQueue.add(`content ${found.row.id}`, async (signal) => {
      await content.hashOf(found, signal);
    });
  };
  const common = { folder, locks, mutex, documents, desktopLockCheck };
  const operations: WopiOperations = {
    checkFileInfo: createCheckFileInfo({
      folder,
      users,
      hasModeInAddress(editorId) {
        const kind = editorId === null ? undefined : editors.byId(editorId)?.kind;
        return kind !== undefined && hasModeInAddress(kind);
      },
    }),
    getFile: createGetFile({ ...common, onOpened: hashWhenIdle, recordHash: content.recordHash, onError }),
    ...createLocking({ ...common, canResume: externalChanges.canResume, onLocked: hashWhenIdle }),
    putFile: createPutFile({
      ...common,
      content,
      uploads,
      externalChanges,
      clock,
      grantOf: accessTokens.find,
    }),
    putRelativeFile: createPutRelativeFile({
      ...common,
      content,
      uploads,
      accessTokens,
      users,
      copyLimit: createCopyLimit({ clock: elapsed, graceMs: accessTokenGraceMs }),
      diskSpace,
      ticketFor: ({ userId, mode, editorId, pageSessionId }, fileId) =>
        tickets.issue({ userId, fileId, mode, editorId }, pageSessionId, conversionLinkLifeMs),
      onCopied({ id, pageSessionId }, fileId) {
        if (pageSessionId !== null) pageCopies.note(pageSessionId, fileId, id);
      },
    }),
    renameFile: createRenameFile(common),
    deleteFile: createDeleteFile(common),
    putUserInfo: createPutUserInfo({ folder, setUserInfo: users.setUserInfo }),
  };

  return {
    folder,
    documents,
    versions,
    content,
    wopi: { accessTokens, folder, locks, externalChanges, clock, operations },
    purgeMissing: createPurge({ jail, tenantId, files, clock, transaction, startId: newFileId() }),
    async recover() {
      // Not awaited: it waits for an import that is running.
      void clearImportLeftovers(services, folder);
      try {
        await recoverFolder({
          folder,
          files,
          versions: versionsTable,
          versionFiles,
          reconcile,
          recoveredSaves,
          missedSaves: services.missedSaves,
          mutex,
          tempNames,
          incomingDirectory: services.recoveredDirectory,
          onError: (error) => onError(error, 'A document couldn’t be recovered after the last run.'),
        });
      } catch (error) {
        onError(error, 'A folder couldn’t be recovered after the last run.');
      }
    },
  };
}
