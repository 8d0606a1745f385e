// Every sentence of the text editor, in one place.

import { formatSize } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';

/** Rounded, a file near the limit would be as large as the limit. */
function sizeBeside(bytes: number, limit: number): string {
  return formatSize(bytes) === formatSize(limit)
    ? t('{count, plural, one {# byte} other {# bytes}}', { count: bytes })
    : formatSize(bytes);
}

/** CodeMirror's own words, in ours. */
export const phrases: Record<string, string> = {
  next: t('Next'),
  previous: t('Previous'),
  all: t('Select all'),
  'match case': t('Match case'),
  regexp: t('Regular expression'),
  'by word': t('Whole words'),
  replace: t('Replace'),
  'replace all': t('Replace all'),
  close: t('Close'),
  go: t('Go'),
  'Go to line': t('Line'),
};

export const words = {
  opening: t('Opening…'),
  textOf: (name: string) => t('Text of {name}', { name: isolated(name) }),
  tabHint: t('Press Escape, then Tab to leave the text.'),

  // the state of the document, in the bar
  status: { saved: t('Saved'), unsaved: t('Unsaved'), saving: t('Saving…'), failed: t('Not saved') },
  readOnly: t('Read only'),
  notSaved: t('Not saved'),
  notEditing: t('Not editing'),

  // buttons and menu
  find: t('Find'),
  wrap: t('Wrap lines'),
  preview: t('Preview'),
  more: t('More'),
  save: t('Save'),
  saveCopy: t('Save a copy…'),
  rename: t('Rename…'),
  goToLine: t('Go to line…'),
  help: t('Help'),
  share: t('Share…'),
  versions: t('Versions…'),
  edit: t('Edit'),
  close: t('Close'),
  cancel: t('Cancel'),
  dismiss: t('Dismiss'),
  tryAgain: t('Try again'),

  // the status bar
  position: (line: number, column: number) =>
    t('Line {line, number}, column {column, number}', { line, column }),
  selected: (characters: number) =>
    t('{characters, plural, one {# character selected} other {# characters selected}}', { characters }),
  endings: { LF: 'LF', CRLF: 'CRLF', CR: 'CR', Mixed: t('Mixed line endings') },
  encoding: (hasBom: boolean) => (hasBom ? t('UTF-8 with BOM') : 'UTF-8'),

  sizeOf: (bytes: number, limit: number) =>
    t('{size} of {limit}', { size: sizeBeside(bytes, limit), limit: formatSize(limit) }),

  // why it can't be edited
  viewMode: t('This document is open for viewing only.'),
  noPermission: t('You don’t have permission to edit this document.'),
  notUtf8: t('This file isn’t valid UTF-8 text, so editing could damage it.'),
  notUtf8More: t('Characters that can’t be read are shown as �.'),
  isUtf16: t('This file is UTF-16 text. Convert it to UTF-8 to edit it here.'),
  tooLarge: (bytes: number, limit: number) =>
    t('This file is {size}. The text editor opens files up to {limit}.', {
      size: sizeBeside(bytes, limit),
      limit: formatSize(limit),
    }),
  grewTooLargeMore: t(
    'It’s still saved, but you won’t be able to open it here again. Remove some text or move it to another document before you close this page.',
  ),
  tooLargeMore: t('Open it in another program on the computer that has it.'),

  // the lock
  held: t('Another user is editing this document.'),
  lockFailed: t('DocTray couldn’t lock this document for editing.'),
  followsMore: t('Saved changes appear here.'),
  free: t('The document is free to edit.'),
  editNow: t('Edit now'),
  editHere: t('Edit here'),
  editHereMore: t(
    'Press Edit here to continue in this window. If the other window is still open, it saves first.',
  ),
  takingOver: t('Waiting for the other window to save…'),
  heldByYou: t('You’re editing this document in another window.'),
  lockLost: {
    cleared: t('The lock on this document was cleared.'),
    taken: t('Another user has locked this document.'),
  },
  lostMore: {
    unsaved: t('Your changes are kept on this page, but aren’t saved to the file.'),
    clean: t('Everything you typed so far is saved. New changes aren’t.'),
    changed: t('The file has changed on disk. You’ll compare both versions before anything is saved.'),
    inCopy: (name: string) => t('Your text is saved in {name}.', { name: isolated(name) }),
  },
  lockAgain: t('Lock again'),
  keepEditing: t('Keep editing'),
  keepEditingMore: t('Press Keep editing to replace the file with your text.'),
  showChanges: t('Show what changed'),
  hideChanges: t('Hide changes'),
  loadFile: t('Load the file'),
  comparing: t('Green lines are only in your text, red lines are only in the file on disk.'),
  keepMine: t('Keep mine'),
  takeTheirs: t('Use the file’s'),

  // the host
  hostAway: t('DocTray isn’t responding.'),
  hostAwayMore: t('Your changes are kept here and saved when it’s back.'),
  saveFailed: (reason: string) =>
    reason === ''
      ? t('DocTray couldn’t save this document.')
      : t('DocTray couldn’t save this document: {reason}', { reason }),
  saveFailedMore: t('Your changes are kept here. The editor keeps trying.'),
  tooLargeToSave: t('DocTray refused the save because the document is too large.'),
  tooLargeToSaveMore: t('Your changes are kept here. Remove some text, or save it in parts.'),
  gone: t('The file was deleted or moved to another folder.'),
  goneMore: t('If you save or keep typing, it is created again under its old name.'),
  notPutBack: (reason: string) =>
    reason === ''
      ? t('DocTray couldn’t create it again.')
      : t('DocTray couldn’t create it again: {reason}', { reason }),
  putBack: (name: string) =>
    t('{name} was deleted or moved while you were editing. Your save put it back.', { name: isolated(name) }),
  putBackMore: t('If it was moved, there are two files now.'),
  expired: t('Your access to this document has expired.'),
  expiredMore: t(
    'You can keep editing for up to 24 hours, and your changes are saved. After that, open the document again.',
  ),
  revoked: t('Your access to this document was revoked.'),
  endedMore: t('Your unsaved changes are kept on this page until you close it.'),
  openAgain: t('Open the document again from DocTray.'),
  download: t('Download my text'),
  changedOnDisk: t('The file changed on disk while you had unsaved changes.'),
  changedOnDiskMore: t(
    'Your text is saved. If the other version was different, DocTray kept it next to the file as a conflict copy.',
  ),

  // opening
  unreachable: t('DocTray isn’t responding. Trying again…'),
  notFound: t('This document was deleted or moved.'),
  failed: (status: number) => t('DocTray couldn’t open this document (status {status}).', { status }),

  // names
  saveCopyTitle: t('Save a copy'),
  copyLabel: t('Name of the copy'),
  copyMore: t('The copy is saved in the same folder. A number is added if the name is taken.'),
  copyOf: (stem: string) => t('{stem} (copy)', { stem }),
  copied: (name: string) => t('Saved a copy: {name}', { name: isolated(name) }),
  openCopy: t('Open copy'),
  copyFailed: (reason: string) =>
    reason === ''
      ? t('DocTray couldn’t save the copy.')
      : t('DocTray couldn’t save the copy: {reason}', { reason }),
  renameTitle: t('Rename'),
  renameLabel: t('New name'),
  renameMore: (extension: string) =>
    extension === '' ? '' : t('The extension .{extension} stays.', { extension }),
  renameFailed: (reason: string) =>
    reason === ''
      ? t('DocTray couldn’t rename this document.')
      : t('DocTray couldn’t rename this document: {reason}', { reason }),
  nameEmpty: t('Enter a name.'),
  nameCharacters: t('A name can’t contain \\ / : * ? " < > |'),

  // previews
  previewOf: (name: string) => t('Preview of {name}', { name: isolated(name) }),
  code: t('Code'),
  table: t('Table'),
  previewTooLarge: t('The preview isn’t shown for large documents.'),
  previewFailed: t('This document can’t be previewed.'),
  image: (description: string) =>
    description === '' ? t('Image') : t('Image: {description}', { description }),
  done: t('Done'),
  toDo: t('To do'),
  docxPreview: t('Read-only preview. Connect ONLYOFFICE or Collabora to edit this document.'),
  pdfMissing: t('This browser doesn’t show PDF documents in a page.'),
  pdfBroken: t('This file isn’t a complete PDF, so it can’t be shown.'),
  downloadFile: t('Download'),
  imageFailed: t('This image can’t be shown.'),
  previewLimit: (bytes: number, limit: number) =>
    t('This file is {size}. Previews are shown for files up to {limit}.', {
      size: formatSize(bytes),
      limit: formatSize(limit),
    }),
} as const;
