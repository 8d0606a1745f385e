// CheckFileInfo: what an editor may know of a document and do with it. Hashes nothing, and reads only the document's own record
// and stat.
// @see docs/protocol.md, “CheckFileInfo”

import { basename } from 'node:path';
import type { AccessGrant } from '../../accounts/access-tokens.ts';
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
  /** The last answer for each token, because editors poll. Rows and grants are frozen: a change replaces them. */
  const answers = new WeakMap<AccessGrant, { basis: readonly unknown[]; json: string }>();
  return {
    name: 'CheckFileInfo',
    async run(call) {
      const found = await deps.folder.find(call.fileId);
      if (found === undefined) return notFound;
      const basis = basisOf(deps, call, found);
      const last = answers.get(call.grant);
      if (last !== undefined && basis.every((value, at) => value === last.basis[at]))
        return { status: 200, json: last.json };
      const json = JSON.stringify(fileInfo(deps, call, basis));
      answers.set(call.grant, { basis, json });
      return { status: 200, json };
    },
  };
}

/** Everything in the answer that isn’t in the grant. */
function basisOf(deps: CheckFileInfoDeps, { grant, pageUrl }: WopiCall, found: FoundFile) {
  const { ownerId, userInfo } = deps.users;
  const { row, stats } = found;
  const canWrite = mayWrite(grant, found);
  const userCanWrite =
    canWrite || (deps.hasModeInAddress(grant.editorId) && grant.userCanEdit && !isWriteProtected(found));
  const { mtimeNs, size } = stats;
  return [row, mtimeNs, size, pageUrl, canWrite, userCanWrite, ownerId(), userInfo(grant.userId)] as const;
}

function fileInfo(
  deps: CheckFileInfoDeps,
  { grant }: WopiCall,
  [row, mtimeNs, size, pageUrl, canWrite, userCanWrite, ownerId, userInfo]: ReturnType<typeof basisOf>,
): Record<string, unknown> {
  const name = nameOf(row.path);
  return {
    BaseFileName: name,
    OwnerId: ownerId,
    Size: Number(size),
    UserId: grant.userId,
    Version: itemVersionOf(row),
    UserFriendlyName: grant.userName,
    LastModifiedTime: wopiTime({ ns: mtimeNs }),
    FileExtension: extensionOf(name),
    FileNameMaxLength: fileNameMaxLength,
    SHA256: row.sha256?.toString('base64'),
    UserInfo: userInfo,
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
    // As a browser sends it.
    PostMessageOrigin: new URL(pageUrl).origin,
    ClosePostMessage: true,
    ...(grant.pageSessionId === null ? {} : pageMessages),
    BreadcrumbBrandName: 'DocTray',
    BreadcrumbFolderName: nameOf(parentOf(row.path)) || basename(deps.folder.root),
    BreadcrumbDocName: name,
  };
}
