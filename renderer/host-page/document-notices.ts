// The notices that follow from what is true about the document: whether the host answers, a damaged file, copies and conflict copies,
// recovered saves, a newest save that isn't in the file, and a lock that another user has.

import { formatTime } from '../../app/contract/format.ts';
import { t, type MessageKey } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { MissedSave, PageState, SiblingDocument } from '../../app/contract/page-state.ts';
import { missedReasons } from './changes.ts';
import type { HostError } from './host-api.ts';
import type { OpenDocument } from './open-document.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import { mainButton, notice, type Notice } from './page-store.ts';

/** What their buttons do. */
export interface NoticeActions {
  reload(): void;
  saveCopy(): void;
  showVersions(): void;
  restoreVersion(versionId: string): void;
  openCopy(kind: string, copy: NamedCopy): void;
  restoreSaved(recoveredId: string): void;
  openSaved(recoveredId: string): void;
  saveAnyway(recoveredId: string): void;
  discardSaved(recoveredId: string): void;
  keepFile(missedAtMs: number): void;
}

export type NamedCopy = Pick<SiblingDocument, 'fileId' | 'name'>;
type Fact = [kind: string, notice: Notice | null];

/** By kind; null: there is nothing to say. */
export function factsOf(page: OpenDocument, actions: NoticeActions): Fact[] {
  const { state } = page;
  const facts: Fact[] = [['host', page.hostProblem ?? goneNotice(page)]];
  if (page.phase === 'closing') return facts;
  facts.push(['damaged', damagedNotice(page, actions)]);
  if (!page.isReady || state === undefined) return facts;
  for (const copy of state.copies) facts.push(copyNotice(copy, actions));
  for (const copy of state.conflicts) {
    const more = t('page.that-version-is-kept-as', { name: isolated(copy.name) });
    facts.push(copyNotice(copy, actions, notice('warn', t('page.the-file-was-also-changed'), more)));
  }
  return [
    ...facts,
    ['recovered', recoveredNotice(state, actions)],
    ['missed', missedNotice(page, actions)],
    ['lock', page.opened?.kind === 'text-editor' ? null : lockNotice(page, state, actions)],
    ['unread', unreadNotice(page, state, actions)],
  ];
}

/** The time if it's from today, otherwise the date. */
function whenOf(atMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return formatTime(isToday ? 'clock' : 'date', atMs);
}

export const signInAgain = () => mainButton(t('page.sign-in-again'), () => location.reload());

/** @param isSure not a single unanswered call, which isn't reported */
export function hostProblem(error: HostError, isSure: boolean, isReadOnly: boolean): Notice | null {
  const more = t(isReadOnly ? 'page.sign-in-again-to-continue' : 'page.sign-in-again-before-you');
  const says =
    error.status === 401
      ? notice('warn', t('page.you-are-signed-out'), more, [signInAgain()])
      : error.status !== 0
        ? notice('warn', error.message)
        : notice('warn', t('common.doctray-isnt-responding'), t('page.keep-this-page-open-when'));
  return isSure ? { ...says, stays: true } : null;
}

function goneNotice({ state, isEditing }: OpenDocument): Notice | null {
  const gone = state?.gone ?? null;
  if (gone === null) return null;
  const isMissing = gone.code === 'file-missing';
  const more = isMissing && isEditing ? t('page.if-you-save-doctray-creates') : undefined;
  const text = isMissing ? t('page.this-document-was-deleted-or') : gone.message;
  return { ...notice('warn', text, more), stays: true };
}

/** Before the first save, which would replace what is left of it. */
function damagedNotice(page: OpenDocument, actions: NoticeActions): Notice | null {
  const { damaged, isEditing, editor, name } = page;
  if (damaged === null) return null;
  const { versionId, writtenAtMs } = damaged;
  const more = [
    t(isEditing ? 'page.editor-may-show-an-empty-page' : 'page.editor-may-show-an-empty', { editor }),
  ];
  if (writtenAtMs !== null) more.push(t('page.you-can-restore-the-version', { time: whenOf(writtenAtMs) }));
  const restore = (id: string) => [mainButton(t('common.restore'), () => actions.restoreVersion(id))];
  const buttons = versionId === null || !isEditing ? [] : restore(versionId);
  const text = t('page.name-is-damaged', { name: isolated(name) });
  return { ...notice('bad', text, more.join(' '), buttons), about: 'damaged' };
}

/** A copy of the document, and a button that opens it. */
export function copyNotice(
  copy: NamedCopy,
  actions: Pick<NoticeActions, 'openCopy'>,
  says = notice('info', t('common.saved-a-copy-name', { name: isolated(copy.name) })),
): [kind: string, Notice] {
  const kind = `copy ${copy.fileId}`;
  const buttons = [{ label: t('common.open-copy'), press: () => actions.openCopy(kind, copy) }];
  return [kind, { ...says, buttons, about: kind }];
}

function recoveredNotice(state: PageState, actions: NoticeActions): Notice | null {
  const { recovered, missed, canRestore } = state;
  const [newest] = recovered;
  if (newest === undefined) return null;
  const { id, receivedAtMs, isUnreadable } = newest;
  const about = [missed?.keptId, ...recovered.map((save) => save.id)].join(' ');
  const when = whenOf(receivedAtMs);
  const isMissed = missed?.keptId === id;
  if (!isUnreadable) {
    const text = t('page.saves-couldnt-be-written-to', { count: recovered.length, when });
    const more = t(canRestore ? 'page.you-can-restore-it-as' : 'page.ask-the-owner-of-this-doctray-to');
    return { ...notice('warn', text, more, canRestore ? [restoreButton(actions, id)] : []), about };
  }
  const text = t('page.a-save-of-name-isnt', { name: isolated(state.name), when });
  const more = t('page.the-file-is-unchanged');
  if (!canRestore)
    return { ...notice('warn', text, `${more} ${t('page.ask-the-owner-of-this-doctray-what')}`), about };
  const buttons = [
    openSavedButton(actions, id),
    // Not if the document was saved since.
    ...(isMissed ? [{ label: t('common.save-it-anyway'), press: () => actions.saveAnyway(id) }] : []),
    { label: t('common.keep-the-good-version'), press: () => actions.discardSaved(id) },
  ];
  return { ...notice('warn', text, more, buttons), stays: isMissed, about };
}

type SavedActions = Pick<NoticeActions, 'restoreSaved' | 'openSaved' | 'showVersions' | 'saveCopy'>;

const restoreButton = (actions: SavedActions, id: string) =>
  mainButton(t('common.restore-as-copy'), () => actions.restoreSaved(id));

const openSavedButton = (actions: SavedActions, id: string) =>
  mainButton(t('common.open-what-was-saved'), () => actions.openSaved(id));

export const saveCopyButton = (actions: SavedActions) =>
  mainButton(t('common.save-a-copy-ask'), actions.saveCopy);

/** What can be done with a newest save that isn't in the file; none if the editor can only save again. */
export function waysOut(
  { kind, keptId }: MissedSave,
  { savesWhenAsked }: OpenDocument,
  actions: SavedActions,
): ButtonChoice[] {
  if (kind === 'version') return [mainButton(t('page.show-versions'), actions.showVersions)];
  if (kind === 'nowhere' || keptId === null) return savesWhenAsked ? [saveCopyButton(actions)] : [];
  return [(kind === 'unreadable' ? openSavedButton : restoreButton)(actions, keptId)];
}

const places = {
  recovered: 'page.doctray-keeps-it-in-recovered',
  unreadable: 'page.the-file-is-unchanged-doctray',
  version: 'page.the-file-has-the-other',
  nowhere: 'page.if-editor-still-shows-your',
} as const satisfies Record<MissedSave['kind'], MessageKey>;

/** Why the newest save isn't in the file, and where it is. */
export function missedWords({ kind }: MissedSave, editor: string): [text: string, more: string] {
  return [t(missedReasons[kind]), t(places[kind], { editor })];
}

/** A save that is only a version, or that the host doesn't have. Recovered saves have their own notice. */
function missedNotice(page: OpenDocument, actions: NoticeActions): Notice | null {
  const { missed } = page;
  if (missed?.kind !== 'version' && missed?.kind !== 'nowhere') return null;
  const { kind, atMs } = missed;
  const keepFile = { label: t('common.keep-the-file'), press: () => actions.keepFile(atMs) };
  const says = missedWords(missed, page.editor);
  const buttons = [...waysOut(missed, page, actions), keepFile];
  return { ...notice(kind === 'nowhere' ? 'bad' : 'warn', ...says, buttons), about: `${kind} ${atMs}` };
}

/** Who has the document open. */
export function heldBy({ userName, editorName }: NonNullable<PageState['holder']>): string {
  return t('page.user-is-editing-this-document', {
    user: isolated(userName ?? t('page.another-user')),
    editor: editorName ?? t('page.another-editor'),
  });
}

/** Only the owner can force-clear its lock. */
export function askHolder(isOwner: boolean): string {
  return t(isOwner ? 'page.ask-them-to-close-it-or' : 'page.ask-them-to-close-it');
}

function lockNotice(page: OpenDocument, state: PageState, actions: NoticeActions): Notice | null {
  if (!page.lacksLock) return null;
  const { holder, clearedBy } = state;
  const { savesWhenAsked, isWritten, hadLock } = page;
  const held = holder === null || holder.hasLapsed ? undefined : heldBy(holder);
  const cleared = clearedBy !== null && t('page.user-force-cleared-the-lock', { user: isolated(clearedBy) });
  const lost = t(hadLock ? 'page.the-editor-no-longer-has' : 'page.the-editor-didnt-get-the');
  const why = held ?? (cleared || lost);
  const reload = mainButton(t('page.reload'), actions.reload);
  const copy = savesWhenAsked ? [saveCopyButton(actions)] : [];
  const notReaching = t('page.your-saves-dont-reach-the');
  if (isWritten) {
    const more = held === undefined ? `${why} ${t('page.reload-to-continue')}` : askHolder(page.isOwner);
    const buttons = [reload, ...copy.map((one) => ({ ...one, isMain: false }))];
    return { ...notice('warn', held ?? notReaching, more, buttons), stays: true };
  }
  const more = `${why} ${t(savesWhenAsked ? 'page.save-a-copy-of-your' : 'page.save-a-copy-in-the')}`;
  const buttons = [...copy, { ...reload, isMain: !savesWhenAsked }];
  return { ...notice('warn', notReaching, more, buttons), stays: true };
}

/** ONLYOFFICE reports a document as loaded before it has downloaded it. */
function unreadNotice(page: OpenDocument, state: PageState, actions: NoticeActions): Notice | null {
  if (page.opened?.kind !== 'onlyoffice' || state.isRead || state.isKnown || page.isPatient) return null;
  const text = t('page.editor-hasnt-downloaded-this-document', { editor: page.editor });
  const reload = { label: t('page.reload'), press: actions.reload };
  return notice('warn', text, t('page.its-text-may-be-from'), [reload]);
}

/** About an editor that doesn't open the document. */
export function loadingNotices(isOwner: () => boolean, tryAgain: () => void) {
  const says = (tone: Notice['tone'], text: string, more?: string): Notice => ({
    ...notice(tone, text, more, [mainButton(t('common.try-again'), tryAgain)]),
    stays: true,
  });
  // Only the owner can use DocTray's window.
  const test = () =>
    t(isOwner() ? 'page.test-connection-in-doctray-settings' : 'page.ask-the-owner-of-this-doctray-to-test');
  return {
    silent(editor: string): Notice {
      const text = t('page.editor-hasnt-responded-for-20', { editor });
      return says('warn', text, `${t('page.it-may-be-slow-or')} ${test()}`);
    },
    slow(editor: string): Notice {
      const text = t('page.editor-has-started-but-hasnt', { editor });
      return says('warn', text, `${t('page.it-may-be-unable-to')} ${test()}`);
    },
    /** @param reason the editor's own words */
    couldNotOpen: (editor: string, reason: string | null): Notice =>
      reason === null
        ? says('bad', t('page.editor-couldnt-open-the-document', { editor }), test())
        : says('bad', t('page.editor-couldnt-open-the-document-reason', { editor, reason }), test()),
    blocked(origin: string | null): Notice {
      const text =
        origin === null
          ? t('page.doctray-blocked-the-editor-from')
          : t('page.doctray-blocked-the-editor-from-opening', { origin });
      return says(
        'bad',
        text,
        t(isOwner() ? 'page.if-the-editor-is-hosted-there' : 'page.if-the-editor-is-hosted'),
      );
    },
    refused: (text: string): Notice => says('bad', text),
  };
}

/** @param reason the editor's own words; LibreOffice Online's are three dots */
export function failedSave(editor: string, reason: string | null): string {
  return reason === null || !/\p{L}/u.test(reason)
    ? t('page.editor-couldnt-save-the-document', { editor })
    : t('page.editor-couldnt-save-the-document-reason', { editor, reason });
}
