// Errors as the window words them: where the table of errors speaks of the terminal's commands and options, it says what to do
// in the window instead.

import { AppError, type ErrorCode } from '../contract/errors.ts';
import type { Problem } from '../contract/state.ts';

/** Where the table of errors has `withDetail`, so does this one. */
const windowSentences: Partial<Record<ErrorCode, string | { message: string; withDetail: string }>> = {
  'port-taken': {
    message: 'The port is already in use. Choose another in the settings, then start again.',
    withDetail: 'Port {} is already in use. Choose another in the settings, then start again.',
  },
  'address-unavailable': {
    message:
      'This computer doesn’t have the address to listen on. Choose one of its own in the settings, then start again.',
    withDetail:
      'This computer doesn’t have the address {}. Choose one of its own in the settings, then start again.',
  },
  'port-forbidden': {
    message:
      'You don’t have permission to listen on this port. Choose a number above 1023 in the settings, then start again.',
    withDetail:
      'You don’t have permission to listen on port {}. Choose a number above 1023 in the settings, then start again.',
  },
  'container-exists': {
    message: 'The container already exists. Start or connect it instead.',
    withDetail: 'The container already exists. Start or connect it instead.',
  },
  'data-folder-busy': 'Another DocTray is using this data folder. Quit it first, then start again.',
  'default-folder-failed': 'DocTray can’t create the folder for your documents. Choose another one.',
  'folder-not-chosen': 'No folder is chosen yet. Choose the one whose documents you want to edit.',
  'upload-too-large': 'The document is larger than the upload limit. Raise the limit in the settings.',
  'disk-low':
    'The disk is almost full, so nothing new was created. Free some space, or lower the limit in the settings.',
  'host-not-allowed':
    'DocTray doesn’t answer to this host name. Add it to the allowed names in the settings.',
  'address-not-allowed':
    'This client address is not allowed. Add it to the allowed addresses in the settings.',
  'user-unknown': 'This user no longer exists.',
  'rescued-unknown': 'This recovered save no longer exists.',
  'version-unknown': 'This version no longer exists.',
  'editor-unknown': 'This editor is no longer connected.',
  'editor-other-host': 'The editor’s pages are on another host. Allow it if you trust that host.',
  'browser-refused':
    'DocTray couldn’t open a browser. Choose a default browser in the system, or let documents open in a window of DocTray in the settings.',
};

export function problemOf(error: AppError): Problem {
  const { code, detail } = error;
  const sentence = windowSentences[code];
  if (sentence === undefined) return { code, message: error.message };
  if (typeof sentence === 'string') {
    return { code, message: detail === undefined ? sentence : `${sentence} ${detail}` };
  }
  return {
    code,
    message: detail === undefined ? sentence.message : sentence.withDetail.replace('{}', () => detail),
  };
}

/** The same error with the window's sentence. */
export function inWindowWords(error: AppError): AppError {
  const { code, detail } = error;
  const told = new AppError(code, { cause: error, ...(detail !== undefined && { detail }) });
  told.message = problemOf(error).message;
  return told;
}
