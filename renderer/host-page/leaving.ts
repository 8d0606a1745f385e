// Closes the page because the editor was closed, or closes the editor to restore a version. The page goes when the host has counted a save newer than the last change. Collabora
// can be asked for that save first, and while there is none the page stays. The others save when their page is gone: then the
// editor goes, and this page waits until the file is on disk.

import { t } from '../../app/contract/messages.ts';
import type { Changes } from './changes.ts';
import type { EditorFrame } from './editor-frame.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import type { HostApi } from './host-api.ts';
import type { HostWatch } from './host-watch.ts';
import type { PageBar } from './page-bar.ts';
import type { PagePhase } from './page-phase.ts';
import { closedUrl } from './closed.ts';
import { words } from './words.ts';

/** The limit for an editor that doesn’t respond. */
const answerMs = 15_000;
/** From an editor's answer until the host must have counted the save. */
const countMs = 4000;
const askEveryMs = 400;
const lastChangeMs = 200;
/** ONLYOFFICE writes 5 to 10 s after its last page is gone. */
const writeMs = 30_000;
const lookEveryMs = 1000;
/** ONLYOFFICE reports typing every 30 s, so a save may be older than the latest text. */
const signalMs = 30_000;

/** What follows once everything is in the file, or the user doesn't wait for that. */
export interface Next {
  run(): void;
  /** Of the buttons for trying to save again, and for not waiting. */
  labels: { save: string; anyway: string };
}

export interface Leaving {
  /** @param next instead of leaving the page */
  close(next?: Next): Promise<void>;
  /** How a save went, by the editor. True: the page is being closed and takes care of it. */
  answered(answer: { hasFailed: boolean; text: string | null }): boolean;
}

export interface LeavingDeps {
  api: Pick<HostApi, 'close'>;
  bar: Pick<PageBar, 'setNotice' | 'setChoice'>;
  frame: Pick<EditorFrame, 'post' | 'remove'>;
  host: Pick<HostWatch, 'ask' | 'askFresh'>;
  phase: PagePhase;
  changes: Pick<Changes, 'state' | 'changed' | 'lastChangeAtMs' | 'savedAtMs'>;
  /** The editor saves when it is asked to. */
  canAskToSave(): boolean;
  /** A save was refused and recovered since the last one that was written. */
  hasNewRecovered(state: PageState): boolean;
  saveCopy(): void;
  documentName(): string;
  editorName(): string;
  closeUrl(): string;
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
  const heard = () => answer;

  async function leave(): Promise<void> {
    phase.go('closing');
    // The access token stays valid: the editor's server may save once the last user has left.
    if (!(await deps.isOpenInOtherTab())) api.close().catch(() => undefined);
    const savedAtMs = changes.state() === 'saved' ? changes.savedAtMs() : undefined;
    location.replace(savedAtMs === undefined ? deps.closeUrl() : closedUrl(deps.closeUrl(), savedAtMs));
  }

  /** The editor's answer only says when to stop waiting: whether it saved is the host's to say. */
  async function save(): Promise<{ outcome: Outcome; state: PageState | undefined }> {
    answer = undefined;
    // without `Notify` there is no answer; an editor that reports no changes may still hold a refused save
    frame.post('Action_Save', { DontTerminateEdit: false, DontSaveIfUnmodified: false, Notify: true });
    const endsAtMs = Date.now() + answerMs;
    let countedByMs = Infinity;
    for (;;) {
      await pause(askEveryMs);
      const said = heard();
      const state = await host.askFresh();
      if (changes.state() === 'saved') return { outcome: 'saved', state };
      if (said?.hasFailed === true) return { outcome: 'failed', state };
      if (said !== undefined) countedByMs = Math.min(countedByMs, Date.now() + countMs);
      if (Date.now() >= countedByMs) return { outcome: 'nothing', state };
      if (said === undefined && Date.now() >= endsAtMs) return { outcome: 'silent', state };
    }
  }

  const leavePage: Next = {
    run: () => void leave(),
    labels: { save: t('Save and close'), anyway: t('Close anyway') },
  };

  async function saveFirst(before: ReturnType<PagePhase['current']>, next: Next): Promise<void> {
    phase.go('closing', words.saving);
    isAsking = true;
    const { outcome, state } = await save();
    isAsking = false;
    if (outcome === 'saved') {
      next.run();
      return;
    }
    phase.go(before);
    const editor = deps.editorName();
    const text = heard()?.text ?? null;
    const hasRecovered = state !== undefined && deps.hasNewRecovered(state);
    // The same save would probably fail again.
    const hasFailed = outcome === 'failed';
    bar.setNotice('close', {
      text: words.notSaved[outcome](editor, text),
      more: [
        ...(outcome === 'nothing' ? [words.maybeUndone] : []),
        hasRecovered ? words.keptInRecovered : words.keptInEditor(editor),
      ].join(' '),
      tone: 'bad',
      buttons: [
        hasFailed
          ? { label: t('Save a copy…'), isMain: true, press: deps.saveCopy }
          : { label: next.labels.save, isMain: true, press: () => void close(next) },
        {
          label: next.labels.anyway,
          press: () => {
            bar.setNotice('close', null);
            next.run();
          },
        },
      ],
      hasDismiss: true,
    });
    // with it comes the way to a recovered save
    void host.ask();
  }

  async function waitUntilWritten(next: Next): Promise<void> {
    const name = deps.documentName();
    const editor = deps.editorName();
    /** A save that the host has counted may lack the text of the last seconds. */
    const mayBeAll = changes.state() === 'saved';
    if (mayBeAll) changes.changed();
    phase.go('closing', words.saving);
    // the mark of the last change is the host's number before the editor goes
    const before = await host.askFresh();
    /** Without its lock the editor's last save is refused, and nothing shows when it is over. */
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
      if (mayBeAll && isReleased && hadLock && !deps.hasNewRecovered(state)) break;
      // its last save comes before it gives the lock back
      const isRefused = released > 2;
      if (isExplained || (!isRefused && Date.now() < endsAtMs)) continue;
      isExplained = true;
      const hasRecovered = state !== undefined && deps.hasNewRecovered(state);
      phase.go('closing', words.notSavedYet);
      bar.setChoice({
        title: words.notWrittenTitle(name),
        more: isRefused
          ? hasRecovered
            ? words.refusedMore
            : words.releasedMore(editor)
          : words.notWrittenMore(editor),
        buttons: [
          { label: t('Open again'), isMain: true, press: () => location.reload() },
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

  async function close(next = leavePage): Promise<void> {
    if (phase.is('closing')) return;
    const before = phase.current();
    bar.setNotice('close', null);
    phase.go('closing');
    // A change of the last moment is reported when the editor loses the focus to the button.
    if (deps.canAskToSave()) await pause(lastChangeMs);
    const state = changes.state();
    const isRecent = Date.now() - (changes.lastChangeAtMs() ?? -Infinity) < signalMs;
    if (deps.canAskToSave()) {
      if (state === 'none' || state === 'saved') next.run();
      else await saveFirst(before, next);
    } else if (state === 'none' || (state === 'saved' && !isRecent)) next.run();
    else await waitUntilWritten(next);
  }

  return {
    close,
    answered(said) {
      if (isAsking) answer = said;
      return isAsking;
    },
  };
}
