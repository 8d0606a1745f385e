// Whether the last change is on disk. Editors report changes; only the host knows what was saved. A change is marked with the number
// of saves that had begun when the host was first asked after it. Only a save that began later clears it, whatever an editor
// reports. The text editor is the exception: it reports nothing unsaved only once the host has written its save. An editor may also
// report no change at all, or that it saved: while the host's newest save isn't in the file, nothing is saved. No clocks are compared.

import type { EditorKind } from '../../app/contract/editors.ts';
import type { MissedSave, PageState, SaveCounts } from '../../app/contract/page-state.ts';
import { speaksCollabora } from './messages.ts';

/** How long after the last sign of typing the text may be only in the browser. ONLYOFFICE signals every 30 s; Microsoft saves within 2 min. */
const settleMs = { onlyoffice: 60_000, others: 150_000 };

/** LibreOffice Online reports half a second after a save that nothing is unsaved; on a busy server, later. */
const reportMs = 5000;

/** A save that the editor was asked for reaches the host within this time, unless the editor had nothing to save. */
const askedMs = 20_000;

export type ChangeState =
  | 'none'
  /** The editor has changes that the host has not received. */
  | 'unsaved'
  /** The editor reports nothing unsaved, but the host has received no save since the change. */
  | 'unconfirmed'
  /** The editor's server has the text and saves it when the page is left. */
  | 'with-editor'
  /** The newest save that the host received isn't in the file. */
  | 'missed'
  /** The host has written a save newer than the last change. */
  | 'saved';

export type Changes = ReturnType<typeof createChanges>;

export function createChanges(deps: { now: () => number; kind: () => EditorKind | undefined }) {
  const { now } = deps;
  let count = 0;
  let isPending = false;
  /** The host's numbers after the last change; undefined until it was asked. */
  let mark: SaveCounts | undefined;
  let last: SaveCounts | undefined;
  let missed: MissedSave | null = null;
  /** The newest save was rejected while this page was open, so its editor still has that text. */
  let isRejectedHere = false;
  /** That text is in no file until a later save is written, whatever became of the recovered save. */
  let lacksText = false;
  /** Since when the host has written a save that the editor doesn't report. */
  let coveredAtMs: number | undefined;
  /** When the editor was asked to save what it may not have reported. */
  let askedAtMs: number | undefined;
  /** How many of these requests it hasn't answered. */
  let asks = 0;
  /** Undefined: this editor has never reported it. */
  let isModified: boolean | undefined;
  /** After a failed save, LibreOffice Online only reports changes, never that nothing is unsaved. */
  let isReportStuck = false;
  let lastChangeAtMs: number | undefined;
  let savedAtMs: number | undefined;

  /** The text changed, or may have. */
  function changed(): void {
    count += 1;
    isPending = true;
    mark = undefined;
    coveredAtMs = undefined;
    askedAtMs = undefined;
    asks = 0;
    lastChangeAtMs = now();
  }

  function asked(): void {
    const before = asks;
    if (!isPending && missed === null) {
      changed();
      askedAtMs = now();
    }
    asks = before + 1;
  }

  /** There was nothing to save, or it isn't in the file. */
  function endAsked(): void {
    if (askedAtMs === undefined) return;
    isPending = false;
    askedAtMs = undefined;
    asks = 0;
  }

  function isWritten({ run, begun, written }: SaveCounts): boolean {
    // A later save that is running or was rejected has newer text than the written one.
    if (written !== begun) return false;
    // The text editor reports every change at once, and nothing unsaved only after the host has answered that it wrote it.
    if (deps.kind() === 'text-editor' && isModified === false) return true;
    return mark?.run === run && written > mark.begun;
  }

  function state(): ChangeState {
    if (!isPending) return missed !== null ? 'missed' : savedAtMs === undefined ? 'none' : 'saved';
    if (isModified !== undefined || speaksCollabora(deps.kind()))
      return isModified === false ? 'unconfirmed' : 'unsaved';
    if (lacksText) return 'unsaved';
    const settledMs = deps.kind() === 'onlyoffice' ? settleMs.onlyoffice : settleMs.others;
    return now() - (lastChangeAtMs ?? -Infinity) >= settledMs ? 'with-editor' : 'unsaved';
  }

  return {
    /** The editor reports whether it has anything unsaved. True is a change; false clears none. */
    modified(is: boolean): void {
      isModified = is;
      if (!is) isReportStuck = false;
      // Otherwise, the next answer of the host decides: it may have refused a save that the editor reports as done.
      if (is) changed();
    },
    changed,
    /** The user asked the editor to save. It never reports what was typed right before. */
    asked,
    /** The editor has answered a request to save. Nothing to save ends the wait with the last request; a reported change stays. */
    answered(isUnmodified: boolean): void {
      asks = Math.max(0, asks - 1);
      if (isUnmodified && asks === 0) endAsked();
    },
    /** The editor loads the document again, and may never report what is typed until then. */
    reloading(): void {
      if (missed === null) changed();
    },
    /** The host couldn't be asked: a save may have failed, even one of changes that the editor hasn't reported. */
    lostTouch(): void {
      // A change that the editor has reported keeps its mark.
      if (state() !== 'unsaved') changed();
      isReportStuck = true;
    },
    /** The editor has reloaded the document, discarded what it had before, and is asked to save what was typed meanwhile. */
    reloaded(): void {
      isRejectedHere = false;
      lacksText = false;
      isPending = false;
      isModified = undefined;
      asked();
    },
    /** How many changes there were: read before the host is asked, and passed on with its answer. */
    count: () => count,
    /** @param changesBefore `count()` at the moment the host was asked */
    sawState(state: Pick<PageState, 'saves' | 'missed'>, changesBefore: number): void {
      const before = missed;
      ({ missed } = state);
      if (missed !== null || now() - (askedAtMs ?? Infinity) >= askedMs) endAsked();
      if (missed !== null && isPending) isReportStuck = true;
      const { saves } = state;
      if (saves === null) return;
      if (missed !== null) isRejectedHere ||= last !== undefined && missed.keptId !== before?.keptId;
      // The recovered save is restored as a copy or discarded: the file still lacks its text.
      else if (isRejectedHere && before?.kind === 'recovered' && saves.written !== saves.begun && !isPending)
        changed();
      lacksText ||= isRejectedHere;
      if (missed === null) isRejectedHere = false;
      last = saves;
      if (!isPending) return;
      if (mark === undefined) {
        if (changesBefore === count) mark = saves;
      } else if (mark.run !== saves.run) {
        // The host has restarted and counts from 0: every save it counts now began after the mark.
        mark = { run: saves.run, begun: 0, written: 0 };
        isReportStuck = true;
      } else if (isModified === true && isWritten(saves)) {
        // If the editor doesn't report within a few seconds that nothing is unsaved, its text is newer than that save.
        coveredAtMs ??= now();
        if (now() - coveredAtMs >= reportMs) {
          mark = saves;
          coveredAtMs = undefined;
        }
      }
      if (isReportStuck && missed === null && isWritten(saves)) isModified = false;
      if (isModified === true || !isWritten(saves)) return;
      isPending = false;
      asks = 0;
      lacksText = false;
      savedAtMs = now();
    },
    state,
    /** Where the newest save is, if it isn't in the file. */
    missed: () => missed,
    /** The host has received a save that began after the last change, wherever it is now. */
    isReceived: () => mark !== undefined && last?.run === mark.run && last.begun > mark.begun,
    /** Undefined while there was none. */
    lastChangeAtMs: () => lastChangeAtMs,
    savedAtMs: () => savedAtMs,
  };
}
