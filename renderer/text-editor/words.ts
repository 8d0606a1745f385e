// Every sentence of the text editor, in one place.

import { formatSize } from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { isolated } from '../../app/contract/names.ts';

/** Rounded, a file near the limit would be as large as the limit. */
function sizeBeside(bytes: number, limit: number): string {
  return formatSize(bytes) === formatSize(limit) ? t('common.bytes', { count: bytes }) : formatSize(bytes);
}

/** CodeMirror's own words, in ours. */
export const phrases: Record<string, string> = {
  next: t('editor.next'),
  previous: t('editor.previous'),
  all: t('common.select-all'),
  'match case': t('editor.match-case'),
  regexp: t('editor.regular-expression'),
  'by word': t('editor.whole-words'),
  replace: t('editor.replace'),
  'replace all': t('editor.replace-all'),
  close: t('common.close'),
  go: t('editor.go'),
  'Go to line': t('editor.line'),
};

export const words = {
  opening: t('common.opening'),
  textOf: (name: string) => t('editor.text-of-name', { name: isolated(name) }),
  tabHint: t('editor.press-escape-then-tab-to'),

  // the state of the document, in the bar
  status: {
    saved: t('common.saved'),
    unsaved: t('editor.unsaved'),
    saving: t('common.saving'),
    failed: t('common.not-saved'),
  },
  readOnly: t('common.read-only'),
  notSaved: t('common.not-saved'),
  notEditing: t('editor.not-editing'),

  // buttons and menu
  find: t('editor.find'),
  wrap: t('editor.wrap-lines'),
  preview: t('editor.preview'),
  more: t('editor.more'),
  save: t('common.save'),
  saveCopy: t('common.save-a-copy-ask'),
  rename: t('editor.rename'),
  goToLine: t('editor.go-to-line'),
  help: t('common.help'),
  share: t('editor.share'),
  versions: t('editor.versions'),
  edit: t('common.edit'),
  close: t('common.close'),
  cancel: t('common.cancel'),
  dismiss: t('common.dismiss'),
  tryAgain: t('common.try-again'),

  // the status bar
  position: (line: number, column: number) => t('editor.line-line-column-column', { line, column }),
  selected: (characters: number) => t('editor.characters-selected', { characters }),
  endings: { LF: 'LF', CRLF: 'CRLF', CR: 'CR', Mixed: t('editor.mixed-line-endings') },
  encoding: (hasBom: boolean) => (hasBom ? t('editor.utf-8-with-bom') : 'UTF-8'),

  sizeOf: (bytes: number, limit: number) =>
    t('editor.size-of-limit', { size: sizeBeside(bytes, limit), limit: formatSize(limit) }),

  // why it can't be edited
  viewMode: t('editor.this-document-is-open-for'),
  noPermission: t('editor.you-dont-have-permission-to'),
  notUtf8: t('editor.this-file-isnt-valid-utf'),
  notUtf8More: t('editor.characters-that-cant-be-read'),
  isUtf16: t('editor.this-file-is-utf-16'),
  tooLarge: (bytes: number, limit: number) =>
    t('editor.this-file-is-size-the', {
      size: sizeBeside(bytes, limit),
      limit: formatSize(limit),
    }),
  grewTooLargeMore: t('editor.its-still-saved-but-you'),
  tooLargeMore: t('editor.open-it-in-another-program'),

  // the lock
  held: t('editor.another-user-is-editing-this'),
  lockFailed: t('editor.doctray-couldnt-lock-this-document'),
  followsMore: t('editor.saved-changes-appear-here'),
  free: t('editor.the-document-is-free-to'),
  editNow: t('editor.edit-now'),
  editHere: t('editor.edit-here'),
  editHereMore: t('editor.press-edit-here-to-continue'),
  takingOver: t('editor.waiting-for-the-other-window'),
  heldByYou: t('editor.youre-editing-this-document-in'),
  lockLost: {
    cleared: t('editor.the-lock-on-this-document'),
    taken: t('editor.another-user-has-locked-this'),
  },
  lostMore: {
    unsaved: t('editor.your-changes-are-kept-on'),
    clean: t('editor.everything-you-typed-so-far'),
    changed: t('editor.the-file-has-changed-on'),
    inCopy: (name: string) => t('editor.your-text-is-saved-in', { name: isolated(name) }),
  },
  lockAgain: t('editor.lock-again'),
  keepEditing: t('common.keep-editing'),
  keepEditingMore: t('editor.press-keep-editing-to-replace'),
  showChanges: t('editor.show-what-changed'),
  hideChanges: t('editor.hide-changes'),
  loadFile: t('editor.load-the-file'),
  comparing: t('editor.green-lines-are-only-in'),
  keepMine: t('editor.keep-mine'),
  takeTheirs: t('editor.use-the-files'),

  // the host
  hostAway: t('common.doctray-isnt-responding'),
  hostAwayMore: t('editor.your-changes-are-kept-here'),
  saveFailed: (reason: string) =>
    reason === ''
      ? t('editor.doctray-couldnt-save-this-document')
      : t('editor.doctray-couldnt-save-this-document-reason', { reason }),
  saveFailedMore: t('editor.your-changes-are-kept-here-the'),
  tooLargeToSave: t('editor.doctray-refused-the-save-because'),
  tooLargeToSaveMore: t('editor.your-changes-are-kept-here-remove'),
  gone: t('editor.the-file-was-deleted-or'),
  goneMore: t('editor.if-you-save-or-keep'),
  notPutBack: (reason: string) =>
    reason === ''
      ? t('editor.doctray-couldnt-create-it-again')
      : t('editor.doctray-couldnt-create-it-again-reason', { reason }),
  putBack: (name: string) => t('editor.name-was-deleted-or-moved', { name: isolated(name) }),
  putBackMore: t('editor.if-it-was-moved-there'),
  expired: t('common.your-access-to-this-document'),
  expiredMore: t('editor.you-can-keep-editing-for'),
  revoked: t('editor.your-access-to-this-document'),
  endedMore: t('editor.your-unsaved-changes-are-kept'),
  openAgain: t('editor.open-the-document-again-from'),
  download: t('editor.download-my-text'),
  changedOnDisk: t('editor.the-file-changed-on-disk'),
  changedOnDiskMore: t('editor.your-text-is-saved-if'),

  // opening
  unreachable: t('editor.doctray-isnt-responding-trying-again'),
  notFound: t('editor.this-document-was-deleted-or'),
  failed: (status: number) => t('editor.doctray-couldnt-open-this-document', { status }),

  // names
  saveCopyTitle: t('common.save-a-copy'),
  copyLabel: t('common.name-of-the-copy'),
  copyMore: t('editor.the-copy-is-saved-in'),
  copyOf: (stem: string) => t('common.stem-copy', { stem }),
  copied: (name: string) => t('common.saved-a-copy-name', { name: isolated(name) }),
  openCopy: t('common.open-copy'),
  copyFailed: (reason: string) =>
    reason === ''
      ? t('editor.doctray-couldnt-save-the-copy')
      : t('editor.doctray-couldnt-save-the-copy-reason', { reason }),
  renameTitle: t('common.rename'),
  renameLabel: t('common.new-name'),
  renameMore: (extension: string) =>
    extension === '' ? '' : t('editor.the-extension-extension-stays', { extension }),
  renameFailed: (reason: string) =>
    reason === ''
      ? t('editor.doctray-couldnt-rename-this-document')
      : t('editor.doctray-couldnt-rename-this-document-reason', { reason }),
  nameEmpty: t('common.enter-a-name'),
  nameCharacters: t('common.a-name-cant-contain'),

  // previews
  previewOf: (name: string) => t('editor.preview-of-name', { name: isolated(name) }),
  code: t('editor.code'),
  table: t('editor.table'),
  previewTooLarge: t('editor.the-preview-isnt-shown-for'),
  previewFailed: t('editor.this-document-cant-be-previewed'),
  image: (description: string) =>
    description === '' ? t('editor.image') : t('editor.image-description', { description }),
  done: t('editor.done'),
  toDo: t('editor.to-do'),
  docxPreview: t('editor.read-only-preview-connect-onlyoffice'),
  pdfMissing: t('editor.this-browser-doesnt-show-pdf'),
  pdfBroken: t('editor.this-file-isnt-a-complete'),
  downloadFile: t('common.download'),
  imageFailed: t('editor.this-image-cant-be-shown'),
  previewLimit: (bytes: number, limit: number) =>
    t('editor.this-file-is-size-previews', {
      size: formatSize(bytes),
      limit: formatSize(limit),
    }),
} as const;
