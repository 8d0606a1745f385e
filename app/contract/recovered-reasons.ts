// Why a save was recovered. The host stores it in English; it is translated where it is shown.

import { t, translated } from './messages.ts';

const reasons: Readonly<Record<string, () => string>> = {
  'Not saved: the document was deleted.': () => t('Not saved: the document was deleted.'),
  'Not saved: the document was no longer locked.': () => t('Not saved: the document was no longer locked.'),
  'Not saved: the document is locked by another editor.': () =>
    t('Not saved: the document is locked by another editor.'),
  'Not saved: no lock id was sent.': () => t('Not saved: no lock id was sent.'),
  'Not saved: the lock had expired, and another program had changed the document.': () =>
    t('Not saved: the lock had expired, and another program had changed the document.'),
  'Not saved: another program had changed the document.': () =>
    t('Not saved: another program had changed the document.'),
  'Not saved: the access token was revoked during the upload.': () =>
    t('Not saved: the access token was revoked during the upload.'),
  'Not saved: the user no longer has permission to edit.': () =>
    t('Not saved: the user no longer has permission to edit.'),
  'Not saved: it isn’t a readable document.': () => t('Not saved: it isn’t a readable document.'),
  'Not saved: the editor sent an empty file.': () => t('Not saved: the editor sent an empty file.'),
  'Not saved: its size isn’t the one that the editor reported.': () =>
    t('Not saved: its size isn’t the one that the editor reported.'),
  'Not saved: the editor used an unsupported Content-Encoding.': () =>
    t('Not saved: the editor used an unsupported Content-Encoding.'),
  'Not saved: the name of the copy was taken.': () => t('Not saved: the name of the copy was taken.'),
  'DocTray stopped before it could record why this save failed.': () =>
    t('DocTray stopped before it could record why this save failed.'),
  'DocTray stopped while receiving this save, so the end may be missing.': () =>
    t('DocTray stopped while receiving this save, so the end may be missing.'),
  'DocTray stopped before it could save this.': () => t('DocTray stopped before it could save this.'),
};

/** A reason that isn't known here is the sentence of an error. */
export function recoveredReason(stored: string): string {
  return Object.hasOwn(reasons, stored) ? (reasons[stored]?.() ?? stored) : translated(stored);
}
