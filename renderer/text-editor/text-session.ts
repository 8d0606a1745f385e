// One text document from opening to leaving, as a WOPI client: CheckFileInfo, LOCK, GetFile, then saves under the lock. The file and
// the lock are polled every 1.4 s while the page is visible. known-file.ts holds what this page knows of the content, page-lock.ts
// its lock; this file decides what to do about both and what to show.

import { maxTextBytes } from '../../app/contract/text-documents.ts';
import { createAutosave, type SaveOutcome } from './autosave.ts';
import type { ButtonChoice } from './elements.ts';
import { downloadBytes, type Frame, type MenuItem, type Toggle } from './frame.ts';
import type { HostMessage, HostMessages } from './host-messages.ts';
import { createKnownFile } from './known-file.ts';
import { isSameText, writeText, type FileText } from './line-endings.ts';
import { createModifiedSignal } from './modified-signal.ts';
import { createNaming, webAddress } from './naming.ts';
import {
  endedNotice,
  freeNotice,
  goneNotice,
  lostNotice,
  lostText,
  refusalNotice,
  saveFailedNotice,
  type LostActions,
} from './notices.ts';
import { createPageLock } from './page-lock.ts';
import { readDocument } from './read-document.ts';
import { keysOf, showTextBar } from './text-bar.ts';
import { createTextPane, type TextPane } from './text-pane.ts';
import { words } from './words.ts';
import { isUnreachable, type Answer, type FileInfo, type WopiClient } from './wopi-client.ts';

const pollMs = 1400;
/** While the page is hidden, or while an expired token only allows saves. */
const slowPollMs = 15_000;
/** A single missed answer isn't reported. */
const missedPolls = 2;
/** For this long after opening, a free lock is taken automatically: a page that was just closed may still be releasing it. */
const openingMs = 4000;
/** Browsers send at most 64 KiB for a page that was closed. */
const maxExitSaveBytes = 60_000;

/**
 * `editing`: this page holds the lock. `reading`: the text follows the file. `lost`: the lock or the permission to edit is gone, and
 * what was typed is kept. `ended`: the host accepts no more calls with this token.
 */
type Mode = 'editing' | 'reading' | 'lost' | 'ended';

export interface TextSession {
  /** Resolves when the document is shown, or the reason why it can't be. */
  start(): Promise<void>;
  /** Acts on a message from the host page. */
  receive(message: HostMessage): void;
  /** The text is shown with its differences to the file, and without a preview. */
  isComparing(): boolean;
}

export interface TextSessionDeps {
  wopi: WopiClient;
  frame: Frame;
  host: HostMessages;
  fileId: string;
  info: FileInfo;
  action: 'edit' | 'view';
  styleNonce: string;
  /** When the token expires, in ms since 1970; 0: never. */
  tokenExpiresAtMs: number;
  now: () => number;
  /** More toolbar buttons for the pane that was just opened; shown first. */
  toolsFor: (pane: TextPane) => (ButtonChoice | Toggle)[];
  /** The text, the selection or what is visible of it changed. */
  onUpdate: () => void;
}

export function createTextSession(deps: TextSessionDeps): TextSession {
  const { wopi, frame, host, now } = deps;
  let { info, tokenExpiresAtMs } = deps;
  let opensUntilMs = now() + openingMs;

  let mode: Mode = 'reading';
  let pane: TextPane | undefined;
  let showStatusLine = (): void => undefined;

  const file = createKnownFile({ wopi, onSize: showSize });
  /** The version of a file that is too large or isn't UTF-8, so that there is no text. Another version is loaded again. */
  let unreadableVersion: string | undefined;
  /** The file wasn't text while it was edited, maybe because a program is writing it. The next poll reads it again. */
  let wasDamaged = false;
  /** Another user or program changed the file after the first unsaved change. */
  let isChangedByOther = false;
  /** Deleted, or moved to a place where the host can't find it. */
  let isGone = false;

  const lock = createPageLock({
    wopi,
    userId: info.UserId,
    fileId: deps.fileId,
    now,
    onWanted: () => {
      for (const ms of [300, 1500]) setTimeout(pollNow, ms);
    },
  });
  /** LOCK is refused although GET_LOCK shows no lock: a desktop program has the file open. */
  let isLockHidden = false;
  /** The host's sentence about the user who took the lock from this page. */
  let lostReason = '';
  /** Another page of this user was asked to save and to give the lock back. */
  let isTakingOver = false;
  /** Another page of this user waits for the lock of this one. */
  let isHandingOver = false;
  let isComparing = false;
  /** The text of the latest copy, and the copy's name. */
  let copied: { text: FileText; name: string } | undefined;

  /** The token has expired, but the host still accepts saves under this lock. */
  let isExpired = false;
  let missedAnswers = 0;
  /** Why nothing could be saved lately; '' if unknown. */
  let failure = '';
  /** What the host page knows. */
  let reportedLock: boolean | undefined;

  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;

  const modified = createModifiedSignal({ host, hasUnsaved, now });
  const autosave = createAutosave({
    // A host page that was told about a change waits for a save, even if the change was undone.
    hasUnsaved: () => hasUnsaved() || (mode === 'editing' && modified.isOpen()),
    write: async ({ isAutosave }) => file.runExclusive(async () => write(isAutosave)),
    onState: showStatus,
    now,
  });

  const naming = createNaming({
    wopi,
    frame,
    host,
    name: () => info.BaseFileName,
    text: () => (pane ?? missing()).current(),
    lockId: () => (mode === 'editing' ? lock.id() : ''),
    onCopied: (copy) => {
      copied = copy;
      if (mode === 'lost') showLostLock();
    },
    onRenamed: (name) => {
      info = { ...info, BaseFileName: name };
      showName();
    },
    onDialogClosed: () => pane?.view.focus(),
  });

  function hasUnsaved(): boolean {
    return mode !== 'reading' && pane !== undefined && file.isUnsaved(pane.current());
  }

  function canEdit(): boolean {
    return deps.action === 'edit' && info.UserCanWrite === true;
  }

  function canSaveCopy(): boolean {
    return info.UserCanNotWriteRelative !== true;
  }

  /** `mode` after an await: TypeScript assumes it hasn't changed. */
  function currentMode(): Mode {
    return mode;
  }

  // opening

  async function start(): Promise<void> {
    frame.setStatus(words.opening);
    const refusal = canEdit() && info.Size <= maxTextBytes ? await takeLock() : undefined;
    if (!(await load())) return;
    if (file.text() !== undefined) {
      if (refusal?.status === 200) setMode('editing');
      else if (refusal !== undefined) showRefusal(refusal);
      else showPermission();
    }
    showStatus();
    schedulePoll();
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
    if (document.hasFocus()) focusText();
  }

  /** Unless the user has chosen a button. */
  function focusText(): void {
    if (document.activeElement === document.body) pane?.view.focus();
  }

  /** @param from the lock of another tab of this user, which then loses it */
  async function takeLock(from = ''): Promise<Answer> {
    isTakingOver = from !== '';
    if (isTakingOver) frame.setNotice('lock', { text: words.takingOver, tone: 'info' });
    const answer = await lock.take(from);
    isTakingOver = false;
    if (answer.status === 200) lostReason = '';
    return answer;
  }

  /** Reads the file into a new pane. False if the read failed. */
  async function load(): Promise<boolean> {
    file.forget();
    frame.setNotice('size', null);
    const wasUnreadable = unreadableVersion !== undefined;
    const found =
      info.Size > maxTextBytes
        ? ({ kind: 'too-large' } as const)
        : await file.runExclusive(async () => readDocument(wopi));
    // The next poll tries again.
    if (found.kind === 'failed' && wasUnreadable) return false;
    if (found.kind !== 'text') await lock.release();
    const isShownDamaged = found.kind === 'damaged' && wasUnreadable;
    if (!isShownDamaged) closePane();
    unreadableVersion = found.kind === 'damaged' || found.kind === 'too-large' ? info.Version : undefined;
    switch (found.kind) {
      case 'text':
        openPane(found.text);
        file.set(found);
        return true;
      case 'damaged':
        frame.setNotice('why', {
          text: found.encoding === 'UTF-16' ? words.isUtf16 : words.notUtf8,
          ...(found.encoding === 'unknown' && { more: words.notUtf8More }),
          tone: 'warn',
        });
        // Keeps what the user sees where it is.
        if (pane === undefined) openPane(found.shown, false);
        else await pane.follow(pane.current(), found.shown);
        return true;
      case 'too-large':
        frame.showMessage({
          text: words.tooLarge(info.Size, maxTextBytes),
          more: words.tooLargeMore,
          tone: 'info',
        });
        return true;
      case 'failed':
        frame.showMessage({
          text: isUnreachable(found.answer) ? words.hostAway : words.failed(found.answer.status),
          tone: 'bad',
          buttons: [{ label: words.tryAgain, isMain: true, press: () => void start() }],
        });
        host.post('App_LoadingStatus', { Status: 'Failed' });
        return false;
    }
  }

  function closePane(): void {
    pane?.view.destroy();
    pane = undefined;
    showStatusLine = () => undefined;
  }

  function openPane(content: FileText, isUtf8 = true): void {
    frame.body.replaceChildren();
    const opened = createTextPane({
      parent: frame.body,
      name: info.BaseFileName,
      content,
      isReadOnly: true,
      styleNonce: deps.styleNonce,
      onChange: changed,
      onUpdate: () => {
        showStatusLine();
        deps.onUpdate();
      },
      onSave: () => void saveNow(),
    });
    pane = opened;
    showStatusLine = showTextBar({
      frame,
      pane: opened,
      name: () => info.BaseFileName,
      isUtf8,
      bytes: file.bytes,
      helpUrl: () => webAddress(info.HostEditUrl, '../help/text-editor'),
      tools: deps.toolsFor(opened),
      menu: menuItems,
    });
    showStatusLine();
    deps.onUpdate();
  }

  function menuItems(): (MenuItem | false)[] {
    const canCopy = canSaveCopy() && file.text() !== undefined;
    const canRename = info.UserCanRename === true && mode !== 'ended';
    const messageItem = (isOffered: boolean | undefined, label: string, message: string): MenuItem | false =>
      host.isEmbedded &&
      isOffered === true && {
        label,
        press: () => {
          host.post(message);
        },
      };
    return [
      mode === 'editing' && { label: words.save, keys: keysOf('S'), press: () => void saveNow() },
      canCopy && { label: words.saveCopy, press: () => void naming.askForCopy() },
      canRename && { label: words.rename, press: () => void naming.askForName() },
      messageItem(info.EditModePostMessage === true && deps.action === 'view', words.edit, 'UI_Edit'),
      messageItem(info.FileSharingPostMessage, words.share, 'UI_Sharing'),
      messageItem(info.FileVersionPostMessage, words.versions, 'UI_FileVersions'),
      host.isEmbedded && info.ClosePostMessage === true && { label: words.close, press: () => void close() },
    ];
  }

  function setMode(next: Mode): void {
    mode = next;
    wasDamaged = false;
    pane?.setReadOnly(mode === 'reading');
    if (mode === 'editing') {
      for (const kind of ['why', 'lock', 'token']) frame.setNotice(kind, null);
      lostReason = '';
      copied = undefined;
      stopComparing();
      autosave.resume();
    } else {
      autosave.pause();
      // It says that the save is retried.
      frame.setNotice('save', null);
      // Nothing is unsaved then; the host page may still wait for a save.
      if (mode === 'reading') modified.saved();
    }
    showStatus();
  }

  function showStatus(): void {
    if (hasLock() !== reportedLock) reportLock();
    if (mode === 'reading') frame.setStatus(words.readOnly);
    else if (mode === 'editing') {
      const state = autosave.state();
      const tone = { saved: 'good', saving: undefined, unsaved: 'pending', failed: 'bad' } as const;
      frame.setStatus(words.status[state], tone[state]);
    } else if (hasUnsaved()) frame.setStatus(words.notSaved, 'bad');
    else frame.setStatus(words.notEditing, 'warn');
  }

  function reportLock(): void {
    reportedLock = hasLock();
    host.post('App_EditingStatus', { Editing: reportedLock });
  }

  // changes and saves

  function changed({ isOwn }: { isOwn: boolean }): void {
    autosave.changed();
    if (mode === 'lost') showLostLock();
    if (mode === 'ended') showStatus();
    if (isOwn) modified.changed();
  }

  async function saveNow(): Promise<{ outcome: SaveOutcome; hadChanges: boolean }> {
    const hadChanges = hasUnsaved() || modified.isOpen();
    if (mode === 'reading') return { outcome: 'saved', hadChanges };
    return { outcome: await autosave.saveNow(), hadChanges };
  }

  async function write(isAutosave: boolean): Promise<SaveOutcome> {
    if (mode !== 'editing' || pane === undefined || file.text() === undefined) return 'stopped';
    if (!hasUnsaved() && !modified.isOpen() && !isGone) return 'saved';
    // The answer to a save doesn't say that it created a deleted file again.
    const checked = await wopi.checkFileInfo();
    // From now on nothing can be typed, so this save is the last one.
    if (checked.wantedLocks.includes(lock.id())) void handOver();
    if (modified.isOutdated() && isUnreachable(checked)) return reportUnreachable();
    if (currentMode() === 'editing') await modified.beforeSave();
    // After the save, a read would find this page's own text.
    if (checked.body !== undefined) {
      file.see(checked.body.Version);
      if (file.isChanged() && hasUnsaved()) {
        await identifyChange();
        // The answer to an earlier save was lost, and nothing was typed since.
        if (!hasUnsaved()) {
          modified.saved();
          return 'saved';
        }
      }
    }
    if (currentMode() !== 'editing') return 'stopped';
    const content = pane.current();
    const isUnchanged = !file.isUnsaved(content) && !isGone;
    const { answer, bytes } = await file.put(content, {
      lockId: lock.id(),
      isAutosave,
      isModifiedByUser: !isUnchanged,
      isExit: false,
    });
    if (answer.status !== 200) return writeFailed(answer, isGone || checked.status === 404);
    markReachable();
    lock.markRefreshed();
    frame.setNotice('save', null);
    if (checked.status === 404) {
      showGone(false);
      const name = info.BaseFileName;
      frame.setNotice('back', {
        text: words.putBack(name),
        more: words.putBackMore,
        tone: 'warn',
        hasDismiss: true,
      });
    }
    // Without changes by the user, the host may have kept what is on disk instead.
    if (isUnchanged) void follow();
    else file.set({ text: content, version: answer.version, bytes });
    if (isChangedByOther) showConflict();
    modified.saved();
    return 'saved';
  }

  function showConflict(): void {
    isChangedByOther = false;
    frame.setNotice('conflict', {
      text: words.changedOnDisk,
      more: words.changedOnDiskMore,
      tone: 'warn',
      hasDismiss: true,
    });
  }

  /** A text that grew too large can still be saved, but not opened again. */
  function showSize(bytes: number): void {
    const isTooLarge = bytes > maxTextBytes;
    frame.setNotice(
      'size',
      isTooLarge
        ? { text: words.tooLarge(bytes, maxTextBytes), more: words.grewTooLargeMore, tone: 'warn' }
        : null,
    );
    showStatusLine();
  }

  function reportUnreachable(): SaveOutcome {
    modified.unanswered();
    missedAnswers = missedPolls;
    failure = words.hostAway;
    showUnreachable();
    return 'failed';
  }

  async function writeFailed(answer: Answer, isMissing: boolean): Promise<SaveOutcome> {
    if (isUnreachable(answer)) return reportUnreachable();
    markReachable();
    if (answer.status === 409) loseLock(answer);
    else if (answer.status === 401) await handleUnauthorized();
    else if (currentMode() === 'editing') {
      failure = answer.status === 413 ? words.tooLargeToSave : answer.reason;
      if (isMissing) showGone(true, answer.reason);
      else frame.setNotice('save', saveFailedNotice(answer));
    }
    return currentMode() === 'editing' ? 'failed' : 'stopped';
  }

  // what happens elsewhere

  /** The text of the file, or the reason why it can't be edited. */
  function isFileShown(): boolean {
    return file.text() !== undefined || unreadableVersion !== undefined;
  }

  function schedulePoll(): void {
    clearTimeout(pollTimer);
    if (mode === 'ended' || !isFileShown()) return;
    pollTimer = setTimeout(pollNow, document.hidden || isExpired ? slowPollMs : pollMs);
  }

  function pollNow(): void {
    if (isPolling || mode === 'ended' || !isFileShown()) return;
    clearTimeout(pollTimer);
    isPolling = true;
    void poll().finally(() => {
      isPolling = false;
      schedulePoll();
    });
  }

  async function poll(): Promise<void> {
    const epochBefore = file.epoch();
    const isRefreshing = mode === 'editing' && (isExpired || lock.isRefreshDue());
    const asksForLock = file.text() !== undefined && (mode === 'lost' || canEdit());
    const [checked, locked] = await Promise.all([
      wopi.checkFileInfo(),
      isRefreshing ? lock.refresh() : asksForLock ? wopi.getLock() : undefined,
    ]);
    if (isUnreachable(checked)) {
      modified.unanswered();
      missedAnswers += 1;
      showUnreachable();
      return;
    }
    markReachable();
    if (checked.wantedLocks.includes(lock.id())) {
      await handOver();
      return;
    }
    const isOutdated = file.epoch() !== epochBefore || currentMode() === 'ended';
    if (isOutdated) return;
    if (isRefreshing && locked?.status === 409) {
      loseLock(locked);
      return;
    }
    if (checked.status === 401) {
      if (!isExpired || locked?.status !== 200) await handleUnauthorized();
      return;
    }
    showGone(checked.status === 404);
    if (checked.body === undefined) return;
    applyFileInfo(checked.body);
    if (unreadableVersion !== undefined) {
      if (checked.body.Version !== unreadableVersion) await loadAgain();
      return;
    }
    file.see(checked.body.Version);
    if (!isRefreshing && locked?.status === 200) await handleLock(locked.lock ?? '');
    await handleVersion();
  }

  async function handleLock(held: string): Promise<void> {
    const isOther = held !== lock.held();
    if (mode === 'editing') {
      if (held === lock.id()) return;
      // It may have expired while the computer was asleep; refreshing restores it then. Otherwise the answer says who has it.
      const answer = await lock.refresh();
      if (answer.status === 409) loseLock(answer);
      else if (answer.status === 401) await handleUnauthorized();
    } else if (mode === 'lost') {
      lock.see(held);
      if (lock.isHeldHere() && isOther && canEdit()) await lockAgain();
      else if (isOther) lostReason = held === '' ? '' : (await lock.refresh()).reason;
      if (currentMode() === 'lost') showLostLock();
    } else if (!canEdit()) {
      frame.setNotice('lock', null);
    } else if (held !== '') {
      isLockHidden = false;
      const answer = isOther ? await lock.askHolder() : undefined;
      if (answer?.status === 409 && answer.lock !== '') showRefusal(answer);
      // The lock is this page's own; the answer to LOCK was lost.
      else if (answer?.status === 200) await takeOver();
    } else if (!isLockHidden) {
      lock.see('');
      if (now() < opensUntilMs) await takeOver();
      else
        frame.setNotice(
          'lock',
          freeNotice(() => void takeOver()),
        );
    }
  }

  async function handleVersion(): Promise<void> {
    if (!file.isChanged()) {
      wasDamaged = false;
      return;
    }
    if (hasUnsaved()) await identifyChange();
    if (file.isChanged() && !hasUnsaved()) await follow();
    if (currentMode() === 'lost') showLostLock();
  }

  /** The file has another version. That isn't a change by another user if it holds a text of this page. */
  async function identifyChange(): Promise<void> {
    const whose = await file.identifyChange();
    if (whose === 'own') autosave.changed();
    if (whose === undefined || whose === 'own' || currentMode() !== 'editing') return;
    if (whose === 'other') isChangedByOther = true;
    else showConflict();
  }

  /** Shows what is on disk now. What is typed while it is read stays. False if it couldn't be read. */
  async function follow(): Promise<boolean> {
    const outcome = await file.runExclusive(async () => {
      const before = file.text();
      if (pane === undefined || before === undefined || hasUnsaved()) return 'text';
      // The host keeps what a save replaces as a conflict copy, unless this page has read it. So it reads nothing that it can't show.
      const peeked = mode === 'editing' ? await file.read(false) : undefined;
      const found = peeked === undefined || peeked.kind === 'text' ? await file.read() : peeked;
      if (found.kind !== 'text') {
        // What was typed since stays, even if the file can't be read any more.
        if (!hasUnsaved()) return found.kind;
        if (mode === 'editing' && found.kind !== 'failed') isChangedByOther = true;
        return 'failed';
      }
      await pane.follow(file.text() ?? before, found.text);
      file.set(found);
      isChangedByOther = false;
      return 'text';
    });
    if (outcome === 'damaged' || outcome === 'too-large') {
      if (mode === 'editing' && !wasDamaged) {
        wasDamaged = true;
        return false;
      }
      // As if it was opened now.
      await lock.release();
      setMode('reading');
      frame.setNotice('lock', null);
      info = (await wopi.checkFileInfo()).body ?? info;
      await loadAgain();
      return false;
    }
    if (outcome === 'text') wasDamaged = false;
    autosave.changed();
    showStatusLine();
    return outcome === 'text';
  }

  /** Shows the file again, read-only. If it's text, the next poll shows who has the lock. */
  async function loadAgain(): Promise<void> {
    if (!(await load()) || file.text() === undefined) return;
    showPermission();
  }

  function showPermission(): void {
    const text = deps.action === 'view' ? words.viewMode : words.noPermission;
    frame.setNotice('why', canEdit() ? null : { text, tone: 'info', hasDismiss: true });
  }

  function applyFileInfo(next: FileInfo): void {
    const isRenamed = next.BaseFileName !== info.BaseFileName;
    const couldEdit = canEdit();
    info = next;
    if (isRenamed) showName();
    if (file.text() !== undefined && canEdit() !== couldEdit) permissionChanged();
  }

  /** The user's role changed, or the file's write permission did. */
  function permissionChanged(): void {
    if (mode === 'lost') {
      // Nobody else could edit while it stayed with a page that may not.
      if (!canEdit() && lock.isHeldHere()) void lock.giveBack();
      showLostLock();
      const isFree = lock.held() === '' || lock.isHeldHere();
      if (canEdit() && isFree) void lockAgain();
    } else if (mode === 'editing' && hasUnsaved()) {
      setMode('lost');
      showLostLock();
    } else if (mode === 'editing' || mode === 'reading') {
      if (mode === 'editing') {
        void lock.release();
        setMode('reading');
      }
      frame.setNotice('lock', null);
      showPermission();
    }
  }

  function showName(): void {
    frame.setName(info.BaseFileName);
    pane?.setName(info.BaseFileName);
    showStatusLine();
  }

  function markReachable(): void {
    if (missedAnswers >= missedPolls) autosave.retrySoon();
    missedAnswers = 0;
    frame.setNotice('host', null);
  }

  function showUnreachable(): void {
    if (missedAnswers < missedPolls) return;
    const isKept = mode === 'editing' && hasUnsaved();
    frame.setNotice('host', {
      text: words.hostAway,
      ...(isKept && { more: words.hostAwayMore }),
      tone: 'warn',
    });
  }

  /** @param failure why a save couldn't create it again */
  function showGone(isGoneNow: boolean, failure?: string): void {
    if (isGoneNow === isGone && failure === undefined) return;
    isGone = isGoneNow;
    if (isGone) frame.setNotice('save', null);
    const save = mode === 'editing' ? () => void saveNow() : undefined;
    frame.setNotice('gone', isGone ? goneNotice({ save, download, failure }) : null);
  }

  function showRefusal(answer: Pick<Answer, 'status' | 'reason' | 'lock'>): void {
    lock.see(answer.lock ?? '');
    if (mode !== 'reading') setMode('reading');
    const canTryAgain = isLockHidden || answer.status !== 409;
    const retry = { label: words.tryAgain, press: () => void takeOver() };
    // The lock of that moment: a notice with the same text isn't replaced.
    const editHere = { label: words.editHere, press: () => void takeOver(lock.held()) };
    frame.setNotice(
      'lock',
      refusalNotice(answer, canTryAgain ? retry : lock.isHeldByUser() ? editHere : undefined),
    );
  }

  /**
   * Another page of this user waits for the lock: saves, and gives it back. If something can't be saved, that page takes the lock over
   * after a time, and what was typed stays here.
   */
  async function handOver(): Promise<void> {
    // Its own save finds the waiting window, too.
    if (isHandingOver) return;
    isHandingOver = true;
    try {
      await saveAndRelease();
    } finally {
      isHandingOver = false;
    }
  }

  async function saveAndRelease(): Promise<void> {
    // The user is comparing two texts here, and decides later.
    if (mode === 'lost' && lock.isHeldHere()) {
      await lock.giveBack();
      showLostLock();
    }
    if (mode !== 'editing') return;
    pane?.setReadOnly(true);
    await saveNow();
    if (currentMode() !== 'editing') return;
    if (hasUnsaved()) {
      pane?.setReadOnly(false);
      return;
    }
    opensUntilMs = 0;
    setMode('reading');
    // The next poll offers the way back.
    frame.setNotice('lock', { text: words.heldByYou, more: words.followsMore, tone: 'info' });
    await lock.release();
  }

  async function takeOver(from = ''): Promise<void> {
    const wasFree = lock.held() === '';
    const answer = await file.runExclusive(async () => takeLock(from));
    if (answer.status !== 200) {
      isLockHidden = (isLockHidden || wasFree) && answer.status === 409;
      showRefusal(answer);
      return;
    }
    if (await follow()) {
      setMode('editing');
      pane?.view.focus();
    } else await lock.release();
  }

  // a lost lock

  function loseLock({ reason, lock: holder }: Answer): void {
    if (mode !== 'editing') return;
    lock.lose(holder ?? '');
    lostReason = lock.held() === '' ? '' : reason;
    if (lock.isHeldByUser() && !hasUnsaved()) {
      showRefusal({ status: 409, reason, lock: holder });
      return;
    }
    setMode('lost');
    showLostLock();
  }

  const lostActions: LostActions = {
    lockAgain: () => void lockAgain(),
    editHere: () => void lockAgain(lock.held()),
    saveCopy: () => void naming.askForCopy(),
    download,
    compare: () => void compare(),
    stopComparing: () => {
      stopComparing();
      showLostLock();
    },
    loadFile: () => void loadFile(),
  };

  function showLostLock(): void {
    if (isTakingOver) return;
    const isCopied = copied !== undefined && pane !== undefined && isSameText(copied.text, pane.current());
    const state = {
      reason: lostReason,
      canEdit: canEdit(),
      canSaveCopy: canSaveCopy(),
      holder: lock.holder(),
      hasUnsaved: hasUnsaved(),
      isChanged: file.isChanged(),
      isComparing,
      copyName: isCopied ? copied?.name : undefined,
    };
    frame.setNotice('lock', lostNotice(state, lostActions));
    showStatus();
  }

  function whyNotSaved(): string {
    if (mode !== 'lost') return failure;
    return lostText({ reason: lostReason, canEdit: canEdit(), holder: lock.holder() });
  }

  /** Takes the lock and continues editing. If the file has changed, the page holds the lock while the user compares both texts. */
  async function lockAgain(from = ''): Promise<void> {
    let hasPermission = canEdit();
    const answer = await file.runExclusive(async () => {
      const given = await takeLock(from);
      if (given.status !== 200) return given;
      const checked = await wopi.checkFileInfo();
      if (checked.body !== undefined) {
        file.see(checked.body.Version);
        hasPermission = checked.body.UserCanWrite === true;
      }
      return checked;
    });
    if (currentMode() !== 'lost') return;
    if (file.isChanged() && hasUnsaved()) await identifyChange();
    if (currentMode() !== 'lost') return;
    if (answer.status !== 200) {
      if (answer.status === 409) lostReason = answer.reason;
      // The lock was granted, but the file couldn't be checked: other users shouldn't wait for it.
      if (lock.isHeldHere()) await lock.giveBack();
      showLostLock();
      return;
    }
    // Without the permission to edit, LOCK is answered with 200 and nothing is locked.
    if (hasPermission && (!file.isChanged() || (!hasUnsaved() && (await follow())))) {
      setMode('editing');
      pane?.view.focus();
      return;
    }
    // The file isn't text any more, and the lock was released.
    if (currentMode() !== 'lost') return;
    if (!hasPermission || !hasUnsaved() || !(await compare())) await lock.giveBack();
    if (currentMode() === 'lost') showLostLock();
  }

  /** The file as it is now, for comparing it with the text of this page. */
  async function readDisk(): Promise<FileText | undefined> {
    const found = await file.runExclusive(async () => file.read());
    if (found.kind === 'failed' && isUnreachable(found.answer)) {
      missedAnswers = missedPolls;
      showUnreachable();
    }
    if (found.kind !== 'text' || currentMode() !== 'lost') return undefined;
    file.set(found);
    return found.text;
  }

  /** False if the file couldn't be read as text. */
  async function compare(): Promise<boolean> {
    const disk = await readDisk();
    if (disk === undefined) return false;
    isComparing = true;
    frame.body.classList.add('is-comparing');
    frame.updateTools();
    await pane?.compareWith(disk.doc);
    if (currentMode() === 'lost') showLostLock();
    return true;
  }

  function stopComparing(): void {
    if (!isComparing) return;
    isComparing = false;
    frame.body.classList.remove('is-comparing');
    frame.updateTools();
    void pane?.compareWith(undefined);
  }

  /** Replaces a text that was saved in a copy. */
  async function loadFile(): Promise<void> {
    const disk = await readDisk();
    if (disk === undefined || pane === undefined) return;
    if (hasUnsaved() && (copied === undefined || !isSameText(copied.text, pane.current()))) {
      // The copy lacks what was typed while the file was read.
      showLostLock();
      return;
    }
    stopComparing();
    await pane.follow(pane.current(), disk);
    if (lock.isHeldHere() && canEdit()) setMode('editing');
    else if (lock.held() === '') {
      setMode('reading');
      frame.setNotice(
        'lock',
        freeNotice(() => void takeOver()),
      );
    } else showRefusal({ status: 409, lock: lock.held(), reason: lostReason });
  }

  // lost access

  /** A call was refused with 401: the token has expired or was revoked, or the user may not edit any more. */
  async function handleUnauthorized(): Promise<void> {
    const checked = await wopi.checkFileInfo();
    if (checked.body !== undefined) {
      applyFileInfo(checked.body);
      return;
    }
    if (checked.status !== 401) return;
    host.post('App_TokenExpired');
    if (mode === 'editing') {
      // For 24 hours the host still accepts saves under a lock.
      const answer = await lock.refresh();
      if (answer.status === 200) {
        isExpired = true;
        frame.setNotice('token', { text: words.expired, more: words.expiredMore, tone: 'warn' });
        return;
      }
      if (answer.status === 409) loseLock(answer);
      if (answer.status !== 401) return;
    }
    const hasExpired = tokenExpiresAtMs !== 0 && now() >= tokenExpiresAtMs;
    endAccess(hasExpired ? words.expired : words.revoked);
  }

  function endAccess(text: string): void {
    const isUnsaved = hasUnsaved();
    setMode('ended');
    for (const kind of ['lock', 'why', 'host']) frame.setNotice(kind, null);
    failure = text;
    // A host page shows why, with the way back.
    frame.setNotice(
      'token',
      endedNotice(host.isEmbedded ? undefined : text, isUnsaved ? download : undefined),
    );
    // If everything is saved, don't accept new text that couldn't be saved.
    if (!isUnsaved) {
      pane?.setReadOnly(true);
      frame.setStatus(words.readOnly);
    }
  }

  function download(): void {
    if (pane !== undefined) downloadBytes(writeText(pane.current()), info.BaseFileName);
  }

  function applyToken(token: string, expiresAtMs: number): void {
    wopi.setToken(token);
    tokenExpiresAtMs = expiresAtMs;
    isExpired = false;
    frame.setNotice('token', null);
    if (mode === 'ended') {
      setMode(lock.id() === '' ? 'reading' : 'lost');
      // The reason for it was replaced by the notice about the token.
      if (unreadableVersion !== undefined) unreadableVersion = '';
      if (currentMode() === 'lost') void lockAgain();
    }
    pollNow();
  }

  // the host page, and leaving

  function receive(message: HostMessage): void {
    switch (message.kind) {
      case 'save':
        void saveNow().then(({ outcome, hadChanges }) => {
          if (message.wantsAnswer)
            host.post('Action_Save_Resp', saveAnswer(outcome, hadChanges, whyNotSaved()));
        });
        break;
      case 'save-as':
        // A copy of damaged text would lose what can't be shown.
        if (file.text() === undefined || pane === undefined) {
          const errorMsg = words.copyFailed('');
          host.post('Action_Save_Resp', { success: false, errorMsg, result: 'exportas' });
          break;
        }
        void naming.saveCopy(message.name).then((result) => {
          if ('problem' in result)
            host.post('Action_Save_Resp', { success: false, errorMsg: result.problem, result: 'exportas' });
        });
        break;
      case 'close':
        void close();
        break;
      case 'edit':
        void edit().then(reportLock);
        break;
      case 'token':
        applyToken(message.token, message.expiresAtMs);
        break;
      case 'focus':
        pane?.view.focus();
        break;
    }
  }

  async function edit(): Promise<void> {
    const isAvailable = lock.held() === '' || lock.isHeldByUser();
    if (mode === 'reading' && canEdit() && file.text() !== undefined && isAvailable)
      await takeOver(lock.held());
  }

  function hasLock(): boolean {
    return mode === 'editing' || (mode === 'lost' && lock.isHeldHere());
  }

  /** The lock is released when the page unloads. */
  async function close(): Promise<void> {
    await saveNow();
    if (!hasUnsaved()) host.post('UI_Close');
  }

  addEventListener('beforeunload', (event) => {
    if (!hasUnsaved()) return;
    // It's often done before the user answers.
    if (mode === 'editing') void saveNow();
    event.preventDefault();
  });
  addEventListener('pagehide', () => {
    if (!hasLock() || pane === undefined) return;
    // Closing the page aborts a running save, so its text is sent again.
    const bytes = mode === 'editing' && hasUnsaved() ? writeText(pane.current()) : undefined;
    lock.forget();
    if (bytes !== undefined && bytes.length <= maxExitSaveBytes) {
      const how = { lockId: lock.id(), isAutosave: true, isModifiedByUser: true, isExit: true };
      file.sentAtExit(pane.current());
      // An UNLOCK of its own could arrive before the save. The relay unlocks after it.
      void wopi.putFile(bytes, how);
    } else {
      // The relay holds it back until a save that is on its way has been answered.
      void wopi.unlock(lock.id());
    }
  });
  addEventListener('pageshow', ({ persisted }) => {
    // Restored from the browser's back/forward cache; the lock was released on pagehide.
    if (!persisted || mode !== 'editing') return;
    setMode('lost');
    void lockAgain();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && hasUnsaved()) void saveNow();
    else pollNow();
  });
  addEventListener('online', pollNow);
  // The host page gives the focus to the frame, and browsers don't give it to anything in there.
  addEventListener('focus', focusText);
  addEventListener('blur', () => modified.lostFocus());

  return { start, receive, isComparing: () => isComparing };
}

/** A save without changes is reported as Collabora reports it: `success: false` with the result `unmodified`. */
function saveAnswer(outcome: SaveOutcome, hadChanges: boolean, why: string): Record<string, unknown> {
  if (outcome !== 'saved') return { success: false, errorMsg: why };
  return hadChanges ? { success: true } : { success: false, result: 'unmodified' };
}

/** @throws always; copies can only be saved while a text is open */
function missing(): never {
  throw new Error('No text is open.');
}
