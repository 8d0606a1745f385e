// One text document from opening to leaving, as a WOPI client: CheckFileInfo, LOCK, GetFile; saves under the lock; and what happens
// to the file and to the lock is asked for every 1.4 s while somebody looks. Saves and reads never overlap, so what this page takes
// for the file's content (`base`) is what the host knows it has read or written: by that the host tells a conflict.

import { createAutosave, type SaveOutcome } from './autosave.ts';
import { downloadBytes, type Choice, type Frame, type MenuItem, type Toggle } from './frame.ts';
import type { HostMessage, HostMessages } from './host-messages.ts';
import { isSameText, writeText, type FileText } from './line-endings.ts';
import { createLockIds } from './lock-id.ts';
import { createModifiedSignal } from './modified-signal.ts';
import { createNaming } from './naming.ts';
import {
  endedNotice,
  freeNotice,
  goneNotice,
  lostNotice,
  refusalNotice,
  saveFailedNotice,
  type LostActions,
} from './notices.ts';
import { maxTextBytes, readDocument } from './read-document.ts';
import { keysOf, showTextBar } from './text-bar.ts';
import { createTextPane, type TextPane } from './text-pane.ts';
import { words } from './words.ts';
import { isUnreachable, type Answer, type FileInfo, type WopiClient } from './wopi-client.ts';

const pollMs = 1400;
/** While nobody looks, or while an expired token is only good for saves. */
const slowPollMs = 15_000;
/** One answer may be lost. */
const missedPolls = 2;
/** A lock lives 30 minutes. */
const refreshLockMs = 10 * 60_000;
/** The page that was here before may still be giving its lock back. */
const openingMs = 4000;
/** Browsers send at most 64 KiB for a page that is gone. */
const maxKeepaliveBytes = 60_000;

/**
 * `editing`: this page holds the lock. `reading`: the text follows the file. `lost`: the lock is gone, and what was typed is kept.
 * `ended`: nothing can be asked any more with this token.
 */
type Mode = 'editing' | 'reading' | 'lost' | 'ended';

export interface TextSession {
  /** Resolves when the document is shown, or why it isn't. */
  start(): Promise<void>;
  hear(message: HostMessage): void;
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
  /** Buttons before those of every text, for a pane that was just opened. */
  toolsFor: (pane: TextPane) => (Choice | Toggle)[];
  /** The text, the selection or what is visible of it changed. */
  onUpdate: () => void;
}

export function createTextSession(deps: TextSessionDeps): TextSession {
  const { wopi, frame, host, now } = deps;
  let { info, tokenExpiresAtMs } = deps;
  const lockIds = createLockIds({ userId: info.UserId, fileId: deps.fileId });
  const startedAtMs = now();

  let mode: Mode = 'reading';
  let pane: TextPane | undefined;
  let showStatusLine = (): void => undefined;

  /** What the file holds as far as this page knows; undefined: nothing that could be edited or followed. */
  let base: FileText | undefined;
  /** X-WOPI-ItemVersion of `base`, and the version of the latest poll. */
  let baseVersion = '';
  let diskVersion = '';
  /** Somebody else changed the file after the first unsaved change. */
  let isChangedBehind = false;
  /** The answer to a save was lost: the file may hold that text, whatever was undone since. */
  let isUncertain = false;
  /** Deleted, or moved to where the host doesn't find it. */
  let isGone = false;

  /** This page's lock, also when it was lost; '' before there was one. */
  let lockId = '';
  let refreshedAtMs = 0;
  /** The lock that is held as of the latest poll or refusal, '' for none. */
  let heldLock = '';
  /** GET_LOCK doesn't show the lock that refuses this page: a desktop program has the file open. */
  let isHeldUnseen = false;
  /** Who took the lock from this page, in the host's words. */
  let lostReason = '';
  let isComparing = false;
  /** The text that is safe in a copy, and the copy's name. */
  let copied: { text: FileText; name: string } | undefined;

  /** The token has expired, and the host takes this lock's saves all the same. */
  let isExpired = false;
  let unanswered = 0;

  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  let isPolling = false;
  /** What the save that is running sends. */
  let writing: FileText | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  /** Counts beginnings and ends of saves and reads: an answer that was asked for before one of them is out of date. */
  let turns = 0;

  const modified = createModifiedSignal({ host, hasUnsaved, now });
  const autosave = createAutosave({
    // a host page that heard of a change waits for a save, also when the change was taken back
    hasUnsaved: () => hasUnsaved() || (mode === 'editing' && modified.isOpen()),
    write: async ({ isAutosave }) => alone(async () => write(isAutosave)),
    onState: showStatus,
    now,
  });

  const naming = createNaming({
    wopi,
    frame,
    host,
    name: () => info.BaseFileName,
    text: () => (pane ?? missing()).current(),
    lockId: () => (mode === 'editing' ? lockId : ''),
    onCopied: (copy) => {
      copied = copy;
      if (mode === 'lost') showLost();
    },
    onRenamed: (name) => {
      info = { ...info, BaseFileName: name };
      showName();
    },
    onAsked: () => pane?.view.focus(),
  });

  /** One at a time: saves, reads of the content, and taking the lock. */
  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = queue.then(async () => {
      turns += 1;
      try {
        return await work();
      } finally {
        turns += 1;
      }
    });
    queue = turn.catch(() => undefined);
    return turn;
  }

  function hasUnsaved(): boolean {
    if (mode === 'reading' || pane === undefined || base === undefined) return false;
    return isUncertain || !isSameText(pane.current(), base);
  }

  function canEdit(): boolean {
    return deps.action === 'edit' && info.UserCanWrite === true;
  }

  /** Read again after a call: the compiler believes it unchanged. */
  function modeNow(): Mode {
    return mode;
  }

  // opening

  async function start(): Promise<void> {
    frame.setStatus(words.opening);
    const refusal = canEdit() && info.Size <= maxTextBytes ? await lock() : undefined;
    if (!(await load())) return;
    if (base === undefined) frame.setStatus(words.readOnly);
    else {
      if (refusal?.status === 200) setMode('editing');
      else if (refusal !== undefined) showRefusal(refusal);
      else {
        const text = deps.action === 'view' ? words.viewMode : words.noPermission;
        frame.setNotice('why', { text, tone: 'info', hasDismiss: true });
      }
      showStatus();
      schedulePoll();
    }
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
    if (document.hasFocus()) pane?.view.focus();
  }

  /** @param from the lock of another tab of this user, which loses it */
  async function lock(from = ''): Promise<Answer> {
    const id = await lockIds.claim();
    const answer = await (from === '' ? wopi.lock(id) : wopi.relock(id, from));
    if (answer.status === 200) {
      lockId = id;
      heldLock = id;
      refreshedAtMs = now();
      lockIds.remember(id);
    } else heldLock = answer.lock ?? '';
    return answer;
  }

  /** Gives back a lock that this page can do nothing with. */
  async function release(): Promise<void> {
    if (lockId === '') return;
    const id = lockId;
    lockId = '';
    lockIds.forget();
    await wopi.unlock(id);
  }

  /** Reads the file into a new pane. False: there is nothing to show, and the user was told why. */
  async function load(): Promise<boolean> {
    base = undefined;
    pane?.view.destroy();
    pane = undefined;
    const found =
      info.Size > maxTextBytes
        ? ({ kind: 'too-large' } as const)
        : await alone(async () => readDocument(wopi));
    if (found.kind !== 'text') await release();
    switch (found.kind) {
      case 'text':
        takeBase(found.text, found.version);
        openPane(found.text);
        return true;
      case 'damaged':
        frame.setNotice('why', {
          text: found.encoding === 'UTF-16' ? words.isUtf16 : words.notUtf8,
          ...(found.encoding === 'unknown' && { more: words.notUtf8More }),
          tone: 'warn',
        });
        openPane(found.shown);
        return true;
      case 'too-large':
        frame.showMessage({
          text: words.tooLarge(info.Size, maxTextBytes),
          more: words.tooLargeMore,
          tone: 'info',
        });
        frame.setStatus(words.readOnly);
        host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
        return false;
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

  function openPane(content: FileText): void {
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
      isUtf8: base !== undefined,
      tools: deps.toolsFor(opened),
      menu: menuItems,
    });
    showStatusLine();
    deps.onUpdate();
  }

  function menuItems(): (MenuItem | false)[] {
    const canCopy = info.UserCanNotWriteRelative !== true && base !== undefined;
    const canRename = info.UserCanRename === true && mode !== 'ended';
    const tells = (isOffered: boolean | undefined, label: string, message: string): MenuItem | false =>
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
      tells(info.EditModePostMessage === true && deps.action === 'view', words.edit, 'UI_Edit'),
      tells(info.FileSharingPostMessage, words.share, 'UI_Sharing'),
      tells(info.FileVersionPostMessage, words.versions, 'UI_FileVersions'),
      host.isEmbedded && info.ClosePostMessage === true && { label: words.close, press: () => void close() },
    ];
  }

  function setMode(next: Mode): void {
    mode = next;
    pane?.setReadOnly(mode === 'reading');
    if (mode === 'editing') {
      for (const kind of ['why', 'lock', 'token']) frame.setNotice(kind, null);
      lostReason = '';
      copied = undefined;
      stopComparing();
      autosave.resume();
    } else autosave.pause();
    showStatus();
  }

  function showStatus(): void {
    if (mode === 'reading') frame.setStatus(words.readOnly);
    else if (mode === 'editing') {
      const state = autosave.state();
      const tone = { saved: 'good', saving: undefined, unsaved: 'warn', failed: 'bad' } as const;
      frame.setStatus(words.status[state], tone[state]);
    } else if (hasUnsaved()) frame.setStatus(words.notSaved, 'bad');
    else frame.setStatus(words.locked, 'warn');
  }

  // changes and saves

  function changed({ isOwn }: { isOwn: boolean }): void {
    autosave.changed();
    if (mode === 'lost') showLost();
    if (mode === 'ended') showStatus();
    if (isOwn) modified.changed();
  }

  async function saveNow(): Promise<{ outcome: SaveOutcome; hadChanges: boolean }> {
    const hadChanges = hasUnsaved() || modified.isOpen();
    if (mode === 'reading') return { outcome: 'stopped', hadChanges };
    return { outcome: await autosave.saveNow(), hadChanges };
  }

  async function write(isAutosave: boolean): Promise<SaveOutcome> {
    if (mode !== 'editing' || pane === undefined || base === undefined) return 'stopped';
    if (!hasUnsaved() && !modified.isOpen() && !isGone) return 'saved';
    if (modified.isOutdated() && isUnreachable(await wopi.checkFileInfo())) return away();
    await modified.beforeSave();
    const content = pane.current();
    const isUnchanged = isSameText(content, base) && !isGone && !isUncertain;
    const bytes = writeText(content);
    writing = content;
    const answer = await wopi.putFile(bytes, {
      lockId,
      isAutosave,
      isModifiedByUser: !isUnchanged,
      isExit: false,
      // goes on when the page is left in the middle of it
      keepalive: bytes.length <= maxKeepaliveBytes,
    });
    writing = undefined;
    if (answer.status !== 200) return writeFailed(answer);
    answered();
    refreshedAtMs = now();
    frame.setNotice('save', null);
    // without changes of the user the host may have kept what is on disk instead
    if (isUnchanged) void follow();
    else takeBase(content, answer.version);
    if (isChangedBehind) {
      isChangedBehind = false;
      frame.setNotice('conflict', {
        text: words.changedOnDisk,
        more: words.changedOnDiskMore,
        tone: 'warn',
        hasDismiss: true,
      });
    }
    modified.saved();
    return 'saved';
  }

  /** The file holds this text now, at this version. */
  function takeBase(text: FileText, version: string): void {
    base = text;
    isUncertain = false;
    baseVersion = version;
    diskVersion = version;
  }

  function away(): SaveOutcome {
    modified.unanswered();
    unanswered = missedPolls;
    showAway();
    return 'failed';
  }

  async function writeFailed(answer: Answer): Promise<SaveOutcome> {
    if (isUnreachable(answer)) {
      isUncertain = true;
      return away();
    }
    answered();
    if (answer.status === 409) lose(answer);
    else if (answer.status === 401) await refused();
    else frame.setNotice('save', saveFailedNotice(answer));
    return modeNow() === 'editing' ? 'failed' : 'stopped';
  }

  // what happens elsewhere

  function schedulePoll(): void {
    clearTimeout(pollTimer);
    if (mode === 'ended' || base === undefined) return;
    pollTimer = setTimeout(pollNow, document.hidden || isExpired ? slowPollMs : pollMs);
  }

  function pollNow(): void {
    if (isPolling || mode === 'ended' || base === undefined) return;
    clearTimeout(pollTimer);
    isPolling = true;
    void poll().finally(() => {
      isPolling = false;
      schedulePoll();
    });
  }

  async function poll(): Promise<void> {
    const turnsBefore = turns;
    const wasEditing = mode === 'editing';
    const isRefreshing = wasEditing && (isExpired || now() - refreshedAtMs >= refreshLockMs);
    const asksForLock = mode === 'lost' || canEdit();
    const [checked, locked] = await Promise.all([
      wopi.checkFileInfo(),
      isRefreshing ? wopi.refreshLock(lockId) : asksForLock ? wopi.getLock() : undefined,
    ]);
    if (isUnreachable(checked)) {
      modified.unanswered();
      unanswered += 1;
      showAway();
      return;
    }
    answered();
    if (isRefreshing && locked?.status === 200) refreshedAtMs = now();
    const isOutdated = turns !== turnsBefore || modeNow() === 'ended';
    if (isOutdated) return;
    if (isRefreshing && locked?.status === 409) {
      lose(locked);
      return;
    }
    if (checked.status === 401) {
      if (!isExpired || locked?.status !== 200) await refused();
      return;
    }
    showGone(checked.status === 404);
    if (checked.body === undefined) return;
    takeInfo(checked.body);
    diskVersion = checked.body.Version;
    if (!isRefreshing && locked?.status === 200) await sawLock(locked.lock ?? '');
    await sawVersion();
  }

  async function sawLock(held: string): Promise<void> {
    const isOther = held !== heldLock;
    if (mode === 'editing') {
      if (held === lockId) return;
      // It may have expired while the computer slept: refreshing takes it up again then. Else the answer says who has it.
      const answer = await wopi.refreshLock(lockId);
      if (answer.status === 200) refreshedAtMs = now();
      else if (answer.status === 409) lose(answer);
      else if (answer.status === 401) await refused();
    } else if (mode === 'lost') {
      heldLock = held;
      if (held === lockId && isOther) await lockAgain();
      else if (isOther) lostReason = held === '' ? '' : (await wopi.refreshLock(lockId)).reason;
      if (modeNow() === 'lost') showLost();
    } else if (held !== '') {
      isHeldUnseen = false;
      // REFRESH_LOCK with an id that holds nothing changes nothing, and its answer says who has the document
      const answer = isOther ? await wopi.refreshLock(await lockIds.claim()) : undefined;
      if (answer?.status === 409 && answer.lock !== '') showRefusal(answer);
      // The lock is this page's own: its answer was lost.
      else if (answer?.status === 200) await takeOver();
    } else if (!isHeldUnseen) {
      heldLock = '';
      if (now() - startedAtMs < openingMs) await takeOver();
      else
        frame.setNotice(
          'lock',
          freeNotice(() => void takeOver()),
        );
    }
  }

  async function sawVersion(): Promise<void> {
    if (diskVersion === baseVersion) return;
    if (!hasUnsaved()) await follow();
    // the host keeps both when this page saves
    else if (mode === 'editing') isChangedBehind ||= !isUncertain;
    else if (mode === 'lost') showLost();
  }

  /** The text becomes what is on disk now; what is typed while it is read stays. False: it couldn't be read. */
  async function follow(): Promise<boolean> {
    const outcome = await alone(async () => {
      if (pane === undefined || base === undefined || hasUnsaved()) return 'text';
      const found = await readDocument(wopi, base.endings.usual);
      if (found.kind !== 'text') {
        // What was typed in the meantime stays, whatever became of the file.
        return hasUnsaved() ? 'failed' : found.kind;
      }
      await pane.follow(base, found.text);
      takeBase(found.text, found.version);
      isChangedBehind = false;
      return 'text';
    });
    if (outcome === 'damaged' || outcome === 'too-large') {
      // as if it was opened now
      setMode('reading');
      frame.setNotice('lock', null);
      info = (await wopi.checkFileInfo()).body ?? info;
      await load();
      return false;
    }
    autosave.changed();
    showStatusLine();
    return outcome === 'text';
  }

  function takeInfo(next: FileInfo): void {
    const isRenamed = next.BaseFileName !== info.BaseFileName;
    info = next;
    if (isRenamed) showName();
    if (mode === 'editing' && info.UserCanWrite !== true) end(words.noPermission);
  }

  function showName(): void {
    frame.setName(info.BaseFileName);
    pane?.setName(info.BaseFileName);
    showStatusLine();
  }

  function answered(): void {
    if (unanswered >= missedPolls) autosave.retrySoon();
    unanswered = 0;
    frame.setNotice('host', null);
  }

  function showAway(): void {
    if (unanswered < missedPolls) return;
    const isKept = mode === 'editing' && hasUnsaved();
    frame.setNotice('host', {
      text: words.hostAway,
      ...(isKept && { more: words.hostAwayMore }),
      tone: 'warn',
    });
  }

  function showGone(isGoneNow: boolean): void {
    if (isGoneNow === isGone) return;
    isGone = isGoneNow;
    const save = mode === 'editing' ? () => void saveNow() : undefined;
    frame.setNotice('gone', isGone ? goneNotice(save) : null);
  }

  function showRefusal(answer: Answer): void {
    heldLock = answer.lock ?? '';
    if (mode !== 'reading') setMode('reading');
    const canTryAgain = isHeldUnseen || answer.status !== 409;
    const retry = { label: words.tryAgain, press: () => void takeOver() };
    // of that moment: a notice that says the same stays as it is
    const editHere = { label: words.editHere, press: () => void takeOver(heldLock) };
    frame.setNotice(
      'lock',
      refusalNotice(answer, canTryAgain ? retry : lockIds.isOwn(heldLock) ? editHere : undefined),
    );
  }

  async function takeOver(from = ''): Promise<void> {
    const wasFree = heldLock === '';
    const answer = await alone(async () => lock(from));
    if (answer.status !== 200) {
      isHeldUnseen = (isHeldUnseen || wasFree) && answer.status === 409;
      showRefusal(answer);
      return;
    }
    if (await follow()) {
      setMode('editing');
      pane?.view.focus();
    } else await release();
  }

  // a lock that is gone

  function lose({ reason, lock: holder }: Answer): void {
    if (mode !== 'editing') return;
    heldLock = holder ?? '';
    lostReason = heldLock === '' ? '' : reason;
    lockIds.forget();
    setMode('lost');
    showLost();
  }

  const lostActions: LostActions = {
    lockAgain: () => void lockAgain(),
    saveCopy: () => void naming.askForCopy(),
    compare: () => void compare(),
    stopComparing: () => {
      stopComparing();
      showLost();
    },
    loadFile: () => void loadFile(),
  };

  function showLost(): void {
    const isCopied = copied !== undefined && pane !== undefined && isSameText(copied.text, pane.current());
    const state = {
      reason: lostReason,
      isFree: heldLock === '',
      hasUnsaved: hasUnsaved(),
      isChanged: diskVersion !== baseVersion,
      isComparing,
      copyName: isCopied ? copied?.name : undefined,
    };
    frame.setNotice('lock', lostNotice(state, lostActions));
    showStatus();
  }

  /** Goes on editing, where nobody else has the lock and the file is what this page knows. */
  async function lockAgain(): Promise<void> {
    const answer = await alone(async () => {
      const given = await lock();
      if (given.status !== 200) return given;
      const checked = await wopi.checkFileInfo();
      if (checked.body !== undefined) diskVersion = checked.body.Version;
      return checked;
    });
    if (modeNow() !== 'lost') return;
    if (answer.status !== 200) {
      if (answer.status === 409) lostReason = answer.reason;
      // The lock was given, and then the file couldn't be checked: nobody else should wait for it.
      if (heldLock === lockId) await giveBack();
      showLost();
      return;
    }
    const isUnchanged = diskVersion === baseVersion;
    if (isUnchanged || (!hasUnsaved() && (await follow()))) {
      setMode('editing');
      pane?.view.focus();
      return;
    }
    await giveBack();
    showLost();
  }

  async function giveBack(): Promise<void> {
    heldLock = '';
    await wopi.unlock(lockId);
  }

  /** The file as it is now, where this page keeps its own text. */
  async function readDisk(): Promise<FileText | undefined> {
    const found = await alone(async () => readDocument(wopi, base?.endings.usual));
    if (found.kind === 'failed' && isUnreachable(found.answer)) {
      unanswered = missedPolls;
      showAway();
    }
    if (found.kind !== 'text' || modeNow() !== 'lost') return undefined;
    takeBase(found.text, found.version);
    return found.text;
  }

  async function compare(): Promise<void> {
    const disk = await readDisk();
    if (disk === undefined) return;
    isComparing = true;
    frame.body.classList.add('is-comparing');
    await pane?.compareWith(disk.doc);
    showLost();
  }

  function stopComparing(): void {
    if (!isComparing) return;
    isComparing = false;
    frame.body.classList.remove('is-comparing');
    void pane?.compareWith(undefined);
  }

  /** In place of a text that is safe in a copy. */
  async function loadFile(): Promise<void> {
    const disk = await readDisk();
    if (disk === undefined || pane === undefined) return;
    if (hasUnsaved() && (copied === undefined || !isSameText(copied.text, pane.current()))) {
      // Something was typed while the file was read, and the copy lacks it.
      showLost();
      return;
    }
    stopComparing();
    await pane.follow(pane.current(), disk);
    if (heldLock === '') {
      setMode('reading');
      frame.setNotice(
        'lock',
        freeNotice(() => void takeOver()),
      );
    } else showRefusal({ status: 409, lock: heldLock, reason: lostReason, version: '' });
  }

  // access that is gone

  /** A call was refused with 401: the token has expired or was revoked, or the user may not write any more. */
  async function refused(): Promise<void> {
    const checked = await wopi.checkFileInfo();
    if (checked.body !== undefined) {
      takeInfo(checked.body);
      return;
    }
    if (checked.status !== 401) return;
    host.post('App_TokenExpired');
    if (mode === 'editing') {
      // for 24 hours the host takes what is typed under a lock
      const answer = await wopi.refreshLock(lockId);
      if (answer.status === 200) {
        isExpired = true;
        frame.setNotice('token', { text: words.expired, more: words.expiredMore, tone: 'warn' });
        return;
      }
      if (answer.status === 409) lose(answer);
      if (answer.status !== 401) return;
    }
    const hasExpired = tokenExpiresAtMs !== 0 && now() >= tokenExpiresAtMs;
    end(hasExpired ? words.expired : words.revoked);
  }

  function end(text: string): void {
    const isUnsaved = hasUnsaved();
    setMode('ended');
    for (const kind of ['lock', 'why', 'host', 'save']) frame.setNotice(kind, null);
    frame.setNotice('token', endedNotice(text, isUnsaved ? download : undefined));
    // without anything to lose, nothing new is taken that couldn't be saved
    if (!isUnsaved) {
      pane?.setReadOnly(true);
      frame.setStatus(words.readOnly);
    }
  }

  function download(): void {
    if (pane !== undefined) downloadBytes(writeText(pane.current()), info.BaseFileName);
  }

  function takeToken(token: string, expiresAtMs: number): void {
    wopi.setToken(token);
    tokenExpiresAtMs = expiresAtMs;
    isExpired = false;
    frame.setNotice('token', null);
    if (mode === 'ended') {
      setMode(lockId === '' ? 'reading' : 'lost');
      if (modeNow() === 'lost') void lockAgain();
    }
    pollNow();
  }

  // the host page, and leaving

  function hear(message: HostMessage): void {
    switch (message.kind) {
      case 'save':
        void saveNow().then(({ outcome, hadChanges }) => {
          if (message.wantsAnswer) host.post('Action_Save_Resp', saveAnswer(outcome, hadChanges));
        });
        break;
      case 'save-as':
        void naming.saveCopy(message.name).then((result) => {
          // the frame stays with the document it has
          const answer =
            'name' in result
              ? { success: true, fileName: result.name }
              : { success: false, errorMsg: result.problem };
          host.post('Action_Save_Resp', { ...answer, result: 'exportas' });
        });
        break;
      case 'close':
        void close();
        break;
      case 'token':
        takeToken(message.token, message.expiresAtMs);
        break;
      case 'focus':
        pane?.view.focus();
        break;
    }
  }

  /** The lock is given back when the page goes. */
  async function close(): Promise<void> {
    await saveNow();
    if (!hasUnsaved()) host.post('UI_Close');
  }

  addEventListener('beforeunload', (event) => {
    if (!hasUnsaved()) return;
    // often done before the question is answered
    if (mode === 'editing') void saveNow();
    event.preventDefault();
  });
  addEventListener('pagehide', () => {
    if (mode !== 'editing' || pane === undefined) return;
    const isLate = hasUnsaved() && !(writing !== undefined && isSameText(writing, pane.current()));
    const bytes = isLate ? writeText(pane.current()) : undefined;
    if (bytes !== undefined && bytes.length <= maxKeepaliveBytes) {
      const how = { lockId, isAutosave: true, isModifiedByUser: true, isExit: true, keepalive: true };
      void wopi.putFile(bytes, how);
    }
    lockIds.forget();
    // the relay passes it on once the save that may be on its way has been answered
    void wopi.unlock(lockId);
  });
  addEventListener('pageshow', ({ persisted }) => {
    // back from the browser's cache, where it had given its lock back
    if (!persisted || mode !== 'editing') return;
    setMode('lost');
    void lockAgain();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && hasUnsaved()) void saveNow();
    else pollNow();
  });
  addEventListener('online', pollNow);

  return { start, hear };
}

/** A save without anything to save is reported as Collabora does: not successful, and no failure. */
function saveAnswer(outcome: SaveOutcome, hadChanges: boolean): Record<string, unknown> {
  if (outcome !== 'saved') return { success: false, errorMsg: words.notSaved };
  return hadChanges ? { success: true } : { success: false, result: 'unmodified' };
}

/** @throws always: it is asked for only while a text is open */
function missing(): never {
  throw new Error('No text is open.');
}
