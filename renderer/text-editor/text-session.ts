// One text document from opening to leaving, as a WOPI client: CheckFileInfo, LOCK, GetFile; saves under the lock; what happens on
// disk and to the lock is asked every 1.4 s while somebody looks. Saves and reads never overlap, so that what this page takes for
// the file's content (`base`) is what the host knows it has read or written.

import { createAutosave, type SaveOutcome } from './autosave.ts';
import { askName, downloadBytes, type Choice, type Frame, type MenuItem } from './frame.ts';
import type { HostMessage, HostMessages } from './host-messages.ts';
import { extensionOf, languageName, stemOf } from './languages.ts';
import { endingName, endingsOf, isSameText, readDamagedText, readText, writeText } from './line-endings.ts';
import type { FileText } from './line-endings.ts';
import { createLockIds } from './lock-id.ts';
import { createTextPane, type TextPane } from './text-pane.ts';
import { words } from './words.ts';
import { isUnreachable, type Answer, type FileInfo, type WopiClient } from './wopi-client.ts';

/** Larger texts aren't opened. 1000-based, as sizes are shown. */
export const maxTextBytes = 10_000_000;
const pollMs = 1400;
const hiddenPollMs = 20_000;
/** A lock lives 30 minutes. */
const refreshLockMs = 10 * 60_000;
/** A page that was just left may still be giving its lock back. */
const openingMs = 4000;
/** From a change until the host page hears of it: a letter that is deleted again at once is no change. */
const tellModifiedMs = 600;
/** The host page asks the host for its saves when it hears of a change: the save that clears it begins after that. */
const markMs = 300;
/** Browsers send at most 64 KiB for a page that is gone. */
const maxKeepaliveBytes = 60_000;

/**
 * `editing`: this page holds the lock. `reading`: the text follows the file. `lost`: the lock is gone, the text is kept. `ended`: the
 * token opens nothing any more.
 */
type Mode = 'editing' | 'reading' | 'lost' | 'ended';

export interface TextSession {
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
  /** Buttons before those of every text. */
  toolsFor: (pane: TextPane) => Parameters<Frame['setTools']>[0];
  /** The text or what is visible of it changed. */
  onUpdate: (pane: TextPane) => void;
}

export function createTextSession(deps: TextSessionDeps): TextSession {
  const { wopi, frame, host, now } = deps;
  let { info } = deps;
  const lockIds = createLockIds(`${info.UserId}:${deps.fileId}`);
  const startedAtMs = now();

  let pane: TextPane | undefined;
  let mode: Mode = 'reading';
  /** What the file holds as far as this page knows, and the version it had then. */
  let base: FileText | undefined;
  let baseVersion = '';
  let lockId = '';
  let refreshedAtMs = 0;
  /** As of the last poll: the lock that is held, '' for none. */
  let heldLock = '';
  let diskVersion = '';
  /** The lock that refused this page isn't shown by GET_LOCK: a desktop program has the file open. */
  let isHeldUnseen = false;
  let lostReason = '';
  let isComparing = false;
  /** The text that is safe in a copy, and the copy's name. */
  let copied: { text: FileText; name: string } | undefined;
  let changedBehind = false;
  let isAway = false;
  /** Deleted, or moved to where the host doesn't find it. */
  let isGone = false;
  let isExpired = false;
  let isModifiedTold = false;
  let toldAtMs = 0;
  let tellTimer: ReturnType<typeof setTimeout> | undefined;
  let pollTimer: ReturnType<typeof setTimeout> | undefined;
  /** Counts beginnings and ends of saves and reads: an answer that was asked for before one of them says nothing. */
  let turns = 0;
  let isWriting = false;
  let queue: Promise<unknown> = Promise.resolve();

  const autosave = createAutosave({
    // a host page that heard of a change waits for a save, also when the change was taken back
    hasUnsaved: () => hasUnsaved() || isModifiedTold,
    write: async ({ isAutosave }) => alone(async () => write(isAutosave)),
    onState: showStatus,
    now,
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
    return (
      mode !== 'reading' && pane !== undefined && base !== undefined && !isSameText(pane.current(), base)
    );
  }

  // opening

  async function start(): Promise<void> {
    frame.setStatus(words.opening);
    const wantsEdit = deps.action === 'edit' && info.UserCanWrite === true;
    if (info.Size > maxTextBytes) {
      showTooLarge(info.Size);
      return;
    }
    let refusal: Answer | undefined;
    if (wantsEdit) {
      const answer = await lock();
      if (answer.status !== 200) refusal = answer;
    }
    if (!(await load()) || pane === undefined) return;
    if (lockId !== '') setMode('editing');
    else if (refusal !== undefined) showRefusal(refusal);
    else {
      const text = deps.action === 'view' ? words.viewMode : words.noPermission;
      frame.setNotice('why', { text, tone: 'info', hasDismiss: true });
    }
    showStatus();
    schedulePoll();
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
    if (document.hasFocus()) pane.view.focus();
  }

  async function lock(): Promise<Answer> {
    const id = await lockIds.claim();
    const answer = await wopi.lock(id);
    if (answer.status === 200) {
      lockId = id;
      heldLock = id;
      refreshedAtMs = now();
      lockIds.remember(id);
    }
    return answer;
  }

  /** Gives the lock back that a document which can't be edited has no use for. */
  async function release(): Promise<void> {
    if (lockId === '') return;
    const id = lockId;
    lockId = '';
    lockIds.forget();
    await wopi.unlock(id);
  }

  /** Reads the file into a new editor. False: there is nothing to show, and the user was told why. */
  async function load(): Promise<boolean> {
    const got = await alone(async () => wopi.getFile(maxTextBytes));
    if (got.status === 412) {
      await release();
      showTooLarge(info.Size);
      return false;
    }
    if (got.body === undefined) {
      await release();
      frame.showMessage({
        text: isUnreachable(got) ? words.hostAway : words.failed(got.status),
        tone: 'bad',
        buttons: [{ label: words.tryAgain, isMain: true, press: () => void start() }],
      });
      host.post('App_LoadingStatus', { Status: 'Failed' });
      return false;
    }
    baseVersion = got.version;
    diskVersion = got.version;
    const text = readText(got.body);
    if (text !== undefined) {
      openPane(text);
      return true;
    }
    await release();
    const { doc, encoding } = readDamagedText(got.body);
    const shown = readText(new TextEncoder().encode(doc.toString()));
    if (shown === undefined) return false;
    openPane(shown);
    // it isn't followed: what is shown isn't what the file holds
    base = undefined;
    frame.setNotice('why', {
      text: encoding === 'UTF-16' ? words.isUtf16 : words.notUtf8,
      ...(encoding === 'unknown' && { more: words.notUtf8More }),
      tone: 'warn',
    });
    frame.setStatus(words.readOnly);
    showStatusLine();
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
    return false;
  }

  function openPane(content: FileText): void {
    base = content;
    frame.body.replaceChildren();
    pane = createTextPane({
      parent: frame.body,
      name: info.BaseFileName,
      content,
      isReadOnly: true,
      styleNonce: deps.styleNonce,
      onChange: changed,
      onUpdate: () => {
        showStatusLine();
        if (pane !== undefined) deps.onUpdate(pane);
      },
      onSave: () => void saveNow(),
    });
    const open = pane;
    frame.setTools([
      ...deps.toolsFor(open),
      {
        label: words.find,
        press: () => {
          open.find();
        },
      },
      {
        label: words.wrap,
        isOn: () => open.isWrapping(),
        press: () => {
          open.setWrapping(!open.isWrapping());
          frame.updateTools();
        },
      },
    ]);
    frame.setMenu(menuItems);
    showStatusLine();
    deps.onUpdate(open);
  }

  function showTooLarge(size: number): void {
    frame.showMessage({ text: words.tooLarge(size, maxTextBytes), more: words.tooLargeMore, tone: 'info' });
    frame.setStatus(words.readOnly);
    host.post('App_LoadingStatus', { Status: 'Document_Loaded', DocumentLoadedTime: now() });
  }

  function setMode(next: Mode): void {
    mode = next;
    pane?.setReadOnly(mode === 'reading');
    if (mode === 'editing') {
      for (const kind of ['why', 'lock', 'token']) frame.setNotice(kind, null);
      copied = undefined;
      stopComparing();
      autosave.resume();
    } else autosave.pause();
    showStatus();
  }

  // what is shown

  function showStatus(): void {
    if (mode === 'reading') frame.setStatus(words.readOnly);
    else if (mode === 'editing') {
      const state = autosave.state();
      const tone = { saved: 'good', saving: undefined, unsaved: 'warn', failed: 'bad' } as const;
      frame.setStatus(words.status[state], tone[state]);
    } else frame.setStatus(words.notSaved, 'bad');
  }

  function showStatusLine(): void {
    if (pane === undefined) return;
    const { state } = pane.view;
    const { main } = state.selection;
    const line = state.doc.lineAt(main.head);
    const open = pane;
    frame.setStatusLine([
      {
        label: words.position(line.number, main.head - line.from + 1),
        press: () => {
          open.goToLine();
        },
      },
      main.empty ? '' : words.selected(main.to - main.from),
      words.endings[endingName(state.doc, endingsOf(state))],
      base === undefined ? '' : words.encoding(pane.current().hasBom),
      languageName(info.BaseFileName),
    ]);
  }

  /** Why this page can't have the lock. The host's reason names who has it, in its first sentence. */
  function showRefusal({ status, reason, lock: holder }: Answer): void {
    heldLock = holder ?? '';
    setMode('reading');
    const [who, ...more] = (reason || words.held).split(/(?<=\.) /);
    const isHeld = status === 409;
    const tryAgain = { label: words.tryAgain, press: () => void takeOver() };
    frame.setNotice('lock', {
      text: isHeld ? (who ?? '') : words.lockFailed,
      ...(isHeld && { more: [words.followsMore, ...more].join(' ') }),
      tone: isHeld ? 'info' : 'warn',
      ...((isHeldUnseen || !isHeld) && { buttons: [tryAgain] }),
    });
  }

  function showFree(): void {
    frame.setNotice('lock', {
      text: words.free,
      tone: 'info',
      buttons: [{ label: words.editNow, isMain: true, press: () => void takeOver() }],
    });
  }

  function showLost(): void {
    const isClean = !hasUnsaved();
    const isFree = heldLock === '';
    const isChanged = diskVersion !== baseVersion;
    const isCopied = copied !== undefined && pane !== undefined && isSameText(copied.text, pane.current());
    const more = [
      isClean
        ? words.lostMore.clean
        : isCopied
          ? words.lostMore.inCopy(copied?.name ?? '')
          : words.lostMore.unsaved,
      ...(!isClean && isFree && isChanged ? [words.lostMore.changed] : []),
      ...(isComparing ? [words.comparing] : []),
    ];
    const buttons: Choice[] = [];
    if (isFree && (isClean || !isChanged))
      buttons.push({ label: words.lockAgain, isMain: true, press: () => void lockAgain() });
    if (!isClean) {
      buttons.push({ label: words.saveCopy, press: () => void askForCopy() });
      if (isComparing && !isChanged) buttons.push({ label: words.hideChanges, press: stopComparing });
      else buttons.push({ label: words.showChanges, press: () => void compare() });
      if (isCopied) buttons.push({ label: words.loadFile, press: () => void loadFile() });
    }
    const text = lostReason === '' ? words.lockLost[isFree ? 'cleared' : 'taken'] : lostReason;
    frame.setNotice('lock', { text, more: more.join(' '), tone: 'bad', buttons });
    showStatus();
  }

  function menuItems(): MenuItem[] {
    const isMac = /mac/i.test(navigator.platform);
    const keys = (letter: string): string => (isMac ? `⌘${letter}` : `Ctrl+${letter}`);

    const items: (MenuItem | false)[] = [
      mode === 'editing' && { label: words.save, keys: keys('S'), press: () => void saveNow() },
      info.UserCanNotWriteRelative !== true &&
        base !== undefined && { label: words.saveCopy, press: () => void askForCopy() },
      info.UserCanRename === true &&
        mode !== 'ended' && { label: words.rename, press: () => void askForName() },
      {
        label: words.goToLine,
        press: () => {
          pane?.goToLine();
        },
      },
      host.isEmbedded &&
        deps.action === 'view' &&
        info.EditModePostMessage === true && { label: words.edit, press: () => host.post('UI_Edit') },
      host.isEmbedded &&
        info.FileSharingPostMessage === true && { label: words.share, press: () => host.post('UI_Sharing') },
      host.isEmbedded &&
        info.FileVersionPostMessage === true && {
          label: words.versions,
          press: () => host.post('UI_FileVersions'),
        },
      host.isEmbedded && info.ClosePostMessage === true && { label: words.close, press: () => void close() },
    ];
    return items.filter((item) => item !== false);
  }

  // changes and saves

  function changed({ isOwn }: { isOwn: boolean }): void {
    autosave.changed();
    if (mode === 'lost') showLost();
    if (mode === 'ended') showStatus();
    if (!isOwn || isModifiedTold || tellTimer !== undefined) return;
    tellTimer = setTimeout(() => {
      tellTimer = undefined;
      if (hasUnsaved()) tellModified(true);
    }, tellModifiedMs);
  }

  function tellModified(isModified: boolean): void {
    clearTimeout(tellTimer);
    tellTimer = undefined;
    if (!host.isEmbedded) return;
    isModifiedTold = isModified;
    toldAtMs = now();
    host.post('Doc_ModifiedStatus', { Modified: isModified });
  }

  async function saveNow(): Promise<{ outcome: SaveOutcome; hadChanges: boolean }> {
    const hadChanges = hasUnsaved();
    if (mode === 'reading') return { outcome: 'stopped', hadChanges };
    return { outcome: await autosave.saveNow(), hadChanges };
  }

  async function write(isAutosave: boolean): Promise<SaveOutcome> {
    if (mode !== 'editing' || pane === undefined || base === undefined) return 'stopped';
    const isUnchanged = isSameText(pane.current(), base);
    if (isUnchanged && !isModifiedTold && !isGone) return 'saved';
    if (host.isEmbedded) {
      if (!isModifiedTold) tellModified(true);
      await pause(markMs - (now() - toldAtMs));
    }
    const content = pane.current();
    const bytes = writeText(content);
    isWriting = true;
    const answer = await wopi.putFile(bytes, {
      lockId,
      isAutosave,
      isModifiedByUser: !isUnchanged || isGone,
      isExit: false,
      // goes on when the page is left in the middle of it
      keepalive: bytes.length <= maxKeepaliveBytes,
    });
    isWriting = false;
    if (answer.status !== 200) return writeFailed(answer);
    setAway(false);
    frame.setNotice('save', null);
    refreshedAtMs = now();
    if (isUnchanged && !isGone) {
      // the host may have kept what is on disk instead
      void follow();
    } else {
      base = content;
      baseVersion = answer.version;
      diskVersion = answer.version;
    }
    if (changedBehind) {
      changedBehind = false;
      frame.setNotice('conflict', {
        text: words.changedOnDisk,
        more: words.changedOnDiskMore,
        tone: 'warn',
        hasDismiss: true,
      });
    }
    if (isModifiedTold) tellModified(hasUnsaved());
    return 'saved';
  }

  async function writeFailed(answer: Answer): Promise<SaveOutcome> {
    if (isUnreachable(answer)) {
      setAway(true);
      return 'failed';
    }
    setAway(false);
    if (answer.status === 409) {
      lose(answer);
      return 'stopped';
    }
    if (answer.status === 401) {
      await refused();
      return modeNow() === 'editing' ? 'failed' : 'stopped';
    }
    const isTooLarge = answer.status === 413;
    frame.setNotice('save', {
      text: isTooLarge ? words.tooLargeToSave : words.saveFailed(answer.reason),
      more: isTooLarge ? words.tooLargeToSaveMore : words.saveFailedMore,
      tone: 'bad',
    });
    return 'failed';
  }

  /** Read again after a call: the compiler believes it unchanged. */
  function modeNow(): Mode {
    return mode;
  }

  // what happens elsewhere

  function schedulePoll(): void {
    clearTimeout(pollTimer);
    if (mode === 'ended') return;
    pollTimer = setTimeout(() => void poll().finally(schedulePoll), document.hidden ? hiddenPollMs : pollMs);
  }

  function pollNow(): void {
    if (pollTimer === undefined) return;
    clearTimeout(pollTimer);
    void poll().finally(schedulePoll);
  }

  async function poll(): Promise<void> {
    const before = turns;
    const isOverdue = mode === 'editing' && now() - refreshedAtMs >= refreshLockMs;
    const hasLocks = mode !== 'reading' || wantsEdit();
    const [checked, locked] = await Promise.all([
      wopi.checkFileInfo(),
      isOverdue || isExpired ? wopi.refreshLock(lockId) : hasLocks ? wopi.getLock() : undefined,
    ]);
    setAway(isUnreachable(checked));
    if (isAway) return;
    if (isOverdue && locked?.status === 200) refreshedAtMs = now();
    if (checked.status === 401 && !(isExpired && locked?.status === 200)) {
      await refused();
      return;
    }
    showGone(checked.status === 404);
    if (checked.body !== undefined) takeInfo(checked.body);
    // a save or a read has begun or ended since
    if (turns !== before) return;
    if (checked.body !== undefined) diskVersion = checked.body.Version;
    if (isOverdue || isExpired) {
      if (locked?.status === 409) lose(locked);
    } else if (locked?.status === 200) await sawLock(locked.lock ?? '');
    if (checked.body !== undefined) await sawVersion();
  }

  async function sawLock(held: string): Promise<void> {
    const isOther = held !== heldLock;
    if (mode === 'editing') {
      if (held === lockId) return;
      // It may have expired while the computer slept: then refreshing takes it up again. Else the answer names who has it.
      const answer = await wopi.refreshLock(lockId);
      if (answer.status === 200) refreshedAtMs = now();
      else if (answer.status === 409) lose(answer);
      return;
    }
    if (mode === 'lost') {
      heldLock = held;
      if (isOther && held !== '') lostReason = (await wopi.refreshLock(lockId)).reason;
      if (isOther && held === '') lostReason = '';
      showLost();
      return;
    }
    if (mode !== 'reading' || !wantsEdit()) return;
    if (held !== '') {
      isHeldUnseen = false;
      // REFRESH_LOCK with an id that holds nothing changes nothing, and its answer names who has the document
      if (isOther) {
        const answer = await wopi.refreshLock(await lockIds.claim());
        if (answer.status === 409 && answer.lock !== '') showRefusal(answer);
      }
    } else if (!isHeldUnseen) {
      heldLock = '';
      if (now() - startedAtMs < openingMs) await takeOver();
      else showFree();
    }
  }

  function wantsEdit(): boolean {
    return deps.action === 'edit' && info.UserCanWrite === true && base !== undefined;
  }

  async function sawVersion(): Promise<void> {
    if (diskVersion === baseVersion) return;
    if (!hasUnsaved()) await follow();
    // the host keeps both when this page saves
    else if (mode === 'editing') changedBehind = true;
    if (mode === 'lost') showLost();
  }

  /** The text becomes what is on disk now. What is typed while it is read stays. */
  async function follow(): Promise<void> {
    const isReadable = await alone(async () => {
      if (pane === undefined || base === undefined || hasUnsaved()) return true;
      const got = await wopi.getFile(maxTextBytes);
      if (got.body === undefined) return got.status !== 412;
      const next = readText(got.body, base.endings.usual);
      if (next === undefined) return false;
      await pane.follow(base, next);
      base = next;
      baseVersion = got.version;
      diskVersion = got.version;
      changedBehind = false;
      return true;
    });
    if (!isReadable) {
      clearTimeout(pollTimer);
      setMode('reading');
      pane?.view.destroy();
      pane = undefined;
      await load();
      return;
    }
    autosave.changed();
    showStatusLine();
  }

  function takeInfo(next: FileInfo): void {
    const isRenamed = next.BaseFileName !== info.BaseFileName;
    info = next;
    if (isRenamed) showName();
  }

  function showName(): void {
    frame.setName(info.BaseFileName);
    pane?.setName(info.BaseFileName);
    showStatusLine();
  }

  function setAway(next: boolean): void {
    if (next) {
      const isKept = mode !== 'reading' && hasUnsaved();
      frame.setNotice('host', {
        text: words.hostAway,
        ...(isKept && { more: words.hostAwayMore }),
        tone: 'warn',
      });
    } else if (isAway) {
      frame.setNotice('host', null);
      autosave.retrySoon();
    }
    isAway = next;
  }

  function showGone(isGoneNow: boolean): void {
    if (isGoneNow === isGone) return;
    isGone = isGoneNow;
    const notice =
      mode === 'editing'
        ? {
            text: words.gone,
            more: words.goneMore,
            tone: 'warn' as const,
            buttons: [{ label: words.save, isMain: true, press: () => void saveNow() }],
          }
        : { text: words.goneReading, tone: 'warn' as const };
    frame.setNotice('gone', isGoneNow ? notice : null);
  }

  // a lock that is gone

  function lose({ reason, lock: holder }: Answer): void {
    if (mode === 'lost') return;
    heldLock = holder ?? '';
    lostReason = heldLock === '' ? '' : reason;
    lockIds.forget();
    setMode('lost');
    showLost();
  }

  /** The token was refused: expired, but still good for saves under its lock, or good for nothing. */
  async function refused(): Promise<void> {
    const hasExpired = deps.tokenExpiresAtMs !== 0 && now() >= deps.tokenExpiresAtMs;
    host.post('App_TokenExpired');
    if (lockId !== '' && mode === 'editing') {
      const answer = await wopi.refreshLock(lockId);
      if (answer.status === 200) {
        isExpired = true;
        frame.setNotice('token', { text: words.expired, more: words.expiredMore, tone: 'warn' });
        return;
      }
      if (answer.status === 409) {
        lose(answer);
        return;
      }
      if (isUnreachable(answer)) return;
    }
    const isUnsaved = hasUnsaved();
    mode = 'ended';
    autosave.pause();
    if (!isUnsaved) pane?.setReadOnly(true);
    for (const kind of ['lock', 'why', 'host']) frame.setNotice(kind, null);
    frame.setNotice('token', {
      text: hasExpired ? words.expired : words.revoked,
      more: isUnsaved ? words.revokedMore : words.openAgain,
      tone: 'bad',
      ...(isUnsaved && {
        buttons: [{ label: words.download, isMain: true, press: download }],
      }),
    });
    if (isUnsaved) showStatus();
    else frame.setStatus(words.readOnly);
  }

  function download(): void {
    if (pane !== undefined) downloadBytes(writeText(pane.current()), info.BaseFileName);
  }

  async function takeOver(): Promise<void> {
    const wasFree = heldLock === '';
    const answer = await alone(lock);
    if (answer.status !== 200) {
      isHeldUnseen = wasFree && answer.status === 409;
      showRefusal(answer);
      return;
    }
    await follow();
    setMode('editing');
    pane?.view.focus();
  }

  async function lockAgain(): Promise<void> {
    const isUnchanged = await alone(async () => {
      const answer = await lock();
      if (answer.status !== 200) {
        lostReason = answer.reason;
        return false;
      }
      const checked = await wopi.checkFileInfo();
      diskVersion = checked.body?.Version ?? '';
      return diskVersion === baseVersion;
    });
    if (mode !== 'lost') return;
    if (isUnchanged || (lockId !== '' && heldLock === '' && !hasUnsaved())) {
      if (!isUnchanged) await follow();
      setMode('editing');
      pane?.view.focus();
      return;
    }
    await release();
    showLost();
  }

  async function compare(): Promise<void> {
    const got = await alone(async () => wopi.getFile(maxTextBytes));
    const onDisk = got.body === undefined ? undefined : readText(got.body, base?.endings.usual);
    if (onDisk === undefined || pane === undefined || mode !== 'lost') {
      setAway(isUnreachable(got));
      return;
    }
    base = onDisk;
    baseVersion = got.version;
    diskVersion = got.version;
    isComparing = true;
    await pane.compareWith(onDisk.doc);
    showLost();
  }

  function stopComparing(): void {
    if (!isComparing) return;
    isComparing = false;
    void pane?.compareWith(undefined);
    if (mode === 'lost') showLost();
  }

  /** In place of a text that is safe in a copy. */
  async function loadFile(): Promise<void> {
    stopComparing();
    const got = await alone(async () => wopi.getFile(maxTextBytes));
    const next = got.body === undefined ? undefined : readText(got.body, base?.endings.usual);
    if (next === undefined || pane === undefined) return;
    await pane.follow(pane.current(), next);
    base = next;
    baseVersion = got.version;
    diskVersion = got.version;
    setMode('reading');
    if (heldLock === '') showFree();
    else showRefusal({ status: 409, lock: heldLock, reason: lostReason, version: '' });
  }

  // copies and names

  async function askForCopy(): Promise<void> {
    const extension = extensionOf(info.BaseFileName);
    const stem = words.copyOf(stemOf(info.BaseFileName));
    const name = await askName({
      title: words.saveCopyTitle,
      label: words.copyLabel,
      more: words.copyMore,
      value: extension === '' ? stem : `${stem}.${extension}`,
      selected: stem.length,
      button: words.saveCopyTitle,
    });
    pane?.view.focus();
    if (name === undefined) return;
    await saveCopy(extension === '' || name.includes('.') ? name : `${name}.${extension}`);
  }

  async function saveCopy(name: string): Promise<{ name: string } | { problem: string }> {
    if (pane === undefined) return { problem: '' };
    const text = pane.current();
    const answer = await wopi.putRelativeFile(writeText(text), name);
    if (answer.body === undefined) {
      const problem = words.copyFailed(isUnreachable(answer) ? words.hostAway : answer.reason);
      frame.setNotice('copy', { text: problem, tone: 'bad', hasDismiss: true });
      return { problem };
    }
    const { Name, HostEditUrl } = answer.body;
    copied = { text, name: Name };
    const url = safeUrl(HostEditUrl);
    frame.setNotice('copy', {
      text: words.copied(Name),
      tone: 'info',
      hasDismiss: true,
      ...(url !== undefined && { link: { name: words.openCopy, url } }),
    });
    if (mode === 'lost') showLost();
    return { name: Name };
  }

  async function askForName(): Promise<void> {
    const extension = extensionOf(info.BaseFileName);
    const stem = stemOf(info.BaseFileName);
    const name = await askName({
      title: words.renameTitle,
      label: words.renameLabel,
      more: words.renameMore(extension),
      value: stem,
      selected: stem.length,
      button: words.renameTitle,
    });
    pane?.view.focus();
    if (name === undefined || name === stem) return;
    const answer = await wopi.renameFile(name, mode === 'editing' ? lockId : '');
    if (answer.body === undefined) {
      const problem = words.renameFailed(isUnreachable(answer) ? words.hostAway : answer.reason);
      frame.setNotice('copy', { text: problem, tone: 'bad', hasDismiss: true });
      return;
    }
    info = { ...info, BaseFileName: `${answer.body.Name}${extension === '' ? '' : `.${extension}`}` };
    showName();
    host.post('File_Rename', { NewName: answer.body.Name });
  }

  // the host page, and leaving

  function hear(message: HostMessage): void {
    switch (message.kind) {
      case 'save':
        void saveNow().then(({ outcome, hadChanges }) => {
          if (!message.wantsAnswer) return;
          host.post('Action_Save_Resp', {
            success: outcome === 'saved' && hadChanges,
            ...(outcome === 'saved' && !hadChanges && { result: 'unmodified' }),
            ...(outcome !== 'saved' && { errorMsg: words.notSaved }),
          });
        });
        break;
      case 'save-as':
        void saveCopy(message.name).then((result) => {
          const isDone = 'name' in result;
          host.post('Action_Save_Resp', {
            success: isDone,
            result: 'exportas',
            ...(isDone ? { fileName: result.name } : { errorMsg: result.problem }),
          });
        });
        break;
      case 'close':
        void close();
        break;
      case 'token':
        wopi.setToken(message.token);
        isExpired = false;
        frame.setNotice('token', null);
        if (mode === 'ended') {
          setMode(lockId === '' ? 'reading' : 'lost');
          schedulePoll();
          if (modeNow() === 'lost') void lockAgain();
        } else pollNow();
        break;
      case 'focus':
        pane?.view.focus();
        break;
    }
  }

  /** The lock is given back when the page goes. */
  async function close(): Promise<void> {
    const { outcome } = await saveNow();
    if (outcome !== 'failed') host.post('UI_Close');
  }

  addEventListener('beforeunload', (event) => {
    if (!hasUnsaved()) return;
    // it is often done before the question is answered
    if (mode === 'editing') void saveNow();
    event.preventDefault();
  });
  addEventListener('pagehide', () => {
    if (mode !== 'editing' || pane === undefined || isWriting) return;
    if (hasUnsaved()) {
      const bytes = writeText(pane.current());
      // The lock stays: given back now, it could be gone before the save arrives.
      if (bytes.length <= maxKeepaliveBytes)
        void wopi.putFile(bytes, {
          lockId,
          isAutosave: true,
          isModifiedByUser: true,
          isExit: true,
          keepalive: true,
        });
    } else {
      lockIds.forget();
      void wopi.unlock(lockId);
    }
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && mode === 'editing') void lockAgainAfterReturn();
  });
  async function lockAgainAfterReturn(): Promise<void> {
    const answer = await alone(lock);
    if (answer.status === 409) lose(answer);
    pollNow();
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && hasUnsaved()) void saveNow();
    else pollNow();
  });
  addEventListener('online', pollNow);

  return { start, hear };
}

async function pause(ms: number): Promise<void> {
  if (ms <= 0) return;
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** A page of the host: nothing else becomes a link. */
function safeUrl(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}
