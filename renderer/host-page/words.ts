// Every sentence of the page, in one place.

import { formatSize, formatTime } from '../../app/contract/format.ts';
import { currentLocale, t } from '../../app/contract/messages.ts';
import type { MissedSave } from '../../app/contract/page-state.ts';
import { isolated, typeOf } from '../../app/contract/names.ts';
import { maxComparedBytes } from '../../app/contract/text-documents.ts';
import type { Changes } from './changes.ts';

/** Only the owner can use DocTray's window. */
const testConnection = (isOwner: boolean) =>
  isOwner
    ? t('“Test connection” in DocTray (Settings → Editors) shows why.')
    : t('Ask the owner of this DocTray to test its connection.');

/** The time if it's from today, otherwise the date. */
function whenOf(atMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return formatTime(isToday ? 'clock' : 'date', atMs);
}

type MissedKind = MissedSave['kind'];

export const words = {
  opening: (editor: string) => t('Opening in {editor}…', { editor }),
  asking: t('Opening…'),
  stillLoading: (editor: string) => t('{editor} is still loading the document…', { editor }),
  closing: t('Closing…'),
  saving: t('Saving…'),
  notSavedYet: t('Not saved yet'),
  converting: t('Converting…'),
  failed: t('Not opened'),
  readOnly: t('Read only'),

  silent: (editor: string) => t('{editor} hasn’t responded for 20 seconds.', { editor }),
  silentMore: (isOwner: boolean) => `${t('It may be slow or unreachable.')} ${testConnection(isOwner)}`,
  slow: (editor: string) => t('{editor} has started, but hasn’t loaded the document.', { editor }),
  slowMore: (isOwner: boolean) => `${t('It may be unable to reach DocTray.')} ${testConnection(isOwner)}`,
  couldNotOpen: (editor: string, reason: string | null) =>
    reason === null
      ? t('{editor} couldn’t open the document.', { editor })
      : t('{editor} couldn’t open the document: “{reason}”', { editor, reason }),
  testConnection,
  blocked: (origin: string | null) =>
    origin === null
      ? t('DocTray blocked the editor from opening an unknown address.')
      : t('DocTray blocked the editor from opening {origin}.', { origin }),
  blockedMore: (isOwner: boolean) =>
    isOwner
      ? t(
          'If the editor is hosted there, connect it with that address or allow its other hosts in Settings → Editors.',
        )
      : t('If the editor is hosted there, ask the owner of this DocTray to allow that address.'),
  mixed: t('This page uses HTTPS and the editor uses HTTP. Browsers block that combination.'),
  mixedMore: (isOwner: boolean) =>
    isOwner
      ? t('Connect the editor with an HTTPS address, or open DocTray over HTTP on this computer.')
      : t('Ask the owner of this DocTray to connect the editor with an HTTPS address.'),
  unread: (editor: string) => t('{editor} hasn’t downloaded this document from DocTray.', { editor }),
  unreadMore: t('Its text may be from an earlier session. Compare it with the file before you save.'),

  hostSilent: t('DocTray isn’t responding.'),
  hostSilentMore: t('Keep this page open. When DocTray responds, save again in the editor.'),
  gone: t('This document was deleted or moved out of the folder.'),
  goneMore: t('If you save, DocTray creates it again or keeps the save in Recovered saves.'),
  cannotOpen: t('This document can’t be opened'),
  signedOut: t('You are signed out.'),
  signInToOpen: t('Sign in again to open the document.'),
  signedOutMore: (isReadOnly: boolean) =>
    isReadOnly
      ? t('Sign in again to continue.')
      : t('Sign in again before you continue. Changes you make now may not be saved.'),
  tokenEnded: t('Your access to this document has expired.'),
  tokenEndedMore: t('The editor can still save this document for 24 hours. Save, then reload.'),
  sessionClosed: t('The editor has closed this session.'),
  sessionClosedMore: t('Reload to open the document again.'),

  // What isn't on disk, and where it is
  notSaved: {
    failed: (editor: string, reason: string | null) =>
      // LibreOffice Online's reason is three dots.
      reason === null || !/\p{L}/u.test(reason)
        ? t('{editor} couldn’t save the document.', { editor })
        : t('{editor} couldn’t save the document: “{reason}”', { editor, reason }),
    nothing: (_editor: string) => t('DocTray hasn’t received a save since your last change.'),
    silent: (editor: string) => t('{editor} hasn’t reported whether it saved the document.', { editor }),
  },
  unknown: t('DocTray can’t tell whether everything is saved.'),
  unknownMore: (editor: string) =>
    t('It isn’t responding, or you are signed out. Changes may be only in {editor}.', { editor }),
  maybeUndone: t('If you undid your changes, nothing is lost.'),
  keptInEditor: (editor: string) => t('Your last changes are only in {editor}.', { editor }),
  /** Why the newest save, by any editor, isn't in the file. */
  missed: {
    recovered: t('The last save couldn’t be written to the file.'),
    unreadable: t('The last save isn’t a readable document.'),
    version: t('Another program changed the file before the last save.'),
    nowhere: t('DocTray doesn’t have the last save.'),
  } satisfies Record<MissedKind, string>,
  /** Where it is. */
  missedMore: (kind: MissedKind, editor: string): string =>
    ({
      recovered: t('DocTray keeps it in Recovered saves.'),
      unreadable: t('The file is unchanged. DocTray keeps the save in Recovered saves.'),
      version: t('The file has the other program’s content. The save is kept as a version.'),
      nowhere: t('If {editor} still shows your last changes, save again.', { editor }),
    })[kind],
  leaving: t('This document has changes that aren’t in the file yet.'),
  saveBeforeLeaving: (editor: string) => t('They are only in {editor}. Save before you leave.', { editor }),
  savesWhenLeft: (editor: string) =>
    t('{editor} writes the file a few seconds after everyone has closed the document.', { editor }),
  writingTitle: (name: string) => t('Saving {name}…', { name: isolated(name) }),
  writingMore: (editor: string) =>
    t('{editor} has your changes and is writing the file. Keep this tab open until it’s on disk.', {
      editor,
    }),
  notWrittenTitle: (name: string) => t('{name} isn’t on disk yet', { name: isolated(name) }),
  notWrittenMore: (editor: string) =>
    t(
      '{editor} has your changes, but hasn’t written the file. If another user has the document open, it is written when they close it.',
      { editor },
    ),
  releasedMore: (editor: string) =>
    t(
      '{editor} closed the document, and DocTray received no save. Open it again to check your last changes.',
      { editor },
    ),

  // What the host keeps, and who holds the lock
  recovered: (count: number, newestAtMs: number) =>
    t(
      '{count, plural, one {A save couldn’t be written to the file ({when})} other {# saves couldn’t be written to the file (latest: {when})}}',
      { count, when: whenOf(newestAtMs) },
    ),
  recoveredMore: t('You can restore it as a copy next to this document.'),
  unreadable: (name: string, atMs: number) =>
    t('A save of {name} isn’t a readable document ({when}).', { name: isolated(name), when: whenOf(atMs) }),
  unreadableMore: t('The file is unchanged.'),
  unreadableMoreViewer: t('Ask the owner of this DocTray what to do with the save.'),
  openSaved: t('Open what was saved'),
  saveAnyway: t('Save it anyway'),
  keepGood: t('Keep the good version'),
  keepGoodSure: t('Discard what was saved?'),
  keepGoodMore: t('It exists nowhere else. You can’t undo this.'),
  showVersions: t('Show versions'),
  keepFile: t('Keep the file'),
  damaged: (name: string) => t('{name} is damaged.', { name: isolated(name) }),
  damagedMore: (editor: string, isEditing: boolean) =>
    isEditing
      ? t('{editor} may show an empty page. If you save, it overwrites the file.', { editor })
      : t('{editor} may show an empty page.', { editor }),
  damagedVersion: (atMs: number) => t('You can restore the version from {time}.', { time: whenOf(atMs) }),
  recoveredMoreViewer: t('Ask the owner of this DocTray to restore it.'),
  restored: (name: string) => t('Restored as {name}', { name: isolated(name) }),
  conflict: t('The file was also changed elsewhere.'),
  conflictMore: (name: string) =>
    t('That version is kept as {name}. Compare both, then delete one.', { name: isolated(name) }),
  heldBy: (user: string | null, editor: string | null) =>
    t('{user} is editing this document in {editor}.', {
      user: isolated(user ?? t('Another user')),
      editor: editor ?? t('another editor'),
    }),
  /** The user doesn't have the lock. */
  askHolder: (isOwner: boolean) =>
    isOwner
      ? t('Ask them to close it, or force-clear the lock in DocTray.')
      : t('Ask them to close it, or ask the owner of this DocTray to force-clear the lock.'),
  notReaching: t('Your saves don’t reach the file.'),
  lockClearedBy: (user: string) => t('{user} force-cleared the lock.', { user: isolated(user) }),
  lockLost: t('The editor no longer has the document’s lock.'),
  lockMissing: t('The editor didn’t get the document’s lock.'),
  reloadToContinue: t('Reload to continue.'),
  saveCopyFirst: t('Save a copy of your changes, then reload.'),
  copyFirst: t('Save a copy in the editor or copy your unsaved text, then reload.'),

  copy: (name: string) => t('Saved a copy: {name}', { name: isolated(name) }),
  copyLink: t('If nothing opened, your browser blocked it: '),
  openingCopy: (name: string) => t('Opening {name}…', { name: isolated(name) }),
  theCopy: t('the copy'),
  copyInFrame: t('The editor shows the copy, but this page still belongs to the original.'),
  renameOf: (name: string) => t('Rename {name}', { name: isolated(name) }),
  newName: t('New name'),
  versions: t('Versions'),
  versionsLoading: t('Loading…'),
  versionsNone: t('There are no earlier versions yet. One is kept each time the document is saved.'),
  versionCurrent: t('Current'),
  versionsCount: (count: number) =>
    t('{count, plural, one {# earlier version} other {# earlier versions}}', { count }),
  versionsGone: t('The versions appear again once the document is back.'),
  versionOpen: t('Open'),
  versionOpenOf: (time: string) => t('Open the version from {time} read-only', { time }),
  versionCompare: t('Compare'),
  versionCompareOf: (time: string) => t('Compare the version from {time} with the current content', { time }),
  compareTitle: (name: string, time: string) =>
    t('Changes in “{name}” since {time}', { name: isolated(name), time }),
  compareTooLarge: (versionSize: number, currentSize: number) =>
    t(
      'Only documents of up to {limit} can be compared. This version is {version}, and the current content is {current}.',
      {
        limit: formatSize(maxComparedBytes),
        version: formatSize(versionSize),
        current: formatSize(currentSize),
      },
    ),
  problems: {
    'not-text': t('Only text can be compared. This version or the current content isn’t text.'),
    'version-unknown': t('DocTray no longer has this version.'),
    'version-damaged': t('Another program has changed this stored version, so it can’t be compared.'),
    'file-missing': t('This document was deleted or moved out of the folder.'),
    'not-authenticated': t('You are signed out. Reload this page to sign in again.'),
  },
  versionCopy: t('Save a copy'),
  versionCopyOf: (time: string) => t('Save a copy of the version from {time}', { time }),
  versionRestore: t('Restore'),
  versionRestoreAsk: t('Restore…'),
  versionRestoreOf: (time: string) => t('Restore the version from {time}…', { time }),
  versionRestoreSure: (time: string) => t('Restore the version from {time}?', { time }),
  versionRestoreMore: t('The current content is kept as a version.'),
  versionRestored: t('Restored. The previous content is kept as a version.'),
  restoring: t('Restoring…'),
  restoringTitle: (name: string) => t('Restoring {name}…', { name: isolated(name) }),
  restoringMore: (editor: string) => t('Waiting for {editor} to release the document.', { editor }),
  openElsewhere: t(
    'You have this document open in another tab or browser. Close it there, then restore the version.',
  ),
  openFor: (users: readonly string[]) =>
    t('This document is open for {names}. Ask them to close it, then restore the version.', {
      names: new Intl.ListFormat(currentLocale()).format(users.map(isolated)),
    }),
  notRestored: t('The version wasn’t restored'),
  versionReadOnly: t('Earlier version, read-only'),
  tryAgain: t('Try again'),
  theEditor: t('The editor'),
  noEdit: t('You can read this document, but not edit it.'),
  noEditMore: t('Ask the owner of this DocTray if you need to edit it.'),

  oldFormat: (name: string) => t('{name} is in an older format', { name: isolated(name) }),
  oldFormatMore: (editor: string, to: string | null) =>
    to === null
      ? t(
          '{editor} can open it read-only. To edit it, a copy in a newer format is created next to it. The original isn’t changed.',
          { editor },
        )
      : t(
          '{editor} can open it read-only. To edit it, a .{format} copy is created next to it. The original isn’t changed.',
          { editor, format: to },
        ),
  convert: (to: string | null) => (to === null ? t('Convert…') : t('Convert to .{format}…', { format: to })),

  close: t('Close'),
  share: t('Share'),
  hideBar: t('Hide this bar'),
  showBar: t('Show the bar'),
  others: (names: string) => t('Also open for: {names}', { names }),

  shareTitle: t('Share this document'),
  shareLabel: t('Link to this document'),
  shareHere: t('This link works only on this computer.'),
  shareThere: t('This link works on any computer that can reach this address.'),
  shareMore(isHere: boolean, isOwner: boolean): string {
    if (isHere)
      return isOwner
        ? t(
            'To let a colleague open it, add them in DocTray under Settings → Users, and let other computers connect under Settings → Network & HTTPS.',
          )
        : t(
            'To let a colleague open it, ask the owner of this DocTray to add them as a user and to let other computers connect.',
          );
    return isOwner
      ? t('To let a colleague open it, add them in DocTray under Settings → Users.')
      : t('To let a colleague open it, ask the owner of this DocTray to add them as a user.');
  },

  saveAsTitle: t('Save a copy'),
  saveAsLabel: t('Name of the copy'),
  saveAsMore: t('The copy is saved next to this document. If the name is taken, a number is added.'),
  nameEmpty: t('Enter a name.'),
  nameCharacters: t('A name can’t contain \\ / : * ? " < > |'),
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
      return { text: t('Saved'), reason: t('All changes are saved.') };
    case 'unsaved':
      return {
        text: t('Not saved yet'),
        reason: t('{editor} has changes that aren’t in the file yet.', { editor }),
      };
    case 'unconfirmed':
      return { text: t('Not saved yet'), reason: t('DocTray hasn’t received a save since the last change.') };
    case 'with-editor':
      return {
        text: t('Saving…'),
        reason: t('{editor} has the changes and writes the file automatically.', { editor }),
      };
    case 'saved':
      return savedAtMs === undefined
        ? { text: t('Saved') }
        : { text: t('Saved'), reason: t('Saved at {time}', { time: formatTime('clock', savedAtMs) }) };
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
