// CheckFileInfo: what an editor may know of a document and do with it. Nothing is hashed and nothing but the document's own
// record and stat is read.
// @see behaviour page section 4

import type { DocumentIndex, SeenFile } from '../../files/document-index.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import { nameOf, parentOf } from '../../files/jail.ts';
import { extensionOf } from '../names.ts';
import { isWriteProtected, mayWrite } from '../permissions.ts';
import { notFound, type WopiCall, type WopiOperation } from '../wopi-call.ts';
import { wopiTime } from '../wopi-headers.ts';

/** Characters without the extension; a longer name is cut to the 255 bytes that file systems take. */
const fileNameMaxLength = 250;

/** What an editor may tell the host page instead of doing it itself; only where there is a page that listens. */
const pageMessages = {
  EditModePostMessage: true,
  EditNotificationPostMessage: true,
  FileSharingPostMessage: true,
  FileVersionPostMessage: true,
  // Collabora's word for the same
  EnableShare: true,
};

export interface CheckFileInfoDeps {
  folder: () => DocumentIndex;
  /** Id of the user all documents of the folder belong to. */
  ownerId: () => string;
  userInfo: (userId: string) => string | undefined;
  /** The exact origin of an address, as a browser gives it. */
  originOf: (url: string) => string;
  /** The editor's address fixes the mode, and it takes the properties below for the rights of the person. */
  hasModeInAddress: (editorId: string | null) => boolean;
  /** Shown above the document: the hosted folder's own name. */
  folderName: () => string;
}

export function createCheckFileInfo(deps: CheckFileInfoDeps): WopiOperation {
  return {
    name: 'CheckFileInfo',
    async run(call) {
      const seen = await deps.folder().find(call.fileId);
      if (seen === undefined) return notFound;
      return { status: 200, json: fileInfo(deps, call, seen) };
    },
  };
}

function fileInfo(deps: CheckFileInfoDeps, call: WopiCall, seen: SeenFile): Record<string, unknown> {
  const { row, stats } = seen;
  const { grant, pageUrl } = call;
  const name = nameOf(row.path);
  const folderName = nameOf(parentOf(row.path)) || deps.folderName();
  const canWrite = mayWrite(grant, seen);
  const userCanWrite =
    canWrite || (deps.hasModeInAddress(grant.editorId) && grant.userCanEdit && !isWriteProtected(seen));
  const userInfo = deps.userInfo(grant.userId);
  return {
    BaseFileName: name,
    OwnerId: deps.ownerId(),
    Size: Number(stats.size),
    UserId: grant.userId,
    Version: itemVersionOf(row),
    UserFriendlyName: grant.userName,
    LastModifiedTime: wopiTime({ ns: stats.mtimeNs }),
    FileExtension: extensionOf(name),
    FileNameMaxLength: fileNameMaxLength,
    ...(row.sha256 === null ? {} : { SHA256: row.sha256.toString('base64') }),
    ...(userInfo === undefined ? {} : { UserInfo: userInfo }),
    SupportsLocks: true,
    SupportsGetLock: true,
    SupportsExtendedLockLength: true,
    SupportsUpdate: true,
    SupportsRename: true,
    SupportsDeleteFile: true,
    SupportsUserInfo: true,
    UserCanWrite: userCanWrite,
    ReadOnly: !userCanWrite,
    UserCanRename: canWrite,
    UserCanNotWriteRelative: !canWrite,
    HostEditUrl: `${pageUrl}/edit/${row.id}`,
    HostViewUrl: `${pageUrl}/view/${row.id}`,
    CloseUrl: `${pageUrl}/closed`,
    PostMessageOrigin: deps.originOf(pageUrl),
    ClosePostMessage: true,
    ...(grant.pageSessionId === null ? {} : pageMessages),
    BreadcrumbBrandName: 'DocTray',
    BreadcrumbFolderName: folderName,
    BreadcrumbDocName: name,
  };
}
