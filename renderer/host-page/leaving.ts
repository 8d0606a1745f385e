// Closes the page, or only the editor to restore a version, once the host has counted a save newer than the last change. Collabora
// is asked for that save first; without it, the page stays open. The others save when their page is gone, so the frame is removed,
// and this page waits until the file is on disk.

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
/** After the editor's answer, the host must have counted the save within this time. */
const countMs = 4000;
const askEveryMs = 400;
const lastChangeMs = 200;
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
  host: Pick<HostWatch, 'ask' | 'askFresh'>;
  phase: PagePhase;
  changes: Pick<Changes, 'state' | 'changed' | 'lastChangeAtMs' | 'savedAtMs'>;
  /** The editor saves on request. */
  canAskToSave(): boolean;
  /** Since the last written save, one was rejected and kept in Recovered saves. */
  hasNewRecovered(state: PageState): boolean;
  saveCopy(): void;
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
  const heard = () => answer;

  async function leave(): Promise<void> {
    phase.go('closing');
    // The access token stays valid: the editor's server may save once the last user has left.
    const keepsSession = await deps.isOpenInOtherTab();
    if (!keepsSession) api.close().catch(() => undefined);
    location.replace(
      closedUrl(deps.closeUrl(), {
        name: deps.documentName(),
        savedAtMs: changes.state() === 'saved' ? changes.savedAtMs() : undefined,
        address: keepsSession ? deps.address : undefined,
      }),
    );
  }

  /** The editor's answer only ends the wait; the host knows whether it saved. */
  async function save(): Promise<{ outcome: Outcome; state: PageState | undefined }> {
    answer = undefined;
    // Without `Notify`, there is no answer. An editor that reports no changes may still have text of a rejected save.
    frame.post('Action_Save', { DontTerminateEdit: false, DontSaveIfUnmodified: false, Notify: true });
    const endsAtMs = Date.now() + answerMs;
    let countedByMs = Infinity;
    for (;;) {
      await pause(askEveryMs);
      const reported = heard();
      const state = await host.askFresh();
      if (changes.state() === 'saved') return { outcome: 'saved', state };
      if (reported?.hasFailed === true) return { outcome: 'failed', state };
      if (reported !== undefined) countedByMs = Math.min(countedByMs, Date.now() + countMs);
      if (Date.now() >= countedByMs) return { outcome: 'nothing', state };
      if (reported === undefined && Date.now() >= endsAtMs) return { outcome: 'silent', state };
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
    // The state has the recovered save, which its notice offers to restore.
    void host.ask();
  }

  async function waitUntilWritten(next: Next): Promise<void> {
    const name = deps.documentName();
    const editor = deps.editorName();
    /** The last save may have everything, or lack the text of the last seconds. */
    const mayBeAll = changes.state() === 'saved';
    if (mayBeAll) changes.changed();
    phase.go('closing', words.saving);
    // Marks the last change with the number of saves before the frame is removed.
    const before = await host.askFresh();
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
      if (mayBeAll && isReleased && hadLock && !deps.hasNewRecovered(state)) break;
      // Its last save comes before it releases the lock.
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
    // A change of the last second is reported when the focus moves from the editor to the button.
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
    answered(result) {
      if (isAsking) answer = result;
      return isAsking;
    },
  };
}
