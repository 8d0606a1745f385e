// Closes the page, or only the editor to restore a version, once the host has counted a save newer than the last change. Collabora
// is asked for that save first; without it, the page stays open. The others save when their page is gone, so the frame is removed,
// and this page waits until the file is on disk. If the newest save isn't in the file, the user decides.

import { t } from '../../app/contract/messages.ts';
import type { Changes } from './changes.ts';
import type { EditorFrame } from './editor-frame.ts';
import type { MissedSave, PageState } from '../../app/contract/page-state.ts';
import type { HostApi } from './host-api.ts';
import type { HostWatch } from './host-watch.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { PageBar } from './page-bar.ts';
import type { PagePhase } from './page-phase.ts';
import { closedUrl, type LeftBehind } from './closed.ts';
import { words } from './words.ts';

/** The limit for an editor that doesn’t respond. */
const answerMs = 15_000;
/** For the host's record of the newest save, before a page without changes is closed. */
const recordMs = 4000;
/** After the editor's answer, the host must have counted the save within this time. */
const countMs = 4000;
const askEveryMs = 400;
const lastChangeMs = 600;
/** ONLYOFFICE's page sends what is typed to its server about a second later. */
const sendMs = 2000;
/** ONLYOFFICE writes 5 to 10 s after its last page is gone. */
const writeMs = 30_000;
const lookEveryMs = 1000;
/** ONLYOFFICE reports typing every 30 s, so a save may be older than the latest text. */
const signalMs = 30_000;

/** What happens once everything is in the file, or the user doesn't want to wait for that. */
export interface Next {
  run(): void;
  /** The labels of the buttons that try to save again, and that don't wait. */
  labels: { save: string; anyway: string };
}

export interface Leaving {
  /** @param next instead of leaving the page */
  close(next?: Next): Promise<void>;
  /** The editor reported the result of a save. True if the page is being closed, and handles it here. */
  answered(answer: { hasFailed: boolean; text: string | null }): boolean;
}

export interface LeavingDeps {
  api: Pick<HostApi, 'close'>;
  bar: Pick<PageBar, 'setNotice' | 'setChoice'>;
  frame: Pick<EditorFrame, 'post' | 'remove'>;
  host: Pick<HostWatch, 'ask' | 'askFresh' | 'isConnected'>;
  phase: PagePhase;
  changes: Pick<Changes, 'state' | 'missed' | 'changed' | 'isReceived' | 'lastChangeAtMs' | 'savedAtMs'>;
  /** The editor saves on request. */
  canAskToSave(): boolean;
  saveCopy(): void;
  /** Restores a recovered save as a copy. */
  restoreSaved(recoveredId: string): void;
  /** The same, and opens the copy. */
  openSaved(recoveredId: string): void;
  showVersions(): void;
  /** The editor may have changes that it doesn't report. */
  mayHideChanges(): boolean;
  documentName(): string;
  editorName(): string;
  closeUrl(): string;
  /** Of this page. */
  address: string;
  /** Another tab of this browser needs the page session. */
  isOpenInOtherTab(): Promise<boolean>;
}

type Outcome = 'saved' | 'failed' | 'nothing' | 'silent';

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

export function createLeaving(deps: LeavingDeps): Leaving {
  const { api, bar, frame, host, phase, changes } = deps;
  let answer: { hasFailed: boolean; text: string | null } | undefined;
  let isAsking = false;
  /** When the save that Close asked for was written, which the editor may not have reported yet. */
  let writtenAtMs: number | undefined;
  const heard = () => answer;

  async function leave(): Promise<void> {
    phase.go('closing');
    // The access token stays valid: the editor's server may save once the last user has left.
    const keepsSession = await deps.isOpenInOtherTab();
    if (!keepsSession) api.close().catch(() => undefined);
    location.replace(
      closedUrl(deps.closeUrl(), {
        name: deps.documentName(),
        savedAtMs: writtenAtMs ?? (changes.state() === 'saved' ? changes.savedAtMs() : undefined),
        left: leftBehind(),
        address: keepsSession ? deps.address : undefined,
      }),
    );
  }

  /** What isn't in the file. */
  function leftBehind(): LeftBehind | undefined {
    const missed = changes.missed();
    const isUnsaved = ['unsaved', 'unconfirmed'].includes(changes.state());
    if (missed !== null && (!isUnsaved || changes.isReceived())) return missed.kind;
    if (writtenAtMs !== undefined) return undefined;
    if (deps.mayHideChanges() && !host.isConnected()) return 'unsaved';
    return isUnsaved ? 'unsaved' : undefined;
  }

  const copyButton: ButtonChoice = { label: t('common.save-a-copy-ask'), isMain: true, press: deps.saveCopy };

  /** For a newest save that isn't in the file; none if the editor can only save again. */
  function waysOut({ kind, keptId }: MissedSave): ButtonChoice[] {
    if (kind === 'version') return [{ label: words.showVersions, isMain: true, press: deps.showVersions }];
    if (kind === 'nowhere' || keptId === null) return deps.canAskToSave() ? [copyButton] : [];
    const decide = (press: (recoveredId: string) => void) => () => {
      bar.setNotice('close', null);
      press(keptId);
    };
    return kind === 'unreadable'
      ? [{ label: words.openSaved, isMain: true, press: decide(deps.openSaved) }]
      : [{ label: t('common.restore-as-copy'), isMain: true, press: decide(deps.restoreSaved) }];
  }

  /** The editor has sent nothing since, so it may have newer text than the save that DocTray keeps. */
  function isOlder({ keptId }: MissedSave): boolean {
    return keptId !== null && !changes.isReceived();
  }

  function missedMore(missed: MissedSave): string {
    const editor = deps.editorName();
    const more = words.missedMore(missed.kind, editor);
    return isOlder(missed) ? `${more} ${words.newerInEditor(editor)}` : more;
  }

  function anyway(next: Next): ButtonChoice {
    return {
      label: next.labels.anyway,
      press: () => {
        bar.setNotice('close', null);
        next.run();
      },
    };
  }

  /** The newest save isn't in the file, and the editor reports nothing to save. */
  function askUser(missed: MissedSave, next: Next): void {
    const editor = deps.editorName();
    // This question has its button.
    if (missed.keptId !== null) bar.setNotice('recovered', null);
    bar.setNotice('close', {
      text: words.missed[missed.kind],
      more: words.missedMore(missed.kind, editor),
      tone: 'bad',
      buttons: [...waysOut(missed), anyway(next)],
      hasDismiss: true,
    });
  }

  /** The host doesn't answer, so nobody knows whether the newest save is in the file. */
  function askUnknown(next: Next): void {
    bar.setNotice('close', {
      text: words.unknown,
      more: words.unknownMore(deps.editorName()),
      tone: 'bad',
      buttons: [{ label: t('common.try-again'), isMain: true, press: () => void close(next) }, anyway(next)],
      hasDismiss: true,
    });
  }

  /** A save that began after this state was written, and none after it was rejected. */
  function hasSaved(before: PageState | undefined, now: PageState | undefined): boolean {
    const [old, { run, begun, written } = { run: '', begun: 0, written: 0 }] = [
      before?.saves,
      now?.saves ?? undefined,
    ];
    return old?.run === run && written > old.begun && written === begun && now?.missed === null;
  }

  /** The editor's answer only ends the wait; the host knows whether it saved. */
  async function save(): Promise<Outcome> {
    answer = undefined;
    const before = await host.askFresh();
    const startedAtMs = Date.now();
    // Without `Notify`, there is no answer. An editor that reports no changes may still have text of a rejected save.
    frame.post('Action_Save', { DontTerminateEdit: false, DontSaveIfUnmodified: false, Notify: true });
    const endsAtMs = Date.now() + answerMs;
    let countedByMs = Infinity;
    for (;;) {
      await pause(askEveryMs);
      const reported = heard();
      const state = await host.askFresh();
      // After a failed save, LibreOffice Online keeps reporting changes.
      if (isDone() || (reported?.hasFailed === false && hasSaved(before, state))) return 'saved';
      if (reported?.hasFailed === true) return 'failed';
      if (reported !== undefined) countedByMs = Math.min(countedByMs, Date.now() + countMs);
      if (Date.now() >= countedByMs) return 'nothing';
      // The editor may show a message of its own, and answer nothing before that is closed.
      if (changes.missed() !== null && Date.now() >= startedAtMs + countMs) return 'nothing';
      if (reported === undefined && Date.now() >= endsAtMs) return 'silent';
    }
  }

  const leavePage: Next = {
    run: () => void leave(),
    labels: { save: t('page.save-and-close'), anyway: t('common.close-anyway') },
  };

  /** The host's notices come first, or they would hide the one that offers to close anyway. */
  async function stay(before: ReturnType<PagePhase['current']>): Promise<void> {
    phase.go(before);
    await Promise.race([host.ask(), pause(recordMs)]);
  }

  async function saveFirst(before: ReturnType<PagePhase['current']>, next: Next): Promise<void> {
    phase.go('closing', words.saving);
    isAsking = true;
    const outcome = await save();
    isAsking = false;
    if (outcome === 'saved') {
      writtenAtMs = changes.savedAtMs() ?? Date.now();
      next.run();
      return;
    }
    await stay(before);
    const editor = deps.editorName();
    const text = heard()?.text ?? null;
    const missed = changes.missed();
    if (missed !== null && missed.keptId !== null) bar.setNotice('recovered', null);
    const again = { label: next.labels.save, isMain: true, press: () => void close(next) };
    // The same save would probably fail again.
    const isRefused = outcome === 'failed' || missed !== null;
    bar.setNotice('close', {
      text:
        missed !== null && outcome !== 'failed'
          ? words.missed[missed.kind]
          : words.notSaved[outcome](editor, text),
      more:
        missed !== null
          ? missedMore(missed)
          : [...(outcome === 'nothing' ? [words.maybeUndone] : []), words.keptInEditor(editor)].join(' '),
      tone: 'bad',
      buttons: [
        ...(missed === null || isOlder(missed) ? [isRefused ? copyButton : again] : []),
        ...(missed === null ? [] : waysOut(missed).map((way) => ({ ...way, isMain: !isOlder(missed) }))),
        anyway(next),
      ],
      hasDismiss: true,
    });
  }

  async function waitUntilWritten(next: Next): Promise<void> {
    const name = deps.documentName();
    const editor = deps.editorName();
    /** The last save may have everything, or lack the text of the last seconds. */
    const mayBeAll = changes.state() === 'saved';
    if (mayBeAll) changes.changed();
    phase.go('closing', words.saving);
    // Marks the last change with the number of saves before the frame is removed.
    const [before] = await Promise.all([host.askFresh(), pause(sendMs)]);
    /** Without the lock, the editor's last save is rejected, and nothing shows when that is over. */
    let hadLock = before?.holder?.isThisEditor === true;
    frame.remove();
    bar.setChoice({ title: words.writingTitle(name), more: words.writingMore(editor), buttons: [] });
    const endsAtMs = Date.now() + writeMs;
    let released = 0;
    let isExplained = false;
    let isOver = false;
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
      phase.go('closing', words.notSavedYet);
      bar.setChoice({
        title: words.notWrittenTitle(name),
        more:
          missed !== null
            ? `${words.missed[missed.kind]} ${words.missedMore(missed.kind, editor)}`
            : !host.isConnected()
              ? words.unknownMore(editor)
              : isRefused
                ? words.releasedMore(editor)
                : words.notWrittenMore(editor),
        buttons: [
          ...(missed === null || missed.keptId === null ? [] : waysOut(missed)),
          {
            label: t('common.open-again'),
            isMain: missed === null || missed.keptId === null,
            press: () => location.reload(),
          },
          {
            label: next.labels.anyway,
            press: () => {
              isOver = true;
              next.run();
            },
          },
        ],
      });
    }
    next.run();
  }

  function isDone(): boolean {
    return ['none', 'saved'].includes(changes.state());
  }

  async function close(next = leavePage): Promise<void> {
    if (phase.is('closing')) return;
    const before = phase.current();
    bar.setNotice('close', null);
    phase.go('closing');
    // A change of the last second is reported when the focus moves from the editor to the button.
    if (deps.canAskToSave()) await pause(lastChangeMs);
    // The host may have refused a save since it was asked.
    let isKnown = true;
    // A change that the page knows of may be saved already, and the text of the last second may not.
    if (isDone() || changes.state() === 'missed' || !deps.canAskToSave() || !host.isConnected()) {
      const isSilent = await Promise.race([
        host.askFresh().then(() => false),
        pause(recordMs).then(() => true),
      ]);
      isKnown = !isSilent && host.isConnected();
    }
    if (deps.mayHideChanges() && !isKnown) {
      phase.go(before);
      askUnknown(next);
      return;
    }
    const state = changes.state();
    const missed = changes.missed();
    const isRecent = Date.now() - (changes.lastChangeAtMs() ?? -Infinity) < signalMs;
    if (state === 'missed' && missed !== null) {
      await stay(before);
      askUser(missed, next);
    } else if (deps.canAskToSave()) {
      if (isDone()) next.run();
      else await saveFirst(before, next);
    } else if (state === 'none' || (state === 'saved' && !isRecent)) next.run();
    else await waitUntilWritten(next);
  }

  return {
    close,
    answered(result) {
      if (isAsking) answer = result;
      return isAsking;
    },
  };
}
