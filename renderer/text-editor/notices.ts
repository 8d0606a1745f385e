// The notices of a text document: what happened, and what the user can do about it. Pure functions.

import type { ButtonChoice } from './elements.ts';
import type { Notice } from './frame.ts';
import { words } from './words.ts';
import type { Answer } from './wopi-client.ts';

/** Why this page can't have the lock. The first sentence of the host's reason names the user who has it. */
export function refusalNotice(
  { status, reason }: Pick<Answer, 'status' | 'reason'>,
  button: ButtonChoice | undefined,
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

export type LockHolder = 'nobody' | 'this-page' | 'other-window' | 'other-user';

export interface LostState {
  /** The host's sentence about the user who has the lock now, or ''. */
  reason: string;
  /** False: the user lost the permission to edit. */
  canEdit: boolean;
  canSaveCopy: boolean;
  /** `this-page`: it got the lock, and the user compares both texts before anything is saved. */
  holder: LockHolder;
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

export function lostText({
  reason,
  canEdit,
  holder,
}: Pick<LostState, 'reason' | 'canEdit' | 'holder'>): string {
  const texts: Record<LockHolder, string> = {
    nobody: reason || words.lockLost.cleared,
    'this-page': words.changedOnDisk,
    'other-window': words.heldByYou,
    'other-user': reason || words.lockLost.taken,
  };
  return canEdit ? texts[holder] : words.noPermission;
}

/** The lock or the permission was lost while editing. What was typed is kept; every state of the file has a way to save it. */
export function lostNotice(state: LostState, actions: LostActions): Notice {
  const { canEdit, holder, hasUnsaved, isChanged, isComparing, copyName } = state;
  const text = lostText(state);
  const editing: Partial<Record<LockHolder, ButtonChoice>> = {
    nobody: { label: words.lockAgain, isMain: true, press: actions.lockAgain },
    'this-page': { label: words.keepEditing, isMain: true, press: actions.lockAgain },
    'other-window': { label: words.editHere, isMain: true, press: actions.editHere },
  };
  const edit = canEdit ? editing[holder] : undefined;
  if (!hasUnsaved) {
    return { text, more: words.lostMore.clean, tone: 'bad', ...(edit && { buttons: [edit] }) };
  }
  const more = [
    copyName === undefined ? words.lostMore.unsaved : words.lostMore.inCopy(copyName),
    ...(edit && holder === 'other-window' ? [words.editHereMore] : []),
    ...(edit && holder === 'this-page' ? [words.keepEditingMore] : []),
    ...(edit && isChanged ? [words.lostMore.changed] : []),
    ...(isComparing ? [words.comparing] : []),
  ];
  const compare: ButtonChoice =
    isComparing && !isChanged
      ? { label: words.hideChanges, press: actions.stopComparing }
      : { label: words.showChanges, press: actions.compare };
  const buttons: ButtonChoice[] = [
    ...(edit ? [edit] : []),
    state.canSaveCopy
      ? { label: words.saveCopy, press: actions.saveCopy }
      : { label: words.download, press: actions.download },
    compare,
    ...(copyName === undefined ? [] : [{ label: words.loadFile, press: actions.loadFile }]),
  ];
  return { text, more: more.join(' '), tone: 'bad', buttons };
}

/** Nothing can be saved with this access any more. @param text why, unless it's shown elsewhere */
export function endedNotice(text: string | undefined, download: (() => void) | undefined): Notice | null {
  if (download === undefined) return text === undefined ? null : { text, more: words.openAgain, tone: 'bad' };
  return {
    ...(text === undefined ? { text: words.endedMore } : { text, more: words.endedMore }),
    tone: 'bad',
    buttons: [{ label: words.download, isMain: true, press: download }],
  };
}

/** @param input.failure why a save couldn't create the file again; its folder may be gone, so a copy beside it isn't offered */
export function goneNotice(input?: {
  save: (() => void) | undefined;
  download: () => void;
  failure: string | undefined;
}): Notice {
  if (input?.save === undefined) return { text: words.gone, tone: 'warn' };
  const { save, download, failure } = input;
  if (failure !== undefined) {
    return {
      text: words.gone,
      more: `${words.notPutBack(failure)} ${words.saveFailedMore}`,
      tone: 'bad',
      buttons: [
        { label: words.download, isMain: true, press: download },
        { label: words.tryAgain, press: save },
      ],
    };
  }
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
