// Saves, and what follows from trouble with them: a host that doesn't answer, a file that is gone, a save that is refused, a token that
// expired, a page that is closed. autosave.ts decides when to save.

import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import { createAutosave, type SaveOutcome } from './autosave.ts';
import type { Mode } from './document-content.ts';
import type { Editing, SessionParts } from './editing.ts';
import type { HostMessages } from './host-messages.ts';
import { writeText } from './line-endings.ts';
import { createModifiedSignal } from './modified-signal.ts';
import { endedNotice, goneNotice, saveFailedNotice } from './notices.ts';
import { isUnreachable, type Answer, type FileInfo } from './wopi-client.ts';

/** A single missed answer isn't reported. */
const missedPolls = 2;
/** Browsers send at most 64 KiB for a page that was closed. */
const maxExitSaveBytes = 60_000;

interface SavingDeps extends SessionParts {
  host: HostMessages;
  editing: Editing;
  applyFileInfo: (info: FileInfo) => void;
  /** When the token expires, in ms since 1970; 0: never. */
  tokenExpiresAtMs: number;
}

export function createSaving(deps: SavingDeps) {
  const { wopi, page, host, content, lock, editing, now } = deps;
  let { tokenExpiresAtMs } = deps;
  /** Deleted, or moved to a place where the host can't find it. */
  let isGone = false;
  /** The token has expired, but the host still accepts saves under this lock. */
  let isExpired = false;
  /** Counts the tokens, so that a late refusal of an earlier one doesn't end the access of the current one. */
  let tokenNumber = 0;
  let missedAnswers = 0;
  /** Why nothing could be saved lately; '' if unknown. */
  let failure = '';

  const modified = createModifiedSignal({ host, hasUnsaved: content.hasUnsaved, now });
  const autosave = createAutosave({
    // A host page that was told about a change waits for a save, even if the change was undone.
    hasUnsaved: () => content.hasUnsaved() || (editing.mode() === 'editing' && modified.isOpen()),
    write: async ({ isAutosave }) => content.runExclusive(async () => write(isAutosave)),
    onState: deps.onStatus,
    now,
  });

  async function saveNow(): Promise<{ outcome: SaveOutcome; hadChanges: boolean }> {
    const hadChanges = content.hasUnsaved() || modified.isOpen();
    if (editing.mode() === 'reading') return { outcome: 'saved', hadChanges };
    return { outcome: await autosave.saveNow(), hadChanges };
  }

  async function write(isAutosave: boolean): Promise<SaveOutcome> {
    if (editing.mode() !== 'editing' || content.text() === undefined) return 'stopped';
    if (!content.hasUnsaved() && !modified.isOpen() && !isGone) return 'saved';
    // The answer to a save doesn't say that it created a deleted file again.
    const checked = await wopi.checkFileInfo();
    // From now on nothing can be typed, so this save is the last one.
    if (checked.wantedLocks.includes(lock.id())) void editing.handOver();
    if (editing.mode() === 'editing') await modified.beforeSave();
    // After the save, a read would find this page's own text.
    if (checked.body !== undefined) {
      content.see(checked.body.Version);
      if (content.isChanged() && content.hasUnsaved()) {
        await identifyChange();
        // The answer to an earlier save was lost, and nothing was typed since.
        if (!content.hasUnsaved()) {
          modified.saved();
          return 'saved';
        }
      }
    }
    const text = content.pane()?.current();
    if (editing.mode() !== 'editing' || text === undefined) return 'stopped';
    const isUnchanged = !content.isUnsaved(text) && !isGone;
    const how = { lockId: lock.id(), isAutosave, isModifiedByUser: !isUnchanged, isExit: false };
    const { answer, bytes } = await content.put(text, how);
    if (answer.status !== 200) return writeFailed(answer, isGone || checked.status === 404);
    reached();
    lock.markRefreshed();
    page.setNotice('save', null);
    if (checked.status === 404) {
      showGone(false);
      page.setNotice('back', {
        text: t('editor.name-was-deleted-or-moved', { name: isolated(deps.info().BaseFileName) }),
        more: t('editor.if-it-was-moved-there'),
        tone: 'warn',
        hasDismiss: true,
      });
    }
    // Without changes by the user, the host may have kept what is on disk instead.
    if (isUnchanged) void deps.follow();
    else content.set({ text, version: answer.version, bytes });
    if (content.takeConflict()) showConflict();
    modified.saved();
    return 'saved';
  }

  async function writeFailed(answer: Answer, isMissing: boolean): Promise<SaveOutcome> {
    if (isUnreachable(answer)) return reportUnreachable();
    reached();
    if (answer.status === 409) editing.lose(answer);
    else if (answer.status === 401) await handleUnauthorized();
    else if (editing.mode() === 'editing') {
      failure = answer.status === 413 ? t('editor.doctray-refused-the-save-because') : answer.reason;
      if (isMissing) showGone(true, answer.reason);
      else page.setNotice('save', saveFailedNotice(answer));
    }
    return editing.mode() === 'editing' ? 'failed' : 'stopped';
  }

  // the host

  function reportUnreachable(): SaveOutcome {
    failure = t('common.doctray-isnt-responding');
    missed(missedPolls);
    return 'failed';
  }

  /** An answer didn't come, or so many were expected. */
  function missed(answers = missedAnswers + 1): void {
    missedAnswers = answers;
    if (missedAnswers < missedPolls) return;
    const isKept = editing.mode() === 'editing' && content.hasUnsaved();
    page.setNotice('host', {
      text: t('common.doctray-isnt-responding'),
      more: isKept ? t('editor.your-changes-are-kept-here') : undefined,
      tone: 'warn',
    });
  }

  function reached(): void {
    if (missedAnswers >= missedPolls) autosave.retrySoon();
    missedAnswers = 0;
    page.setNotice('host', null);
  }

  // the file

  /** @param failure why a save couldn't create it again */
  function showGone(isGoneNow: boolean, failure?: string): void {
    if (isGoneNow === isGone && failure === undefined) return;
    isGone = isGoneNow;
    if (isGone) page.setNotice('save', null);
    const save = editing.mode() === 'editing' ? () => void saveNow() : undefined;
    page.setNotice('gone', isGone ? goneNotice({ save, download: deps.download, failure }) : null);
  }

  /** The file has another version. That isn't a change by another user if it holds a text of this page. */
  async function identifyChange(): Promise<void> {
    const whose = await content.identifyChange();
    if (whose === 'own') autosave.changed();
    if (whose !== 'other-kept') return;
    content.takeConflict();
    showConflict();
  }

  function showConflict(): void {
    page.setNotice('conflict', {
      text: t('editor.the-file-changed-on-disk'),
      more: t('editor.your-text-is-saved-if'),
      tone: 'warn',
      hasDismiss: true,
    });
  }

  // lost access

  /** A call was refused with 401: the token has expired or was revoked, or the user may not edit any more. */
  async function handleUnauthorized(): Promise<void> {
    const tokenBefore = tokenNumber;
    const checked = await wopi.checkFileInfo();
    if (tokenNumber !== tokenBefore) return;
    if (checked.body !== undefined) {
      deps.applyFileInfo(checked.body);
      return;
    }
    if (checked.status !== 401) return;
    host.post('App_TokenExpired');
    const expired = t('common.your-access-to-this-document');
    if (editing.mode() === 'editing') {
      // For 24 hours the host still accepts saves under a lock.
      const answer = await lock.refresh();
      if (tokenNumber !== tokenBefore) return;
      if (answer.status === 200) {
        isExpired = true;
        page.setNotice('token', { text: expired, more: t('editor.you-can-keep-editing-for'), tone: 'warn' });
        return;
      }
      if (answer.status === 409) editing.lose(answer);
      if (answer.status !== 401) return;
    }
    const hasExpired = tokenExpiresAtMs !== 0 && now() >= tokenExpiresAtMs;
    endAccess(hasExpired ? expired : t('editor.your-access-to-this-document'));
  }

  function endAccess(text: string): void {
    const isUnsaved = content.hasUnsaved();
    editing.setMode('ended');
    for (const kind of ['lock', 'why', 'host']) page.setNotice(kind, null);
    failure = text;
    // A host page shows why, with the way back.
    const shown = host.isEmbedded ? undefined : text;
    page.setNotice('token', endedNotice(shown, isUnsaved ? deps.download : undefined));
    // If everything is saved, don't accept new text that couldn't be saved.
    if (isUnsaved) return;
    content.pane()?.setReadOnly(true);
    page.set({ status: { text: t('common.read-only') } });
  }

  // leaving the page

  addEventListener('beforeunload', (event) => {
    if (!content.hasUnsaved()) return;
    // It's often done before the user answers.
    if (editing.mode() === 'editing') void saveNow();
    event.preventDefault();
  });
  addEventListener('pagehide', () => {
    const text = content.pane()?.current();
    if (!editing.hasLock() || text === undefined) return;
    // Closing the page aborts a running save, so its text is sent again.
    const bytes = editing.mode() === 'editing' && content.hasUnsaved() ? writeText(text) : undefined;
    lock.forget();
    if (bytes !== undefined && bytes.length <= maxExitSaveBytes) {
      const how = { lockId: lock.id(), isAutosave: true, isModifiedByUser: true, isExit: true };
      content.sentAtExit(text);
      // An UNLOCK of its own could arrive before the save. The relay unlocks after it.
      void wopi.putFile(bytes, how);
    } else {
      // The relay holds it back until a save that is on its way has been answered.
      void wopi.unlock(lock.id());
    }
  });
  addEventListener('pageshow', ({ persisted }) => {
    // Restored from the browser's back/forward cache; the lock was released on pagehide.
    if (!persisted || editing.mode() !== 'editing') return;
    editing.setMode('lost');
    void editing.lockAgain();
  });

  return {
    saveNow,
    /** A call that needed it had no answer. */
    unreachable: () => missed(missedPolls),
    reached,
    showGone,
    identifyChange,
    handleUnauthorized,
    state: autosave.state,
    isExpired: () => isExpired,
    /** Why nothing could be saved. */
    why: () => (editing.mode() === 'lost' ? editing.lostText() : failure),

    /** The text changed, or what is known of the file did. @param isOwn by the user */
    changed(isOwn: boolean): void {
      autosave.changed();
      if (isOwn) modified.changed();
    },
    /** The host didn't answer. */
    unanswered: () => missed(),
    modeChanged(mode: Mode): void {
      if (mode === 'editing') {
        autosave.resume();
        return;
      }
      autosave.pause();
      // It says that the save is retried.
      page.setNotice('save', null);
      // Nothing is unsaved then; the host page may still wait for a save.
      if (mode === 'reading') modified.saved();
    },
    setToken(token: string, expiresAtMs: number): void {
      wopi.setToken(token);
      tokenNumber += 1;
      tokenExpiresAtMs = expiresAtMs;
      isExpired = false;
      page.setNotice('token', null);
    },
  };
}
