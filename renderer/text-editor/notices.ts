// The notices of a text document: what happened, and what the user can do about it. Pure functions.

import { formatSize } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import type { Notice } from './page-store.ts';
import type { Answer } from './wopi-client.ts';

/** Why this page can't have the lock. The first sentence of the host's reason names the user who has it. */
export function refusalNotice(
  { status, reason }: Pick<Answer, 'status' | 'reason'>,
  { tryAgain, editHere }: { tryAgain?: (() => void) | undefined; editHere?: (() => void) | undefined },
): Notice {
  const again = tryAgain && [{ label: t('common.try-again'), press: tryAgain }];
  if (status !== 409)
    return { text: t('editor.doctray-couldnt-lock-this-document'), tone: 'warn', buttons: again };
  const follows = t('editor.saved-changes-appear-here');
  if (editHere !== undefined)
    return {
      text: t('editor.youre-editing-this-document-in'),
      more: `${follows} ${t('editor.press-edit-here-to-continue')}`,
      tone: 'info',
      buttons: [{ label: t('editor.edit-here'), press: editHere }],
    };
  const [who = '', ...more] = (reason || t('editor.another-user-is-editing-this')).split(/(?<=\.) /);
  return { text: who, more: [follows, ...more].join(' '), tone: 'info', buttons: again };
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
}

export type LostAction = 'lockAgain' | 'editHere' | 'saveCopy' | 'download' | 'compare' | 'stopComparing';

export function lostText(state: Pick<LostState, 'reason' | 'canEdit' | 'holder'>): string {
  const texts: Record<LockHolder, string> = {
    nobody: state.reason || t('editor.the-lock-on-this-document'),
    'this-page': t('editor.the-file-changed-on-disk'),
    'other-window': t('editor.youre-editing-this-document-in'),
    'other-user': state.reason || t('editor.another-user-has-locked-this'),
  };
  return state.canEdit ? texts[state.holder] : t('editor.you-dont-have-permission-to');
}

/** The lock or the permission was lost while editing. What was typed is kept; every state of the file has a way to save it. */
export function lostNotice(state: LostState, actions: Record<LostAction, () => void>): Notice {
  const { canEdit, holder, hasUnsaved, isChanged, isComparing } = state;
  const text = lostText(state);
  const editing: Partial<Record<LockHolder, ButtonChoice>> = {
    nobody: { label: t('editor.lock-again'), isMain: true, press: actions.lockAgain },
    'this-page': { label: t('common.keep-editing'), isMain: true, press: actions.lockAgain },
    'other-window': { label: t('editor.edit-here'), isMain: true, press: actions.editHere },
  };
  const edit = canEdit ? editing[holder] : undefined;
  if (!hasUnsaved)
    return { text, more: t('editor.everything-you-typed-so-far'), tone: 'bad', buttons: edit && [edit] };
  const more = [
    t('editor.your-changes-are-kept-on'),
    edit && holder === 'other-window' && t('editor.press-edit-here-to-continue'),
    edit && holder === 'this-page' && t('editor.press-keep-editing-to-replace'),
    edit && isChanged && t('editor.the-file-has-changed-on'),
    isComparing && t('editor.green-lines-are-only-in'),
  ].filter((sentence) => typeof sentence === 'string');
  const buttons = [
    edit,
    state.canSaveCopy
      ? { label: t('common.save-a-copy-ask'), press: actions.saveCopy }
      : { label: t('editor.download-my-text'), press: actions.download },
    isComparing && !isChanged
      ? { label: t('editor.hide-changes'), press: actions.stopComparing }
      : { label: t('editor.show-what-changed'), press: actions.compare },
  ].filter((button) => button !== undefined);
  return { text, more: more.join(' '), tone: 'bad', buttons };
}

/** Nothing can be saved with this access any more. @param text why, unless it's shown elsewhere */
export function endedNotice(text: string | undefined, download: (() => void) | undefined): Notice | null {
  if (download === undefined)
    return text === undefined ? null : { text, more: t('editor.open-the-document-again-from'), tone: 'bad' };
  const kept = t('editor.your-unsaved-changes-are-kept');
  return {
    ...(text === undefined ? { text: kept } : { text, more: kept }),
    tone: 'bad',
    buttons: [{ label: t('editor.download-my-text'), isMain: true, press: download }],
  };
}

/**
 * @param input.failure why a save couldn't create the file again, or ''; its folder may be gone, so a copy beside it isn't offered.
 * Undefined: no save has tried
 */
export function goneNotice(input?: {
  save: (() => void) | undefined;
  download: () => void;
  failure: string | undefined;
}): Notice {
  const text = t('editor.the-file-was-deleted-or');
  if (input?.save === undefined) return { text, tone: 'warn' };
  const { save, download, failure: reason } = input;
  if (reason === undefined)
    return {
      text,
      more: t('editor.if-you-save-or-keep'),
      tone: 'warn',
      buttons: [{ label: t('common.save'), isMain: true, press: save }],
    };
  const why = t('editor.doctray-couldnt-create-it-again', { reason: reason || 'none' });
  return {
    text,
    more: `${why} ${t('editor.your-changes-are-kept-here-the')}`,
    tone: 'bad',
    buttons: [
      { label: t('editor.download-my-text'), isMain: true, press: download },
      { label: t('common.try-again'), press: save },
    ],
  };
}

export function saveFailedNotice({ status, reason }: Pick<Answer, 'status' | 'reason'>): Notice {
  if (status === 413)
    return {
      text: t('editor.doctray-refused-the-save-because'),
      more: t('editor.your-changes-are-kept-here-remove'),
      tone: 'bad',
    };
  const text = t('editor.doctray-couldnt-save-this-document', { reason: reason || 'none' });
  return { text, more: t('editor.your-changes-are-kept-here-the'), tone: 'bad' };
}

/** Why a document can't be shown. @param status of the answer */
export function openFailed(status: number): string {
  return t('editor.doctray-couldnt-open-this-document', { status });
}

/** `This file is 12 MB. The text editor opens files up to 10 MB.` */
export function tooLargeText(bytes: number, limit: number): string {
  return t('editor.this-file-is-size-the', { size: sizeBeside(bytes, limit), limit: formatSize(limit) });
}

/** Rounded, a file near the limit would be as large as the limit. */
function sizeBeside(bytes: number, limit: number): string {
  return formatSize(bytes) === formatSize(limit) ? t('common.bytes', { count: bytes }) : formatSize(bytes);
}
