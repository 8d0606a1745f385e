// One document in one editor, from the first call to the host until the page is left: opening → loading → ready → closing, or
// failed and tried again. The editor's messages drive it, but what they report about the document is never trusted: the host is
// asked.

import { t } from '../../app/contract/messages.ts';
import { createChanges } from './changes.ts';
import { closedAddress } from './closed.ts';
import { conversionOf, offerConversion } from './conversion.ts';
import { createCopying } from './copying.ts';
import { createDocumentNotices } from './document-notices.ts';
import { createEditorFrame } from './editor-frame.ts';
import type { OpenedPage } from '../../app/contract/page-calls.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import { createHostApi, HostError, type PageToken, type ShownDocument } from './host-api.ts';
import { createHostWatch } from './host-watch.ts';
import { createLeaving } from './leaving.ts';
import { createLoadingWatch } from './loading-watch.ts';
import { sessionInfo, speaksCollabora, type EditorMessage } from './messages.ts';
import { isMixed, notices } from './notices.ts';
import { createOtherTabs } from './other-tabs.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { Notice, PageDialog, PageStore } from './page-bar.ts';
import { createPagePhase } from './page-phase.ts';
import { createRenewal } from './renewal.ts';
import { createVersionsPanel } from './versions.ts';
import { words } from './words.ts';

export interface DocumentPageInput {
  bar: PageStore;
  frame: HTMLIFrameElement;
  fileId: string;
  name: string;
  mode: 'edit' | 'view';
  /** Of this page, without a query or trailing slash. */
  address: string;
}

const tickMs = 10_000;
/** While the user edits: editors don't report every save, and some no change. */
const editingTickMs = 1500;
/** After this time without being seen, or without changes, the frame can be reloaded unnoticed. */
const hiddenMs = 60_000;
const idleMs = 6 * 60_000;
/** If the other tab doesn't release the lock, the host takes it after 8 s. */
const takeOverMs = 15_000;
/** ONLYOFFICE releases its lock 5 to 10 s after its last page is gone. */
const releaseMs = 30_000;

/** Resolves when the host has answered for the first time, and the frame loads the editor or the page shows why it doesn't. */
export async function openDocument(input: DocumentPageInput): Promise<void> {
  const { bar, frame: frameElement, fileId, mode, address } = input;
  const api = createHostApi(address);
  const frame = createEditorFrame(frameElement, {
    message: heard,
    blocked: (origin) => {
      fail(notices.blocked(origin, tryAgain, isOwner()));
    },
  });
  /** A version was restored, which is shown once the editor is loaded again, perhaps in a page that was reloaded. */
  const restoredKey = `doctray-restored-${fileId}`;
  const changes = createChanges({ now: Date.now, kind: () => opened?.kind });
  const about = createDocumentNotices({
    api,
    bar,
    reportsLoadedEarly: () => opened?.kind === 'onlyoffice',
    isEditing,
    isOwner,
    showsLostLock: () => opened?.kind === 'text-editor',
    canSaveCopy: savesWhenAsked,
    saveCopy: () => void copying.saveAs(null),
    loadAgain: () => void renewal.reloadNow(),
    showVersions: () => versions.show(),
    confirm: async (title, more, label) => (await ask({ kind: 'confirm', title, more, label })) !== undefined,
    askSoon: () => {
      host.askSoon();
    },
  });
  const phase = createPagePhase({
    bar,
    changes,
    isReadOnly,
    isUncertain: () =>
      isGone ||
      !host.isConnected() ||
      (changes.state() === 'none' && (isDamaged || (mayLackOthersText && !speaksCollabora(opened?.kind)))),
    editorName,
  });
  const loadingWatch = createLoadingWatch({
    silent: () => {
      bar.setNotice('loading', notices.silent(editorName(), tryAgain, isOwner()));
    },
    heard: () => {
      bar.setNotice('loading', null);
    },
    slow: () => {
      bar.setNotice('loading', notices.slow(editorName(), tryAgain, isOwner()));
    },
  });
  const host = createHostWatch({
    api,
    bar,
    editorId: () => opened?.editorId,
    isEditing,
    isReadOnly,
    changeCount: changes.count,
    onState: (state, changesBefore) => {
      const wasGone = isGone;
      isGone = state.gone !== null;
      if (!isGone) frameElement.title = currentName = state.name;
      bar.setPeople(state.others);
      // To a page for viewing, it makes no difference where the save of another one is.
      if (run !== undefined && run !== state.saves?.run) mayHaveFailed();
      run = state.saves?.run;
      changes.sawState(isEditing() ? state : { ...state, missed: null }, changesBefore);
      const saved = JSON.stringify([state.saves, state.missed]);
      if (!isQuick || saved !== lastSaved || isGone !== wasGone) versions.update();
      isQuick = false;
      lastSaved = saved;
      mayLackOthersText = state.others.length > 0 || !state.isRead;
      if (changes.state() === 'saved') bar.setNotice('save', null);
      if (isWritten()) for (const kind of ['close', 'leave']) bar.setNotice(kind, null);
      // The page shows its own text while it closes or copies.
      if (phase.is('closing') || copying.sawCopies(state.copies)) return;
      if (!phase.is('ready')) return;
      about.show(state, {
        editorName: editorName(),
        hasUnsaved: !isWritten(),
        readyForMs: Date.now() - readyAtMs,
      });
      phase.showStatus();
    },
    onDisconnected: (isSure) => {
      if (isSure) mayHaveFailed();
      if (phase.is('ready')) phase.showStatus();
    },
  });
  const otherTabs = createOtherTabs(fileId, {
    answer: (question) => (question === 'is-open' ? needsSession() : sharesLock()),
    onChange: () => {
      host.askSoon();
    },
  });
  const versions = createVersionsPanel({
    api,
    bar,
    address,
    documentName: () => currentName,
    restore,
    offerCopy: about.offerCopy,
    // The dialog returns the focus to its button, in the panel next to the editor.
    ask: (dialog) => ask(dialog, () => undefined),
    focusEditor,
  });
  const renewal = createRenewal({
    now: Date.now,
    fetchToken: async () => {
      if (opened === undefined) throw new Error('Nothing is open.');
      return api.token(opened);
    },
    way: () => (savesWhenAsked() ? 'hand-over' : 'reload'),
    handOver,
    canReload,
    reload: loadFrame,
    report: (problem) => {
      if (problem?.failure instanceof HostError && problem.failure.status === 401) host.signedOut();
      bar.setNotice('token', problem?.hasEnded === true ? notices.tokenEnded(loadAgain) : null);
    },
  });
  const leaving = createLeaving({
    api,
    bar,
    frame,
    host,
    phase,
    changes,
    canAskToSave: savesWhenAsked,
    saveCopy: () => void copying.saveAs(null),
    restoreSaved: (id) => void about.restore(id),
    openSaved: about.openSaved,
    showVersions: () => versions.show(),
    mayHideChanges,
    documentName: () => currentName,
    editorName,
    closeUrl: () => opened?.closeUrl ?? closedAddress(address),
    address,
    isOpenInOtherTab: async () => {
      isLeaving = true;
      return otherTabs.ask('is-open');
    },
  });
  const copying = createCopying({
    api,
    host,
    bar,
    frame,
    phase,
    documentName: () => currentName,
    editorName,
    ask,
    openAgain: () => void open(),
  });
  const tryAgain: ButtonChoice = { label: t('common.try-again'), isMain: true, press: () => void open() };
  const closePage: ButtonChoice = { label: words.close, press: () => void leaving.close() };
  const loadAgain: ButtonChoice = { label: t('page.reload'), press: () => void renewal.reloadNow() };

  let opened: ShownDocument | undefined;
  let currentName = input.name;
  let readyAtMs = 0;
  let hiddenSinceMs: number | undefined;
  /** Others, or an earlier session, may have changed the document in the editor, and only its server knows. */
  let mayLackOthersText = true;
  let isGone = false;
  /** Of the host. */
  let run: string | undefined;
  /** One of the frequent questions, which are about saves only. */
  let isQuick = false;
  let lastSaved = '';
  /** The file can't be read, and nothing was saved over it yet. */
  let isDamaged = false;
  let isLeaving = false;
  /** Only the text editor reports it. */
  let editorHasLock: boolean | undefined;
  let onTakeOver: (hasLock: boolean) => void = () => undefined;
  /** It reports unsaved changes, as Collabora does. */
  let reportsModified = false;

  function editorName(): string {
    return opened?.editorName ?? t('page.the-editor');
  }

  function isEditing(): boolean {
    return opened?.mode === 'edit' && opened.canEdit;
  }

  function isReadOnly(): boolean {
    return opened?.mode === 'view' || (editorHasLock === undefined ? about.isReadOnly() : !editorHasLock);
  }

  /** It is open for editing, in an editor that may have changes that it doesn't report. */
  function mayHideChanges(): boolean {
    return isEditing() && opened?.kind !== 'text-editor';
  }

  /** While the host was away, LibreOffice Online may have failed to save a change that it doesn't report. */
  function mayHaveFailed(): void {
    if (phase.is('ready') && mayHideChanges() && savesWhenAsked()) changes.lostTouch();
  }

  function needsSession(): boolean {
    return !isLeaving && (opened !== undefined || phase.is('opening'));
  }

  /** The tabs of other editors keep a lock together; the text editor's is for one tab. */
  function sharesLock(): boolean {
    return isEditing() && opened?.kind !== 'text-editor' && (phase.is('loading') || phase.is('ready'));
  }

  function isOwner(): boolean {
    return opened?.isOwner === true;
  }

  function savesWhenAsked(): boolean {
    return speaksCollabora(opened?.kind) || (opened?.kind === 'other' && reportsModified);
  }

  function fail(notice: Notice): void {
    loadingWatch.end();
    phase.go('failed');
    bar.setNotice('loading', notice);
  }

  // opening

  async function open(): Promise<void> {
    loadingWatch.end();
    bar.setNotice('loading', null);
    bar.setChoice(null);
    phase.go('opening');
    try {
      opened = await api.open(mode);
    } catch (error) {
      refused(error instanceof HostError ? error : new HostError(0, 'unknown', String(error)));
      return;
    }
    currentName = opened.name;
    bar.setName(opened.name);
    frameElement.title = opened.name;
    if (isEditing()) bar.allowRename(rename);
    bar.setButtons([
      ...(opened.mode === 'view' && opened.canEdit
        ? [{ label: t('common.edit'), press: () => void toEdit() }]
        : []),
      { label: words.versions, icon: 'history', opensVersions: true, press: versions.toggle },
      { label: words.share, icon: 'share', press: share },
      closePage,
    ]);
    showDamage(opened.damaged);
    const convertAction = conversionOf(opened, mode);
    if (convertAction === null) loadFrame(opened);
    else offerConversion({ bar, phase, view: loadFrame }, opened, convertAction);
  }

  /** Before the first save, which would replace what is left of it. */
  function showDamage(damaged: OpenedPage['damaged']): void {
    isDamaged = damaged !== null;
    const { versionId = null, writtenAtMs = null } = damaged ?? {};
    const more = words.damagedMore(editorName(), isEditing());
    bar.setNotice(
      'damaged',
      damaged === null
        ? null
        : {
            text: words.damaged(currentName),
            more: writtenAtMs === null ? more : `${more} ${words.damagedVersion(writtenAtMs)}`,
            tone: 'bad',
            buttons:
              versionId === null || !isEditing()
                ? []
                : [
                    {
                      label: t('common.restore'),
                      isMain: true,
                      press: () => void restore(versionId).catch(restoreFailed),
                    },
                  ],
            hasDismiss: true,
          },
    );
  }

  function restoreFailed(error: unknown): void {
    bar.setNotice('restored', { text: (error as Error).message, tone: 'bad', hasDismiss: true });
  }

  /** There is no editor to show, so the page shows what to do. */
  function refuse(more: string, buttons: ButtonChoice[]): void {
    loadingWatch.end();
    phase.go('failed');
    if (opened === undefined) bar.setButtons([closePage]);
    bar.setChoice({ title: words.cannotOpen, more, buttons });
  }

  function refused({ status, code, message }: HostError): void {
    if (status === 401) refuse(`${words.signedOut} ${words.signInToOpen}`, [host.signInAgain]);
    // Its message explains how to connect an editor. Until then, another try would fail, too.
    else if (code === 'no-editor')
      refuse(message, [{ label: t('common.download'), isMain: true, press: () => void download() }]);
    else refuse(message, [tryAgain]);
  }

  function share(): void {
    void ask({ kind: 'link', address, isOwner: isOwner() });
  }

  async function download(): Promise<void> {
    try {
      const url = URL.createObjectURL(await api.download());
      Object.assign(document.createElement('a'), { href: url, download: currentName }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (error) {
      bar.setNotice('download', { text: (error as Error).message, tone: 'bad', hasDismiss: true });
    }
  }

  function loadFrame(token: PageToken): void {
    if (opened === undefined) return;
    if (isMixed(location.protocol, opened.action)) {
      refuse(`${words.mixed} ${words.mixedMore(isOwner())}`, []);
      return;
    }
    renewal.given(token);
    editorHasLock = undefined;
    phase.go('loading');
    loadingWatch.begin();
    frame.load(opened, token);
  }

  // the editor's messages

  function heard(message: EditorMessage): void {
    if (!phase.is('failed')) loadingWatch.heard();
    switch (message.kind) {
      case 'loading':
        loading(message.stage);
        break;
      case 'load-failed':
        if (message.isTriedAgain) bar.setStatus({ text: words.stillLoading(editorName()) });
        else fail(notices.couldNotOpen(editorName(), message.text, tryAgain, isOwner()));
        break;
      case 'modified':
        reportsModified = true;
        changes.modified(message.isModified);
        if (message.isModified) markChange();
        else host.askSoon();
        if (phase.is('ready')) phase.showStatus();
        break;
      case 'edited':
        changes.changed();
        markChange();
        if (phase.is('ready')) phase.showStatus();
        break;
      case 'save-answered':
        if (!leaving.answered(message) && !copying.answered(message) && message.hasFailed) {
          // What couldn't be saved is a change.
          changes.changed();
          markChange();
        }
        host.askSoon();
        break;
      case 'close':
        void leaving.close();
        break;
      case 'edit':
        void toEdit();
        break;
      case 'editing-status':
        editorHasLock = message.isEditing;
        onTakeOver(message.isEditing);
        if (!phase.is('ready')) break;
        phase.showStatus();
        // What its notices say depends on it.
        void host.ask();
        break;
      case 'share':
        share();
        break;
      case 'save-as':
        void copying.saveAs(message.format);
        break;
      case 'renamed':
        host.askSoon();
        otherTabs.announceChange();
        break;
      case 'versions':
        versions.toggle();
        break;
      case 'token-wanted':
        void renewal.fetchNow().then((token) => {
          if (token === undefined) void host.ask();
          else handOver(token);
        });
        break;
      case 'session-info-wanted':
        void renewal.fetchNow().then((token) => {
          if (token === undefined) return;
          frame.post(
            'Host_RefreshSessionInfo',
            sessionInfo(message.names, token.accessToken, token.accessTokenTtl),
          );
        });
        break;
      case 'session-closed':
        bar.setNotice('session', notices.sessionClosed(loadAgain));
        break;
    }
  }

  /** Asks for the number of saves at once: those that the host counts later are newer than the change. */
  function markChange(): void {
    void host.askFresh();
  }

  function loading(stage: 'started' | 'frame-ready' | 'loaded' | 'failed'): void {
    if (stage === 'failed') fail(notices.couldNotOpen(editorName(), null, tryAgain, isOwner()));
    if (stage === 'failed' || stage === 'started') return;
    // Otherwise, Collabora closes on its own before the page knows whether everything is saved.
    if (speaksCollabora(opened?.kind) || opened?.kind === 'other')
      frame.post('Disable_Default_UIAction', { action: 'UI_Close', disable: true });
    // LibreOffice Online loads the document again after a conflict, without what was typed.
    if (stage === 'loaded' && phase.is('ready') && speaksCollabora(opened?.kind)) {
      changes.reloaded();
      void host.askFresh();
    }
    if (copying.followed() || stage !== 'loaded' || phase.is('closing')) return;
    loadingWatch.end();
    bar.setNotice('loading', null);
    bar.setNotice('session', null);
    if (phase.is('ready')) return;
    readyAtMs = Date.now();
    about.reset();
    phase.go('ready');
    if (sessionStorage.getItem(restoredKey) !== null) {
      sessionStorage.removeItem(restoredKey);
      bar.setNotice('restored', { text: words.versionRestored, tone: 'info', hasDismiss: true });
    }
    void host.ask();
    // Only if no button or dialog has the focus.
    if (document.activeElement === document.body) frame.focus();
  }

  function handOver({ accessToken, accessTokenTtl }: PageToken): void {
    // Without `ttl`, Collabora assumes that the token never expires.
    frame.post('Reset_Access_Token', { token: accessToken, ttl: accessTokenTtl });
  }

  async function ask(dialog: PageDialog, focusAfter = focusEditor): Promise<string | undefined> {
    if (bar.hasDialog()) return undefined;
    // Otherwise, editors take the focus back.
    frame.post('Blur_Focus');
    const answer = await bar.ask(dialog);
    focusAfter();
    return answer;
  }

  function focusEditor(): void {
    frame.post('Grab_Focus');
    frame.focus();
  }

  async function toEdit(): Promise<void> {
    try {
      location.assign((await api.ticket(fileId, 'edit')).url);
    } catch (error) {
      const isForbidden = error instanceof HostError && error.status === 403;
      bar.setNotice('edit', {
        ...(isForbidden
          ? { text: words.noEdit, more: words.noEditMore }
          : { text: (error as Error).message }),
        tone: isForbidden ? 'info' : 'bad',
        hasDismiss: true,
      });
    }
  }

  async function rename(name: string): Promise<void> {
    const renamed = await api.rename(name);
    currentName = renamed.name;
    bar.setName(currentName);
    frameElement.title = currentName;
    otherTabs.announceChange();
  }

  /**
   * If only this tab edits the document, the editor is closed first, so that its text is kept as a version and its lock is
   * released. Otherwise the lock would stay, and the editor would be closed for nothing.
   */
  async function restore(versionId: string): Promise<void> {
    const [state, isInOtherTab] = await Promise.all([host.askFresh(), otherTabs.ask('is-editing')]);
    const holder = state?.holder ?? null;
    if (
      holder?.isThisEditor !== true ||
      holder.otherUsers.length > 0 ||
      holder.isOpenElsewhere ||
      isInOtherTab ||
      !(await hasLock())
    ) {
      try {
        await api.restoreVersion(versionId);
      } catch (error) {
        // Tabs of the text editor don't share the lock. Without another tab, a closed page has left it behind.
        const isHeldByOtherTab = holder?.isThisEditor === true && (await otherTabs.ask('is-open'));
        throw restoreError(error, holder, isInOtherTab || isHeldByOtherTab);
      }
      sessionStorage.setItem(restoredKey, 'true');
      showDamage(null);
      otherTabs.announceChange();
      void renewal.reloadNow();
      return;
    }
    versions.hide();
    await leaving.close({
      run: () => void restoreOnceReleased(versionId),
      labels: { save: t('page.save-and-restore'), anyway: t('page.restore-anyway') },
    });
  }

  /** The text editor takes the lock over from another tab of its user, which saves first. */
  async function hasLock(): Promise<boolean> {
    if (!isEditing() || opened?.kind !== 'text-editor') return isEditing();
    return new Promise((resolve) => {
      onTakeOver = resolve;
      setTimeout(() => resolve(false), takeOverMs);
      frame.post('Action_Edit');
    });
  }

  /**
   * Who has to close the document before a version can be restored.
   * @param isInOtherTab another tab of this browser has the lock
   */
  function restoreError(error: unknown, holder: PageState['holder'], isInOtherTab: boolean): unknown {
    if (!(error instanceof HostError) || error.code !== 'file-locked') return error;
    const { isThisEditor = false, otherUsers = [], isOpenElsewhere = false, userName = null } = holder ?? {};
    const who =
      otherUsers.length > 0
        ? words.openFor(otherUsers)
        : isOpenElsewhere || isInOtherTab
          ? words.openElsewhere
          : isThisEditor || userName === null
            ? error.message
            : `${words.heldBy(userName, holder?.editorName ?? null)} ${words.askHolder(isOwner())}`;
    return new HostError(error.status, error.code, who);
  }

  async function restoreOnceReleased(versionId: string): Promise<void> {
    phase.go('closing', words.restoring);
    frame.remove();
    const title = words.restoringTitle(currentName);
    bar.setChoice({ title, more: words.restoringMore(editorName()), buttons: [] });
    const endsAtMs = Date.now() + releaseMs;
    for (;;) {
      try {
        await api.restoreVersion(versionId);
        sessionStorage.setItem(restoredKey, 'true');
        location.reload();
        return;
      } catch (error) {
        const isLocked = error instanceof HostError && error.code === 'file-locked';
        if (!isLocked || Date.now() >= endsAtMs) {
          const { holder = null } = (await host.askFresh()) ?? {};
          bar.setChoice({
            title: words.notRestored,
            more: (restoreError(error, holder, false) as Error).message,
            buttons: [{ label: t('common.open-again'), isMain: true, press: () => location.reload() }],
          });
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
  }

  // timers and leaving

  function canReload(): boolean {
    if (!phase.is('ready') || hasUnsavedText() || changes.missed() !== null || bar.hasDialog()) return false;
    const now = Date.now();
    if (hiddenSinceMs !== undefined) return now - hiddenSinceMs >= hiddenMs;
    // A reader would lose their place.
    return opened?.mode === 'edit' && now - Math.max(readyAtMs, changes.lastChangeAtMs() ?? 0) >= idleMs;
  }

  /** Nothing is missing in the file. */
  function isWritten(): boolean {
    return ['none', 'saved'].includes(changes.state());
  }

  /** Text that the editor's server may not have, or may not save. */
  function hasUnsavedText(): boolean {
    const state = changes.state();
    if (state === 'missed') return changes.missed()?.kind === 'nowhere';
    // The editor may have changes that it hasn't reported, and this page can't ask.
    if (mayHideChanges() && !host.isConnected()) return true;
    return state === 'unsaved' || state === 'unconfirmed';
  }

  function tick(): void {
    if (!phase.is('ready') && !phase.is('loading')) return;
    if (phase.is('ready')) phase.showStatus();
    renewal.tick();
    // Only a page that is connected may give the editor a new token, so a hidden one reconnects, too.
    if (!document.hidden || !host.isConnected()) void host.ask();
  }

  setInterval(tick, tickMs);
  setInterval(() => {
    if (!phase.is('ready') || !isEditing() || document.hidden) return;
    isQuick = true;
    void host.ask();
  }, editingTickMs);
  addEventListener('online', tick);
  document.addEventListener('visibilitychange', () => {
    hiddenSinceMs = document.hidden ? Date.now() : undefined;
    tick();
  });
  addEventListener('beforeunload', (event) => {
    if (phase.is('closing') || !hasUnsavedText()) return;
    event.preventDefault();
    // For users who stay: the browser's own question can't contain text of the page.
    bar.setNotice('leave', notices.leaving(editorName(), !savesWhenAsked()));
  });
  addEventListener('pagehide', ({ persisted }) => {
    // Leaves behind no lock that an editor hasn't used yet, and no session of the text editor.
    if (opened === undefined) return;
    api.left(persisted).catch(() => undefined);
    // The host assumes that they were left, too, until they ask it again.
    otherTabs.announceChange();
  });
  await open();
}
