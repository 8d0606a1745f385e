// What the script of a page that is open may ask for: a token to open its document with, a new one before that ends, how the
// document stands, and a way to it or to a copy that was made in it.

import { effectiveMode, type AccessMode } from '../../accounts/access-mode.ts';
import type { AccessTokens } from '../../accounts/access-tokens.ts';
import type { PageCopies } from '../../accounts/page-copies.ts';
import type { Tickets } from '../../accounts/tickets.ts';
import type { EditorKind } from '../../contract/editors.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import { formFields } from '../../editors/product.ts';
import { AppError } from '../../contract/errors.ts';
import { nameOf } from '../../files/jail.ts';
import type { LockBook } from '../../wopi/lock-book.ts';
import type { Visitor } from './page-entrance.ts';
import { seeDocument, viewPage, type PageViewDeps } from './page-view.ts';

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
  /** Posted beside the token. */
  formFields: Record<string, string>;
  /** Origins the editor's messages may come from. */
  editorOrigins: string[];
  canConvert: boolean;
  convertAction: string | null;
  closeUrl: string;
}

export interface PageState {
  name: string;
  path: string;
  /** Grows with every save by an editor, and with nothing that another program does to the document. */
  saves: number;
  isLocked: boolean;
  /** Who else holds the document and what to do about it; null where nobody or this page does. */
  lockedBy: string | null;
  /** Made out of this page and still there; oldest first. */
  copies: { fileId: string; name: string; path: string; madeAtMs: number }[];
  /** The page's session is over: nothing else is told. */
  hasEnded: boolean;
}

export interface PageActionsDeps extends PageViewDeps {
  accessTokens: Pick<AccessTokens, 'mint' | 'isOpenIn'>;
  tickets: Pick<Tickets, 'issue'>;
  copies: Pick<PageCopies, 'of'>;
  locks: Pick<LockBook, 'isHeld' | 'holderFor'>;
  sessions: Pick<Sessions, 'savesOf'>;
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
  /**
   * For the editor the document is open in, `editorId` or else the session's: no other's token would be believed from there.
   * @throws AppError file-missing, folder-missing, no-editor, editor-unknown
   */
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

  const mint = (
    { session, user, isStillIn }: Visitor,
    { editorId, mode, base }: { editorId: string; mode: AccessMode; base: string },
  ): GivenToken => {
    // Looking at the document took its time, and whoever is put out meanwhile must not leave with a token.
    if (!isStillIn()) throw new AppError('not-authenticated');
    const { token, expiresAtMs } = deps.accessTokens.mint({
      user,
      fileId: session.fileId,
      mode,
      place: { editorId, pageUrl: base, pageSessionId: session.id },
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
        formFields: formFields(editor.kind),
        editorOrigins: origins,
        canConvert: convertAction !== null,
        convertAction,
        closeUrl: `${input.base}/closed`,
        ...mint(visitor, { editorId: editor.id, mode, base: input.base }),
      };
    },

    async renew(visitor, input) {
      const { session, user } = visitor;
      const { base, wanted } = input;
      const editorId = input.editorId ?? session.editorId;
      if (editorId === null) {
        const { chosen, mode } = await view(visitor, input);
        return mint(visitor, { editorId: chosen.editor.id, mode, base });
      }
      // An editor that got hold of the cookie must not choose one whose calls are judged less strictly.
      const isOpen = deps.accessTokens.isOpenIn({ userId: user.id, fileId: session.fileId, editorId });
      if (!isOpen || deps.editors.byId(editorId) === undefined) throw new AppError('editor-unknown');
      await seeDocument(deps, session.fileId);
      // A document that was write-protected meanwhile is no reason to take away what still saves into it: with a token for
      // reading, unsaved work would not even be kept aside.
      const mode = effectiveMode(user.role, session.mode) === 'edit' ? wanted : 'view';
      return mint(visitor, { editorId, mode, base });
    },

    async state({ session, user }) {
      const { file } = await seeDocument(deps, session.fileId);
      const copies = deps.copies.of(session.id).flatMap(({ fileId, madeAtMs }) => {
        const path = deps.folderOf(fileId)?.rowOf(fileId)?.path;
        return path === undefined ? [] : [{ fileId, name: nameOf(path), path, madeAtMs }];
      });
      return {
        name: file.name,
        path: file.path,
        saves: deps.sessions.savesOf(file.id),
        isLocked: deps.locks.isHeld(file.id),
        lockedBy: deps.locks.holderFor(file.id, {
          userLogin: user.login,
          pageSessionId: session.id,
        }),
        copies,
        hasEnded: false,
      };
    },

    stateWhenOver: () => ({
      name: '',
      path: '',
      saves: 0,
      isLocked: false,
      lockedBy: null,
      copies: [],
      hasEnded: true,
    }),

    ticket({ session, user }, { base, fileId, mode }) {
      const isOwn =
        fileId === session.fileId || deps.copies.of(session.id).some((copy) => copy.fileId === fileId);
      if (!isOwn) throw new AppError('file-missing');
      const granted = effectiveMode(user.role, session.mode);
      if (mode === 'edit' && granted === 'view') throw new AppError('permission-denied');
      const ticket = deps.tickets.issue(
        { userId: user.id, fileId, mode: granted, editorId: session.editorId },
        session.id,
      );
      return { url: `${base}/${mode}/${fileId}?ticket=${ticket}` };
    },
  };
}
