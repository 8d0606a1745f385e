// The lock, and what follows from having it, not having it, or losing it: whether the text can be changed, the notices about it, handing
// the document over, and comparing both texts before a lock that was lost is used again. page-lock.ts makes the calls.

import { t } from '../../app/contract/messages.ts';
import type { DocumentContent, Mode } from './document-content.ts';
import type { FileText } from './line-endings.ts';
import { lostNotice, lostText, refusalNotice, type LostAction } from './notices.ts';
import type { PageLock } from './page-lock.ts';
import type { Page } from './page-store.ts';
import { isUnreachable, type Answer, type FileInfo, type WopiClient } from './wopi-client.ts';

/** For this long after opening, a free lock is taken automatically: a page that was just closed may still be releasing it. */
const openingMs = 4000;

/** What a session's parts share. */
export interface SessionParts {
  wopi: WopiClient;
  page: Page;
  content: DocumentContent;
  lock: PageLock;
  now: () => number;
  info: () => FileInfo;
  /** Also when the host allows it, a document may be open only for viewing. */
  canEdit: () => boolean;
  /** The status or what the bar offers may have changed. */
  onStatus: () => void;
  /** Shows what is on disk now. False if it couldn't be read. */
  follow: () => Promise<boolean>;
  download: () => void;
}

interface EditingDeps extends SessionParts {
  action: 'edit' | 'view';
  onMode: (mode: Mode) => void;
  save: () => Promise<unknown>;
  /** The file has another version than this page knows: finds out whose it is. */
  identifyChange: () => Promise<void>;
  /** A call was refused with 401. */
  onUnauthorized: () => Promise<void>;
  onUnreachable: () => void;
  saveCopy: () => void;
}

export type Editing = ReturnType<typeof createEditing>;

export function createEditing(deps: EditingDeps) {
  const { wopi, page, content, lock, now, canEdit } = deps;
  let mode = 'reading' as Mode;
  let opensUntilMs = now() + openingMs;
  /** LOCK is refused although GET_LOCK shows no lock: a desktop program has the file open. */
  let isLockHidden = false;
  /** The host's sentence about the user who took the lock from this page. */
  let lostReason = '';
  /** Another page of this user was asked to save and to give the lock back. */
  let isTakingOver = false;
  /** Another page of this user waits for the lock of this one. */
  let isHandingOver = false;
  let isComparing = false;

  /** `mode` after an await: TypeScript assumes it hasn't changed. */
  const currentMode = (): Mode => mode;

  function setMode(next: Mode): void {
    mode = next;
    content.pane()?.setReadOnly(mode === 'reading');
    if (mode === 'editing') {
      for (const kind of ['why', 'lock', 'token']) page.setNotice(kind, null);
      lostReason = '';
      stopComparing();
    }
    deps.onMode(mode);
  }

  function startEditing(): void {
    setMode('editing');
    content.pane()?.view.focus();
  }

  // without the lock

  /** @param from the lock of another tab of this user, which then loses it */
  async function takeLock(from = ''): Promise<Answer> {
    isTakingOver = from !== '';
    if (isTakingOver)
      page.setNotice('lock', { text: t('editor.waiting-for-the-other-window'), tone: 'info' });
    const answer = await lock.take(from);
    isTakingOver = false;
    if (answer.status === 200) lostReason = '';
    return answer;
  }

  /** Starts editing, also after another window. */
  async function takeOver(from = ''): Promise<void> {
    const wasFree = lock.held() === '';
    const answer = await content.runExclusive(async () => takeLock(from));
    if (answer.status !== 200) {
      isLockHidden = (isLockHidden || wasFree) && answer.status === 409;
      showRefusal(answer);
    } else if (await deps.follow()) startEditing();
    else await lock.release();
  }

  function showRefusal(answer: Pick<Answer, 'status' | 'reason' | 'lock'>): void {
    lock.see(answer.lock ?? '');
    if (mode !== 'reading') setMode('reading');
    const canTryAgain = isLockHidden || answer.status !== 409;
    const notice = refusalNotice(answer, {
      tryAgain: canTryAgain ? () => void takeOver() : undefined,
      editHere: !canTryAgain && lock.isHeldByUser() ? () => void takeOver(lock.held()) : undefined,
    });
    page.setNotice('lock', notice);
  }

  function showFree(): void {
    const buttons = [{ label: t('editor.edit-now'), isMain: true, press: () => void takeOver() }];
    page.setNotice('lock', { text: t('editor.the-document-is-free-to'), tone: 'info', buttons });
  }

  /** A page that isn't editing says why. */
  function showPermission(): void {
    const text =
      deps.action === 'view'
        ? t('editor.this-document-is-open-for')
        : t('editor.you-dont-have-permission-to');
    page.setNotice('why', canEdit() ? null : { text, tone: 'info', hasDismiss: true });
  }

  // handing over

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
      showLost();
    }
    if (mode !== 'editing') return;
    content.pane()?.setReadOnly(true);
    await deps.save();
    if (currentMode() !== 'editing') return;
    if (content.hasUnsaved()) {
      content.pane()?.setReadOnly(false);
      return;
    }
    opensUntilMs = 0;
    setMode('reading');
    // The next poll offers the way back.
    const more = t('editor.saved-changes-appear-here');
    page.setNotice('lock', { text: t('editor.youre-editing-this-document-in'), more, tone: 'info' });
    await lock.release();
  }

  // a lost lock

  function lose({ reason, lock: holder }: Answer): void {
    if (mode !== 'editing') return;
    lock.lose(holder ?? '');
    lostReason = lock.held() === '' ? '' : reason;
    if (lock.isHeldByUser() && !content.hasUnsaved()) {
      showRefusal({ status: 409, reason, lock: holder });
      return;
    }
    setMode('lost');
    showLost();
  }

  const lostActions: Record<LostAction, () => void> = {
    lockAgain: () => void lockAgain(),
    editHere: () => void lockAgain(lock.held()),
    saveCopy: deps.saveCopy,
    download: deps.download,
    compare: () => void compare(),
    stopComparing: () => {
      stopComparing();
      showLost();
    },
  };

  const lostState = () => ({ reason: lostReason, canEdit: canEdit(), holder: lock.holder() });

  /** The notice about a lock that was lost, as things are now; nothing in other modes. */
  function showLost(): void {
    if (mode !== 'lost' || isTakingOver) return;
    const state = {
      ...lostState(),
      canSaveCopy: deps.info().UserCanNotWriteRelative !== true,
      hasUnsaved: content.hasUnsaved(),
      isChanged: content.isChanged(),
      isComparing,
    };
    page.setNotice('lock', lostNotice(state, lostActions));
    deps.onStatus();
  }

  /** Takes the lock and continues editing. If the file has changed, the page holds the lock while the user compares both texts. */
  async function lockAgain(from = ''): Promise<void> {
    let hasPermission = canEdit();
    const answer = await content.runExclusive(async () => {
      const given = await takeLock(from);
      if (given.status !== 200) return given;
      const checked = await wopi.checkFileInfo();
      if (checked.body !== undefined) {
        content.see(checked.body.Version);
        hasPermission = checked.body.UserCanWrite === true;
      }
      return checked;
    });
    if (currentMode() !== 'lost') return;
    if (content.isChanged() && content.hasUnsaved()) await deps.identifyChange();
    if (currentMode() !== 'lost') return;
    if (answer.status !== 200) {
      if (answer.status === 409) lostReason = answer.reason;
      // The lock was granted, but the file couldn't be checked: other users shouldn't wait for it.
      if (lock.isHeldHere()) await lock.giveBack();
      showLost();
      return;
    }
    // Without the permission to edit, LOCK is answered with 200 and nothing is locked.
    if (hasPermission && (!content.isChanged() || (!content.hasUnsaved() && (await deps.follow())))) {
      startEditing();
      return;
    }
    // The file isn't text any more, and the lock was released.
    if (currentMode() !== 'lost') return;
    if (!hasPermission || !content.hasUnsaved() || !(await compare())) await lock.giveBack();
    showLost();
  }

  /** The file as it is now, for comparing it with the text of this page. */
  async function readDisk(): Promise<FileText | undefined> {
    const found = await content.runExclusive(async () => content.read());
    if (found.kind === 'failed' && isUnreachable(found.answer)) deps.onUnreachable();
    if (found.kind !== 'text' || currentMode() !== 'lost') return undefined;
    content.set(found);
    return found.text;
  }

  /** False if the file couldn't be read as text. */
  async function compare(): Promise<boolean> {
    const disk = await readDisk();
    if (disk === undefined) return false;
    isComparing = true;
    deps.onStatus();
    await content.pane()?.compareWith(disk.doc);
    showLost();
    return true;
  }

  function stopComparing(): void {
    if (!isComparing) return;
    isComparing = false;
    deps.onStatus();
    void content.pane()?.compareWith(undefined);
  }

  return {
    mode: currentMode,
    setMode,
    takeLock,
    takeOver,
    lockAgain,
    handOver,
    lose,
    showRefusal,
    showPermission,
    showLost,
    isComparing: () => isComparing,
    /** This page has the lock. */
    hasLock: () => mode === 'editing' || (mode === 'lost' && lock.isHeldHere()),
    /** Why nothing can be saved in the mode `lost`. */
    lostText: () => lostText(lostState()),

    /** The host page asks for it. */
    async edit(): Promise<void> {
      const isAvailable = lock.held() === '' || lock.isHeldByUser();
      if (mode === 'reading' && canEdit() && content.text() !== undefined && isAvailable)
        await takeOver(lock.held());
    },

    /** A poll found this lock on the file. */
    async polled(held: string): Promise<void> {
      const isOther = held !== lock.held();
      if (mode === 'editing') {
        if (held === lock.id()) return;
        // It may have expired while the computer was asleep; refreshing restores it then. Otherwise the answer says who has it.
        const answer = await lock.refresh();
        if (answer.status === 409) lose(answer);
        else if (answer.status === 401) await deps.onUnauthorized();
      } else if (mode === 'lost') {
        lock.see(held);
        if (lock.isHeldHere() && isOther && canEdit()) await lockAgain();
        else if (isOther) lostReason = held === '' ? '' : (await lock.refresh()).reason;
        showLost();
      } else if (!canEdit()) {
        page.setNotice('lock', null);
      } else if (held !== '') {
        isLockHidden = false;
        const answer = isOther ? await lock.askHolder() : undefined;
        if (answer?.status === 409 && answer.lock !== '') showRefusal(answer);
        // The lock is this page's own; the answer to LOCK was lost.
        else if (answer?.status === 200) await takeOver();
      } else if (!isLockHidden) {
        lock.see('');
        if (now() < opensUntilMs) await takeOver();
        else showFree();
      }
    },

    /** The user's role changed, or the file's write permission did. */
    permissionChanged(): void {
      if (mode === 'lost') {
        // Nobody else could edit while it stayed with a page that may not.
        if (!canEdit() && lock.isHeldHere()) void lock.giveBack();
        showLost();
        if (canEdit() && (lock.held() === '' || lock.isHeldHere())) void lockAgain();
      } else if (mode === 'editing' && content.hasUnsaved()) {
        setMode('lost');
        showLost();
      } else if (mode === 'editing' || mode === 'reading') {
        if (mode === 'editing') {
          void lock.release();
          setMode('reading');
        }
        page.setNotice('lock', null);
        showPermission();
      }
    },
  };
}
