// The sessions of a scripted document server, one per page. The pages of a document see each other's changes, and when the last one
// is closed, the server saves.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { remarkIn, withRemark } from '../office-zip.ts';
import { OpeningFailed } from '../onlyoffice.ts';
import { accessOf, fileIdOf, type Access, type FileInfo } from '../wire.ts';
import type { Dialect, PageForm } from './dialect.ts';
import type { EditorView } from './editor-view.ts';
import type { PageCallResult, PageState } from './page-config.ts';

export interface Session {
  readonly id: string;
  /** With LibreOffice Online, another one after Save As. */
  readonly fileId: string;
  readonly access: Access & { accessTokenTtl: number };
  /** Undefined until the document was opened, or if that failed. */
  view(): EditorView | undefined;
  readonly hasLeft: boolean;
  /** The messages that the page received from the host page, in order. */
  readonly heard: { id: string; values: Record<string, unknown> }[];
  /** The tokens received after the first one. */
  readonly renewedTokens: string[];
  open(): Promise<void>;
  state(): PageState;
  type(text: string): PageCallResult;
  save(how?: 'button' | 'timer'): Promise<PageCallResult>;
  /** Saves right after typing. The server of LibreOffice Online doesn't know of the change yet, and no page reports it. */
  typeAndSave(text: string): Promise<PageCallResult>;
  saveAs(name: string): Promise<PageCallResult>;
  rename(name: string): Promise<PageCallResult>;
  keepAlive(): Promise<PageCallResult>;
  renewToken(token: string): void;
  /** As the server's timer does shortly before the token expires. */
  warnOfTokenEnd(): void;
  /** Resolves once all changes are saved. */
  leave(): Promise<void>;
  /** Calls the listener for every change of the state. @returns a function that unsubscribes */
  watch(listener: (state: PageState) => void): () => void;
}

export interface Sessions {
  readonly all: Session[];
  begin(access: Session['access'], purpose: 'view' | 'edit', form: PageForm): Session;
  byId(id: string): Session | undefined;
  /** From now on, closed pages have no effect. */
  freeze(): void;
  /** Discards all sessions. */
  crash(): void;
}

export function createSessions(deps: {
  dialect: Dialect;
  isAllowed: (host: string) => boolean;
  leaveDelayMs: number;
}): Sessions {
  const all: Session[] = [];
  const changed = new Set<string>();
  const listeners = new Map<Session, Set<(state: PageState) => void>>();
  const turns = new Map<string, Promise<void>>();
  let isFrozen = false;
  /** Incremented by a crash, which cancels what the previous process would have done. */
  let generation = 0;

  /** A document can't be opened while the server still saves and unlocks it after the last page was closed. */
  function inTurn(fileId: string, work: () => Promise<void>): Promise<void> {
    const turn = (turns.get(fileId) ?? Promise.resolve()).then(work);
    turns.set(
      fileId,
      turn.catch(() => undefined),
    );
    return turn;
  }

  function notify(fileId: string): void {
    for (const session of all) {
      if (session.fileId !== fileId || session.hasLeft) continue;
      for (const listener of listeners.get(session) ?? []) listener(session.state());
    }
  }

  function begin(access: Session['access'], purpose: 'view' | 'edit', form: PageForm): Session {
    let fileId = fileIdOf(access.wopiSrc);
    let view: EditorView | undefined;
    let opening: Promise<void> | undefined;
    let failure = '';
    /** Set even if the document couldn't be read afterwards. */
    let fileInfo: FileInfo | undefined;
    let hasLeft = false;
    let name = '';
    let isEnding = false;
    const ownGeneration = generation;
    const isOver = (): boolean => isFrozen || generation !== ownGeneration;

    const opened = (): EditorView => {
      if (view === undefined) throw new Error('no document is open');
      return view;
    };
    const openOnce = async (): Promise<void> => {
      try {
        if (!deps.isAllowed(new URL(access.wopiSrc).hostname)) throw new Error('Unauthorized WOPI host');
        view = await deps.dialect.open(access, purpose, form);
        ({ fileInfo } = view);
        name = fileInfo.BaseFileName;
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        if (error instanceof OpeningFailed) ({ fileInfo } = error);
      }
      notify(fileId);
    };
    const resultOf = (result: {
      exchange: { status: number };
      answer: { Name: string } | undefined;
    }): PageCallResult => ({
      status: result.exchange.status,
      ...(result.answer !== undefined && { name: result.answer.Name }),
    });

    const session: Session = {
      id: randomBytes(16).toString('base64url'),
      get fileId() {
        return fileId;
      },
      access,
      heard: [],
      renewedTokens: [],
      view: () => view,
      get hasLeft() {
        return hasLeft;
      },
      open: () => (opening ??= inTurn(fileId, openOnce)),

      state() {
        const isUnable = purpose === 'view' && fileInfo?.UserCanWrite === false;
        return {
          failure,
          warning:
            deps.dialect.kind === 'onlyoffice' && isUnable
              ? 'The file is locked for editing or your access rights do not allow editing.'
              : '',
          mode: view?.mode ?? 'view',
          name,
          text: view === undefined ? '' : textOf(view.content()),
          isModified: changed.has(fileId),
          people: all
            .filter((other) => other.fileId === fileId && !other.hasLeft && other.view() !== undefined)
            .map((other) => other.view()?.fileInfo.UserFriendlyName ?? ''),
          origin: fileInfo?.PostMessageOrigin ?? '',
          closeUrl: fileInfo?.CloseUrl ?? '',
          hostEditUrl: fileInfo?.HostEditUrl ?? '',
          says: {
            close: fileInfo?.ClosePostMessage === true,
            edit: fileInfo?.EditModePostMessage === true,
            sharing:
              (deps.dialect.kind === 'collabora'
                ? fileInfo?.EnableShare
                : fileInfo?.FileSharingPostMessage) === true,
            versions: fileInfo?.FileVersionPostMessage === true,
            edited: fileInfo?.EditNotificationPostMessage === true,
            tokenEnd: deps.dialect.kind === 'collabora' || fileInfo?.SupportsSessionRefresh === true,
          },
          isEnding,
        };
      },

      type(text) {
        opened().edit(withText(opened().content(), text));
        changed.add(fileId);
        notify(fileId);
        return { status: 200 };
      },
      async save(how = 'button') {
        const sent = await opened().save(how);
        const isModified = opened().isModified?.() ?? sent?.status !== 200;
        if (!isModified) changed.delete(fileId);
        notify(fileId);
        return sent === undefined ? { status: 200, isUnmodified: true } : { status: sent.status };
      },
      async typeAndSave(text) {
        const view = opened();
        const content = withText(view.content(), text);
        if (view.editUnnoticed === undefined) view.edit(content);
        else view.editUnnoticed(content);
        return session.save();
      },
      async saveAs(wanted) {
        const copied = await opened().saveAs(wanted);
        if (!deps.dialect.isMovedByCopying || copied.answer === undefined) return resultOf(copied);
        await opened().close();
        const copy = accessOf(copied.answer.Url);
        Object.assign(access, copy);
        view = await deps.dialect.open(access, 'edit', form);
        fileId = fileIdOf(copy.wopiSrc);
        ({ fileInfo } = view);
        name = fileInfo.BaseFileName;
        notify(fileId);
        return { status: copied.exchange.status };
      },
      async rename(wanted) {
        const result = resultOf(await opened().rename(wanted));
        if (result.name !== undefined) name = result.name + name.slice(name.lastIndexOf('.'));
        notify(fileId);
        return result;
      },
      keepAlive: async () => ({ status: (await opened().keepAlive()).status }),
      renewToken(token) {
        session.renewedTokens.push(token);
        access.accessToken = token;
        isEnding = false;
        notify(fileId);
      },
      warnOfTokenEnd() {
        isEnding = true;
        notify(fileId);
      },

      async leave() {
        if (hasLeft || isOver()) return;
        hasLeft = true;
        notify(fileId);
        // A page that is reloaded opens again before anything is saved or unlocked.
        await pause(deps.leaveDelayMs);
        await opening;
        await inTurn(fileId, async () => {
          if (!isOver()) await view?.close();
        });
        if (!all.some((other) => other.fileId === fileId && !other.hasLeft)) changed.delete(fileId);
      },
      watch(listener) {
        const own = listeners.get(session) ?? new Set();
        listeners.set(session, own.add(listener));
        return () => void own.delete(listener);
      },
    };
    all.push(session);
    return session;
  }

  return {
    all,
    begin,
    byId: (id) => all.find((session) => session.id === id),
    freeze: () => void (isFrozen = true),
    crash() {
      isFrozen = false;
      generation += 1;
      deps.dialect.crash();
      all.length = 0;
      listeners.clear();
      changed.clear();
      turns.clear();
    },
  };
}

/** Stores the text as the remark of an office document, or as the content of any other document. */
export function withText(document: Buffer, text: string): Buffer {
  return isArchive(document) ? withRemark(document, text) : Buffer.from(text, 'utf8');
}

export function textOf(document: Buffer): string {
  return isArchive(document) ? remarkIn(document) : document.toString('utf8');
}

function isArchive(document: Buffer): boolean {
  return document.subarray(0, 2).toString('latin1') === 'PK';
}
