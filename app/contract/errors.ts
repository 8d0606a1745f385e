// Every error a caller can meet, in one table: code → HTTP status and the sentence that says what to do; `window` if the window can't
// use that sentence, because it names a command or an option of the terminal.
// The Koa error middleware, the control socket and the window all translate from here; nothing else does.

const errorTable = {
  // requests
  'malformed-json': { status: 400, message: 'The body is not valid JSON. Send a JSON object.' },
  'invalid-argument': { status: 400, message: 'A value is missing or not valid.' },
  'unsupported-media-type': { status: 415, message: 'Send the body as application/json.' },
  'body-too-large': { status: 413, message: 'The body is larger than allowed here.' },
  'upload-too-large': {
    status: 413,
    message:
      'The document is larger than the largest upload allowed. Raise it in the settings (maxUploadMiB).',
    window: { message: 'The document is larger than the largest upload allowed. Raise it in the settings.' },
  },
  'body-incomplete': {
    status: 400,
    message: 'The body ended before its announced length. Nothing was changed.',
  },
  'not-found': { status: 404, message: 'There is nothing at this address.' },
  'method-not-allowed': { status: 405, message: 'This address does not take that method.' },
  'method-not-implemented': { status: 501, message: 'This host has no such method.' },
  'host-not-allowed': {
    status: 421,
    message:
      'DocTray doesn’t answer to this host name. Use the address DocTray shows, or add the name to allowedHosts.',
    window: {
      message: 'DocTray doesn’t answer to this host name. Add it to the allowed names in the settings.',
    },
  },
  'address-not-allowed': {
    status: 403,
    message: 'This client address is not allowed. Add it to allowedAddresses.',
    window: {
      message: 'This client address is not allowed. Add it to the allowed addresses in the settings.',
    },
  },
  // accounts
  'not-authenticated': {
    status: 401,
    message: 'Sign in first, then send the token in the Authorization header.',
  },
  'credentials-wrong': { status: 401, message: 'The user name or the password is wrong.' },
  'too-many-failures': { status: 429, message: 'Too many failed sign-ins. Wait, then try again.' },
  'too-busy': { status: 503, message: 'Too many sign-ins at once. Try again in a moment.' },
  'permission-denied': { status: 403, message: 'Your role does not allow this.' },
  'user-unknown': {
    status: 404,
    message: 'There is no user of this name. `users list` shows them.',
    window: { message: 'There is no user of this name any more.' },
  },
  'user-exists': { status: 409, message: 'There is a user of this name already.' },
  'login-invalid': {
    status: 400,
    message:
      'A user name has 1 to 64 letters, digits, dots, dashes, underscores or an @, and starts with a letter or digit.',
  },
  'password-weak': { status: 400, message: 'A password has at least 8 characters and at most 1024 bytes.' },
  'owner-needed': { status: 409, message: 'The owner can’t be removed or given another role.' },
  // files
  'folder-missing': {
    status: 500,
    message:
      'The hosted folder is missing. Connect its drive, or choose another folder. Nothing in it was changed.',
  },
  'folder-invalid': { status: 400, message: 'DocTray can’t serve this folder.' },
  'default-folder-failed': {
    status: 500,
    message: 'DocTray can’t create the folder for your documents. Choose another with --folder DIR.',
    window: { message: 'DocTray can’t create the folder for your documents. Choose another one.' },
  },
  'path-invalid': { status: 400, message: 'Give a path inside the hosted folder.' },
  'file-missing': { status: 404, message: 'There is no such document in the hosted folder.' },
  'file-changed': {
    status: 409,
    message: 'Another program is writing to the document just now. Nothing was changed; try again.',
  },
  'file-locked': {
    status: 409,
    message: 'The document is being edited. Close it in the editor, or force-clear its lock.',
  },
  'file-not-locked': { status: 409, message: 'The document has no lock.' },
  'folder-unknown': { status: 404, message: 'There is no such folder in the hosted folder.' },
  'name-invalid': { status: 400, message: 'This cannot be a name here.' },
  'name-taken': { status: 409, message: 'The name is taken. Choose another.' },
  'link-untouched': {
    status: 409,
    message: 'This is a link to something else. Use the file manager to change or remove it.',
  },
  'import-failed': { status: 409, message: 'Not everything was copied.' },
  'conflict-unknown': {
    status: 404,
    message: 'There is no such conflict copy. `conflicts` shows them.',
    window: { message: 'This conflict copy is no longer in the list.' },
  },
  'job-unknown': { status: 404, message: 'This job no longer exists.' },
  'rescued-unknown': {
    status: 404,
    message: 'There is no such recovered save. `rescued` shows them.',
    window: { message: 'There is no such recovered save any more.' },
  },
  'version-unknown': {
    status: 404,
    message: 'There is no such version. `versions FILE` shows them.',
    window: { message: 'There is no such version any more.' },
  },
  'version-damaged': {
    status: 409,
    message:
      'Another program has changed the kept version since. It was not restored; the document is untouched.',
  },
  'disk-low': {
    status: 507,
    message:
      'The disk is almost full, so nothing new was created. Free some space, or lower the limit in the settings (minFreeMiB).',
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
  'disk-refused': { status: 500, message: 'The disk refused. Nothing was changed.' },
  'save-unconfirmed': {
    status: 500,
    message: 'The document was saved, but DocTray could not confirm that it is safe on the disk. Save again.',
  },
  'change-unconfirmed': {
    status: 500,
    message: 'This was done, but DocTray could not confirm that it is safe on the disk. Check the folder.',
  },
  // editors
  'editor-unknown': {
    status: 404,
    message: 'There is no such editor. `editors list` shows them.',
    window: { message: 'This editor is no longer connected.' },
  },
  'editor-exists': { status: 409, message: 'This editor is already connected.' },
  'editor-url-invalid': {
    status: 400,
    message: 'Give the address of the document server, such as http://localhost:9980.',
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
  'image-unavailable': { status: 502, message: 'The image could not be downloaded.' },
  'container-failed': { status: 502, message: 'Docker or Podman reported an error.' },
  'container-silent': { status: 504, message: 'The document server did not start in time.' },
  'container-no-way-back': {
    status: 502,
    message: 'The document server runs, but it cannot reach DocTray.',
  },
  'container-not-ours': {
    status: 409,
    message: 'DocTray did not create this container, so it was not removed.',
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
  'document-server-unknown': { status: 404, message: 'This container doesn’t exist.' },
  'document-server-busy': {
    status: 409,
    message: 'DocTray is already starting or stopping a document server. Wait until it’s done.',
  },
  'start-unknown': { status: 404, message: 'This start no longer exists.' },
  'no-editor': { status: 409, message: 'No connected editor can open this type of document.' },
  'proof-invalid': { status: 500, message: 'The signature of the editor is missing or wrong.' },
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
    message: 'This port speaks HTTPS on the network. Use https:// instead.',
  },
  'certificate-invalid': { status: 400, message: 'The certificate or its key can’t be used.' },
  'origin-not-allowed': {
    status: 403,
    message: 'This was not sent by a page of DocTray. Open the document again from DocTray.',
  },
  'ticket-invalid': {
    status: 403,
    message: 'This link has expired or was already used. Open the document again from DocTray.',
  },
  'browser-refused': {
    status: 500,
    message:
      'DocTray couldn’t open a browser. Choose a default browser in the system, or let DocTray open documents in a window of its own (openIn).',
    window: {
      message:
        'DocTray couldn’t open a browser. Choose a default browser in the system, or let documents open in a window of DocTray in the settings.',
    },
  },
  // the host itself
  'data-folder-busy': {
    status: 503,
    message:
      'Another DocTray is using this data folder. Quit it first, or choose another data folder with --data.',
    withDetail:
      'DocTray is already running with this data folder and serves {}. Quit it first, or choose another data folder with --data.',
    window: { message: 'Another DocTray is using this data folder. Quit it first, then start again.' },
  },
  'data-folder-invalid': { status: 500, message: 'DocTray can’t use the data folder.' },
  'database-newer': {
    status: 500,
    message:
      'The data folder was written by a newer DocTray. Install that version or a later one; nothing was changed.',
  },
  'database-not-upgraded': {
    status: 500,
    message:
      'DocTray could not upgrade its database and changed nothing. Start the version you used before, or restore the data folder from a backup.',
  },
  'secret-store-unreachable': {
    status: 500,
    message:
      'The keychain that holds the secrets of this data folder cannot be reached. Unlock it and start again; no new key was made.',
  },
  'settings-invalid': { status: 500, message: 'The settings file is not valid.' },
  'setting-invalid': { status: 400, message: 'The setting wasn’t changed.' },
  'port-taken': {
    status: 503,
    message: 'The port is already in use. Choose another with --port.',
    withDetail: 'Port {} is already in use. Choose another with --port.',
    window: {
      message: 'The port is already in use. Choose another in the settings, then start again.',
      withDetail: 'Port {} is already in use. Choose another in the settings, then start again.',
    },
  },
  'address-unavailable': {
    status: 503,
    message: 'This computer doesn’t have the address to listen on. Choose one of its own with --host.',
    withDetail: 'This computer doesn’t have the address {}. Choose one of its own with --host.',
    window: {
      message:
        'This computer doesn’t have the address to listen on. Choose one of its own in the settings, then start again.',
      withDetail:
        'This computer doesn’t have the address {}. Choose one of its own in the settings, then start again.',
    },
  },
  'port-forbidden': {
    status: 503,
    message: 'You don’t have permission to listen on this port. Choose a number above 1023 with --port.',
    withDetail: 'You don’t have permission to listen on port {}. Choose a number above 1023 with --port.',
    window: {
      message:
        'You don’t have permission to listen on this port. Choose a number above 1023 in the settings, then start again.',
      withDetail:
        'You don’t have permission to listen on port {}. Choose a number above 1023 in the settings, then start again.',
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
  },
  'no-answer': { status: 503, message: 'The running DocTray did not answer. Try again, or restart it.' },
  'host-away': { status: 503, message: 'DocTray serves nothing just now, so this cannot be done.' },
  'not-confirmed': { status: 409, message: 'You didn’t confirm it, so nothing was changed.' },
  'undo-over': {
    status: 409,
    message: 'It is too late to undo this. It can be undone once, within 10 seconds.',
  },
  'undo-taken': {
    status: 409,
    message: 'Another user has locked the document since, so its lock wasn’t restored.',
    withDetail: '{} has locked the document since, so its lock wasn’t restored.',
  },
  'owner-password-unknown': {
    status: 404,
    message: "DocTray does not know the owner's password: somebody chose it. Set a new one in the settings.",
  },
  paused: {
    status: 503,
    message: 'DocTray is paused. Resume it to open documents; running edits still save.',
  },
  'data-disk-full': {
    status: 507,
    message: 'The disk that holds DocTray’s own data is full. Free some space on it, then try again.',
  },
  internal: { status: 500, message: 'Something went wrong in DocTray. Its log says more.' },
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

/** The same error with the window's sentence: it names no command and no option of the terminal. */
export function inWindowWords(error: AppError): AppError {
  const { code, detail, retryAfterSeconds } = error;
  const entry: { window?: Sentence } & Sentence = errorTable[code];
  const worded = new AppError(code, {
    cause: error,
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
  worded.message = sentenceOf(entry.window ?? entry, detail);
  return worded;
}

/** For a code that came from another process, perhaps of another version. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

/** An error a caller is told about. `detail` is shown to the caller and must hold no secret and no path of the machine. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Shown after the code's sentence, or in it; user input may be in it, secrets may not. */
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

/** The system's or SQLite's code of a thrown value, such as `ENOENT`; empty where it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** What is told of any thrown value: an AppError as it is, a full disk as such, everything else as `internal` without its text. */
export function describeError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const code = errorCode(error);
  const isFull = code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT';
  return new AppError(isFull ? 'data-disk-full' : 'internal', { cause: error });
}
