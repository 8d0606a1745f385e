// What the script of an open page may request: a token for its document, a renewed one before that expires, the document's state,
// and a link to it or to a copy created from it.

import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { effectiveMode } from '../../accounts/access-mode.ts';
import type { AccessMode } from '../../store/access-tokens.ts';
import type { AccessTokens } from '../../accounts/access-tokens.ts';
import type { PageCopies } from '../../accounts/page-copies.ts';
import type { Tickets } from '../../accounts/tickets.ts';
import type { Sessions } from '../../accounts/sessions.ts';
import { saverNames, type Users } from '../../accounts/users.ts';
import type { Clock } from '../../contract/clock.ts';
import { shownEditorName } from '../../contract/editors.ts';
import { nameOf } from '../../contract/names.ts';
import { formFields } from '../../editors/product.ts';
import { AppError, describeError, messageFor } from '../../contract/errors.ts';
import { t } from '../../contract/messages.ts';
import type { IssuedToken, OpenedPage, PageComparison, PageVersions } from '../../contract/page-calls.ts';
import type { PageState, SiblingDocument } from '../../contract/page-state.ts';
import { damageOf } from '../../files/damaged-document.ts';
import { isComparedType } from '../../contract/text-documents.ts';
import type { RecoveredSaves } from '../../files/recovered-saves.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ConflictsTable } from '../../store/conflicts.ts';
import type { MissedSavesTable } from '../../store/missed-saves.ts';
import type { DocumentChanges } from '../../documents/document-changes.ts';
import { readVersionText } from '../../documents/version-text.ts';
import type { NewDocuments } from '../../documents/new-document.ts';
import type { HostedFolder } from '../../host/hosted-folder.ts';
import type { ClosedPages } from '../../wopi/closed-pages.ts';
import type { Locks } from '../../wopi/locks.ts';
import type { VersionViews } from '../../wopi/version-views.ts';
import { silentAfterMs } from '../../wopi/lock-rules.ts';
import { isWriteProtected } from '../../wopi/permissions.ts';
import type { RunningSaves } from '../running-saves.ts';
import type { Visitor } from './page-entrance.ts';
import { findDocument, viewPage, type PageView, type PageViewDeps } from './page-view.ts';

export interface PageActionsDeps extends PageViewDeps {
  hostedFolderOf: (fileId: string) => HostedFolder | undefined;
  newDocuments: Pick<NewDocuments, 'copyVersion'>;
  documentChanges: Pick<DocumentChanges, 'renameOpen'>;
  versionViews: Pick<VersionViews, 'open'>;
  accessTokens: Pick<AccessTokens, 'mint' | 'find' | 'isOpenIn' | 'placeOf'>;
  tickets: Pick<Tickets, 'issue'>;
  copies: Pick<PageCopies, 'forPage' | 'note'>;
  locks: Pick<Locks, 'state' | 'isOwnOfPage' | 'wasForceCleared' | 'isKnownToEditor'>;
  closedPages: Pick<ClosedPages, 'hasLeft'>;
  sessions: Pick<Sessions, 'usesOf'>;
  users: Pick<Users, 'byId' | 'ownerId'>;
  saves: Pick<RunningSaves, 'countsOf'>;
  settings: { current: () => Pick<Settings, 'checkSaves'> };
  missedSaves: Pick<MissedSavesTable, 'get' | 'clear'>;
  recoveredSaves: Pick<RecoveredSaves, 'list' | 'restore' | 'saveAnyway' | 'discard'>;
  conflicts: Pick<ConflictsTable, 'byFile'>;
  clock: Clock;
}

interface PageInput {
  /** The host's address as the browser sees it. */
  base: string;
  language: string | undefined;
  wanted: AccessMode;
}

export function createPageActions(deps: PageActionsDeps) {
  const hostedFolderOf = (fileId: string): HostedFolder => {
    const hosted = deps.hostedFolderOf(fileId);
    if (hosted === undefined) throw new AppError(deps.isUnhosted(fileId) ? 'folder-missing' : 'file-missing');
    return hosted;
  };

  const view = (
    { session, user }: Visitor,
    input: PageInput & { editorId?: string | undefined; wopiFileId?: string },
  ) =>
    viewPage(deps, { ...input, user, session: { ...session, editorId: input.editorId ?? session.editorId } });

  const openedIn = ({ file, chosen, action, origins }: PageView, { user }: Visitor, base: string) => ({
    path: file.path,
    isOwner: user.role === 'owner',
    editorId: chosen.editor.id,
    kind: chosen.editor.kind,
    editorName: shownEditorName(chosen.editor.name),
    action,
    formFields: formFields(chosen.editor.kind),
    editorOrigins: origins,
    closeUrl: `${base}/closed`,
  });

  const mint = (
    { session, user, hasAccess }: Visitor,
    { editorId, mode, base }: { editorId: string; mode: AccessMode; base: string },
  ): IssuedToken => {
    // Reading the document took time; a user who has lost access in between must not get a token.
    if (!hasAccess()) throw new AppError('not-authenticated');
    const { id, token, expiresAtMs } = deps.accessTokens.mint({
      user,
      fileId: session.fileId,
      mode,
      place: { editorId, pageUrl: base, pageSessionId: session.id },
    });
    return { accessToken: token, accessTokenTtl: expiresAtMs, tokenId: id };
  };

  const namesOf = (userIds: ReadonlySet<string | null>): string[] =>
    [...userIds].flatMap((id) => deps.users.byId(id ?? '')?.displayName ?? []).toSorted();

  const holderOf = ({ session, user }: Visitor, editorId: string | null): PageState['holder'] => {
    const { fileId } = session;
    const state = deps.locks.state(fileId);
    if (state.kind === 'unlocked') return null;
    const { userId, accessTokenId, takenAtMs } = state.lock;
    const place = accessTokenId === null ? undefined : deps.accessTokens.placeOf(accessTokenId);
    const editor = deps.editors.byId(place?.editorId ?? '');
    // In the other editors, users share a lock, and keep it until the last page is closed. They may be idle for hours, so any call since
    // the lock was taken counts.
    const sharers =
      editor === undefined || editor.kind === 'text-editor'
        ? []
        : deps.sessions
            .usesOf(fileId)
            .filter(
              (use) => use.editorId === editor.id && use.mode === 'edit' && use.lastCallAtMs >= takenAtMs,
            );
    const elsewhere = [{ userId, pageSessionId: place?.pageSessionId ?? null }, ...sharers].filter(
      ({ pageSessionId: id }) => id !== session.id && !(id !== null && deps.closedPages.hasLeft(id)),
    );
    const userIds = new Set(elsewhere.map((use) => use.userId));
    const isOpenElsewhere = userIds.delete(user.id);
    return {
      userName: deps.users.byId(userId ?? '')?.displayName ?? null,
      editorName: editor === undefined ? null : shownEditorName(editor.name),
      isThisEditor: place?.editorId === editorId,
      hasLapsed: state.kind === 'lapsed',
      otherUsers: namesOf(userIds),
      isOpenElsewhere,
    };
  };

  /** Only the owner can do that. */
  const clearedBy = (fileId: string): string | null =>
    deps.locks.wasForceCleared(fileId) ? (deps.users.byId(deps.users.ownerId())?.displayName ?? null) : null;

  const othersIn = (fileId: string, userId: string): string[] => {
    const readAfterMs = deps.clock() - silentAfterMs;
    const uses = deps.sessions.usesOf(fileId).filter((use) => use.lastCallAtMs > readAfterMs);
    return namesOf(new Set(uses.map((use) => use.userId).filter((id) => id !== userId)));
  };

  const recoveredOf = (fileId: string): PageState['recovered'] =>
    deps.recoveredSaves
      .list()
      .filter((save) => save.fileId === fileId)
      .map(({ id, receivedAtMs, isUnreadable }) => ({ id, receivedAtMs, isUnreadable }));

  const requireEdit = ({ session, user }: Pick<Visitor, 'session' | 'user'>): void => {
    if (effectiveMode(user.role, session.mode) === 'view') throw new AppError('permission-denied');
  };

  /** A page decides only about the recovered saves of its own document. */
  const requireOwnRecovered = (visitor: Visitor, recoveredId: string): PageState['recovered'][number] => {
    requireEdit(visitor);
    const own = recoveredOf(visitor.session.fileId).find(({ id }) => id === recoveredId);
    if (own === undefined) throw new AppError('recovered-save-unknown');
    return own;
  };

  /** Those that still exist. */
  const conflictsOf = async (documentId: string): Promise<SiblingDocument[]> => {
    const found = deps.conflicts.byFile(documentId).map(async ({ copy, madeAtMs }) => {
      try {
        const file = await deps.folderOf(documentId)?.openPath(copy);
        return file === undefined ? [] : [{ fileId: file.id, name: file.name, path: file.path, madeAtMs }];
      } catch (error) {
        if (error instanceof AppError) return [];
        throw error;
      }
    });
    return (await Promise.all(found)).flat();
  };

  return {
    /** @throws AppError file-missing, folder-missing, no-editor */
    async open(visitor: Visitor, input: PageInput): Promise<OpenedPage> {
      const found = await view(visitor, input);
      const { file, mode, canEdit, convertAction, chosen } = found;
      return {
        ...openedIn(found, visitor, input.base),
        name: file.name,
        mode,
        canEdit,
        canConvert: convertAction !== null,
        convertAction,
        damaged: deps.settings.current().checkSaves ? await damageOf(hostedFolderOf(file.id), file) : null,
        ...mint(visitor, { editorId: chosen.editor.id, mode, base: input.base }),
      };
    },

    /** @throws AppError file-missing, folder-missing */
    async versions({ session, user }: Visitor): Promise<PageVersions> {
      const { file } = await findDocument(deps, session.fileId);
      const hosted = hostedFolderOf(file.id);
      const namesOf = (savedBy: string | null) => saverNames(deps.users, savedBy, 'displayName');
      const row = hosted.folder.rowOf(file.id);
      const { size, lastModifiedMs } = file;
      const savedBy = namesOf(row?.savedBy ?? null);
      return {
        canRestore: effectiveMode(user.role, session.mode) === 'edit',
        canCompare: isComparedType(file.name),
        current: {
          size,
          lastModifiedMs,
          savedAtMs: row?.savedAtMs ?? null,
          savedBy,
          savedHow: row?.savedHow ?? null,
        },
        versions: hosted.versions.list(file.id).map((version) => ({
          id: version.id,
          size: version.size,
          writtenAtMs: version.writtenAtMs,
          savedAtMs: version.savedAtMs,
          savedBy: namesOf(version.savedBy),
          savedHow: version.savedHow,
        })),
      };
    },

    /** @throws AppError not-text, file-missing, folder-missing, version-unknown, version-damaged */
    async compareVersion({ session, hasAccess }: Visitor, versionId: string): Promise<PageComparison> {
      const hosted = hostedFolderOf(session.fileId);
      const { file } = await findDocument(deps, session.fileId);
      const [old, now] = await Promise.all([
        readVersionText(hosted, file, versionId),
        readVersionText(hosted, file, null),
      ]);
      if (!hasAccess()) throw new AppError('not-authenticated');
      return { old, now };
    },

    /** The document's content, as a download. @throws AppError file-missing, folder-missing */
    async download({ session, hasAccess }: Visitor) {
      const { file } = await findDocument(deps, session.fileId);
      const found = await hostedFolderOf(file.id).folder.jail.openFile(file.path);
      if (found === undefined) throw new AppError('file-missing');
      const size = Number(found.stats.size);
      // Not more than the announced size, even if another program appends to the file.
      const content = createReadStream('', { fd: found.fd, start: 0, end: Math.max(0, size - 1) });
      if (hasAccess() && size > 0) return { name: file.name, size, content };
      content.destroy();
      if (hasAccess()) return { name: file.name, size, content: Readable.from([]) };
      throw new AppError('not-authenticated');
    },

    /** A version to view in the editor; its token is for that version only. @throws AppError as `open`, version-unknown, version-damaged */
    async openVersion(
      visitor: Visitor,
      { versionId, ...input }: Omit<PageInput, 'wanted'> & { versionId: string },
    ): Promise<OpenedPage> {
      const { session, user } = visitor;
      const wanted = 'view';
      const { chosen } = await view(visitor, { ...input, wanted });
      const { editor } = chosen;
      const opened = await deps.versionViews.open({
        hosted: hostedFolderOf(session.fileId),
        documentId: session.fileId,
        versionId,
        user,
        editorId: editor.id,
        pageUrl: input.base,
      });
      const found = await view(visitor, { ...input, wanted, editorId: editor.id, wopiFileId: opened.id });
      if (!visitor.hasAccess()) throw new AppError('not-authenticated');
      return {
        ...openedIn(found, visitor, input.base),
        name: opened.name,
        mode: wanted,
        canEdit: false,
        canConvert: false,
        convertAction: null,
        damaged: null,
        accessToken: opened.token,
        accessTokenTtl: opened.expiresAtMs,
        tokenId: opened.id,
      };
    },

    /** @throws AppError permission-denied, and what `DocumentChanges.renameOpen` throws */
    async rename({ session, user, hasAccess }: Visitor, name: string) {
      requireEdit({ session, user });
      const { fileId } = session;
      const renamed = await deps.documentChanges.renameOpen(hostedFolderOf(fileId), fileId, name, {
        // Only the page's own tokens: others may have the document open in the same editor.
        isOwnLock() {
          const state = deps.locks.state(fileId);
          return state.kind === 'locked' && deps.locks.isOwnOfPage(state.lock, session.id);
        },
        assertAllowed(found) {
          // The rename may have waited for a long save.
          if (!hasAccess()) throw new AppError('not-authenticated');
          if (isWriteProtected(found)) {
            throw new AppError('permission-denied', { detail: () => t('host.document-is-write-protected') });
          }
        },
      });
      return { name: renamed };
    },

    /** @throws AppError permission-denied, and what restoring throws */
    async restoreVersion({ session, user }: Visitor, versionId: string) {
      requireEdit({ session, user });
      await hostedFolderOf(session.fileId).versions.restore(session.fileId, versionId, user.id);
      return undefined;
    },

    /** Saves a version as a new document next to this one. @throws AppError permission-denied, and what copying throws */
    async copyVersion({ session, user }: Visitor, versionId: string) {
      requireEdit({ session, user });
      const hosted = hostedFolderOf(session.fileId);
      const { file } = await findDocument(deps, session.fileId);
      const input = { path: file.path, versionId, name: undefined };
      const path = await deps.newDocuments.copyVersion(hosted, input);
      const { id: fileId, name } = await hosted.folder.openPath(path);
      deps.copies.note(session.id, fileId);
      return { fileId, name };
    },

    /**
     * For the editor that has the document open, `editorId` or else the session's: it wouldn't accept a token issued for another
     * one.
     * @throws AppError file-missing, folder-missing, no-editor, editor-unknown
     */
    async renew(visitor: Visitor, input: PageInput & { editorId: string | undefined }): Promise<IssuedToken> {
      const { session, user } = visitor;
      const { base, wanted } = input;
      const editorId = input.editorId ?? session.editorId;
      if (editorId === null) {
        const { chosen, mode } = await view(visitor, input);
        return mint(visitor, { editorId: chosen.editor.id, mode, base });
      }
      // An editor that got hold of the cookie must not choose another editor with weaker checks.
      const isOpen = deps.accessTokens.isOpenIn({ userId: user.id, fileId: session.fileId, editorId });
      if (!isOpen || deps.editors.byId(editorId) === undefined) throw new AppError('editor-unknown');
      await findDocument(deps, session.fileId);
      // If the document became write-protected, keep the token for editing: with a view token, unsaved work couldn't even become
      // a recovered save.
      const mode = effectiveMode(user.role, session.mode) === 'edit' ? wanted : 'view';
      return mint(visitor, { editorId, mode, base });
    },

    /**
     * `editorId`: the editor that has the document open, or else the session's. `tokenIds`: the tokens that this tab was given.
     * @throws AppError file-missing, folder-missing
     */
    async state(
      visitor: Visitor,
      input: { editorId: string | undefined; tokenIds: readonly string[] },
    ): Promise<PageState> {
      const { session, user } = visitor;
      const { fileId } = session;
      // What was saved is known even if the document is gone.
      const found = await findDocument(deps, fileId).catch(describeError);
      if (found instanceof AppError && found.code !== 'file-missing' && found.code !== 'folder-missing')
        throw found;
      const isGone = found instanceof AppError;
      const editorId = input.editorId ?? session.editorId;
      const row = deps.folderOf(fileId)?.rowOf(fileId);
      const readAfterMs = deps.clock() - silentAfterMs;
      const copies = deps.copies.forPage(session.id).flatMap(({ fileId: copyId, madeAtMs, tokenId }) => {
        if (tokenId === null || !input.tokenIds.includes(tokenId)) return [];
        const path = deps.folderOf(copyId)?.rowOf(copyId)?.path;
        if (path === undefined) return [];
        const isOpen = deps.sessions.usesOf(copyId).some((use) => use.pageSessionId === session.id);
        return [{ fileId: copyId, name: nameOf(path), path, madeAtMs, isOpen }];
      });
      return {
        gone: isGone ? { code: found.code, message: messageFor('window', found) } : null,
        name: isGone ? '' : found.file.name,
        path: isGone ? '' : found.file.path,
        saves: deps.saves.countsOf(fileId, editorId),
        missed: deps.missedSaves.get(fileId) ?? null,
        holder: holderOf(visitor, editorId),
        clearedBy: clearedBy(fileId),
        others: othersIn(fileId, user.id),
        isRead: deps.sessions
          .usesOf(fileId)
          .some((use) => use.editorId === editorId && use.bytes > 0 && use.lastCallAtMs > readAfterMs),
        isKnown: row !== undefined && editorId !== null && deps.locks.isKnownToEditor(row, editorId),
        copies,
        conflicts: isGone ? [] : await conflictsOf(fileId),
        recovered: recoveredOf(fileId),
        canRestore: effectiveMode(user.role, session.mode) === 'edit',
        hasEnded: false,
      };
    },

    stateWhenOver: (): Pick<PageState, 'hasEnded'> => ({ hasEnded: true }),

    /**
     * Restores a recovered save as a new document next to this one.
     * @throws AppError permission-denied, recovered-save-unknown, and what restoring throws
     */
    async restore(visitor: Visitor, recoveredId: string) {
      requireOwnRecovered(visitor, recoveredId);
      const { session } = visitor;
      const folder = deps.folderOf(session.fileId);
      if (folder === undefined) throw new AppError('recovered-save-unknown');
      const { id: fileId, name } = await folder.openPath(await deps.recoveredSaves.restore(recoveredId));
      deps.copies.note(session.id, fileId);
      return { fileId, name };
    },

    /**
     * Makes a recovered save that isn't a readable document the document's content after all.
     * @throws AppError permission-denied, recovered-save-unknown, file-missing, file-changed, disk-refused
     */
    async saveAnyway(visitor: Visitor, recoveredId: string) {
      requireOwnRecovered(visitor, recoveredId);
      await deps.recoveredSaves.saveAnyway(recoveredId);
      return undefined;
    },

    /**
     * The user decides for the file as it is: discards a recovered save that isn't a readable document, or without one, forgets that
     * the newest save isn't in the file.
     * @throws AppError permission-denied, recovered-save-unknown
     */
    async keepFile(visitor: Visitor, what: { recoveredId: string } | { missedAtMs: number }) {
      if ('recoveredId' in what) {
        const { isUnreadable } = requireOwnRecovered(visitor, what.recoveredId);
        if (!isUnreadable) throw new AppError('permission-denied');
        await deps.recoveredSaves.discard(what.recoveredId);
        return undefined;
      }
      requireEdit(visitor);
      const { fileId } = visitor.session;
      if (deps.missedSaves.get(fileId)?.atMs === what.missedAtMs) deps.missedSaves.clear(fileId);
      return undefined;
    },

    /** @throws AppError file-missing for a document unrelated to the page, permission-denied */
    async ticket(
      { session, user }: Visitor,
      { base, fileId, mode }: { base: string; fileId: string; mode: AccessMode },
    ) {
      const isSame = (document: { fileId: string }): boolean => document.fileId === fileId;
      const isOwn =
        isSame(session) ||
        deps.copies.forPage(session.id).some(isSame) ||
        (await conflictsOf(session.fileId)).some(isSame);
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
