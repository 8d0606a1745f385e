// Every sentence of the page, in one place.

import { formatSize, formatTime } from '../../app/contract/format.ts';
import { currentLocale, t } from '../../app/contract/messages.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';
import { isolated, typeOf } from '../../app/contract/names.ts';
import { maxComparedBytes } from '../../app/contract/text-documents.ts';
import type { Changes } from './changes.ts';

/** Only the owner can use DocTray's window. */
const testConnection = (isOwner: boolean) =>
  isOwner ? t('page.test-connection-in-doctray-settings') : t('page.ask-the-owner-of-this-doctray-to-test');

/** The time if it's from today, otherwise the date. */
function whenOf(atMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return formatTime(isToday ? 'clock' : 'date', atMs);
}

type MissedKind = MissedSave['kind'];

export const words = {
  opening: (editor: string) => t('page.opening-in-editor', { editor }),
  asking: t('common.opening'),
  stillLoading: (editor: string) => t('page.editor-is-still-loading-the', { editor }),
  closing: t('page.closing'),
  saving: t('common.saving'),
  notSavedYet: t('page.not-saved-yet'),
  converting: t('page.converting'),
  failed: t('page.not-opened'),
  readOnly: t('common.read-only'),

  silent: (editor: string) => t('page.editor-hasnt-responded-for-20', { editor }),
  silentMore: (isOwner: boolean) => `${t('page.it-may-be-slow-or')} ${testConnection(isOwner)}`,
  slow: (editor: string) => t('page.editor-has-started-but-hasnt', { editor }),
  slowMore: (isOwner: boolean) => `${t('page.it-may-be-unable-to')} ${testConnection(isOwner)}`,
  couldNotOpen: (editor: string, reason: string | null) =>
    reason === null
      ? t('page.editor-couldnt-open-the-document', { editor })
      : t('page.editor-couldnt-open-the-document-reason', { editor, reason }),
  testConnection,
  blocked: (origin: string | null) =>
    origin === null
      ? t('page.doctray-blocked-the-editor-from')
      : t('page.doctray-blocked-the-editor-from-opening', { origin }),
  blockedMore: (isOwner: boolean) =>
    isOwner ? t('page.if-the-editor-is-hosted-there') : t('page.if-the-editor-is-hosted'),
  mixed: t('page.this-page-uses-https-and'),
  mixedMore: (isOwner: boolean) =>
    isOwner ? t('page.connect-the-editor-with-an') : t('page.ask-the-owner-of-this-doctray'),
  unread: (editor: string) => t('page.editor-hasnt-downloaded-this-document', { editor }),
  unreadMore: t('page.its-text-may-be-from'),

  hostSilent: t('common.doctray-isnt-responding'),
  hostSilentMore: t('page.keep-this-page-open-when'),
  gone: t('page.this-document-was-deleted-or'),
  goneMore: t('page.if-you-save-doctray-creates'),
  cannotOpen: t('common.this-document-cant-be-opened'),
  signedOut: t('page.you-are-signed-out'),
  signInToOpen: t('page.sign-in-again-to-open'),
  signedOutMore: (isReadOnly: boolean) =>
    isReadOnly ? t('page.sign-in-again-to-continue') : t('page.sign-in-again-before-you'),
  tokenEnded: t('common.your-access-to-this-document'),
  tokenEndedMore: t('page.the-editor-can-still-save'),
  sessionClosed: t('page.the-editor-has-closed-this'),
  sessionClosedMore: t('page.reload-to-open-the-document'),

  // What isn't on disk, and where it is
  notSaved: {
    failed: (editor: string, reason: string | null) =>
      // LibreOffice Online's reason is three dots.
      reason === null || !/\p{L}/u.test(reason)
        ? t('page.editor-couldnt-save-the-document', { editor })
        : t('page.editor-couldnt-save-the-document-reason', { editor, reason }),
    nothing: (_editor: string) => t('page.doctray-hasnt-received-a-save-since'),
    silent: (editor: string) => t('page.editor-hasnt-reported-whether-it', { editor }),
  },
  unknown: t('page.doctray-cant-tell-whether-everything'),
  unknownMore: (editor: string) => t('page.it-isnt-responding-or-you', { editor }),
  maybeUndone: t('page.if-you-undid-your-changes'),
  keptInEditor: (editor: string) => t('page.your-last-changes-are-only', { editor }),
  newerInEditor: (editor: string) => t('page.newer-only-in-editor', { editor }),
  /** Why the newest save, by any editor, isn't in the file. */
  missed: {
    recovered: t('page.the-last-save-couldnt-be'),
    unreadable: t('page.the-last-save-isnt-a'),
    version: t('page.another-program-changed-the-file'),
    nowhere: t('page.doctray-doesnt-have-the-last'),
  } satisfies Record<MissedKind, string>,
  /** Where it is. */
  missedMore: (kind: MissedKind, editor: string): string =>
    ({
      recovered: t('page.doctray-keeps-it-in-recovered'),
      unreadable: t('page.the-file-is-unchanged-doctray'),
      version: t('page.the-file-has-the-other'),
      nowhere: t('page.if-editor-still-shows-your', { editor }),
    })[kind],
  leaving: t('page.this-document-has-changes-that'),
  saveBeforeLeaving: (editor: string) => t('page.they-are-only-in-editor', { editor }),
  savesWhenLeft: (editor: string) => t('page.editor-writes-the-file-a', { editor }),
  writingTitle: (name: string) => t('page.saving-name', { name: isolated(name) }),
  writingMore: (editor: string) =>
    t('page.editor-has-your-changes-and', {
      editor,
    }),
  notWrittenTitle: (name: string) => t('page.name-isnt-on-disk-yet', { name: isolated(name) }),
  notWrittenMore: (editor: string) => t('page.editor-has-your-changes-but', { editor }),
  releasedMore: (editor: string) => t('page.editor-closed-the-document-and', { editor }),

  // What the host keeps, and who holds the lock
  recovered: (count: number, newestAtMs: number) =>
    t('page.saves-couldnt-be-written-to', { count, when: whenOf(newestAtMs) }),
  recoveredMore: t('page.you-can-restore-it-as'),
  unreadable: (name: string, atMs: number) =>
    t('page.a-save-of-name-isnt', { name: isolated(name), when: whenOf(atMs) }),
  unreadableMore: t('page.the-file-is-unchanged'),
  unreadableMoreViewer: t('page.ask-the-owner-of-this-doctray-what'),
  openSaved: t('common.open-what-was-saved'),
  saveAnyway: t('common.save-it-anyway'),
  keepGood: t('common.keep-the-good-version'),
  keepGoodSure: t('page.discard-what-was-saved'),
  keepGoodMore: t('page.it-exists-nowhere-else-you'),
  showVersions: t('page.show-versions'),
  keepFile: t('common.keep-the-file'),
  damaged: (name: string) => t('page.name-is-damaged', { name: isolated(name) }),
  damagedMore: (editor: string, isEditing: boolean) =>
    isEditing
      ? t('page.editor-may-show-an-empty-page', { editor })
      : t('page.editor-may-show-an-empty', { editor }),
  damagedVersion: (atMs: number) => t('page.you-can-restore-the-version', { time: whenOf(atMs) }),
  recoveredMoreViewer: t('page.ask-the-owner-of-this-doctray-to'),
  restored: (name: string) => t('common.restored-as-name', { name: isolated(name) }),
  conflict: t('page.the-file-was-also-changed'),
  conflictMore: (name: string) => t('page.that-version-is-kept-as', { name: isolated(name) }),
  heldBy: (user: string | null, editor: string | null) =>
    t('page.user-is-editing-this-document', {
      user: isolated(user ?? t('page.another-user')),
      editor: editor ?? t('page.another-editor'),
    }),
  /** The user doesn't have the lock. */
  askHolder: (isOwner: boolean) =>
    isOwner ? t('page.ask-them-to-close-it-or') : t('page.ask-them-to-close-it'),
  notReaching: t('page.your-saves-dont-reach-the'),
  lockClearedBy: (user: string) => t('page.user-force-cleared-the-lock', { user: isolated(user) }),
  lockLost: t('page.the-editor-no-longer-has'),
  lockMissing: t('page.the-editor-didnt-get-the'),
  reloadToContinue: t('page.reload-to-continue'),
  saveCopyFirst: t('page.save-a-copy-of-your'),
  copyFirst: t('page.save-a-copy-in-the'),

  copy: (name: string) => t('common.saved-a-copy-name', { name: isolated(name) }),
  copyLink: t('page.if-nothing-opened-your-browser'),
  openingCopy: (name: string) => t('page.opening-name', { name: isolated(name) }),
  theCopy: t('page.the-copy'),
  copyInFrame: t('page.the-editor-shows-the-copy'),
  renameOf: (name: string) => t('page.rename-name', { name: isolated(name) }),
  newName: t('common.new-name'),
  versions: t('common.versions'),
  versionsLoading: t('common.loading'),
  versionsNone: t('page.there-are-no-earlier-versions'),
  versionsCount: (count: number) => t('page.earlier-versions', { count }),
  versionsGone: t('page.the-versions-appear-again-once'),
  compareTooLarge: (versionSize: number, currentSize: number) =>
    t('page.only-documents-of-up-to', {
      limit: formatSize(maxComparedBytes),
      version: formatSize(versionSize),
      current: formatSize(currentSize),
    }),
  problems: {
    'not-text': t('page.only-text-can-be-compared'),
    'version-unknown': t('page.doctray-no-longer-has-this'),
    'version-damaged': t('page.another-program-has-changed-this'),
    'file-missing': t('page.this-document-was-deleted-or'),
    'not-authenticated': t('page.you-are-signed-out-reload'),
  },
  versionCopy: t('common.save-a-copy'),
  versionCopyOf: (time: string) => t('common.save-a-copy-of-the', { time }),
  versionRestore: t('common.restore'),
  versionRestoreSure: (time: string) => t('page.restore-the-version-from-time', { time }),
  versionRestoreMore: t('page.the-current-content-is-kept'),
  versionRestored: t('page.restored-the-previous-content-is'),
  restoring: t('page.restoring'),
  restoringTitle: (name: string) => t('page.restoring-name', { name: isolated(name) }),
  restoringMore: (editor: string) => t('page.waiting-for-editor-to-release', { editor }),
  openElsewhere: t('page.you-have-this-document-open'),
  openFor: (users: readonly string[]) =>
    t('page.this-document-is-open-for', {
      names: new Intl.ListFormat(currentLocale()).format(users.map(isolated)),
    }),
  notRestored: t('page.the-version-wasnt-restored'),
  versionReadOnly: t('page.earlier-version-read-only'),
  tryAgain: t('common.try-again'),
  theEditor: t('page.the-editor'),
  noEdit: t('page.you-can-read-this-document'),
  noEditMore: t('page.ask-the-owner-of-this'),

  oldFormat: (name: string) => t('page.name-is-in-an-older', { name: isolated(name) }),
  oldFormatMore: (editor: string, to: string | null) =>
    to === null
      ? t('page.editor-can-open-it-read-only', { editor })
      : t('page.editor-can-open-it-read', { editor, format: to }),
  convert: (to: string | null) =>
    to === null ? t('page.convert') : t('page.convert-to-format', { format: to }),

  close: t('common.close'),
  share: t('page.share'),
  hideBar: t('page.hide-this-bar'),
  showBar: t('page.show-the-bar'),
  others: (names: string) => t('page.also-open-for-names', { names }),

  shareTitle: t('page.share-this-document'),
  shareLabel: t('page.link-to-this-document'),
  shareHere: t('page.this-link-works-only-on'),
  shareThere: t('page.this-link-works-on-any'),
  shareMore(isHere: boolean, isOwner: boolean): string {
    if (isHere) return isOwner ? t('page.to-let-a-colleague-open') : t('page.to-let-a-colleague-open-it-ask');
    return isOwner ? t('page.to-let-a-colleague-open-it') : t('page.to-let-a-colleague-open-it-ask-the');
  },

  saveAsTitle: t('common.save-a-copy'),
  saveAsLabel: t('common.name-of-the-copy'),
  saveAsMore: t('page.the-copy-is-saved-next'),
} as const;

export interface StatusWords {
  text: string;
  /** Shown when the pointer or the focus is on the status. */
  reason?: string;
}

export function changeWords(
  changes: Pick<Changes, 'state' | 'missed' | 'savedAtMs'>,
  editor: string,
): StatusWords {
  const savedAtMs = changes.savedAtMs();
  const missed = changes.missed();
  const state = changes.state();
  if (missed !== null) return { text: words.notSavedYet, reason: words.missed[missed.kind] };
  switch (state) {
    case 'missed':
    case 'none':
      return { text: t('common.saved'), reason: t('page.all-changes-are-saved') };
    case 'unsaved':
      return {
        text: t('page.not-saved-yet'),
        reason: t('page.editor-has-changes-that-arent', { editor }),
      };
    case 'unconfirmed':
      return { text: t('page.not-saved-yet'), reason: t('page.doctray-hasnt-received-a-save') };
    case 'with-editor':
      return {
        text: t('common.saving'),
        reason: t('page.editor-has-the-changes-and', { editor }),
      };
    case 'saved':
      return savedAtMs === undefined
        ? { text: t('common.saved') }
        : {
            text: t('common.saved'),
            reason: t('page.saved-at-time', { time: formatTime('clock', savedAtMs) }),
          };
  }
}

const newerFormats: Record<string, string> = {
  doc: 'docx',
  dot: 'docx',
  xls: 'xlsx',
  xlt: 'xlsx',
  ppt: 'pptx',
  pot: 'pptx',
  pps: 'pptx',
};

/** The format editors convert to; null if it depends on the editor. */
export function newerFormat(name: string): string | null {
  return newerFormats[typeOf(name)] ?? null;
}

/** The first sentence without its full stop, and the others. A full stop in quotes or inside a name ends no sentence. */
export function splitHeading(text: string): { heading: string; rest: string } {
  const [, heading = text, rest = ''] = /^((?:“[^”]*”|„[^“]*“|[^“„])*?)\.(?:\s+(.*))?$/su.exec(text) ?? [];
  return { heading, rest };
}
