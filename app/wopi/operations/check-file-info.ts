// CheckFileInfo: what an editor may know of a document and do with it. Hashes nothing, and reads only the document's own record
// and stat.
// @see docs/protocol.md, “CheckFileInfo”

import { basename } from 'node:path';
import type { Users } from '../../accounts/users.ts';
import { parentOf, nameOf, extensionOf } from '../../contract/names.ts';
import type { DocumentIndex, FoundFile } from '../../files/document-index.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import { isWriteProtected, mayWrite } from '../permissions.ts';
import { notFound, type WopiCall, type WopiOperation } from '../wopi-call.ts';
import { wopiTime } from '../wopi-headers.ts';

/** Characters without the extension; a longer name is cut to the 255 bytes that file systems take. */
const fileNameMaxLength = 250;

/** Messages an editor may send to the host page instead of acting itself; only if there is a page that listens. */
const pageMessages = {
  EditModePostMessage: true,
  EditNotificationPostMessage: true,
  FileSharingPostMessage: true,
  FileVersionPostMessage: true,
  // Collabora's name for the same
  EnableShare: true,
};

export interface CheckFileInfoDeps {
  folder: DocumentIndex;
  users: Pick<Users, 'ownerId' | 'userInfo'>;
  /** The editor's address fixes the mode, and it reads the properties below as the user's rights. */
  hasModeInAddress: (editorId: string | null) => boolean;
}

export function createCheckFileInfo(deps: CheckFileInfoDeps): WopiOperation {
  return {
    name: 'CheckFileInfo',
    async run(call) {
      const found = await deps.folder.find(call.fileId);
      if (found === undefined) return notFound;
      return { status: 200, json: fileInfo(deps, call, found) };
    },
  };
}

function fileInfo(deps: CheckFileInfoDeps, call: WopiCall, found: FoundFile): Record<string, unknown> {
  const { row, stats } = found;
  const { grant, pageUrl } = call;
  const name = nameOf(row.path);
  const folderName = nameOf(parentOf(row.path)) || basename(deps.folder.root);
  const canWrite = mayWrite(grant, found);
  const userCanWrite =
    canWrite || (deps.hasModeInAddress(grant.editorId) && grant.userCanEdit && !isWriteProtected(found));
  const userInfo = deps.users.userInfo(grant.userId);
  return {
    BaseFileName: name,
    OwnerId: deps.users.ownerId(),
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
    PostMessageOrigin: originOf(pageUrl),
    ClosePostMessage: true,
    ...(grant.pageSessionId === null ? {} : pageMessages),
    BreadcrumbBrandName: 'DocTray',
    BreadcrumbFolderName: folderName,
    BreadcrumbDocName: name,
  };
}

const maxOrigins = 64;
const origins = new Map<string, string>();

/** As a browser sends it. Cached, because `new URL` takes longer than the rest of a CheckFileInfo and there are few addresses. */
function originOf(url: string): string {
  let origin = origins.get(url);
  if (origin === undefined) {
    if (origins.size >= maxOrigins) origins.clear();
    origin = new URL(url).origin;
    origins.set(url, origin);
  }
  return origin;
}
