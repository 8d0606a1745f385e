// Every error a caller can get, in one table: code → HTTP status and a sentence that says what to do; `window` if the window can't
// use that sentence, because it names a command or an option of the terminal. The Koa error middleware, the control socket and the
// window all translate from this table only.

import { t, translated } from './messages.ts';

const errorTable = {
  // requests
  'malformed-json': { status: 400, message: 'The body isn’t valid JSON. Send a JSON object.' },
  'invalid-argument': { status: 400, message: 'A value is missing or invalid.' },
  'unsupported-media-type': { status: 415, message: 'Send the body as application/json.' },
  'body-too-large': { status: 413, message: 'The body is too large.' },
  'upload-too-large': {
    status: 413,
    message: 'The document is larger than the upload limit. Raise the limit in the settings (maxUploadMB).',
    window: { message: 'The document is larger than the upload limit. Raise the limit in the settings.' },
  },
  'body-incomplete': {
    status: 400,
    message: 'The connection closed before the whole body arrived. Nothing was changed.',
  },
  'not-found': { status: 404, message: 'This address doesn’t exist.' },
  'method-not-allowed': { status: 405, message: 'This address doesn’t support that method.' },
  'method-not-implemented': { status: 501, message: 'DocTray doesn’t support that method.' },
  'host-not-allowed': {
    status: 421,
    message: 'This host name isn’t allowed. Use the address DocTray shows, or add the name to allowedHosts.',
    window: {
      message: 'This host name isn’t allowed. Add it to the allowed names in the settings.',
    },
  },
  'address-not-allowed': {
    status: 403,
    message: 'This client address isn’t allowed. Add it to allowedAddresses.',
    window: {
      message: 'This client address isn’t allowed. Add it to the allowed addresses in the settings.',
    },
  },
  // accounts
  'not-authenticated': {
    status: 401,
    message: 'Sign in first, then send the token in the Authorization header.',
  },
  'credentials-wrong': { status: 401, message: 'The user name or password is wrong.' },
  'too-many-failures': { status: 429, message: 'Too many failed sign-ins. Wait, then try again.' },
  'too-busy': { status: 503, message: 'Too many sign-ins at once. Try again in a moment.' },
  'permission-denied': { status: 403, message: 'Your role doesn’t allow this.', withDetail: '{}' },
  'user-unknown': {
    status: 404,
    message: 'No user has this name. List users with `users list`.',
    window: { message: 'This user no longer exists.' },
  },
  'user-exists': { status: 409, message: 'A user with this name already exists.' },
  'login-invalid': {
    status: 400,
    message:
      'A user name has 1 to 64 letters, digits, dots, dashes, underscores or an @, and starts with a letter or digit.',
  },
  'password-weak': {
    status: 400,
    message: 'A password needs at least 8 characters and can have at most 1024 bytes.',
  },
  'owner-needed': { status: 409, message: 'The owner can’t be removed or given another role.' },
  // files
  'folder-missing': {
    status: 500,
    message: 'The hosted folder is missing. Connect its drive, or choose another folder.',
  },
  'folder-invalid': { status: 400, message: 'DocTray can’t serve this folder.' },
  'folder-gone': {
    status: 400,
    message:
      'The folder to serve doesn’t exist. Connect its drive, or choose another folder with `settings set folder DIR`.',
    withDetail:
      'The folder {} doesn’t exist. Connect its drive, or choose another folder with `settings set folder DIR`.',
    window: {
      message: 'The folder to serve doesn’t exist. Connect its drive, or choose another folder.',
      withDetail: 'The folder {} doesn’t exist. Connect its drive, or choose another folder.',
    },
  },
  'default-folder-failed': {
    status: 500,
    message: 'DocTray can’t create the folder for your documents. Choose another with --folder DIR.',
    window: { message: 'DocTray can’t create the folder for your documents. Choose another one.' },
  },
  'path-invalid': { status: 400, message: 'The path must be inside the hosted folder.' },
  'file-missing': {
    status: 404,
    message: 'This document doesn’t exist in the hosted folder.',
    withDetail: '{} doesn’t exist in the hosted folder.',
  },
  'not-a-document': { status: 404, message: 'This is a folder, not a document.' },
  'file-changed': {
    status: 409,
    message: 'Another program is writing to the document. Nothing was changed. Try again.',
  },
  'file-locked': {
    status: 409,
    message: 'The document is being edited. Close it in the editor, or force-clear its lock.',
  },
  'file-not-locked': { status: 409, message: 'The document isn’t locked.' },
  'lock-not-stale': {
    status: 409,
    message: 'The lock wasn’t force-cleared, because its editor is using it again.',
  },
  'folder-unknown': { status: 404, message: 'This folder doesn’t exist in the hosted folder.' },
  'name-invalid': { status: 400, message: 'This name isn’t valid.' },
  'name-taken': { status: 409, message: 'The name is taken. Choose another.' },
  'target-taken': {
    status: 409,
    message: 'Something with this name is already there. Rename one of them, then try again.',
    withDetail: '{} already exists there. Rename one of them, then try again.',
  },
  'move-into-itself': { status: 400, message: 'A folder can’t be moved into itself.' },
  'trash-unknown': {
    status: 404,
    message: 'DocTray can’t put this back. Restore it from the system’s trash.',
  },
  'no-free-name': {
    status: 500,
    message: 'Similar names are all taken. Rename or remove some of those documents.',
  },
  'link-untouched': {
    status: 409,
    message: 'This is a link to another location. Use the file manager to change or remove it.',
  },
  'import-failed': { status: 409, message: 'Not everything was copied.' },
  'conflict-unknown': {
    status: 404,
    message: 'This conflict copy isn’t in the list. Show the list with `conflicts`.',
    window: { message: 'This conflict copy is no longer in the list.' },
  },
  'job-unknown': { status: 404, message: 'This job no longer exists.' },
  'recovered-save-unknown': {
    status: 404,
    message: 'This recovered save doesn’t exist. List recovered saves with `recovered`.',
    window: { message: 'This recovered save no longer exists.' },
  },
  'version-unknown': {
    status: 404,
    message: 'This version doesn’t exist. List versions with `versions FILE`.',
    window: { message: 'This version no longer exists.' },
  },
  'version-damaged': {
    status: 409,
    message:
      'Another program has changed the stored version, so it wasn’t restored. The document is unchanged.',
  },
  'not-text': {
    status: 409,
    message: 'Only text documents of up to 1 MB can be compared.',
  },
  'disk-low': {
    status: 507,
    message:
      'The disk is almost full, so nothing new was created. Free some space, or lower the limit in the settings (minFreeMB).',
    window: {
      message:
        'The disk is almost full, so nothing new was created. Free some space, or lower the limit in the settings.',
    },
  },
  'too-many-copies': {
    status: 429,
    message: 'Too many copies in a short time. Wait a moment, then try again.',
  },
  'too-many-calls': {
    status: 429,
    message: 'Too many requests are running for this document. Try again in a moment.',
  },
  'text-editor-busy': { status: 503, message: 'The text editor is busy. Try again in a moment.' },
  'disk-refused': { status: 500, message: 'The disk returned an error. Nothing was changed.' },
  'save-unreadable': {
    status: 500,
    message:
      'The save isn’t a readable document, so the file wasn’t changed. Open DocTray to decide what to keep.',
  },
  'save-outdated': {
    status: 409,
    message: 'The document has been saved since. Restore this save as a copy instead.',
  },
  'login-item-refused': {
    status: 409,
    message:
      'macOS doesn’t let DocTray start at login. Switch it on in System Settings → General → Login Items.',
  },
  'update-check-failed': {
    status: 502,
    message: 'DocTray couldn’t check for updates. Check your internet connection, then try again.',
  },
  'update-download-failed': {
    status: 502,
    message:
      'The update couldn’t be downloaded. Check your internet connection and free disk space, then try again.',
  },
  'update-not-signed': {
    status: 502,
    message: 'The update isn’t signed by DocTray’s developers, so it wasn’t downloaded. Try again later.',
  },
  'save-unconfirmed': {
    status: 500,
    message: 'The document was saved, but DocTray couldn’t confirm that it reached the disk. Save again.',
  },
  'change-unconfirmed': {
    status: 500,
    message: 'The change was made, but DocTray couldn’t confirm that it reached the disk. Check the folder.',
  },
  // editors
  'editor-unknown': {
    status: 404,
    message: 'This editor isn’t connected. List editors with `editors list`.',
    window: { message: 'This editor is no longer connected.' },
  },
  'editor-exists': { status: 409, message: 'This editor is already connected.' },
  'editor-url-invalid': {
    status: 400,
    message: 'Enter the URL of the document server, such as http://localhost:9980.',
  },
  'editor-unreachable': { status: 502, message: 'DocTray can’t reach the editor.' },
  'discovery-invalid': { status: 502, message: 'No WOPI document server responded at this address.' },
  'editor-other-host': {
    status: 409,
    message:
      'The editor’s pages are on another host. If you trust that host, connect the editor again with --accept-other-hosts.',
    window: { message: 'The editor’s pages are on another host. Allow it if you trust that host.' },
  },
  'engine-unavailable': { status: 503, message: 'No container engine is ready.' },
  'image-unavailable': { status: 502, message: 'The image couldn’t be downloaded.' },
  'container-failed': { status: 502, message: 'Docker or Podman reported an error.' },
  'container-silent': { status: 504, message: 'The document server didn’t start in time.' },
  'container-unconnected': {
    status: 502,
    message: 'The document server is running, but it can’t reach DocTray.',
  },
  'container-not-ours': {
    status: 409,
    message: 'DocTray didn’t create this container, so it wasn’t removed.',
  },
  'container-exists': {
    status: 409,
    message: 'The container already exists. Run `editors start`.',
    withDetail: 'The container already exists. Run `editors start {}`.',
    window: {
      message: 'The container already exists. Start or connect it instead.',
      withDetail: 'The container already exists. Start or connect it instead.',
    },
  },
  'document-server-unknown': { status: 404, message: 'This container doesn’t exist.', withDetail: '{}' },
  'document-server-busy': {
    status: 409,
    message: 'DocTray is already starting or stopping a document server. Wait until it’s done.',
  },
  'start-unknown': { status: 404, message: 'This start no longer exists.' },
  'no-editor': { status: 409, message: 'No connected editor can open this type of document.' },
  'proof-invalid': { status: 500, message: 'The editor’s signature is missing or invalid.' },
  'address-unknown': {
    status: 400,
    message: 'This isn’t one of the addresses where editors can reach DocTray.',
  },
  'network-closed': {
    status: 403,
    message:
      'This part of DocTray is available only on the computer it runs on. To open it to the network, change the settings networkApi and networkPages.',
  },
  'plain-http-refused': {
    status: 400,
    message: 'This port requires HTTPS. Use https:// instead.',
  },
  'authority-missing': {
    status: 404,
    message: 'There is no local certificate authority yet. Create one with `tls authority`.',
    window: { message: 'There is no local authority yet. Create one first.' },
  },
  'certificate-invalid': { status: 400, message: 'The certificate or its key can’t be used.' },
  'origin-not-allowed': {
    status: 403,
    message: 'This request didn’t come from a DocTray page. Open the document again from DocTray.',
  },
  'ticket-invalid': {
    status: 403,
    message: 'This link has expired or was already used. Open the document again from DocTray.',
  },
  'browser-refused': {
    status: 500,
    message:
      'DocTray couldn’t open a browser. Choose a default browser in the system settings, or let DocTray open documents in its own window (openIn).',
    window: {
      message:
        'DocTray couldn’t open a browser. Choose a default browser in the system settings, or let DocTray open documents in its own window.',
    },
  },
  // the host itself
  'data-folder-busy': {
    status: 503,
    message:
      'Another DocTray is using this data folder. Quit it first, or choose another data folder with --data.',
    withDetail:
      'DocTray is already running with this data folder and serves {}. Quit it first, or choose another data folder with --data.',
    window: { message: 'Another DocTray is using this data folder. Quit it, then try again.' },
  },
  'sandbox-missing': { status: 500, message: 'DocTray doesn’t open a window without Electron’s sandbox.' },
  'data-folder-invalid': { status: 500, message: 'DocTray can’t use the data folder.' },
  'data-folder-unknown': {
    status: 500,
    message: 'This isn’t a DocTray data folder. Check --data.',
    withDetail: '{}',
  },
  'database-newer': {
    status: 500,
    message:
      'A newer version of DocTray wrote this data folder. Install that version or a later one. Nothing was changed.',
  },
  'database-not-upgraded': {
    status: 500,
    message:
      'DocTray couldn’t upgrade its database and changed nothing. Start the version you used before, or restore the data folder from a backup.',
  },
  'secret-store-unreachable': {
    status: 500,
    message:
      'DocTray can’t reach the keychain that holds the secrets of this data folder. Unlock the keychain, then try again. No new key was created.',
  },
  'keychain-unavailable': {
    status: 503,
    message:
      'No keychain is available: this computer has none, or it is locked. Unlock it and try again. No secret was moved.',
  },
  'keychain-waiting': {
    status: 503,
    message: 'DocTray is waiting for the keychain. Answer its prompt.',
  },
  'settings-invalid': { status: 500, message: 'The settings file isn’t valid.' },
  'setting-unknown': {
    status: 400,
    message: 'This setting doesn’t exist.',
    withDetail: 'There is no setting {}. `settings` shows them.',
    window: { message: 'This setting doesn’t exist.', withDetail: 'This setting doesn’t exist.' },
  },
  'setting-invalid': { status: 400, message: 'The setting wasn’t changed.' },
  'port-taken': {
    status: 503,
    message: 'The port is already in use. Choose another with --port.',
    withDetail: 'Port {} is already in use. Choose another with --port.',
    window: {
      message: 'The port is already in use. Change it, or quit the program that uses it.',
      withDetail: 'Port {} is already in use. Change the port, or quit the program that uses it.',
    },
  },
  'address-unavailable': {
    status: 503,
    message: 'The address to listen on doesn’t belong to this computer. Choose another with --host.',
    withDetail: 'The address {} doesn’t belong to this computer. Choose another with --host.',
    window: {
      message:
        'This computer doesn’t have the bind address at the moment. Change it, or connect to its network.',
      withDetail:
        'This computer doesn’t have the address {} at the moment. Change it, or connect to its network.',
    },
  },
  'port-forbidden': {
    status: 503,
    message: 'You don’t have permission to listen on this port. Choose a number above 1023 with --port.',
    withDetail: 'You don’t have permission to listen on port {}. Choose a number above 1023 with --port.',
    window: {
      message: 'You don’t have permission to listen on this port. Change it to a number above 1023.',
      withDetail: 'You don’t have permission to listen on port {}. Change it to a number above 1023.',
    },
  },
  'data-folder-forbidden': {
    status: 503,
    message: 'The data folder belongs to another user of this computer.',
  },
  'folder-not-chosen': {
    status: 400,
    message: 'No folder is chosen yet. Start with --folder DIR.',
    window: { message: 'No folder is chosen yet. Choose the one whose documents you want to edit.' },
  },
  'not-running': {
    status: 503,
    message: 'DocTray isn’t running with this data folder. Start it with `serve`.',
    withDetail: '{}',
  },
  'no-answer': { status: 503, message: 'The running DocTray didn’t respond. Try again, or restart it.' },
  'host-away': {
    status: 503,
    message: 'DocTray isn’t serving a folder. Wait until it’s running, then try again.',
    withDetail: 'DocTray isn’t serving a folder. {}',
  },
  'page-unavailable': {
    status: 503,
    message: 'This page couldn’t be built. See the log for the reason, then restart DocTray.',
    withDetail: 'This page couldn’t be built: {} Restart DocTray to try again.',
  },
  'not-in-browser': {
    status: 409,
    message: 'A browser can’t do this. Use a terminal on the computer that DocTray runs on.',
  },
  'uninstall-refused': { status: 409, message: 'Nothing was removed.' },
  'not-confirmed': { status: 409, message: 'You didn’t confirm it, so nothing was changed.' },
  'undo-over': {
    status: 409,
    message: 'It’s too late to undo this. You can undo it once, within 10 seconds.',
  },
  'undo-taken': {
    status: 409,
    message: 'Another user has locked the document since, so its lock wasn’t restored.',
    withDetail: '{} has locked the document since, so its lock wasn’t restored.',
  },
  'owner-password-unknown': {
    status: 404,
    message: 'DocTray can only show a password that it generated. Set a new one in the settings.',
  },
  paused: {
    status: 503,
    message:
      'DocTray is paused. Resume it to open documents. Documents that are already open can still be saved.',
  },
  'data-disk-full': {
    status: 507,
    message: 'The disk with DocTray’s data folder is full. Free some space on it, then try again.',
  },
  internal: { status: 500, message: 'Something went wrong in DocTray. See its log for details.' },
} as const satisfies Record<string, { status: number; window?: Sentence } & Sentence>;

interface Sentence {
  message: string;
  /** With the detail in place of `{}`; otherwise the detail comes after the message. */
  withDetail?: string;
}

export type ErrorCode = keyof typeof errorTable;

function sentenceOf({ message, withDetail }: Sentence, detail: string | undefined): string {
  if (detail === undefined) return message;
  return withDetail?.replace('{}', () => detail) ?? `${message} ${detail}`;
}

/** Every sentence that a window may show, for the catalogs. */
export function errorSentences(): string[] {
  const entries: ({ window?: Sentence } & Sentence)[] = Object.values(errorTable);
  return entries.flatMap((entry) => {
    const { message, withDetail } = entry.window ?? entry;
    return withDetail === undefined ? [message] : [message, withDetail];
  });
}

/** Where a message is shown. The window names no command and no option, the terminal no button. */
export type CallerName = 'window' | 'terminal';

/** The message for any thrown value, as `describeError` words it. */
export function messageFor(by: CallerName, error: unknown): string {
  const described = describeError(error);
  return (by === 'window' ? inWindowWords(described) : described).message;
}

/** The same error with the window's sentence, in the user's language. */
export function inWindowWords(error: AppError): AppError {
  const { code, detail, retryAfterSeconds } = error;
  const entry: { window?: Sentence } & Sentence = errorTable[code];
  const worded = new AppError(code, {
    cause: error,
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
  const { message, withDetail } = entry.window ?? entry;
  worded.message = sentenceOf(
    { message: t(message), ...(withDetail !== undefined && { withDetail: t(withDetail) }) },
    detail === undefined ? undefined : translated(detail),
  );
  return worded;
}

/** For a code from another process, perhaps of another version. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

/** An error that is reported to the caller. `detail` is shown and must contain no secret and no path on this computer. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Shown after the code's sentence, or inside it. May contain user input, never a secret. */
  readonly detail: string | undefined;
  /** Seconds until a retry makes sense, for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: { cause?: unknown; detail?: string; retryAfterSeconds?: number } = {},
  ) {
    super(sentenceOf(errorTable[code], options.detail), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The `code` of a thrown system or SQLite error, such as `ENOENT`; empty if it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/**
 * What to report for any thrown value: an AppError unchanged, a full or read-only disk as such, everything else as `internal`
 * without its text.
 */
export function describeError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = errorCode(error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT')
    return new AppError('data-disk-full', { cause: error });
  if (code === 'EROFS')
    return new AppError('data-folder-invalid', { cause: error, detail: 'The disk is read-only.' });
  return new AppError('internal', { cause: error });
}
