// Opens a document for an editor: its id, a token for it, and its URLs. The URL of a host page contains a ticket, never a token.

import { effectiveMode } from '../accounts/access-mode.ts';
import type { AccessMode } from '../store/access-tokens.ts';
import type { User } from '../store/users.ts';
import type { Editor } from '../store/editors.ts';
import type { AccessTokens } from '../accounts/access-tokens.ts';
import type { Tickets } from '../accounts/tickets.ts';
import { AppError } from '../contract/errors.ts';
import { extensionOf } from '../contract/names.ts';
import { chooseForFile } from '../editors/choose-for-file.ts';
import type { Editors } from '../editors/editors.ts';
import type { DocumentIndex, HostedFile } from '../files/document-index.ts';
import { readStart } from '../files/read-prefix.ts';

/** The answer to POST /api/2.0/files/access. */
export interface DocumentAccess {
  fileId: string;
  /** `{public url}/wopi/files/{id}`, what an editor calls WOPISrc. */
  wopiSrc: string;
  accessToken: string;
  /** Epoch milliseconds, not a duration, like WOPI's access_token_ttl. */
  accessTokenTtl: number;
  /**
   * Host pages; each URL has its own ticket, valid once and for one minute. A page that is opened gets its own token, and this one is
   * revoked unless a call has used it.
   */
  hostEditUrl: string;
  hostViewUrl: string;
}

/** For the terminal's `open`: also the page of a connected editor; null if none opens the document. */
export interface PageAccess extends DocumentAccess {
  page: { url: string; editorId: string; editorName: string } | null;
}

/** @throws AppError folder-not-chosen, path-invalid, file-missing, folder-missing; no-editor if the requested editor doesn't open it */
export type OpenDocument = (input: {
  user: User;
  path: string;
  mode: AccessMode;
  /** The editor of `page`; by default, the one for the document's type. */
  editorId?: string | null;
}) => Promise<PageAccess>;

/** A document that is being opened in an editor. */
export interface EditorOpening {
  fileId: string;
  /** Inside the folder, '/'-separated. */
  path: string;
  editorId: string;
  editorName: string;
  /** The host page for this user's browser, with a single-use ticket. */
  url: string;
}

/** @throws AppError folder-not-chosen, path-invalid, file-missing, folder-missing, no-editor */
export type OpenInEditor = (input: {
  user: User;
  path: string;
  mode: AccessMode;
  /** Null: the editor for the document's type. */
  editorId: string | null;
  /** How long the link stays valid until its one use; a minute by default. */
  ticketLifeMs?: number;
}) => Promise<EditorOpening>;

/**
 * Opens an earlier version to view, in the editor for the document's type.
 * @throws AppError folder-not-chosen, path-invalid, file-missing, folder-missing, no-editor
 */
export type OpenVersion = (input: { user: User; path: string; versionId: string }) => Promise<EditorOpening>;

export interface DocumentAccessDeps {
  folder: () => DocumentIndex | undefined;
  accessTokens: Pick<AccessTokens, 'mint'>;
  tickets: Pick<Tickets, 'issue'>;
  /** The base address for editors. */
  publicUrl: () => string;
  /** Where the user's browser finds the pages that show that editor; null: no particular one. */
  pageUrlOf: (editorId: string | null) => string;
  editors: Pick<Editors, 'choose'>;
}

export function createOpenDocument(deps: DocumentAccessDeps): OpenDocument {
  return async ({ user, path, mode, editorId = null }) => {
    const file = await openPath(deps, path);
    const { id } = file;
    const granted = effectiveMode(user.role, mode);
    const byType = await editorByType(deps, file, granted);
    const editor =
      editorId === null ? byType : (await editorFor(deps, file, { mode: granted, editorId })).editor;
    const { id: accessTokenId, token, expiresAtMs } = deps.accessTokens.mint({ user, fileId: id, mode });
    const link = (way: AccessMode, most: AccessMode, chosen: string | null = null): string => {
      const ticket = deps.tickets.issue({
        userId: user.id,
        fileId: id,
        mode: effectiveMode(user.role, most),
        editorId: chosen,
        accessTokenId,
      });
      // The page shows this editor, so it must be at an address that the editor may be framed by.
      return `${deps.pageUrlOf(chosen ?? byType?.id ?? null)}/${way}/${id}?ticket=${ticket}`;
    };
    return {
      fileId: id,
      wopiSrc: `${deps.publicUrl()}/wopi/files/${id}`,
      accessToken: token,
      accessTokenTtl: expiresAtMs,
      hostEditUrl: link('edit', mode),
      hostViewUrl: link('view', 'view'),
      // In the user's own browser, where a user who opens the document to view it may switch to editing.
      page: editor && {
        url: link(granted, 'edit', editor.id),
        editorId: editor.id,
        editorName: editor.name,
      },
    };
  };
}

export function createOpenInEditor(
  deps: Pick<DocumentAccessDeps, 'folder' | 'tickets' | 'pageUrlOf' | 'editors'>,
): OpenInEditor {
  return async ({ user, path, mode, editorId, ticketLifeMs }) => {
    const file = await openPath(deps, path);
    const granted = effectiveMode(user.role, mode);
    const { editor } = await editorFor(deps, file, { mode: granted, editorId });
    // For the user's own browser: a user who opens the document to view it may switch to editing there.
    const grant = {
      userId: user.id,
      fileId: file.id,
      mode: effectiveMode(user.role, 'edit'),
      editorId: editor.id,
    };
    const ticket = deps.tickets.issue(grant, null, ticketLifeMs);
    return {
      fileId: file.id,
      path: file.path,
      editorId: editor.id,
      editorName: editor.name,
      url: `${deps.pageUrlOf(editor.id)}/${granted}/${file.id}?ticket=${ticket}`,
    };
  };
}

export function createOpenVersion(deps: Parameters<typeof createOpenInEditor>[0]): OpenVersion {
  const open = createOpenInEditor(deps);
  return async ({ versionId, ...input }) => {
    // Its session may edit the document too: one that only views would take the place of one that edits it in the same browser.
    const opening = await open({ ...input, mode: 'view', editorId: null });
    return { ...opening, url: `${opening.url}&version=${encodeURIComponent(versionId)}` };
  };
}

function editorFor(
  { editors, folder }: Pick<DocumentAccessDeps, 'editors' | 'folder'>,
  { name, path, size }: HostedFile,
  wanted: { mode: AccessMode; editorId: string | null },
): ReturnType<typeof chooseForFile> {
  const extension = extensionOf(name).slice(1).toLowerCase();
  return chooseForFile(editors, { extension, size, ...wanted }, (bytes) => {
    const jail = folder()?.jail;
    if (jail === undefined) throw new AppError('folder-not-chosen');
    return readStart(jail, path, bytes);
  });
}

/** Null if no connected editor opens this type. */
async function editorByType(
  deps: Pick<DocumentAccessDeps, 'editors' | 'folder'>,
  file: HostedFile,
  mode: AccessMode,
): Promise<Editor | null> {
  try {
    return (await editorFor(deps, file, { mode, editorId: null })).editor;
  } catch (error) {
    if (error instanceof AppError && error.code === 'no-editor') return null;
    throw error;
  }
}

async function openPath(deps: Pick<DocumentAccessDeps, 'folder'>, path: string): Promise<HostedFile> {
  const folder = deps.folder();
  if (folder === undefined) throw new AppError('folder-not-chosen');
  return folder.openPath(path);
}
