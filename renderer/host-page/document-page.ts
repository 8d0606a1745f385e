// One document in one editor, from the first call to the host until the page is left: opening → loading → ready → closing, or
// failed and tried again. The editor's messages drive it, but what they report about the document is never trusted: the host is
// asked.

import { isMixedContent } from '../../app/contract/addresses.ts';
import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import { renameQuestion } from '../kit/name-check.ts';
import { createClosing } from './closing.ts';
import { createCopying } from './copying.ts';
import * as documentNotices from './document-notices.ts';
import { createEditorFrame, postToken } from './editor-frame.ts';
import { asHostError, createHostApi, type PageToken, type ShownDocument } from './host-api.ts';
import { createHostWatch } from './host-watch.ts';
import { sessionInfo, speaksCollabora, type EditorMessage } from './messages.ts';
import { OpenDocument } from './open-document.ts';
import { createOtherTabs } from './other-tabs.ts';
import type { PageInput, PageParts } from './page-parts.ts';
import { mainButton, notice, staying, type Notice } from './page-store.ts';
import { createRenewal } from './renewal.ts';
import { createRestoring } from './restoring.ts';
import { createVersionsPanel } from './versions.ts';

const tickMs = 10_000;
/** While the user edits: editors don't report every save, and some no change. */
const editingTickMs = 1500;
/** An editor that loads the document is reported if its first message takes longer than the first, or its next than the second. */
const silentMs = 20_000;
const slowMs = 60_000;

/** Resolves when the host has answered for the first time, and the frame loads the editor or the page shows why it doesn't. */
export async function openDocument(
  input: PageInput & { fileId: string; mode: 'edit' | 'view' },
): Promise<void> {
  const { store, frame: frameElement, fileId, mode, address } = input;
  const page = new OpenDocument(input.name, address);
  const { changes } = page;
  const api = createHostApi(address);
  const tryAgain = () => void open();
  const notices = documentNotices.loadingNotices(page, tryAgain);
  const frame = createEditorFrame(frameElement, {
    message: heard,
    blocked: (at) => fail(notices.blocked(at)),
  });
  const host = createHostWatch(page, api, answered);
  const tabs = createOtherTabs(fileId, page, () => {
    listedFor = '';
    host.askSoon();
  });
  const actions: documentNotices.NoticeActions = {
    // Whatever may be lost.
    reload: () => void giveToken(loadFrame, true),
    saveCopy: () => void copying.saveAs(null),
    showVersions: () => versions.show(),
    restoreVersion: (id) => void restoring.restore(id),
    openCopy: (kind, copy) => void openCopy(kind, copy).catch(failed('failed')),
    restoreSaved: decide(async (id) => {
      const copy = await api.call('restore', { id });
      store.setNotice('recovered', null);
      const restored = notice('info', t('common.restored-as-name', { name: isolated(copy.name) }));
      store.setNotice(...documentNotices.copyNotice(copy, actions, restored));
    }),
    openSaved: decide(async (id) => {
      const copy = await api.call('restore', { id });
      await openCopy(`copy ${copy.fileId}`, copy);
    }),
    saveAnyway: decide(async (id) => api.call('save-anyway', { id })),
    discardSaved: decide(async (id) => {
      const title = t('page.discard-what-was-saved');
      const more = t('page.it-exists-nowhere-else-you');
      const label = t('common.keep-the-good-version');
      const answer = await ask({ kind: 'confirm', title, more, label });
      if (answer !== undefined) await api.call('keep-file', { id });
    }),
    keepFile: decide(async (missedAtMs) => api.call('keep-file', { missedAtMs })),
  };
  const parts: PageParts = { page, store, api, frame, host, tabs, actions, go, ask };
  const renewal = createRenewal({
    now: Date.now,
    async fetchToken() {
      if (page.opened === undefined) throw new Error('Nothing is open.');
      return api.token(page.opened);
    },
    way: () => (page.savesWhenAsked ? 'hand-over' : 'reload'),
    canReload: () => page.canReload && !store.hasDialog(),
    give: (token) => (page.savesWhenAsked ? handOver(token) : loadFrame(token)),
    report(hasEnded) {
      const [text, more] = [t('common.your-access-to-this-document'), t('page.the-editor-can-still-save')];
      store.setNotice('token', hasEnded ? staying('warn', text, more, [reload]) : null);
    },
  });
  const copying = createCopying(parts);
  const closing = createClosing(parts);
  const restoring = createRestoring(parts, closing.close);
  const versions = createVersionsPanel(parts, restoring.restore);
  const reload = documentNotices.reloadButton(actions);
  const closePage: ButtonChoice = { label: t('common.close'), press: () => void closing.close() };

  /** What was saved when the list of versions was requested; empty: it is to be requested again. */
  let listedFor = '';
  let loadingTimer: ReturnType<typeof setTimeout> | undefined;

  function show(): void {
    document.body.dataset['phase'] = page.phase;
    const people = page.state?.others ?? [];
    store.set({ name: page.name, status: page.status, people });
    frameElement.title = page.name;
    for (const [kind, notice] of documentNotices.factsOf(page, actions)) store.setFact(kind, notice);
  }

  function go(phase: OpenDocument['phase'], status?: string): void {
    page.phase = phase;
    page.phaseStatus = status;
    show();
  }

  function failed(kind: string): (error: unknown) => void {
    return (error) => store.setNotice(kind, notice('bad', (error as Error).message));
  }

  // the host's answers

  function answered(state?: PageState): void {
    show();
    if (state === undefined) return;
    const saved = JSON.stringify([state.saves, state.missed, state.gone]);
    if (saved !== listedFor) void versions.update();
    listedFor = saved;
    if (changes.state() === 'saved') store.setNotice('save', null);
    if (page.isWritten) for (const kind of ['close', 'leave']) store.setNotice(kind, null);
    void copying.follow(state.copies);
  }

  // opening

  async function open(): Promise<void> {
    reportLoading(null);
    store.set({ choice: null });
    go('opening');
    try {
      opened(await api.open({ mode }));
    } catch (error) {
      const { status, message } = asHostError(error);
      const again = mainButton(t('common.try-again'), tryAgain);
      refuse(message, [status === 401 ? documentNotices.signInAgain() : again]);
    }
  }

  function opened(document: ShownDocument): void {
    page.opened = document;
    page.name = document.name;
    const edit = { label: t('common.edit'), press: () => void toEdit() };
    const { convertAction } = document;
    store.set({
      ...(page.isEditing && { rename: () => void rename() }),
      buttons: [
        ...(document.mode === 'view' && document.canEdit ? [edit] : []),
        { label: t('common.versions'), icon: 'history', opensVersions: true, press: versions.toggle },
        { label: t('page.share'), icon: 'share', press: share },
        closePage,
      ],
    });
    if (mode === 'edit' && !document.canEdit && convertAction !== null)
      offerConversion(document, convertAction);
    else loadFrame(document);
  }

  /** A document in an older format, which its editor can show and convert, but not edit. */
  function offerConversion(document: ShownDocument, action: string): void {
    const { name, editor } = page;
    go('opening', '');
    const convert = () => {
      go('closing', t('page.converting'));
      // The editor replaces this page, and leads to the copy's page when it's done.
      postToken(action, document, '_top');
    };
    const title = t('page.name-is-in-an-older', { name: isolated(name) });
    store.choose(title, t('page.editor-can-open-it-read-only', { editor }), [
      mainButton(t('page.convert'), convert),
      { label: t('common.open-read-only'), press: () => loadFrame(document) },
    ]);
  }

  /** There is no editor to show, so the page shows what to do. */
  function refuse(more: string, buttons: ButtonChoice[]): void {
    reportLoading(null);
    go('failed');
    if (page.opened === undefined) store.set({ buttons: [closePage] });
    store.choose(t('common.this-document-cant-be-opened'), more, buttons);
  }

  function loadFrame(token: PageToken): void {
    if (page.opened === undefined) return;
    if (isMixedContent(page.opened.action, address)) {
      const more = t(page.isOwner ? 'page.connect-the-editor-with-an' : 'page.ask-the-owner-of-this-doctray');
      refuse(`${t('page.this-page-uses-https-and')} ${more}`, []);
      return;
    }
    store.set({ choice: null });
    store.setNotice('copied', null);
    renewal.given(token);
    page.editorHasLock = undefined;
    go('loading');
    awaitEditor(silentMs);
    frame.load(page.opened, token);
  }

  function awaitEditor(ms: number): void {
    reportLoading(null);
    loadingTimer = setTimeout(() => store.setNotice('loading', notices.silent()), ms);
  }

  /** @param problem of an editor that doesn't open the document */
  function reportLoading(problem: Notice | null): void {
    clearTimeout(loadingTimer);
    store.setNotice('loading', problem);
  }

  function fail(problem: Notice): void {
    go('failed');
    reportLoading(problem);
  }

  // the editor's messages

  function heard(message: EditorMessage): void {
    if (page.phase === 'loading') awaitEditor(slowMs);
    const hear: (message: never) => void | Promise<void> = hearing[message.kind];
    void hear(message as never);
  }

  const hearing: {
    [Kind in EditorMessage['kind']]: (message: EditorMessage & { kind: Kind }) => void | Promise<void>;
  } = {
    loading: ({ stage }) => loading(stage),
    'load-failed': ({ text }) => fail(notices.couldNotOpen(text)),
    modified: ({ isModified }) => {
      page.reportsModified = true;
      changes.modified(isModified);
      if (isModified) markChange();
      else host.askSoon();
      show();
    },
    edited: changed,
    'save-answered': (answer) => {
      if (!closing.answered(answer) && !copying.answered(answer)) {
        // What couldn't be saved is a change.
        if (answer.hasFailed) changed();
        else changes.answered(answer.isUnmodified);
        show();
      }
      host.askSoon();
    },
    'save-asked': mayHaveChanged,
    close: closePage.press,
    edit: toEdit,
    'editing-status': ({ isEditing }) => {
      page.editorHasLock = isEditing;
      restoring.tookOver(isEditing);
      show();
      // What its notices say depends on it.
      if (page.isReady) void host.ask();
    },
    share,
    'save-as': ({ format }) => void copying.saveAs(format),
    renamed: () => {
      // Collabora reloads the document now, and may not report what is typed until it has.
      if (speaksCollabora(page.opened?.kind)) mayHaveChanged();
      host.askSoon();
      tabs.announceChange();
    },
    versions: versions.toggle,
    'token-wanted': async () => giveToken(handOver),
    'session-info-wanted': async () =>
      giveToken((token) => frame.post('Host_RefreshSessionInfo', sessionInfo(token))),
    'session-closed': () => {
      const [text, more] = [t('page.the-editor-has-closed-this'), t('page.reload-to-open-the-document')];
      store.setNotice('session', notice('warn', text, more, [reload]));
    },
  };

  function changed(): void {
    changes.changed();
    markChange();
  }

  /** The user asked the editor to save, or it reloads the document. It may never report what was typed right before. */
  function mayHaveChanged(): void {
    if (!page.isReady || !page.isEditing || !page.savesWhenAsked) return;
    changes.asked();
    markChange();
  }

  /** Asks for the number of saves at once: those that the host counts later are newer than the change. */
  function markChange(): void {
    show();
    void host.askFresh();
  }

  function loading(stage: 'started' | 'frame-ready' | 'loaded'): void {
    if (stage === 'started') return;
    const isCollabora = speaksCollabora(page.opened?.kind);
    // Otherwise, Collabora closes on its own before the page knows whether everything is saved.
    if (isCollabora || page.opened?.kind === 'other')
      frame.post('Disable_Default_UIAction', { action: 'UI_Close', disable: true });
    if (isCollabora && page.isReady && page.isEditing) loadingAgain(stage);
    if (stage !== 'loaded') return;
    closing.loadedAgain();
    if (page.phase === 'closing') return;
    reportLoading(null);
    store.setNotice('session', null);
    if (page.isReady) return;
    page.readyAtMs = Date.now();
    page.hadLock = false;
    go('ready');
    restoring.loaded();
    void host.ask();
    // Only if no button or dialog has the focus.
    if (document.activeElement === document.body) frame.focus();
  }

  /**
   * Collabora loads the document again after it was disconnected or has renamed it, and LibreOffice Online after a conflict, without
   * what was typed. It may not report what is typed meanwhile, but its server knows whether there is anything to save.
   */
  function loadingAgain(stage: 'frame-ready' | 'loaded'): void {
    if (stage === 'frame-ready') changes.reloading();
    else {
      changes.reloaded();
      if (changes.missed() === null)
        frame.post('Action_Save', { DontTerminateEdit: true, DontSaveIfUnmodified: true, Notify: true });
    }
    markChange();
  }

  /** The editor or the user asks for a new one. */
  async function giveToken(give: (token: PageToken) => void, isForUser = false): Promise<void> {
    const token = await renewal.fetchNow(isForUser);
    // The user may be signed out.
    if (token === undefined) return void host.ask();
    renewal.given(token);
    return give(token);
  }

  function handOver({ accessToken, accessTokenTtl }: PageToken): void {
    // Without `ttl`, Collabora assumes that the token never expires.
    frame.post('Reset_Access_Token', { token: accessToken, ttl: accessTokenTtl });
  }

  // what the user does

  async function ask(...[dialog, focusAfter = frame.grabFocus]: Parameters<PageParts['ask']>) {
    if (store.hasDialog()) return undefined;
    // Otherwise, editors take the focus back.
    frame.post('Blur_Focus');
    const answer = await store.ask(dialog);
    focusAfter();
    return answer;
  }

  function share(): void {
    void ask({ kind: 'link', address, isOwner: page.isOwner });
  }

  async function toEdit(): Promise<void> {
    try {
      location.assign((await api.call('ticket', { fileId, mode: 'edit' })).url);
    } catch (error) {
      const [text, more] = [t('page.you-can-read-this-document'), t('page.ask-the-owner-of-this')];
      if (asHostError(error).status === 403) store.setNotice('edit', notice('info', text, more));
      else failed('edit')(error);
    }
  }

  /** The name that the host refused. */
  let refusedName: string | undefined;

  async function rename(): Promise<void> {
    store.setNotice('rename', null);
    const question = renameQuestion(page.name);
    const { value } = question;
    const name = await ask({ kind: 'name', ...question, value: refusedName ?? value });
    refusedName = undefined;
    if (name === undefined || name === value) return;
    try {
      ({ name: page.name } = await api.call('rename', { name }));
    } catch (error) {
      refusedName = name;
      failed('rename')(error);
    }
    show();
    tabs.announceChange();
  }

  /** In a new tab, which only a click allows; otherwise there is a link. */
  async function openCopy(kind: string, { fileId, name }: documentNotices.NamedCopy): Promise<void> {
    const { url } = await api.call('ticket', { fileId, mode: 'edit' });
    const tab = window.open(url, '_blank');
    if (tab !== null) tab.opener = null;
    const link = { text: t('page.if-nothing-opened-your-browser'), name, url };
    const blocked = { ...documentNotices.copyNotice({ fileId, name }, actions)[1], buttons: [], link };
    store.setNotice(kind, tab === null ? blocked : null);
  }

  /** What a button decides about a save; the host's next answer removes its notice. */
  function decide<What>(work: (what: What) => Promise<void>): (what: What) => void {
    return (what) => {
      store.setNotice('close', null);
      void work(what)
        .catch(failed('failed'))
        .finally(() => host.askSoon());
    };
  }

  // timers and leaving

  function tick(): void {
    if (!page.isReady && page.phase !== 'loading') return;
    show();
    renewal.tick();
    listedFor = '';
    // Only a page that is connected may give the editor a new token, so a hidden one reconnects, too.
    if (!document.hidden || !page.isConnected) void host.ask();
  }

  setInterval(tick, tickMs);
  setInterval(() => {
    if (page.isReady && page.isEditing && !document.hidden) void host.ask();
  }, editingTickMs);
  addEventListener('online', tick);
  document.addEventListener('visibilitychange', () => {
    page.hiddenSinceMs = document.hidden ? Date.now() : undefined;
    tick();
  });
  addEventListener('beforeunload', (event) => {
    if (page.phase === 'closing' || !page.hasUnsavedText) return;
    event.preventDefault();
    // Its notice says what to do.
    if (page.isSignedOut) return;
    // For users who stay: the browser's own question can't contain text of the page.
    const where = page.savesWhenAsked ? 'page.they-are-only-in-editor' : 'page.press-close-it-waits-until';
    const more = t(where, { editor: page.editor });
    store.setNotice('leave', notice('warn', t('page.this-document-has-changes-that'), more));
  });
  addEventListener('pagehide', ({ persisted }) => {
    // Leaves behind no lock that an editor hasn't used yet, and no session of the text editor.
    if (page.opened === undefined) return;
    api.left(persisted).catch(() => undefined);
    // The host assumes that they were left, too, until they ask it again.
    tabs.announceChange();
  });
  await open();
}
