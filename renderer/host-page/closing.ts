// Closes the page, or only the editor to restore a version, once the host has counted a save newer than the last change. Collabora
// is asked for that save first; without it, the page stays open. The others save when their page is gone, so the frame is removed,
// and this page waits until the file is on disk. If the newest save isn't in the file, the user decides.

import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { MissedSave, PageState } from '../../app/contract/page-state.ts';
import { closedAddress, closedUrl, type LeftBehind } from './closed.ts';
import { failedSave, lastChanges, missedWords, saveCopyButton, waysOut } from './document-notices.ts';
import type { EditorMessage } from './messages.ts';
import { isShared, type Phase } from './open-document.ts';
import { pause, type PageParts } from './page-parts.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import { mainButton, notice } from './page-store.ts';

/** The limit for an editor that doesn’t respond. */
const answerMs = 15_000;
/** For the host's record of the newest save, before a page without changes is closed. */
const recordMs = 4000;
/** After the editor's answer, the host must have counted the save within this time. */
const countMs = 4000;
const askEveryMs = 400;
const lastChangeMs = 600;
/** ONLYOFFICE's page sends what is typed to its server up to 2 s later, after it has asked that server for a lock. */
const sendMs = 4000;
/** ONLYOFFICE writes 5 to 10 s after its last page is gone. */
const writeMs = 30_000;
const lookEveryMs = 1000;

/** What happens once everything is in the file, or the user doesn't want to wait for that. */
interface Next {
  run(): void;
  /** The labels of the buttons that try to save again, and that don't wait. */
  labels: { save: string; anyway: string };
}

type SaveAnswer = EditorMessage & { kind: 'save-answered' };

export type Closing = ReturnType<typeof createClosing>;

export function createClosing({ page, store, api, frame, host, tabs, actions, go }: PageParts) {
  const { changes } = page;
  /** Close waits for a save that the editor was asked for. */
  let asked: { atMs: number; answer?: SaveAnswer } | undefined;
  /** When the save that Close asked for was written, which the editor may not have reported yet. */
  let writtenAtMs: number | undefined;
  /** Other pages keep the document open, so its editor may have newer text than the file. */
  let isWithOthers = false;

  async function leave(): Promise<void> {
    go('closing');
    page.isLeaving = true;
    // The access token stays valid: the editor's server may save once the last user has left.
    const keepsSession = await tabs.ask('is-open');
    if (!keepsSession) api.close().catch(() => undefined);
    const savedAtMs = writtenAtMs ?? (changes.state() === 'saved' ? changes.savedAtMs() : undefined);
    const address = keepsSession ? page.address : undefined;
    const left = { name: page.name, savedAtMs, ...leftBehind(), address };
    // Its own question whether to leave could keep this page open, whose session has ended.
    frame.remove();
    location.replace(closedUrl(page.opened?.closeUrl ?? closedAddress(page.address), left));
  }

  /** What isn't in the file. */
  function leftBehind(): { left?: LeftBehind; isOlder?: boolean } {
    const missed = changes.missed();
    const isUnsaved = ['unsaved', 'unconfirmed'].includes(changes.state());
    if (missed !== null && (!isUnsaved || changes.isReceived())) return { left: missed.kind };
    if (writtenAtMs !== undefined) return {};
    if (missed !== null && isOlder(missed)) return { left: missed.kind, isOlder: true };
    if (isUnsaved || (page.mayHideChanges && !page.isConnected)) return { left: 'unsaved' };
    return isWithOthers ? { left: 'with-others' } : {};
  }

  /** Stays open, and asks what to do. */
  function ask(before: Phase, next: Next, [text, more]: [string, string], buttons: ButtonChoice[]): void {
    // First, or its notices would hide this one.
    go(before);
    // This question has its button.
    if (changes.missed()?.keptId != null) store.setNotice('recovered', null);
    const press = () => {
      store.setNotice('close', null);
      next.run();
    };
    store.setNotice('close', notice('bad', text, more, [...buttons, { label: next.labels.anyway, press }]));
  }

  /** The editor has sent nothing since, so it may have newer text than the save that DocTray keeps. */
  function isOlder({ keptId }: MissedSave): boolean {
    return keptId !== null && !changes.isReceived();
  }

  /** A save that began after this state was written, and none after it was rejected. */
  function hasSaved(before: PageState | undefined, now: PageState | undefined): boolean {
    const saves = now?.saves ?? null;
    if (saves === null || before?.saves?.run !== saves.run || now?.missed !== null) return false;
    return saves.written > before.saves.begun && saves.written === saves.begun;
  }

  function postSave(): void {
    asked = { atMs: Date.now() };
    // Without `Notify`, there is no answer. An editor that reports no changes may still have text of a rejected save.
    frame.post('Action_Save', { DontTerminateEdit: false, DontSaveIfUnmodified: false, Notify: true });
  }

  /** The editor's answer only ends the wait; the host knows whether it saved. */
  async function save(): Promise<'saved' | 'failed' | 'nothing' | 'silent'> {
    const before = await host.askFresh();
    postSave();
    let countedByMs = Infinity;
    for (;;) {
      await pause(askEveryMs);
      const { atMs = 0, answer } = asked ?? {};
      const state = await host.askFresh();
      // After a failed save, LibreOffice Online keeps reporting changes.
      if (page.isWritten || (answer?.hasFailed === false && hasSaved(before, state))) return 'saved';
      if (answer?.hasFailed === true) return 'failed';
      if (answer !== undefined) countedByMs = Math.min(countedByMs, Date.now() + countMs);
      if (Date.now() >= countedByMs) return 'nothing';
      // The editor may show a message of its own, and answer nothing before that is closed.
      if (changes.missed() !== null && Date.now() >= atMs + countMs) return 'nothing';
      if (answer === undefined && Date.now() >= atMs + answerMs) return 'silent';
    }
  }

  async function saveFirst(before: Phase, next: Next): Promise<void> {
    go('closing', t('common.saving'));
    // After a failed save, LibreOffice Online doesn't report what is typed.
    if (changes.missed() !== null && changes.state() === 'unsaved') changes.changed();
    const outcome = await save();
    const said = asked?.answer?.text ?? null;
    asked = undefined;
    if (outcome === 'saved') {
      writtenAtMs = changes.savedAtMs() ?? Date.now();
      return next.run();
    }
    const { editor } = page;
    const missed = changes.missed();
    const text = {
      failed: failedSave(editor, said),
      nothing: t('page.doctray-hasnt-received-a-save-since'),
      silent: t('page.editor-hasnt-reported-whether-it', { editor }),
    }[outcome];
    const saveCopy = saveCopyButton(page, actions);
    if (missed === null) {
      const kept = lastChanges(page);
      const more = outcome === 'nothing' ? `${t('page.if-you-undid-your-changes')} ${kept}` : kept;
      // The same save would probably fail again.
      const again = mainButton(next.labels.save, () => void close(next));
      ask(before, next, [text, more], [outcome === 'failed' || page.isSignedOut ? saveCopy : again]);
      return;
    }
    const [reason, place] = missedWords(missed, editor);
    const isNewer = isOlder(missed);
    const more = isNewer ? `${place} ${t('page.newer-only-in-editor', { editor })}` : place;
    const ways = waysOut(missed, page, actions).map((way) => ({ ...way, isMain: !isNewer }));
    const buttons = isNewer ? [saveCopy, ...ways] : ways;
    ask(before, next, [outcome === 'failed' ? text : reason, more], buttons);
  }

  async function waitUntilWritten(next: Next): Promise<void> {
    const { name, editor } = page;
    /** The last save may have everything, or lack the text of the last seconds. */
    const mayBeAll = changes.state() === 'saved';
    go('closing', t('common.saving'));
    if (mayBeAll && (isShared(page.state?.holder ?? null) || (await tabs.ask('is-editing')))) {
      // The editor writes the file when the last page is closed, and only if there is newer text.
      await pause(sendMs);
      await host.askFresh();
      isWithOthers = changes.state() === 'saved';
      if (isWithOthers) return next.run();
      // Meanwhile, a save was refused, or the editor has reported a change.
      go('ready');
      await close(next);
      return;
    }
    if (mayBeAll) changes.changed();
    // Marks the last change with the number of saves before the frame is removed.
    const [before] = await Promise.all([host.askFresh(), pause(sendMs)]);
    /** Without the lock, the editor's last save is rejected, and nothing shows when that is over. */
    let hadLock = before?.holder?.isThisEditor === true;
    frame.remove();
    store.choose(
      t('page.saving-name', { name: isolated(name) }),
      t('page.editor-has-your-changes-and', { editor }),
    );
    const endsAtMs = Date.now() + writeMs;
    let released = 0;
    let isExplained = false;
    let isOver = false;
    const anyway = () => {
      isOver = true;
      next.run();
    };
    for (;;) {
      await pause(lookEveryMs);
      const state = await host.askFresh();
      // While the browser loads the next page, this one still runs.
      if (isOver) return;
      if (changes.state() === 'saved') break;
      const isReleased = state !== undefined && state.holder?.isThisEditor !== true;
      hadLock ||= state?.holder?.isThisEditor === true;
      released = isReleased ? released + 1 : 0;
      if (mayBeAll && isReleased && hadLock && state.missed === null) break;
      // Its last save comes before it releases the lock.
      const isRefused = released > 2;
      if (isExplained || (!isRefused && Date.now() < endsAtMs)) continue;
      isExplained = true;
      const missed = state?.missed ?? null;
      const ways = missed?.keptId == null ? [] : waysOut(missed, page, actions);
      const why = !page.isConnected
        ? 'page.it-isnt-responding-or-you'
        : isRefused
          ? 'page.editor-closed-the-document-and'
          : 'page.editor-has-your-changes-but';
      const more = missed === null ? t(why, { editor }) : missedWords(missed, editor).join(' ');
      go('closing', t('page.not-saved-yet'));
      store.choose(t('page.name-isnt-on-disk-yet', { name: isolated(name) }), more, [
        ...ways,
        { label: t('common.open-again'), isMain: ways.length === 0, press: () => location.reload() },
        { label: next.labels.anyway, press: anyway },
      ]);
    }
    next.run();
  }

  const leavePage: Next = {
    run: () => void leave(),
    labels: { save: t('page.save-and-close'), anyway: t('common.close-anyway') },
  };

  /** @param next instead of leaving the page */
  async function close(next = leavePage): Promise<void> {
    if (page.phase === 'closing') return;
    const before = page.phase;
    store.setNotice('close', null);
    go('closing');
    // A change of the last second is reported when the focus moves from the editor to the button.
    if (page.savesWhenAsked) await pause(lastChangeMs);
    // The host may have refused a save, or written one, since it was asked. Not needed for a change that the editor is about to be asked to save.
    const isMissing = page.savesWhenAsked && !page.isWritten && changes.state() !== 'missed';
    const isKnown =
      (isMissing && page.isConnected) ||
      (await Promise.race([host.askFresh(), pause(recordMs)])) !== undefined;
    const state = changes.state();
    const missed = changes.missed();
    if (page.mayHideChanges && !isKnown) {
      // Nobody knows whether the newest save is in the file.
      const more = t('page.it-isnt-responding-or-you', { editor: page.editor });
      const again = mainButton(t('common.try-again'), () => void close(next));
      ask(before, next, [t('page.doctray-cant-tell-whether-everything'), more], [again]);
    } else if (state === 'missed' && missed !== null)
      // The editor reports nothing to save.
      ask(before, next, missedWords(missed, page.editor), waysOut(missed, page, actions));
    // ONLYOFFICE reports the first change at once and later ones every 30 s, so any save may lack the latest text.
    else if (state === 'none' || (state === 'saved' && page.savesWhenAsked)) next.run();
    else if (page.savesWhenAsked) await saveFirst(before, next);
    else await waitUntilWritten(next);
  }

  return {
    close,
    /** The editor has loaded the document again: before, Collabora ignored `Action_Save`; after a conflict, it discards what was typed. */
    loadedAgain(): void {
      if (asked !== undefined && changes.missed() === null) postSave();
    },
    /** The editor reported the result of a save. True if the page is being closed, and handles it here. */
    answered(answer: SaveAnswer): boolean {
      if (asked !== undefined) asked.answer = answer;
      return asked !== undefined;
    },
  };
}
