// What the script of a page that is open may ask for: a token to open its document with, a new one before that ends, how the
// document stands, and a way to it or to a copy that was made in it.

import { effectiveMode, type AccessMode } from '../../accounts/access-mode.ts';
import type { AccessTokens } from '../../accounts/access-tokens.ts';
import type { PageCopies } from '../../accounts/page-copies.ts';
import type { Tickets } from '../../accounts/tickets.ts';
import type { EditorKind } from '../../contract/editors.ts';
import { AppError } from '../../contract/errors.ts';
import { nameOf } from '../../files/jail.ts';
import type { LockBook } from '../../wopi/lock-book.ts';
import type { Visitor } from './page-entrance.ts';
import { seeDocument, viewPage, type PageView, type PageViewDeps } from './page-view.ts';

export interface GivenToken {
  accessToken: string;
  /** An instant in epoch milliseconds, as WOPI's access_token_ttl is. */
  accessTokenTtl: number;
}

export interface OpenedPage extends GivenToken {
  name: string;
  /** Inside the folder, '/'-separated. */
  path: string;
  /** Of the token. */
  mode: AccessMode;
  /** Role, document and editor allow editing. */
  canEdit: boolean;
  editorId: string;
  kind: EditorKind;
  editorName: string;
  /** Complete address that the form is posted to. */
  action: string;
  /** Origins the editor's messages may come from. */
  editorOrigins: string[];
  canConvert: boolean;
  convertAction: string | null;
  closeUrl: string;
}

export interface PageState {
  name: string;
  path: string;
  /** Changes with every save; '' when the page is over. */
  itemVersion: string;
  isLocked: boolean;
  /** Made out of this page and still there; oldest first. */
  copies: { fileId: string; name: string; path: string; madeAtMs: number }[];
  /** The page's session is over: nothing else is told. */
  hasEnded: boolean;
}

export interface PageActionsDeps extends PageViewDeps {
  accessTokens: Pick<AccessTokens, 'mint'>;
  tickets: Pick<Tickets, 'issue'>;
  copies: Pick<PageCopies, 'of'>;
  locks: Pick<LockBook, 'isHeld'>;
}

interface PageInput {
  /** The host's address as the browser sees it. */
  base: string;
  language: string | undefined;
  wanted: AccessMode;
}

export interface PageActions {
  /** @throws AppError file-missing, folder-missing, no-editor */
  open(visitor: Visitor, input: PageInput): Promise<OpenedPage>;
  /** `editorId`: the one that is open, where it is not the session's. @throws AppError as `open` */
  renew(visitor: Visitor, input: PageInput & { editorId: string | undefined }): Promise<GivenToken>;
  /** @throws AppError file-missing, folder-missing */
  state(visitor: Visitor): Promise<PageState>;
  stateWhenOver(): PageState;
  /** @throws AppError file-missing for a document that has nothing to do with the page, permission-denied */
  ticket(visitor: Visitor, input: { base: string; fileId: string; mode: AccessMode }): { url: string };
}

export function createPageActions(deps: PageActionsDeps): PageActions {
  const view = ({ session, user }: Visitor, input: PageInput & { editorId?: string | undefined }) =>
    viewPage(deps, { ...input, user, session: { ...session, editorId: input.editorId ?? session.editorId } });

  const mint = ({ session, user }: Visitor, { chosen, mode }: PageView, base: string): GivenToken => {
    const { token, expiresAtMs } = deps.accessTokens.mint({
      user,
      fileId: session.fileId,
      mode,
      place: { editorId: chosen.editor.id, pageUrl: base, pageSessionId: session.id },
    });
    return { accessToken: token, accessTokenTtl: expiresAtMs };
  };

  return {
    async open(visitor, input) {
      const found = await view(visitor, input);
      const { file, mode, canEdit, action, convertAction, origins } = found;
      const { editor } = found.chosen;
      return {
        name: file.name,
        path: file.path,
        mode,
        canEdit,
        editorId: editor.id,
        kind: editor.kind,
        editorName: editor.name,
        action,
        editorOrigins: origins,
        canConvert: convertAction !== null,
        convertAction,
        closeUrl: `${input.base}/closed`,
        ...mint(visitor, found, input.base),
      };
    },

    renew: async (visitor, input) => mint(visitor, await view(visitor, input), input.base),

    async state({ session }) {
      const { file } = await seeDocument(deps, session.fileId);
      const copies = deps.copies.of(session.id).flatMap(({ fileId, madeAtMs }) => {
        const path = deps.folderOf(fileId)?.rowOf(fileId)?.path;
        return path === undefined ? [] : [{ fileId, name: nameOf(path), path, madeAtMs }];
      });
      return {
        name: file.name,
        path: file.path,
        itemVersion: file.itemVersion,
        isLocked: deps.locks.isHeld(file.id),
        copies,
        hasEnded: false,
      };
    },

    stateWhenOver: () => ({
      name: '',
      path: '',
      itemVersion: '',
      isLocked: false,
      copies: [],
      hasEnded: true,
    }),

    ticket({ session, user }, { base, fileId, mode }) {
      const isOwn =
        fileId === session.fileId || deps.copies.of(session.id).some((copy) => copy.fileId === fileId);
      if (!isOwn) throw new AppError('file-missing');
      const granted = effectiveMode(user.role, session.mode);
      if (mode === 'edit' && granted === 'view') throw new AppError('permission-denied');
      const ticket = deps.tickets.issue({
        userId: user.id,
        fileId,
        mode: granted,
        editorId: session.editorId,
      });
      return { url: `${base}/${mode}/${fileId}?ticket=${ticket}` };
    },
  };
}
