// Builds the WOPI operations over the services they act on.

import { sep } from 'node:path';
import { accessTokenAfterlifeMs, type AccessTokens } from './accounts/access-tokens.ts';
import type { Users } from './accounts/users.ts';
import type { Clock } from './contract/clock.ts';
import type { IdleQueue } from './files/idle-queue.ts';
import { createDesktopLockFinder } from './files/desktop-lock-finder.ts';
import type { DiskSpace } from './files/disk-space.ts';
import type { Documents } from './files/documents.ts';
import type { DocumentIndex, SeenFile } from './files/document-index.ts';
import type { KeyedMutex } from './files/keyed-mutex.ts';
import type { ContentReplacer } from './files/replace-content.ts';
import { createContentDrift } from './wopi/content-drift.ts';
import { createCopyLimit } from './wopi/copy-limit.ts';
import { createDesktopGuard } from './wopi/desktop-guard.ts';
import type { LockBook } from './wopi/lock-book.ts';
import type { AdmissionDeps, WopiOperations } from './wopi/operations.ts';
import { createCheckFileInfo, type CheckFileInfoDeps } from './wopi/operations/check-file-info.ts';
import { createDeleteFile } from './wopi/operations/delete-file.ts';
import { createGetFile } from './wopi/operations/get-file.ts';
import { createLocking } from './wopi/operations/locking.ts';
import { createPutFile } from './wopi/operations/put-file.ts';
import { createPutRelativeFile, type PutRelativeFileDeps } from './wopi/operations/put-relative-file.ts';
import { createPutUserInfo } from './wopi/operations/put-user-info.ts';
import { createRenameFile } from './wopi/operations/rename-file.ts';
import type { Uploads } from './wopi/upload.ts';

export type ComposedWopi = AdmissionDeps & { operations: WopiOperations };

export interface WopiParts {
  folder: () => DocumentIndex;
  locks: LockBook;
  mutex: KeyedMutex;
  content: ContentReplacer;
  documents: Documents;
  uploads: Uploads;
  accessTokens: AccessTokens;
  users: Users;
  idleQueue: IdleQueue;
  diskSpace: DiskSpace;
  clock: Clock;
  elapsed: Clock;
  warn: (text: string) => void;
  onError: (error: unknown, text: string) => void;
  desktopLocks: () => 'block' | 'warn' | 'ignore';
  hasModeInAddress: CheckFileInfoDeps['hasModeInAddress'];
  ticketFor: PutRelativeFileDeps['ticketFor'];
  onCopied: PutRelativeFileDeps['onCopied'];
}

export function composeWopi(parts: WopiParts): ComposedWopi {
  const { folder, locks, mutex, content, documents, uploads, accessTokens, users, clock } = parts;
  const drift = createContentDrift({ content });
  const common = { folder, locks, mutex };
  // What a document was when it was opened is known by its hash, should another program only touch it later.
  const hashWhenIdle = (seen: SeenFile): void => {
    if (seen.row.sha256 !== null) return;
    parts.idleQueue.add(`content ${seen.row.id}`, async (signal) => {
      await content.hashOf(seen, signal);
    });
  };
  const findDesktopLock = createDesktopLockFinder();
  const desktopGuard = createDesktopGuard({
    setting: parts.desktopLocks,
    find: (path) => findDesktopLock(folder().jail, path),
    warn: parts.warn,
  });
  const operations: WopiOperations = {
    checkFileInfo: createCheckFileInfo({
      folder,
      ownerId: createOwnerId(users),
      userInfo: users.userInfo,
      originOf: createOriginOf(),
      hasModeInAddress: parts.hasModeInAddress,
      folderName: () => folder().root.split(sep).at(-1) ?? '',
    }),
    getFile: createGetFile({
      ...common,
      onOpened: hashWhenIdle,
      recordHash: content.recordHash,
      onError: parts.onError,
    }),
    ...createLocking({
      ...common,
      desktopGuard,
      isGraced: drift.isGraced,
      onLocked: hashWhenIdle,
    }),
    putFile: createPutFile({
      ...common,
      content,
      uploads,
      drift,
      clock,
      grantOf: accessTokens.find,
    }),
    putRelativeFile: createPutRelativeFile({
      ...common,
      documents,
      content,
      uploads,
      accessTokens,
      users,
      copyLimit: createCopyLimit({ clock: parts.elapsed, afterlifeMs: accessTokenAfterlifeMs }),
      diskSpace: parts.diskSpace,
      desktopGuard,
      ticketFor: parts.ticketFor,
      onCopied: parts.onCopied,
    }),
    renameFile: createRenameFile({ ...common, documents, desktopGuard }),
    deleteFile: createDeleteFile({ ...common, documents, desktopGuard }),
    putUserInfo: createPutUserInfo({ folder, setUserInfo: users.setUserInfo }),
  };
  return { accessTokens, folder, locks, drift, clock, operations };
}

const maxKnownOrigins = 64;

/** The addresses of the host pages are few, and `new URL` takes longer than all the rest of a CheckFileInfo. */
function createOriginOf(): (url: string) => string {
  const known = new Map<string, string>();
  return (url) => {
    let origin = known.get(url);
    if (origin === undefined) {
      if (known.size >= maxKnownOrigins) known.clear();
      origin = new URL(url).origin;
      known.set(url, origin);
    }
    return origin;
  };
}

/** There is one owner and it never changes, so it is looked up once. */
function createOwnerId(users: Users): () => string {
  let id: string | undefined;
  return () => (id ??= users.list().find(({ role }) => role === 'owner')?.id) ?? 'owner';
}
