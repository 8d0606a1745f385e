// Every sentence of the text editor, in one place.

import { formatSize } from '../../app/contract/format.ts';

const grouped = new Intl.NumberFormat('en');

/** Rounded, a file near the limit would be as large as the limit. */
function sizeBeside(bytes: number, limit: number): string {
  return formatSize(bytes) === formatSize(limit) ? `${grouped.format(bytes)} bytes` : formatSize(bytes);
}

/** CodeMirror's own words, in ours. */
export const phrases: Record<string, string> = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close',
  go: 'Go',
  'Go to line': 'Line',
};

export const words = {
  opening: 'Opening…',
  textOf: (name: string) => `Text of ${name}`,
  tabHint: 'Press Escape, then Tab to leave the text.',

  // the state of the document, in the bar
  status: { saved: 'Saved', unsaved: 'Unsaved', saving: 'Saving…', failed: 'Not saved' },
  readOnly: 'Read only',
  notSaved: 'Not saved',
  notEditing: 'Not editing',

  // buttons and menu
  find: 'Find',
  wrap: 'Wrap lines',
  preview: 'Preview',
  more: 'More',
  save: 'Save',
  saveCopy: 'Save a copy…',
  rename: 'Rename…',
  goToLine: 'Go to line…',
  help: 'Help',
  share: 'Share…',
  versions: 'Versions…',
  edit: 'Edit',
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  tryAgain: 'Try again',

  // the status bar
  position: (line: number, column: number) =>
    `Line ${grouped.format(line)}, column ${grouped.format(column)}`,
  selected: (characters: number) =>
    characters === 1 ? '1 character selected' : `${grouped.format(characters)} characters selected`,
  endings: { LF: 'LF', CRLF: 'CRLF', CR: 'CR', Mixed: 'Mixed line endings' },
  encoding: (hasBom: boolean) => (hasBom ? 'UTF-8 with BOM' : 'UTF-8'),

  sizeOf: (bytes: number, limit: number) => `${sizeBeside(bytes, limit)} of ${formatSize(limit)}`,

  // why it can't be edited
  viewMode: 'This document is open for viewing only.',
  noPermission: 'You don’t have permission to edit this document.',
  notUtf8: 'This file isn’t valid UTF-8 text, so editing could damage it.',
  notUtf8More: 'Characters that can’t be read are shown as �.',
  isUtf16: 'This file is UTF-16 text. Convert it to UTF-8 to edit it here.',
  tooLarge: (bytes: number, limit: number) =>
    `This file is ${sizeBeside(bytes, limit)}. The text editor opens files up to ${formatSize(limit)}.`,
  grewTooLargeMore:
    'It’s still saved, but you won’t be able to open it here again. Remove some text or move it to another document before you close this page.',
  tooLargeMore: 'Open it in another program on the computer that has it.',

  // the lock
  held: 'Another user is editing this document.',
  lockFailed: 'DocTray couldn’t lock this document for editing.',
  followsMore: 'Saved changes appear here.',
  free: 'The document is free to edit.',
  editNow: 'Edit now',
  editHere: 'Edit here',
  editHereMore:
    'Press Edit here to continue in this window. If the other window is still open, it saves first.',
  takingOver: 'Waiting for the other window to save…',
  heldByYou: 'You’re editing this document in another window.',
  lockLost: {
    cleared: 'The lock on this document was cleared.',
    taken: 'Another user has locked this document.',
  },
  lostMore: {
    unsaved: 'Your changes are kept on this page, but aren’t saved to the file.',
    clean: 'Everything you typed so far is saved. New changes aren’t.',
    changed: 'The file has changed on disk. You’ll compare both versions before anything is saved.',
    inCopy: (name: string) => `Your text is saved in ${name}.`,
  },
  lockAgain: 'Lock again',
  keepEditing: 'Keep editing',
  keepEditingMore: 'Press Keep editing to replace the file with your text.',
  showChanges: 'Show what changed',
  hideChanges: 'Hide changes',
  loadFile: 'Load the file',
  comparing: 'Green lines are only in your text, red lines are only in the file on disk.',
  keepMine: 'Keep mine',
  takeTheirs: 'Use the file’s',

  // the host
  hostAway: 'DocTray isn’t responding.',
  hostAwayMore: 'Your changes are kept here and saved when it’s back.',
  saveFailed: (reason: string) =>
    reason === '' ? 'DocTray couldn’t save this document.' : `DocTray couldn’t save this document: ${reason}`,
  saveFailedMore: 'Your changes are kept here. The editor keeps trying.',
  tooLargeToSave: 'DocTray refused the save because the document is too large.',
  tooLargeToSaveMore: 'Your changes are kept here. Remove some text, or save it in parts.',
  gone: 'The file was deleted or moved to another folder.',
  goneMore: 'If you save or keep typing, it is created again under its old name.',
  notPutBack: (reason: string) =>
    reason === '' ? 'DocTray couldn’t create it again.' : `DocTray couldn’t create it again: ${reason}`,
  putBack: (name: string) => `${name} was deleted or moved while you were editing. Your save put it back.`,
  putBackMore: 'If it was moved, there are two files now.',
  expired: 'Your access to this document has expired.',
  expiredMore:
    'You can keep editing for up to 24 hours, and your changes are saved. After that, open the document again.',
  revoked: 'Your access to this document was revoked.',
  endedMore: 'Your unsaved changes are kept on this page until you close it.',
  openAgain: 'Open the document again from DocTray.',
  download: 'Download my text',
  changedOnDisk: 'The file changed on disk while you had unsaved changes.',
  changedOnDiskMore:
    'Your text is saved. If the other version was different, DocTray kept it next to the file as a conflict copy.',

  // opening
  unreachable: 'DocTray isn’t responding. Trying again…',
  notFound: 'This document was deleted or moved.',
  failed: (status: number) => `DocTray couldn’t open this document (status ${status}).`,

  // names
  saveCopyTitle: 'Save a copy',
  copyLabel: 'Name of the copy',
  copyMore: 'The copy is saved in the same folder. A number is added if the name is taken.',
  copyOf: (stem: string) => `${stem} (copy)`,
  copied: (name: string) => `Saved a copy: ${name}`,
  openCopy: 'Open copy',
  copyFailed: (reason: string) =>
    reason === '' ? 'DocTray couldn’t save the copy.' : `DocTray couldn’t save the copy: ${reason}`,
  renameTitle: 'Rename',
  renameLabel: 'New name',
  renameMore: (extension: string) => (extension === '' ? '' : `The extension .${extension} stays.`),
  renameFailed: (reason: string) =>
    reason === ''
      ? 'DocTray couldn’t rename this document.'
      : `DocTray couldn’t rename this document: ${reason}`,
  nameEmpty: 'Enter a name.',
  nameCharacters: 'A name can’t contain \\ / : * ? " < > |',

  // previews
  previewOf: (name: string) => `Preview of ${name}`,
  previewTooLarge: 'The preview isn’t shown for large documents.',
  previewFailed: 'This document can’t be previewed.',
  image: (description: string) => (description === '' ? 'Image' : `Image: ${description}`),
  done: 'Done',
  toDo: 'To do',
  docxPreview: 'Read-only preview. Connect ONLYOFFICE or Collabora to edit this document.',
  pdfMissing: 'This browser doesn’t show PDF documents in a page.',
  pdfBroken: 'This file isn’t a complete PDF, so it can’t be shown.',
  downloadFile: 'Download',
  imageFailed: 'This image can’t be shown.',
  previewLimit: (bytes: number, limit: number) =>
    `This file is ${formatSize(bytes)}. Previews are shown for files up to ${formatSize(limit)}.`,
} as const;
