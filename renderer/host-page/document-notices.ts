// The notices that follow from what is true about the document: whether the host answers, a damaged file, copies and conflict copies,
// recovered saves, a newest save that isn't in the file, and a lock that another user has.

import { formatDayTime } from '../../app/contract/format.ts';
import { currentLocale, t, type MessageKey } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';
import type { MissedSave, PageState, SiblingDocument } from '../../app/contract/page-state.ts';
import { missedReasons, type OpenDocument } from './open-document.ts';
import type { ButtonChoice } from '../kit/button-choice.ts';
import { mainButton, notice, staying, type Notice } from './page-store.ts';

/** What their buttons do. */
export type NoticeActions = Record<'reload' | 'saveCopy' | 'showVersions', () => void> &
  Record<'restoreSaved' | 'openSaved' | 'saveAnyway' | 'discardSaved', (recoveredId: string) => void> & {
    restoreVersion(versionId: string): void;
    openCopy(kind: string, copy: NamedCopy): void;
    keepFile(missedAtMs: number): void;
  };

export type NamedCopy = Pick<SiblingDocument, 'fileId' | 'name'>;
type Fact = [kind: string, notice: Notice | null];

/** By kind; null: there is nothing to say. */
export function factsOf(page: OpenDocument, actions: NoticeActions): Fact[] {
  const { state } = page;
  const facts: Fact[] = [['host', hostNotice(page) ?? goneNotice(page)]];
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

const whenOf = (atMs: number): string => formatDayTime(atMs, Date.now());

/** Loads the page again, so it isn't the one to press before unsaved text is kept. */
export const signInAgain = (isMain = true): ButtonChoice => ({
  label: t('page.sign-in-again'),
  isMain,
  press: () => location.reload(),
});

/** Where they are, and what to do with them if they can't be saved without signing in. */
export const lastChanges = ({ editor, isSignedOut }: OpenDocument): string =>
  t(isSignedOut ? 'page.your-last-changes-may-be-only' : 'page.your-last-changes-are-only', { editor });

function hostNotice(page: OpenDocument): Notice | null {
  const { hostError, isReady } = page;
  if (hostError === undefined) return null;
  const isKept = page.isReadOnly && page.isWritten;
  const more = isKept ? t('page.sign-in-again-to-continue') : lastChanges(page);
  if (page.isSignedOut) return staying('warn', t('page.you-are-signed-out'), more, [signInAgain(isKept)]);
  if (hostError.status !== 0) return staying('warn', hostError.message);
  // It says so itself, and saves as soon as the host is back.
  if (isReady && page.opened?.kind === 'text-editor') return null;
  return staying('warn', t('common.doctray-isnt-responding'), t('page.keep-this-page-open-when'));
}

function goneNotice({ state, isEditing }: OpenDocument): Notice | null {
  const gone = state?.gone ?? null;
  if (gone === null) return null;
  const isMissing = gone.code === 'file-missing';
  const more = isMissing && isEditing ? t('page.if-you-save-doctray-creates') : undefined;
  const text = isMissing ? t('page.this-document-was-deleted-or') : gone.message;
  return staying('warn', text, more);
}

/** Before the first save, which would replace what is left of it. */
function damagedNotice(page: OpenDocument, actions: NoticeActions): Notice | null {
  const { opened, isEditing, editor, name } = page;
  const damaged = opened?.damaged;
  if (damaged == null) return null;
  const { versionId, writtenAtMs } = damaged;
  const shows = t(isEditing ? 'page.editor-may-show-an-empty-page' : 'page.editor-may-show-an-empty', {
    editor,
  });
  const kept =
    writtenAtMs === null ? '' : ` ${t('page.you-can-restore-the-version', { time: whenOf(writtenAtMs) })}`;
  const restore = (id: string) => [mainButton(t('common.restore'), () => actions.restoreVersion(id))];
  const buttons = versionId === null || !isEditing ? [] : restore(versionId);
  const text = t('page.name-is-damaged', { name: isolated(name) });
  return { ...notice('bad', text, shows + kept, buttons), about: 'damaged' };
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
  if (!isUnreadable) {
    const text = t('page.saves-couldnt-be-written-to', { count: recovered.length, when });
    const more = t(canRestore ? 'page.you-can-restore-it-as' : 'page.ask-the-owner-of-this-doctray-to');
    return { ...notice('warn', text, more, canRestore ? [restoreButton(actions, id)] : []), about };
  }
  const text = t('page.a-save-of-name-isnt', { name: isolated(state.name), when });
  const more = t('page.the-file-is-unchanged');
  if (!canRestore)
    return { ...notice('warn', text, `${more} ${t('page.ask-the-owner-of-this-doctray-what')}`), about };
  const isMissed = missed?.keptId === id;
  const buttons = [
    openSavedButton(actions, id),
    // Not if the document was saved since.
    ...(isMissed ? [{ label: t('common.save-it-anyway'), press: () => actions.saveAnyway(id) }] : []),
    { label: t('common.keep-the-good-version'), press: () => actions.discardSaved(id) },
  ];
  return { ...notice('warn', text, more, buttons), stays: isMissed, about };
}

export const reloadButton = ({ reload }: Pick<NoticeActions, 'reload'>): ButtonChoice => ({
  label: t('page.reload'),
  press: reload,
});

const restoreButton = (actions: NoticeActions, id: string) =>
  mainButton(t('common.restore-as-copy'), () => actions.restoreSaved(id));

const openSavedButton = (actions: NoticeActions, id: string) =>
  mainButton(t('common.open-what-was-saved'), () => actions.openSaved(id));

/** An editor whose access was revoked can't save a copy either. */
export const saveCopyButton = ({ isSignedOut }: OpenDocument, actions: NoticeActions): ButtonChoice =>
  isSignedOut ? signInAgain(false) : mainButton(t('common.save-a-copy-ask'), actions.saveCopy);

/** What can be done with a newest save that isn't in the file; none if the editor can only save again. */
export function waysOut(
  { kind, keptId }: MissedSave,
  page: OpenDocument,
  actions: NoticeActions,
): ButtonChoice[] {
  if (kind === 'version') return [mainButton(t('page.show-versions'), actions.showVersions)];
  if (kind === 'nowhere' || keptId === null)
    return page.savesWhenAsked ? [saveCopyButton(page, actions)] : [];
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
  const buttons = [...waysOut(missed, page, actions), keepFile];
  const tone = kind === 'nowhere' ? 'bad' : 'warn';
  return { ...notice(tone, ...missedWords(missed, page.editor), buttons), about: `${kind} ${atMs}` };
}

/** `Ana and Ben` */
export function listOf(names: readonly string[]): string {
  return new Intl.ListFormat(currentLocale()).format(names.map(isolated));
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
  const { savesWhenAsked, isWritten } = page;
  const held = holder === null || holder.hasLapsed ? undefined : heldBy(holder);
  const lost = t(page.hadLock ? 'page.the-editor-no-longer-has' : 'page.the-editor-didnt-get-the');
  const cleared = clearedBy !== null && t('page.user-force-cleared-the-lock', { user: isolated(clearedBy) });
  const why = held ?? (cleared || lost);
  const reload = { ...reloadButton(actions), isMain: isWritten || !savesWhenAsked };
  const copy = savesWhenAsked ? [{ ...saveCopyButton(page, actions), isMain: !isWritten }] : [];
  const notReaching = t('page.your-saves-dont-reach-the');
  if (!isWritten) {
    const more = t(savesWhenAsked ? 'page.save-a-copy-of-your' : 'page.save-a-copy-in-the');
    return staying('warn', notReaching, `${why} ${more}`, [...copy, reload]);
  }
  const more = held === undefined ? `${why} ${t('page.reload-to-continue')}` : askHolder(page.isOwner);
  return staying('warn', held ?? notReaching, more, [reload, ...copy]);
}

/** ONLYOFFICE reports a document as loaded before it has downloaded it. */
function unreadNotice(page: OpenDocument, state: PageState, actions: NoticeActions): Notice | null {
  if (page.opened?.kind !== 'onlyoffice' || state.isRead || state.isKnown || page.isPatient) return null;
  const text = t('page.editor-hasnt-downloaded-this-document', { editor: page.editor });
  return notice('warn', text, t('page.its-text-may-be-from'), [reloadButton(actions)]);
}

/** About an editor that doesn't open the document. */
export function loadingNotices(page: { editor: string; isOwner: boolean }, tryAgain: () => void) {
  const says = (tone: Notice['tone'], text: string, more?: string): Notice =>
    staying(tone, text, more, [mainButton(t('common.try-again'), tryAgain)]);
  // Only the owner can use DocTray's window.
  const test = () => t(page.isOwner ? 'page.test-connection-in-doctray' : 'page.ask-the-owner-to-test-it');
  return {
    silent() {
      const text = t('page.editor-hasnt-loaded-the-document', { editor: page.editor });
      return says('warn', text, `${t('page.it-may-be-slow-or')} ${test()}`);
    },
    /** @param reason the editor's own words */
    couldNotOpen(reason: string | null) {
      const said = { editor: page.editor, reason: reason ?? 'none' };
      return says('bad', t('page.editor-couldnt-open-the-document', said), test());
    },
    /** @param origin null: the browser doesn't tell it */
    blocked(origin: string | null) {
      const allow = page.isOwner ? 'page.if-the-editor-is-hosted-there' : 'page.if-the-editor-is-hosted';
      return says('bad', t('page.doctray-blocked-the-editor-from', { origin: origin ?? 'none' }), t(allow));
    },
    refused: (text: string) => says('bad', text),
  };
}

/** @param reason the editor's own words; LibreOffice Online's are three dots */
export function failedSave(editor: string, reason: string | null): string {
  const isSaid = reason !== null && /\p{L}/u.test(reason);
  return t('page.editor-couldnt-save-the-document', { editor, reason: isSaid ? reason : 'none' });
}
