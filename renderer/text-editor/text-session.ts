// One text document from opening to leaving, as a WOPI client: CheckFileInfo, LOCK, GetFile, then saves under the lock. The file and
// the lock are polled every 1.4 s while the page is visible. document-content.ts holds what this page knows of the content, editing.ts
// decides what the lock allows, saving.ts saves; this file opens the document, polls, and connects them with the page and the host page.

import { t } from '../../app/contract/messages.ts';
import { maxTextBytes } from '../../app/contract/text-documents.ts';
import type { SaveOutcome } from './autosave.ts';
import { createDocumentContent, type Mode } from './document-content.ts';
import { createEditing } from './editing.ts';
import type { HostMessage, HostMessages } from './host-messages.ts';
import { isMarkdown, languageName } from './languages.ts';
import { endingName, endingsOf, writeText, type FileText } from './line-endings.ts';
import { createMarkdownPreview, type MarkdownPreview } from './markdown-preview.ts';
import { createNaming, webAddress } from './naming.ts';
import { openFailed, tooLargeText } from './notices.ts';
import { createPageLock } from './page-lock.ts';
import type { MenuItem, Page } from './page-store.ts';
import { downloadBytes, openTab } from './previews.ts';
import { createSaving } from './saving.ts';
import { createTextPane } from './text-pane.ts';
import { isUnreachable, type FileInfo, type WopiClient } from './wopi-client.ts';

const pollMs = 1400;
/** While the page is hidden, or while an expired token only allows saves. */
const slowPollMs = 15_000;

export interface TextSessionDeps {
  wopi: WopiClient;
  page: Page;
  host: HostMessages;
  /** Where the text is shown. */
  body: HTMLElement;
  fileId: string;
  info: FileInfo;
  action: 'edit' | 'view';
  styleNonce: string;
  /** When the token expires, in ms since 1970; 0: never. */
  tokenExpiresAtMs: number;
  now: () => number;
}

export function createTextSession(deps: TextSessionDeps) {
  const { wopi, page, host, body, now } = deps;
  let { info } = deps;
  let preview: MarkdownPreview | undefined;
  /** What is shown is what the file holds. */
  let isUtf8 = true;
  /** The version of a file that is too large or isn't UTF-8, so that there is no text. Another version is loaded again. */
  let unreadableVersion: string | undefined;
  /** The file wasn't text while it was edited, maybe because a program is writing it. The next poll reads it again. */
  let wasDamaged = false;
  /** What the host page knows. */
  let reportedLock: boolean | undefined;
  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let statusLineTimer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;

  const content = createDocumentContent({ wopi, mode: () => editing.mode(), onSize: showSize });
  const lock = createPageLock({
    wopi,
    userId: info.UserId,
    fileId: deps.fileId,
    now,
    onWanted: () => {
      for (const ms of [300, 1500]) setTimeout(pollNow, ms);
    },
  });
  const parts = {
    wopi,
    page,
    content,
    lock,
    now,
    info: () => info,
    canEdit: () => deps.action === 'edit' && info.UserCanWrite === true,
    onStatus: showStatus,
    follow,
    download,
  };
  const { canEdit } = parts;
  const editing = createEditing({
    ...parts,
    action: deps.action,
    onMode: modeChanged,
    save: async () => saving.saveNow(),
    identifyChange: async () => saving.identifyChange(),
    onUnauthorized: async () => saving.handleUnauthorized(),
    onUnreachable: () => saving.unreachable(),
    saveCopy: () => void naming.askForCopy(),
  });
  const saving = createSaving({
    ...parts,
    host,
    editing,
    applyFileInfo,
    tokenExpiresAtMs: deps.tokenExpiresAtMs,
  });
  const naming = createNaming({
    wopi,
    page,
    host,
    name: () => info.BaseFileName,
    text: () => (content.text() === undefined ? undefined : content.pane()?.current()),
    lockId: () => (editing.mode() === 'editing' ? lock.id() : ''),
    onRenamed: (name) => {
      info = { ...info, BaseFileName: name };
      showName();
    },
    onDialogClosed: () => content.pane()?.view.focus(),
  });

  // opening

  /** Resolves when the document is shown, or the reason why it can't be. */
  async function start(): Promise<void> {
    page.set({ status: { text: t('common.opening') } });
    const refusal = canEdit() && info.Size <= maxTextBytes ? await editing.takeLock() : undefined;
    if (!(await load())) return;
    if (content.text() !== undefined) {
      if (refusal?.status === 200) editing.setMode('editing');
      else if (refusal !== undefined) editing.showRefusal(refusal);
      else editing.showPermission();
    }
    showStatus();
    schedulePoll();
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
    if (document.hasFocus()) focusText();
  }

  /** Unless the user has chosen a button. */
  function focusText(): void {
    if (document.activeElement === document.body) content.pane()?.view.focus();
  }

  /** Reads the file into a new pane. False if the read failed. */
  async function load(): Promise<boolean> {
    content.forget();
    page.setNotice('size', null);
    const wasUnreadable = unreadableVersion !== undefined;
    const found =
      info.Size > maxTextBytes
        ? ({ kind: 'too-large' } as const)
        : await content.runExclusive(async () => content.read());
    // The next poll tries again.
    if (found.kind === 'failed' && wasUnreadable) return false;
    if (found.kind !== 'text') await lock.release();
    unreadableVersion = found.kind === 'damaged' || found.kind === 'too-large' ? info.Version : undefined;
    switch (found.kind) {
      case 'text':
        openPane(found.text);
        content.set(found);
        return true;
      case 'damaged': {
        const isUtf16 = found.encoding === 'UTF-16';
        page.setNotice('why', {
          text: t(isUtf16 ? 'editor.this-file-is-utf-16' : 'editor.this-file-isnt-valid-utf'),
          more: isUtf16 ? undefined : t('editor.characters-that-cant-be-read'),
          tone: 'warn',
        });
        // Keeps what the user sees where it is.
        const shown = wasUnreadable ? content.pane() : undefined;
        if (shown === undefined) openPane(found.shown, false);
        else await shown.follow(shown.current(), found.shown);
        return true;
      }
      case 'too-large': {
        const text = tooLargeText(info.Size, maxTextBytes);
        showMessage({ text, more: t('editor.open-it-in-another-program') });
        return true;
      }
      case 'failed': {
        const text = isUnreachable(found.answer)
          ? t('common.doctray-isnt-responding')
          : openFailed(found.answer.status);
        const again = { label: t('common.try-again'), isMain: true, press: () => void start() };
        showMessage({ text, buttons: [again] });
        host.post('App_LoadingStatus', { Status: 'Failed' });
        return false;
      }
    }
  }

  function closePane(): void {
    content.pane()?.view.destroy();
    content.show(undefined);
    preview?.close();
    preview = undefined;
  }

  function showMessage(message: { text: string; more?: string; buttons?: MenuItem[] }): void {
    closePane();
    page.set({ content: { kind: 'message', ...message } });
  }

  function openPane(text: FileText, isWhole = true): void {
    closePane();
    isUtf8 = isWhole;
    page.set({ content: undefined, menu: menuItems });
    const pane = createTextPane({
      parent: body,
      name: info.BaseFileName,
      content: text,
      isReadOnly: true,
      styleNonce: deps.styleNonce,
      onChange: ({ isOwn }) => {
        saving.changed(isOwn);
        editing.showLost();
        if (editing.mode() === 'ended') showStatus();
      },
      onUpdate: () => {
        // A letter is shown before its place is.
        statusLineTimer ??= setTimeout(showStatusLine, 50);
        preview?.update();
      },
      onSave: () => void saving.saveNow(),
    });
    content.show(pane);
    if (isMarkdown(info.BaseFileName)) preview = createMarkdownPreview(body, pane.view);
    showTools();
    showStatusLine();
  }

  // the bar and the status line

  function showTools(): void {
    const pane = content.pane();
    if (pane === undefined) return;
    const shown = preview;
    const isComparing = editing.isComparing();
    const previewTool = shown && {
      label: t('editor.preview'),
      isOn: shown.isShown() && !isComparing,
      isDisabled: isComparing,
      press: () => {
        shown.setShown(!shown.isShown());
        showTools();
      },
    };
    const wrap = () => {
      pane.setWrapping(!pane.isWrapping());
      showTools();
    };
    page.set({
      tools: [
        ...(previewTool === undefined ? [] : [previewTool]),
        { label: t('editor.find'), press: pane.find },
        { label: t('editor.wrap-lines'), isOn: pane.isWrapping(), press: wrap },
      ],
    });
  }

  function showStatusLine(): void {
    clearTimeout(statusLineTimer);
    statusLineTimer = undefined;
    const pane = content.pane();
    if (pane === undefined) return;
    const { state } = pane.view;
    const { main } = state.selection;
    const line = state.doc.lineAt(main.head);
    const ending = endingName(state.doc, endingsOf(state));
    const place = { line: line.number, column: main.head - line.from + 1 };
    page.set({
      goToLine: pane.goToLine,
      statusLine: [
        t('editor.line-line-column-column', place),
        main.empty ? '' : t('editor.characters-selected', { characters: main.to - main.from }),
        ending === 'Mixed' ? t('editor.mixed-line-endings') : ending,
        isUtf8 ? (pane.current().hasBom ? t('editor.utf-8-with-bom') : 'UTF-8') : '',
        languageName(info.BaseFileName),
      ],
    });
  }

  function menuItems(): MenuItem[] {
    const hasAccess = editing.mode() !== 'ended';
    const canCopy = hasAccess && info.UserCanNotWriteRelative !== true && content.text() !== undefined;
    const canRename = hasAccess && info.UserCanRename === true;
    const helpUrl = webAddress(info.HostEditUrl, '../help/text-editor');
    const messageItem = (isOffered: boolean | undefined, label: string, message: string): MenuItem | false =>
      host.isEmbedded && isOffered === true && { label, press: () => host.post(message) };
    return [
      editing.mode() === 'editing' && {
        label: t('common.save'),
        keys: /mac/i.test(navigator.userAgent) ? '⌘S' : 'Ctrl+S',
        press: () => void saving.saveNow(),
      },
      canCopy && { label: t('common.save-a-copy-ask'), press: () => void naming.askForCopy() },
      canRename && { label: t('editor.rename'), press: () => void naming.askForName() },
      messageItem(info.EditModePostMessage === true && deps.action === 'view', t('common.edit'), 'UI_Edit'),
      messageItem(info.FileSharingPostMessage, t('editor.share'), 'UI_Sharing'),
      messageItem(info.FileVersionPostMessage, t('editor.versions'), 'UI_FileVersions'),
      host.isEmbedded &&
        info.ClosePostMessage === true && { label: t('common.close'), press: () => void close() },
      { label: t('editor.go-to-line'), press: () => content.pane()?.goToLine() },
      helpUrl !== undefined && {
        label: t('common.help'),
        press: () => openTab(helpUrl),
      },
    ].filter((item) => item !== false);
  }

  function modeChanged(mode: Mode): void {
    wasDamaged = false;
    saving.modeChanged(mode);
    showStatus();
  }

  function showStatus(): void {
    if (editing.hasLock() !== reportedLock) reportLock();
    body.classList.toggle('is-comparing', editing.isComparing());
    showTools();
    page.set({ status: statusOf(editing.mode()) });
  }

  function statusOf(mode: Mode): ReturnType<Page['get']>['status'] {
    if (mode === 'reading') return { text: t('common.read-only') };
    if (mode !== 'editing')
      return content.hasUnsaved()
        ? { text: t('common.not-saved'), tone: 'bad' }
        : { text: t('editor.not-editing'), tone: 'warn' };
    const states = {
      saved: { text: t('common.saved'), tone: 'good' },
      unsaved: { text: t('editor.unsaved'), tone: 'pending' },
      saving: { text: t('common.saving') },
      failed: { text: t('common.not-saved'), tone: 'bad' },
    } as const;
    return states[saving.state()];
  }

  function reportLock(): void {
    reportedLock = editing.hasLock();
    host.post('App_EditingStatus', { Editing: reportedLock });
  }

  /** A text that grew too large can still be saved, but not opened again. */
  function showSize(bytes: number): void {
    const text = tooLargeText(bytes, maxTextBytes);
    const isTooLarge = bytes > maxTextBytes;
    page.setNotice(
      'size',
      isTooLarge ? { text, more: t('editor.its-still-saved-but-you'), tone: 'warn' } : null,
    );
    showStatusLine();
  }

  function showName(): void {
    page.set({ name: info.BaseFileName });
    content.pane()?.setName(info.BaseFileName);
    showStatusLine();
  }

  function download(): void {
    const text = content.pane()?.current();
    if (text !== undefined) downloadBytes(writeText(text), info.BaseFileName);
  }

  // what happens elsewhere

  /** The text of the file, or the reason why it can't be edited. */
  function isFileShown(): boolean {
    return content.text() !== undefined || unreadableVersion !== undefined;
  }

  function schedulePoll(): void {
    clearTimeout(pollTimer);
    if (editing.mode() === 'ended' || !isFileShown()) return;
    pollTimer = setTimeout(pollNow, document.hidden || saving.isExpired() ? slowPollMs : pollMs);
  }

  function pollNow(): void {
    if (isPolling || editing.mode() === 'ended' || !isFileShown()) return;
    clearTimeout(pollTimer);
    isPolling = true;
    void poll().finally(() => {
      isPolling = false;
      schedulePoll();
    });
  }

  async function poll(): Promise<void> {
    const epochBefore = content.epoch();
    const isRefreshing = editing.mode() === 'editing' && (saving.isExpired() || lock.isRefreshDue());
    const asksForLock = content.text() !== undefined && (editing.mode() === 'lost' || canEdit());
    const [checked, locked] = await Promise.all([
      wopi.checkFileInfo(),
      isRefreshing ? lock.refresh() : asksForLock ? wopi.getLock() : undefined,
    ]);
    if (isUnreachable(checked)) {
      saving.unanswered();
      return;
    }
    saving.reached();
    if (checked.wantedLocks.includes(lock.id())) {
      await editing.handOver();
      return;
    }
    const isOutdated = content.epoch() !== epochBefore || editing.mode() === 'ended';
    if (isOutdated) return;
    if (isRefreshing && locked?.status === 409) {
      editing.lose(locked);
      return;
    }
    if (checked.status === 401) {
      if (!saving.isExpired() || locked?.status !== 200) await saving.handleUnauthorized();
      return;
    }
    saving.showGone(checked.status === 404);
    if (checked.body === undefined) return;
    applyFileInfo(checked.body);
    if (unreadableVersion !== undefined) {
      if (checked.body.Version !== unreadableVersion) await loadAgain();
      return;
    }
    content.see(checked.body.Version);
    if (!isRefreshing && locked?.status === 200) await editing.polled(locked.lock ?? '');
    if (!content.isChanged()) {
      wasDamaged = false;
      return;
    }
    if (content.hasUnsaved()) await saving.identifyChange();
    if (content.isChanged() && !content.hasUnsaved()) await follow();
    editing.showLost();
  }

  /** Shows what is on disk now. False if it couldn't be read. */
  async function follow(): Promise<boolean> {
    const outcome = await content.follow();
    if (outcome === 'damaged' || outcome === 'too-large') {
      if (editing.mode() === 'editing' && !wasDamaged) {
        wasDamaged = true;
        return false;
      }
      // As if it was opened now. Read-only before the first wait, because loading replaces what was typed.
      editing.setMode('reading');
      await lock.release();
      page.setNotice('lock', null);
      info = (await wopi.checkFileInfo()).body ?? info;
      await loadAgain();
      return false;
    }
    if (outcome === 'text') wasDamaged = false;
    saving.changed(false);
    showStatusLine();
    return outcome === 'text';
  }

  /** Shows the file again, read-only. If it's text, the next poll shows who has the lock. */
  async function loadAgain(): Promise<void> {
    if ((await load()) && content.text() !== undefined) editing.showPermission();
  }

  function applyFileInfo(next: FileInfo): void {
    const isRenamed = next.BaseFileName !== info.BaseFileName;
    const couldEdit = canEdit();
    info = next;
    if (isRenamed) showName();
    if (content.text() !== undefined && canEdit() !== couldEdit) editing.permissionChanged();
  }

  // the host page

  /** Acts on a message from the host page. */
  async function receive(message: HostMessage): Promise<void> {
    switch (message.kind) {
      case 'save': {
        const { outcome, hadChanges } = await saving.saveNow();
        if (message.wantsAnswer) host.post('Action_Save_Resp', saveAnswer(outcome, hadChanges, saving.why()));
        break;
      }
      case 'save-as': {
        const problem = await naming.saveCopy(message.name);
        if (problem !== undefined)
          host.post('Action_Save_Resp', { success: false, errorMsg: problem, result: 'exportas' });
        break;
      }
      case 'close':
        await close();
        break;
      case 'edit':
        await editing.edit();
        reportLock();
        break;
      case 'token':
        applyToken(message.token, message.expiresAtMs);
        break;
      case 'focus':
        content.pane()?.view.focus();
        break;
    }
  }

  function applyToken(token: string, expiresAtMs: number): void {
    saving.setToken(token, expiresAtMs);
    if (editing.mode() === 'ended') {
      editing.setMode(lock.id() === '' ? 'reading' : 'lost');
      // The reason for it was replaced by the notice about the token.
      if (unreadableVersion !== undefined) unreadableVersion = '';
      if (editing.mode() === 'lost') void editing.lockAgain();
    }
    pollNow();
  }

  /** The lock is released when the page unloads. */
  async function close(): Promise<void> {
    await saving.saveNow();
    if (!content.hasUnsaved()) host.post('UI_Close');
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden && content.hasUnsaved()) void saving.saveNow();
    else pollNow();
  });
  addEventListener('online', pollNow);
  // The host page gives the focus to the frame, and browsers don't give it to anything in there.
  addEventListener('focus', focusText);

  return { start, receive };
}

/** A save without changes is reported as Collabora reports it: `success: false` with the result `unmodified`. */
function saveAnswer(outcome: SaveOutcome, hadChanges: boolean, why: string): Record<string, unknown> {
  if (outcome !== 'saved') return { success: false, errorMsg: why };
  return hadChanges ? { success: true } : { success: false, result: 'unmodified' };
}
