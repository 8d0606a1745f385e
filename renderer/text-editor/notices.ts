// The notices of a text document: what happened, and what the user can do about it. Pure functions.

import type { Choice, Notice } from './frame.ts';
import { words } from './words.ts';
import type { Answer } from './wopi-client.ts';

/** Why this page can't have the lock. The first sentence of the host's reason names the user who has it. */
export function refusalNotice(
  { status, reason }: Pick<Answer, 'status' | 'reason'>,
  button: Choice | undefined,
): Notice {
  const buttons = button && [button];
  if (status !== 409) return { text: words.lockFailed, tone: 'warn', ...(buttons && { buttons }) };
  const [who = '', ...hostsMore] = (reason || words.held).split(/(?<=\.) /);
  const isOwn = button?.label === words.editHere;
  const more = isOwn ? [words.editHereMore] : hostsMore;
  return {
    text: isOwn ? words.heldByYou : who,
    more: [words.followsMore, ...more].join(' '),
    tone: 'info',
    ...(buttons && { buttons }),
  };
}

export function freeNotice(edit: () => void): Notice {
  return { text: words.free, tone: 'info', buttons: [{ label: words.editNow, isMain: true, press: edit }] };
}

export interface LostState {
  /** The host's sentence about the user who has the lock now, or ''. */
  reason: string;
  /** False: the user lost the permission to edit. */
  canEdit: boolean;
  canSaveCopy: boolean;
  isFree: boolean;
  /** Another page of this user has the lock. */
  isOwn: boolean;
  hasUnsaved: boolean;
  /** The file on disk isn't the one this page knows. */
  isChanged: boolean;
  isComparing: boolean;
  /** The name of a copy that has the whole text. */
  copyName: string | undefined;
}

export interface LostActions {
  lockAgain(): void;
  editHere(): void;
  saveCopy(): void;
  download(): void;
  compare(): void;
  stopComparing(): void;
  loadFile(): void;
}

/** The lock or the permission was lost while editing. What was typed is kept; every state of the file has a way to save it. */
export function lostNotice(state: LostState, actions: LostActions): Notice {
  const { reason, canEdit, hasUnsaved, isChanged, isComparing, copyName } = state;
  const isFree = state.isFree && canEdit;
  // After a change on disk, both versions are compared first.
  const isOwn = state.isOwn && canEdit && !isChanged;
  const text = canEdit
    ? (state.isOwn && words.heldByYou) || reason || words.lockLost[isFree ? 'cleared' : 'taken']
    : words.noPermission;
  const lockAgain: Choice = { label: words.lockAgain, isMain: true, press: actions.lockAgain };
  if (!hasUnsaved) {
    return {
      text,
      more: words.lostMore.clean,
      tone: 'bad',
      ...(isFree && { buttons: [lockAgain] }),
    };
  }
  const more = [
    copyName === undefined ? words.lostMore.unsaved : words.lostMore.inCopy(copyName),
    ...(isFree && isChanged ? [words.lostMore.changed] : []),
    ...(isOwn ? [words.editHereMore] : []),
    ...(isComparing ? [words.comparing] : []),
  ];
  const compare: Choice =
    isComparing && !isChanged
      ? { label: words.hideChanges, press: actions.stopComparing }
      : { label: words.showChanges, press: actions.compare };
  const buttons: Choice[] = [
    ...(isFree && !isChanged ? [lockAgain] : []),
    ...(isOwn ? [{ label: words.editHere, isMain: true, press: actions.editHere }] : []),
    state.canSaveCopy
      ? { label: words.saveCopy, press: actions.saveCopy }
      : { label: words.download, press: actions.download },
    compare,
    ...(copyName === undefined ? [] : [{ label: words.loadFile, press: actions.loadFile }]),
  ];
  return { text, more: more.join(' '), tone: 'bad', buttons };
}

/** Nothing can be saved with this access any more. */
export function endedNotice(text: string, download: (() => void) | undefined): Notice {
  if (download === undefined) return { text, more: words.openAgain, tone: 'bad' };
  return {
    text,
    more: words.endedMore,
    tone: 'bad',
    buttons: [{ label: words.download, isMain: true, press: download }],
  };
}

export function goneNotice(save: (() => void) | undefined): Notice {
  if (save === undefined) return { text: words.gone, tone: 'warn' };
  return {
    text: words.gone,
    more: words.goneMore,
    tone: 'warn',
    buttons: [{ label: words.save, isMain: true, press: save }],
  };
}

export function saveFailedNotice({ status, reason }: Pick<Answer, 'status' | 'reason'>): Notice {
  return status === 413
    ? { text: words.tooLargeToSave, more: words.tooLargeToSaveMore, tone: 'bad' }
    : { text: words.saveFailed(reason), more: words.saveFailedMore, tone: 'bad' };
}
