// Opening a document for an editor: its id, a token for it, and the addresses that lead to it.

import type { AccessMode } from '../accounts/access-mode.ts';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { User } from '../accounts/user.ts';
import { AppError } from '../contract/errors.ts';
import type { Folder } from '../files/folder.ts';

/** The answer to POST /api/2.0/files/access, and to the terminal's `open`. */
export interface DocumentAccess {
  fileId: string;
  /** `{public url}/wopi/files/{id}`, what an editor calls WOPISrc. */
  wopiSrc: string;
  accessToken: string;
  /** An instant in epoch milliseconds, as WOPI's access_token_ttl is. */
  accessTokenTtl: number;
  hostEditUrl: string;
  hostViewUrl: string;
}

export type OpenDocument = (input: { user: User; path: string; mode: AccessMode }) => Promise<DocumentAccess>;

export interface DocumentAccessDeps {
  folder: () => Folder | undefined;
  accessTokens: AccessTokens;
  publicUrl: () => string;
}

export function createOpenDocument(deps: DocumentAccessDeps): OpenDocument {
  return async ({ user, path, mode }) => {
    const folder = deps.folder();
    if (folder === undefined) throw new AppError('folder-not-chosen');
    const { id } = await folder.openPath(path);
    const { token, expiresAtMs } = deps.accessTokens.mint({ user, fileId: id, mode });
    const url = deps.publicUrl();
    return {
      fileId: id,
      wopiSrc: `${url}/wopi/files/${id}`,
      accessToken: token,
      accessTokenTtl: expiresAtMs,
      hostEditUrl: `${url}/edit/${id}`,
      hostViewUrl: `${url}/view/${id}`,
    };
  };
}
