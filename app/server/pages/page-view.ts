// What a page session may currently see of its document: the document on disk, the editor that opens it, and what the user's
// role, the session and the document allow. Evaluated for every call.

import { effectiveMode } from '../../accounts/access-mode.ts';
import type { AccessMode } from '../../store/access-tokens.ts';
import type { User } from '../../store/users.ts';
import type { Editor, DiscoveryAction } from '../../store/editors.ts';
import type { PageSession } from '../../accounts/page-sessions.ts';
import { AppError } from '../../contract/errors.ts';
import { t } from '../../contract/messages.ts';
import { extensionOf } from '../../contract/names.ts';
import { chooseForFile } from '../../editors/choose-for-file.ts';
import type { Editors } from '../../editors/editors.ts';
import { pageParameters } from '../../editors/product.ts';
import { hostedFile, type DocumentIndex, type HostedFile } from '../../files/document-index.ts';
import { readStart } from '../../files/read-prefix.ts';
import { actionUrl } from '../../wopi/action-url.ts';
import { isWriteProtected } from '../../wopi/permissions.ts';

export interface PageViewDeps {
  /** The hosted folder that a document belongs to. */
  folderOf: (fileId: string) => DocumentIndex | undefined;
  /** The folder is known, but currently not hosted. */
  isUnhosted: (fileId: string) => boolean;
  editors: Pick<Editors, 'choose' | 'byId'>;
  /** The base address of that editor. */
  baseUrlOf: (editorId: string | null) => string;
  /**
   * Where the browser that shows the host's page at `pageUrl` finds what the editor's discovery has at `url`: the built-in editor
   * is served from the host page's own address.
   */
  browserUrlOf: (editor: Pick<Editor, 'kind' | 'url'>, url: string, pageUrl: string) => string;
}

export type ChosenEditor = ReturnType<Editors['choose']>;

export interface PageView {
  file: HostedFile;
  /** The mode of its token. */
  mode: AccessMode;
  /** Role, document and editor allow editing, whatever was requested. */
  canEdit: boolean;
  chosen: ChosenEditor;
  /** Where the token is posted to open the document. */
  action: string;
  /** Where it is posted to create a copy in a newer format; null if that isn't possible or wanted. */
  convertAction: string | null;
  /** Of all these pages. */
  origins: string[];
}

/** The current state of the document. @throws AppError file-missing, folder-missing */
export async function findDocument(
  deps: Pick<PageViewDeps, 'folderOf' | 'isUnhosted'>,
  fileId: string,
): Promise<{ file: HostedFile; isReadOnly: boolean }> {
  const folder = deps.folderOf(fileId);
  if (folder === undefined) throw new AppError(deps.isUnhosted(fileId) ? 'folder-missing' : 'file-missing');
  const seen = await folder.find(fileId);
  if (seen === undefined) throw new AppError('file-missing');
  return { file: hostedFile(seen), isReadOnly: isWriteProtected(seen) };
}

/** @throws AppError file-missing, folder-missing, no-editor */
export async function viewPage(
  deps: PageViewDeps,
  input: {
    session: Pick<PageSession, 'fileId' | 'mode' | 'editorId'>;
    user: User;
    wanted: AccessMode;
    /** The host's address as the browser sees it. */
    base: string;
    /** What the editor opens instead of the document itself: a version of it. */
    wopiFileId?: string | undefined;
    /** As the browser sent it: `en-US`. */
    language: string | undefined;
  },
): Promise<PageView> {
  const { session, user, language } = input;
  const { file, isReadOnly } = await findDocument(deps, session.fileId);
  const mayEdit = !isReadOnly && effectiveMode(user.role, session.mode) === 'edit';
  const wanted = mayEdit ? input.wanted : 'view';
  const chosen = await chooseEditor(deps, file, wanted, session.editorId);
  const { canEdit, canConvert, convert } = chosen;
  const wopiSrc = `${deps.baseUrlOf(chosen.editor.id)}/wopi/files/${input.wopiFileId ?? file.id}`;
  const values = language === undefined ? {} : { UI_LLCC: language, DC_LLCC: language };
  const mode = wanted === 'edit' && (canEdit || canConvert) ? 'edit' : 'view';
  if (mode === 'view' && chosen.action.name === 'convert') {
    throw new AppError('no-editor', {
      detail: () => t('host.editor-can-only-convert', { editor: chosen.editor.name }),
    });
  }
  const isConverting = mode === 'edit' && canConvert && convert !== undefined;
  const place = { wopiSrc, values, parameters: pageParameters(chosen.editor.kind, language) };
  const addressOf = ({ urlsrc }: DiscoveryAction): string =>
    actionUrl(deps.browserUrlOf(chosen.editor, urlsrc, input.base), place);
  const action = addressOf(chosen.action);
  const convertAction = isConverting ? addressOf(convert) : null;
  const pages = convertAction === null ? [action] : [action, convertAction];
  return {
    file,
    mode,
    canEdit: mayEdit && canEdit,
    chosen,
    action,
    convertAction,
    origins: [...new Set(pages.map((page) => new URL(page).origin))],
  };
}

/** The requested editor; if it is gone or doesn't open this type, the default one. */
async function chooseEditor(
  { editors, folderOf }: Pick<PageViewDeps, 'editors' | 'folderOf'>,
  { id, name, path, size }: HostedFile,
  mode: AccessMode,
  editorId: string | null,
): Promise<ChosenEditor> {
  const input = { extension: extensionOf(name).slice(1).toLowerCase(), size, mode };
  const choose = (wantedId: string | null): Promise<ChosenEditor> =>
    chooseForFile(editors, { ...input, editorId: wantedId }, (bytes) => {
      const jail = folderOf(id)?.jail;
      if (jail === undefined) throw new AppError('folder-missing');
      return readStart(jail, path, bytes);
    });
  if (editorId !== null && editors.byId(editorId) !== undefined) {
    try {
      return await choose(editorId);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'no-editor') throw error;
    }
  }
  return choose(null);
}

/** The first language of an Accept-Language header, normalized: `pt-br` becomes `pt-BR`. */
export function preferredLanguage(header: string | undefined): string | undefined {
  const first = /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2})\s*(?:[,;]|$)/iu.exec(header ?? '')?.[1];
  if (first === undefined) return undefined;
  try {
    return Intl.getCanonicalLocales(first)[0];
  } catch {
    return undefined; // Collabora's page fails on an invalid one
  }
}
