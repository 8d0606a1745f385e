// What is true about the document of a page: what the host and the editor have reported. What the bar shows and what may be lost
// follow from that.

import { formatTime } from '../../app/contract/format.ts';
import { t, type MessageKey } from '../../app/contract/messages.ts';
import type { MissedSave, PageState } from '../../app/contract/page-state.ts';
import { createChanges } from './changes.ts';
import type { HostError, ShownDocument } from './host-api.ts';
import { speaksCollabora } from './messages.ts';
import type { TabQuestion } from './other-tabs.ts';
import type { ShownPage } from './page-store.ts';

/** `closing`: the user is leaving the page, or the page leads elsewhere. */
export type Phase = 'opening' | 'loading' | 'ready' | 'failed' | 'closing';

/** By this time after the document was loaded, an editor has requested its content and its lock. */
const patienceMs = 25_000;
/** After this time without being seen, or without changes, the frame can be reloaded unnoticed. */
const hiddenMs = 60_000;
const idleMs = 6 * 60_000;

/** Why the newest save, by any editor, isn't in the file. */
export const missedReasons = {
  recovered: 'page.the-last-save-couldnt-be',
  unreadable: 'page.the-last-save-isnt-a',
  version: 'page.another-program-changed-the-file',
  nowhere: 'page.doctray-doesnt-have-the-last',
} as const satisfies Record<MissedSave['kind'], MessageKey>;

/** Other pages edit the document under the lock, and may keep it. */
export function isShared(holder: PageState['holder']): boolean {
  return holder !== null && (holder.otherUsers.length > 0 || holder.isOpenElsewhere);
}

export class OpenDocument {
  readonly changes = createChanges({ now: Date.now, kind: () => this.opened?.kind });
  name: string;
  phase: Phase = 'opening';
  phaseStatus: string | undefined;
  opened: ShownDocument | undefined;
  /** What the host answered last. */
  state: PageState | undefined;
  /** The host's last answer said what is saved. */
  isConnected = true;
  /** Why it isn't connected, once that is sure. */
  hostError: HostError | undefined;
  readyAtMs = 0;
  hiddenSinceMs: number | undefined;
  /** The editor has had the lock since it was loaded. */
  hadLock = false;
  /** Only the text editor reports it. */
  editorHasLock: boolean | undefined;
  /** The editor reports unsaved changes, as Collabora does. */
  reportsModified = false;
  /** Without the question whether another tab keeps the page session. */
  isLeaving = false;

  /** Of its page, without a query or trailing slash. */
  readonly address: string;

  constructor(name: string, address: string) {
    this.name = name;
    this.address = address;
  }

  /** @param changesBefore `changes.count()` when the host was asked */
  sawState(state: PageState, changesBefore: number): void {
    const before = this.state?.saves?.run;
    if (before !== undefined && before !== state.saves?.run) this.mayHaveFailed();
    Object.assign(this, { state, isConnected: true, hostError: undefined });
    if (state.gone === null) this.name = state.name;
    if (this.isReady) this.hadLock ||= state.holder?.isThisEditor === true;
    // To a page for viewing, it makes no difference where the save of another one is.
    this.changes.sawState(this.isEditing ? state : { ...state, missed: null }, changesBefore);
  }

  lostHost(error: HostError, isSure: boolean): void {
    this.isConnected = false;
    if (!isSure) return;
    this.hostError = error;
    this.mayHaveFailed();
  }

  /** While the host was away, LibreOffice Online may have failed to save a change that it doesn't report. */
  mayHaveFailed(): void {
    if (this.isReady && this.mayHideChanges && this.savesWhenAsked) this.changes.lostTouch();
  }

  get isSignedOut(): boolean {
    return this.hostError?.status === 401;
  }

  get editor(): string {
    return this.opened?.editorName ?? t('page.the-editor');
  }

  get isOwner(): boolean {
    return this.opened?.isOwner === true;
  }

  get isEditing(): boolean {
    return this.opened?.mode === 'edit' && this.opened.canEdit;
  }

  get isReady(): boolean {
    return this.phase === 'ready';
  }

  get isPatient(): boolean {
    return Date.now() - this.readyAtMs < patienceMs;
  }

  /** The editor saves on request, and creates copies. */
  get savesWhenAsked(): boolean {
    return speaksCollabora(this.opened?.kind) || (this.opened?.kind === 'other' && this.reportsModified);
  }

  /** It is open for editing, in an editor that may have changes that it doesn't report. */
  get mayHideChanges(): boolean {
    return this.isEditing && this.opened?.kind !== 'text-editor';
  }

  /** To another tab, which asks before it ends the page session or restores a version. */
  answerTab(question: TabQuestion): boolean {
    if (question === 'is-open')
      return !this.isLeaving && (this.opened !== undefined || this.phase === 'opening');
    // The tabs of other editors keep a lock together; the text editor's is for one tab.
    return this.mayHideChanges && (this.isReady || this.phase === 'loading');
  }

  /** The editor can't save the document. */
  get lacksLock(): boolean {
    if (!this.isEditing || this.state === undefined) return false;
    const { holder } = this.state;
    if (holder?.isThisEditor === true) return false;
    return (holder !== null && !holder.hasLapsed) || this.hadLock || !this.isPatient;
  }

  /** The editor accepts no changes, or can't save them. */
  get isReadOnly(): boolean {
    if (this.opened?.mode === 'view') return true;
    return this.editorHasLock === undefined ? this.lacksLock : !this.editorHasLock;
  }

  /** Nothing is missing in the file. */
  get isWritten(): boolean {
    return ['none', 'saved'].includes(this.changes.state());
  }

  /** Text that the editor's server may not have, or may not save. */
  get hasUnsavedText(): boolean {
    const state = this.changes.state();
    if (state === 'missed') return this.changes.missed()?.kind === 'nowhere';
    // The editor may have changes that it hasn't reported, and this page can't ask.
    if (this.mayHideChanges && !this.isConnected) return true;
    return state === 'unsaved' || state === 'unconfirmed';
  }

  get canReload(): boolean {
    if (!this.isReady || this.hasUnsavedText || this.changes.missed() !== null) return false;
    if (this.hiddenSinceMs !== undefined) return Date.now() - this.hiddenSinceMs >= hiddenMs;
    const changedAtMs = Math.max(this.readyAtMs, this.changes.lastChangeAtMs() ?? 0);
    // A reader would lose their place.
    return this.opened?.mode === 'edit' && Date.now() - changedAtMs >= idleMs;
  }

  /** Where the newest save is, if it isn't in the file, for a user who can decide about it. */
  get missed(): MissedSave | null {
    return this.state?.canRestore === true ? this.state.missed : null;
  }

  /** The file may be gone, or lack changes made elsewhere. */
  get isUncertain(): boolean {
    if (!this.isConnected || (this.state?.gone ?? null) !== null) return true;
    if (this.changes.state() !== 'none') return false;
    // Others, or an earlier session, may have changed the document in the editor, and only its server knows.
    const mayLackText = this.state === undefined || this.state.others.length > 0 || !this.state.isRead;
    return this.opened?.damaged != null || (mayLackText && !speaksCollabora(this.opened?.kind));
  }

  get status(): ShownPage['status'] {
    const { phase, editor } = this;
    if (phase !== 'ready') {
      const words = {
        opening: t('common.opening'),
        loading: t('page.opening-in-editor', { editor }),
        failed: t('page.not-opened'),
        closing: t('page.closing'),
      };
      return { text: this.phaseStatus ?? words[phase], ...(phase === 'failed' && { tone: 'bad' }) };
    }
    // A page that only shows the document has no changes, but its user decides about the save of another one.
    const missed = this.changes.missed() ?? this.missed;
    if (this.isWritten && missed === null) {
      if (this.isReadOnly) return { text: t('common.read-only') };
      if (this.isUncertain) return { text: '' };
    }
    const notSaved = t('page.not-saved-yet');
    if (missed !== null) return { text: notSaved, reason: t(missedReasons[missed.kind]) };
    const state = this.changes.state();
    if (state === 'unsaved')
      return { text: notSaved, reason: t('page.editor-has-changes-that-arent', { editor }) };
    if (state === 'unconfirmed') return { text: notSaved, reason: t('page.doctray-hasnt-received-a-save') };
    if (state === 'with-editor')
      return { text: t('common.saving'), reason: t('page.editor-has-the-changes-and', { editor }) };
    const savedAtMs = this.changes.savedAtMs();
    const time = savedAtMs === undefined ? undefined : formatTime('clock', savedAtMs);
    const reason = time === undefined ? t('page.all-changes-are-saved') : t('page.saved-at-time', { time });
    return { text: t('common.saved'), reason };
  }
}
