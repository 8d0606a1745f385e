// Who has which document open at a scripted document server: one session a page that was made, and what its buttons do.
// The pages of one document see each other's changes; a page that is gone leaves, and the last one to leave saves.

import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { remarkIn, withRemark } from '../office-zip.ts';
import { OpeningFailed } from '../onlyoffice.ts';
import { accessOf, fileIdOf, type Access, type FileInfo } from '../wire.ts';
import type { Dialect, PageForm } from './dialect.ts';
import type { EditorView } from './editor-view.ts';
import type { DeedResult, PageState } from './page-config.ts';

export interface Session {
  readonly id: string;
  /** LibreOffice Online: another one after a Save As. */
  readonly fileId: string;
  readonly access: Access & { accessTokenTtl: number };
  /** Undefined until it was opened, and where that failed. */
  view(): EditorView | undefined;
  readonly hasLeft: boolean;
  /** What the page around it told it, in order. */
  readonly heard: { id: string; values: Record<string, unknown> }[];
  /** Tokens it was given after the first. */
  readonly renewedTokens: string[];
  open(): Promise<void>;
  state(): PageState;
  type(text: string): DeedResult;
  save(how?: 'button' | 'timer'): Promise<DeedResult>;
  saveAs(name: string): Promise<DeedResult>;
  rename(name: string): Promise<DeedResult>;
  keepAlive(): Promise<DeedResult>;
  renewToken(token: string): void;
  /** As the server's own clock does shortly before the token ends. */
  warnOfTokenEnd(): void;
  /** Resolves when what has to be saved is saved. */
  leave(): Promise<void>;
  /** Told of every change that the page shows; returns how not to be told any more. */
  watch(listener: (state: PageState) => void): () => void;
}

export interface Sessions {
  readonly all: Session[];
  begin(access: Session['access'], purpose: 'view' | 'edit', form: PageForm): Session;
  byId(id: string): Session | undefined;
  /** From now on pages that go leave nobody. */
  freeze(): void;
  /** Nothing is remembered. */
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
  /** Grows with every crash: what the process before had in mind is never done. */
  let life = 0;

  /** Nobody opens a document while the last one before is still saving and unlocking it. */
  function inTurn(fileId: string, work: () => Promise<void>): Promise<void> {
    const turn = (turns.get(fileId) ?? Promise.resolve()).then(work);
    turns.set(
      fileId,
      turn.catch(() => undefined),
    );
    return turn;
  }

  function tell(fileId: string): void {
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
    /** Also of a document that could not be read after that. */
    let fileInfo: FileInfo | undefined;
    let hasLeft = false;
    let name = '';
    let isEnding = false;
    const ownLife = life;
    const isOver = (): boolean => isFrozen || life !== ownLife;

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
      tell(fileId);
    };
    const done = (deed: {
      exchange: { status: number };
      answer: { Name: string } | undefined;
    }): DeedResult => ({
      status: deed.exchange.status,
      ...(deed.answer !== undefined && { name: deed.answer.Name }),
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
        tell(fileId);
        return { status: 200 };
      },
      async save(how = 'button') {
        const sent = await opened().save(how);
        const isModified = opened().isModified?.() ?? sent?.status !== 200;
        if (!isModified) changed.delete(fileId);
        tell(fileId);
        return sent === undefined ? { status: 200, isUnmodified: true } : { status: sent.status };
      },
      async saveAs(wanted) {
        const copied = await opened().saveAs(wanted);
        if (!deps.dialect.isMovedByCopying || copied.answer === undefined) return done(copied);
        await opened().close();
        const copy = accessOf(copied.answer.Url);
        Object.assign(access, copy);
        view = await deps.dialect.open(access, 'edit', form);
        fileId = fileIdOf(copy.wopiSrc);
        ({ fileInfo } = view);
        name = fileInfo.BaseFileName;
        tell(fileId);
        return { status: copied.exchange.status };
      },
      async rename(wanted) {
        const result = done(await opened().rename(wanted));
        if (result.name !== undefined) name = result.name + name.slice(name.lastIndexOf('.'));
        tell(fileId);
        return result;
      },
      keepAlive: async () => ({ status: (await opened().keepAlive()).status }),
      renewToken(token) {
        session.renewedTokens.push(token);
        access.accessToken = token;
        isEnding = false;
        tell(fileId);
      },
      warnOfTokenEnd() {
        isEnding = true;
        tell(fileId);
      },

      async leave() {
        if (hasLeft || isOver()) return;
        hasLeft = true;
        tell(fileId);
        // A page that is loaded anew is there again before anything is saved or unlocked.
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
      life += 1;
      deps.dialect.crash();
      all.length = 0;
      listeners.clear();
      changed.clear();
      turns.clear();
    },
  };
}

/** An office document carries a text as its remark; anything else is the text. */
export function withText(document: Buffer, text: string): Buffer {
  return isArchive(document) ? withRemark(document, text) : Buffer.from(text, 'utf8');
}

export function textOf(document: Buffer): string {
  return isArchive(document) ? remarkIn(document) : document.toString('utf8');
}

function isArchive(document: Buffer): boolean {
  return document.subarray(0, 2).toString('latin1') === 'PK';
}
