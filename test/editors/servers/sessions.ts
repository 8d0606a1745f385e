// The sessions of a scripted document server, one per page. The pages of a document see each other's changes, and when the last one
// is closed, the server saves.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { textOf, withText } from '../office-zip.ts';
import { OpeningFailed, type Answered, type EditorTab, type ScriptedEditor } from '../scripted-editor.ts';
import { accessOf, fileIdOf, type Access, type FileInfo } from '../wire.ts';
import type { PageCallResult, PageState } from './page-config.ts';

export interface Session {
  readonly id: string;
  /** With LibreOffice Online, another one after Save As. */
  readonly fileId: string;
  readonly access: Access;
  readonly hasLeft: boolean;
  /** The messages that the page received from the host page, in order. */
  readonly heard: { id: string; values: Record<string, unknown> }[];
  /** Undefined until the document was opened, or if that failed. */
  view(): EditorTab | undefined;
  open(): Promise<void>;
  state(): PageState;
  type(text: string): PageCallResult;
  save(): Promise<PageCallResult>;
  saveAs(name: string): Promise<PageCallResult>;
  rename(name: string): Promise<PageCallResult>;
  keepAlive(): Promise<PageCallResult>;
  renewToken(token: string): void;
  /** Resolves once all changes are saved. */
  leave(): Promise<void>;
  /** Calls the listener for every change of the state. @returns a function that unsubscribes */
  watch(listener: (state: PageState) => void): () => void;
}

/** The delay from a closed page to the last save. With real servers it is several seconds. */
const leaveDelayMs = 50;

export function createSessions({ open: openTab, dialect }: ScriptedEditor) {
  const all: Session[] = [];
  const listeners = new Map<Session, (state: PageState) => void>();
  const turns = new Map<string, Promise<void>>();
  let isFrozen = false;
  const isCollabora = dialect.kind === 'collabora';

  /** A document can't be opened while the server still saves and unlocks it after the last page was closed. */
  function inTurn(fileId: string, work: () => Promise<void>): Promise<void> {
    const turn = (turns.get(fileId) ?? Promise.resolve()).then(work);
    turns.set(
      fileId,
      turn.catch(() => undefined),
    );
    return turn;
  }

  const pagesOf = (fileId: string): Session[] =>
    all.filter((session) => session.fileId === fileId && !session.hasLeft);

  function notify(fileId: string): void {
    for (const session of pagesOf(fileId)) listeners.get(session)?.(session.state());
  }

  /** @param isForcing whether the button saves to the host */
  function begin(access: Access, purpose: 'view' | 'edit', isForcing: boolean): Session {
    let fileId = fileIdOf(access.wopiSrc);
    let hasLeft = false;
    let view: EditorTab | undefined;
    let opening: Promise<void> | undefined;
    let failure = '';
    /** Set even if the document couldn't be read afterwards. */
    let fileInfo: FileInfo | undefined;
    let name = '';

    const opened = (): EditorTab => {
      if (view === undefined) throw new Error('no document is open');
      return view;
    };
    const show = (tab: EditorTab): void => {
      view = tab;
      ({ fileInfo } = tab);
      name = fileInfo.BaseFileName;
    };
    const openOnce = async (): Promise<void> => {
      try {
        show(await openTab(access, { mode: purpose }));
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        if (error instanceof OpeningFailed) ({ fileInfo } = error);
      }
      notify(fileId);
    };
    const resultOf = ({ status, answer }: Answered<{ Name: string }>): PageCallResult => ({
      status,
      ...(answer !== undefined && { name: answer.Name }),
    });

    const session: Session = {
      id: randomBytes(16).toString('base64url'),
      get fileId() {
        return fileId;
      },
      access,
      get hasLeft() {
        return hasLeft;
      },
      heard: [],
      view: () => view,
      open: () => (opening ??= inTurn(fileId, openOnce)),

      state() {
        const isUnable = purpose === 'view' && fileInfo?.UserCanWrite === false;
        return {
          failure,
          warning:
            dialect.kind === 'onlyoffice' && isUnable
              ? 'The file is locked for editing or your access rights do not allow editing.'
              : '',
          mode: view?.mode ?? 'view',
          name,
          text: view === undefined ? '' : textOf(view.content()),
          isModified: view?.isModified() ?? false,
          people: pagesOf(fileId).flatMap((page) => page.view()?.fileInfo.UserFriendlyName ?? []),
          origin: fileInfo?.PostMessageOrigin ?? '',
          closeUrl: fileInfo?.CloseUrl ?? '',
          hostEditUrl: fileInfo?.HostEditUrl ?? '',
          says: {
            close: fileInfo?.ClosePostMessage === true,
            edit: fileInfo?.EditModePostMessage === true,
            sharing: (isCollabora ? fileInfo?.EnableShare : fileInfo?.FileSharingPostMessage) === true,
            versions: fileInfo?.FileVersionPostMessage === true,
            edited: fileInfo?.EditNotificationPostMessage === true,
          },
        };
      },

      type(text) {
        opened().edit(withText(opened().content(), text));
        notify(fileId);
        return { status: 200 };
      },
      async save() {
        const sent = isForcing ? await opened().save() : undefined;
        notify(fileId);
        return sent === undefined ? { status: 200, isUnmodified: true } : { status: sent.status };
      },
      async saveAs(wanted) {
        const copied = await opened().saveAs(wanted);
        if (!dialect.showsCopies || copied.answer === undefined) return resultOf(copied);
        await opened().close();
        Object.assign(access, accessOf(copied.answer.Url));
        show(await openTab(access));
        fileId = fileIdOf(access.wopiSrc);
        notify(fileId);
        return { status: copied.status };
      },
      async rename(wanted) {
        const result = resultOf(await opened().rename(wanted));
        if (result.name !== undefined) name = result.name + name.slice(name.lastIndexOf('.'));
        notify(fileId);
        return result;
      },
      keepAlive: async () => ({ status: (await opened().keepAlive()).status }),
      renewToken: (token) => void (access.accessToken = token),

      async leave() {
        if (hasLeft || isFrozen) return;
        hasLeft = true;
        notify(fileId);
        // A page that is reloaded opens again before anything is saved or unlocked.
        await pause(leaveDelayMs);
        await opening;
        await inTurn(fileId, async () => {
          if (!isFrozen) await view?.close();
        });
      },
      watch(listener) {
        listeners.set(session, listener);
        return () => void listeners.delete(session);
      },
    };
    all.push(session);
    return session;
  }

  return {
    all,
    begin,
    /** From now on, closed pages have no effect. */
    freeze: (): void => void (isFrozen = true),
  };
}
