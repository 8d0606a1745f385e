// View-only access to earlier versions of documents: each opening gets its own file id and token, which lead to the bytes of that one
// version and nothing else. The id isn't a document's, so no other operation, API or page knows it. Kept in memory and short-lived: an
// editor downloads the content when it opens it.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { User } from '../store/users.ts';
import type { Users } from '../accounts/users.ts';
import { nameOf, extensionOf } from '../contract/names.ts';
import { hashFd } from '../files/content-hash.ts';
import { readAt } from '../files/copy-bytes.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import { newFileId } from '../files/file-id.ts';
import type { VersionHistory } from '../files/version-history.ts';
import { writtenAtMs } from '../store/versions.ts';
import { nameWithSuffix } from './names.ts';
import { badRequest, notFound, type WopiAnswer } from './wopi-call.ts';
import { readSize, wopiTime, type ReadHeader } from './wopi-headers.ts';

export interface VersionView {
  /** What the editor sees as the file id. */
  id: string;
  documentId: string;
  editorId: string;
  userLogin: string;
  expiresAtMs: number;
}

export interface VersionViews {
  /** @throws AppError file-missing, version-unknown, version-damaged */
  open(input: {
    hosted: VersionSource;
    documentId: string;
    versionId: string;
    user: User;
    /** The only editor that may use it. */
    editorId: string;
    /** Base address of the page it is shown in. */
    pageUrl: string;
  }): Promise<VersionView & { token: string; name: string }>;
  /** Undefined: not the id of a version. */
  find(id: string): VersionView | undefined;
  /** Whether the token is the one of that id, and still valid. */
  isAllowed(view: VersionView, token: string | undefined): boolean;
  /** Answers CheckFileInfo and GetFile; no other operation exists. */
  answer(
    view: VersionView,
    request: { method: string; hasContents: boolean; header: ReadHeader },
  ): Promise<{ operation: string; answer: WopiAnswer }>;
}

interface VersionSource {
  folder: Pick<DocumentIndex, 'rowOf'>;
  versions: Pick<VersionHistory, 'read'>;
}

interface Known extends VersionView {
  hosted: VersionSource;
  versionId: string;
  tokenHash: Buffer;
  userId: string;
  userName: string;
  name: string;
  size: number;
  atMs: number;
  pageUrl: string;
}

/** Bounds how long a user who loses access can still download a version that was opened before. */
const lifeMs = 15 * 60_000;
const maxViews = 1000;

export function createVersionViews(deps: {
  clock: Clock;
  users: Pick<Users, 'byId' | 'ownerId'>;
}): VersionViews {
  const { clock, users } = deps;
  const views = new Map<string, Known>();

  const forgetOld = (): void => {
    for (const [id, { expiresAtMs }] of views) {
      if (expiresAtMs > clock() && views.size <= maxViews) return;
      views.delete(id);
    }
  };

  const fileInfo = (view: Known): object => {
    const extension = extensionOf(view.name);
    return {
      BaseFileName: view.name,
      OwnerId: users.ownerId(),
      Size: view.size,
      UserId: view.userId,
      UserFriendlyName: view.userName,
      Version: `version-${view.id}`,
      LastModifiedTime: wopiTime({ ns: BigInt(view.atMs) * 1_000_000n }),
      FileExtension: extension,
      SupportsLocks: false,
      SupportsUpdate: false,
      SupportsRename: false,
      UserCanWrite: false,
      ReadOnly: true,
      UserCanRename: false,
      UserCanNotWriteRelative: true,
      CloseUrl: `${view.pageUrl}/closed`,
      PostMessageOrigin: new URL(view.pageUrl).origin,
      ClosePostMessage: true,
      BreadcrumbBrandName: 'DocTray',
      BreadcrumbDocName: view.name,
    };
  };

  const content = async (view: Known, header: ReadHeader): Promise<WopiAnswer> => {
    const maxExpected = readSize(header, 'X-WOPI-MaxExpectedSize');
    if (maxExpected === 'invalid') return badRequest('X-WOPI-MaxExpectedSize is not a number of bytes.');
    if (maxExpected !== undefined && BigInt(view.size) > maxExpected) return { status: 412 };
    const { file, version } = await view.hosted.versions.read(view.documentId, view.versionId);
    return {
      status: 200,
      headers: {
        'X-WOPI-ItemVersion': `version-${view.id}`,
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': 'attachment',
      },
      content: contentOf(file, version.size),
    };
  };

  return {
    async open({ hosted, documentId, versionId, user, editorId, pageUrl }) {
      const row = hosted.folder.rowOf(documentId);
      if (row === undefined) throw new AppError('file-missing');
      const { version, file } = await hosted.versions.read(documentId, versionId);
      try {
        const isSound = version.sha256 === null || version.sha256.equals(await hashFd(file.fd));
        if (!isSound) throw new AppError('version-damaged');
      } finally {
        await file.close();
      }
      forgetOld();
      const atMs = writtenAtMs(version);
      const time = new Date(atMs).toISOString();
      const token = randomBytes(32).toString('base64url');
      const view: Known = {
        id: newFileId(),
        documentId,
        editorId,
        userLogin: user.login,
        expiresAtMs: clock() + lifeMs,
        hosted,
        versionId: version.id,
        tokenHash: hashOf(token),
        userId: user.id,
        userName: user.displayName,
        name: nameWithSuffix(
          nameOf(row.path),
          ` (${time.slice(0, 10)} ${time.slice(11, 16).replace(':', '.')})`,
        ),
        size: version.size,
        atMs,
        pageUrl,
      };
      views.set(view.id, view);
      const { id, userLogin, expiresAtMs, name } = view;
      return { id, documentId, editorId, userLogin, expiresAtMs, token, name };
    },

    find: (id) => views.get(id),

    isAllowed({ id }, token) {
      const view = views.get(id);
      if (view === undefined || token === undefined) return false;
      if (!timingSafeEqual(hashOf(token), view.tokenHash)) return false;
      const isValid = clock() < view.expiresAtMs && users.byId(view.userId) !== undefined;
      if (!isValid) views.delete(id);
      return isValid;
    },

    async answer({ id }, { method, hasContents, header }) {
      const view = views.get(id);
      const isRead = method === 'GET' || method === 'HEAD';
      const operation = isRead ? (hasContents ? 'GetFile' : 'CheckFileInfo') : 'Unsupported';
      if (!isRead) return { operation, answer: { status: 501 } };
      if (view?.hosted.folder.rowOf(view.documentId) === undefined) return { operation, answer: notFound };
      return {
        operation,
        answer: hasContents ? await content(view, header) : { status: 200, json: fileInfo(view) },
      };
    },
  };
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

function contentOf(file: FileHandle, size: number): NonNullable<WopiAnswer['content']> {
  let isOpen = true;
  return {
    start: 0,
    end: size,
    async read(buffer, position) {
      const length = Math.min(buffer.length, size - position);
      return length <= 0 ? 0 : readAt(file.fd, buffer, length, position);
    },
    close() {
      if (isOpen) file.close().catch(() => undefined);
      isOpen = false;
    },
  };
}
