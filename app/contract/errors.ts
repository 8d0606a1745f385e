// Every error a caller can get, in one table: code → HTTP status. Its sentence, which says what to do, is `error.CODE` in the catalogs;
// `error.CODE.detail` has the detail inside, instead of after it; `.window` and `.window-detail` are for the window if it can't use
// those, because they name a command or an option of the terminal. HTTP, the terminal and the window all word errors here.

import { inEnglish, isMessageKey, t, type Language, sayInEnglish } from './messages.ts';

const statuses = {
  // requests
  'malformed-json': 400,
  'invalid-argument': 400,
  'unsupported-media-type': 415,
  'body-too-large': 413,
  'upload-too-large': 413,
  'body-incomplete': 400,
  'not-found': 404,
  'method-not-implemented': 501,
  'host-not-allowed': 421,
  'address-not-allowed': 403,
  // accounts
  'not-authenticated': 401,
  'credentials-wrong': 401,
  'too-many-failures': 429,
  'too-busy': 503,
  'permission-denied': 403,
  'user-unknown': 404,
  'user-exists': 409,
  'login-invalid': 400,
  'password-weak': 400,
  'owner-needed': 409,
  // files
  'folder-missing': 500,
  'folder-invalid': 400,
  'folder-gone': 400,
  'default-folder-failed': 500,
  'path-invalid': 400,
  'file-missing': 404,
  'not-a-document': 404,
  'file-changed': 409,
  'file-locked': 409,
  'file-not-locked': 409,
  'lock-not-stale': 409,
  'folder-unknown': 404,
  'name-invalid': 400,
  'name-taken': 409,
  'target-taken': 409,
  'move-into-itself': 400,
  'trash-unknown': 404,
  'no-free-name': 500,
  'link-untouched': 409,
  'import-failed': 409,
  'conflict-unknown': 404,
  'job-unknown': 404,
  'recovered-save-unknown': 404,
  'version-unknown': 404,
  'version-damaged': 409,
  'not-text': 409,
  'disk-low': 507,
  'too-many-copies': 429,
  'too-many-calls': 429,
  'text-editor-busy': 503,
  'disk-refused': 500,
  'save-unreadable': 500,
  'save-outdated': 409,
  'login-item-refused': 409,
  'update-check-failed': 502,
  'update-download-failed': 502,
  'update-not-signed': 502,
  'save-unconfirmed': 500,
  'change-unconfirmed': 500,
  // editors
  'editor-unknown': 404,
  'editor-exists': 409,
  'editor-url-invalid': 400,
  'editor-unreachable': 502,
  'discovery-invalid': 502,
  'editor-other-host': 409,
  'engine-unavailable': 503,
  'image-unavailable': 502,
  'container-failed': 502,
  'container-silent': 504,
  'container-unconnected': 502,
  'container-not-ours': 409,
  'container-exists': 409,
  'document-server-unknown': 404,
  'document-server-busy': 409,
  'start-unknown': 404,
  'no-editor': 409,
  'proof-invalid': 500,
  'address-unknown': 400,
  'network-closed': 403,
  'plain-http-refused': 400,
  'authority-missing': 404,
  'certificate-invalid': 400,
  'origin-not-allowed': 403,
  'ticket-invalid': 403,
  'browser-refused': 500,
  // the host itself
  'data-folder-busy': 503,
  'sandbox-missing': 500,
  'data-folder-invalid': 500,
  'data-folder-unknown': 500,
  'database-newer': 500,
  'database-not-upgraded': 500,
  'secret-store-unreachable': 500,
  'keychain-unavailable': 503,
  'keychain-waiting': 503,
  'settings-invalid': 500,
  'setting-unknown': 400,
  'setting-invalid': 400,
  'port-taken': 503,
  'address-unavailable': 503,
  'port-forbidden': 503,
  'data-folder-forbidden': 503,
  'folder-not-chosen': 400,
  'not-running': 503,
  'no-answer': 503,
  'host-away': 503,
  'page-unavailable': 503,
  'not-in-browser': 409,
  'uninstall-refused': 409,
  'not-confirmed': 409,
  'undo-over': 409,
  'undo-taken': 409,
  'owner-password-unknown': 404,
  paused: 503,
  'data-disk-full': 507,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof statuses;

/** Where a message is shown. The window names no command and no option, the terminal no button. */
export type CallerName = 'window' | 'terminal';

function sentenceOf(code: ErrorCode, detail: string | undefined, by: CallerName, say: Language['t']): string {
  const key = `error.${code}` as const;
  const hasOwn = by === 'window' && (isMessageKey(`${key}.window`) || isMessageKey(`${key}.window-detail`));
  const plain: string = hasOwn ? `${key}.window` : key;
  const detailed: string = hasOwn ? `${key}.window-detail` : `${key}.detail`;
  if (detail !== undefined && isMessageKey(detailed)) return say(detailed, { detail });
  const sentence = isMessageKey(plain) ? say(plain) : say(key);
  return detail === undefined ? sentence : `${sentence} ${detail}`;
}

/** The message for any thrown value, as `describeError` words it, in the user's language. */
export function messageFor(by: CallerName, error: unknown): string {
  const { code, detail } = describeError(error);
  return sentenceOf(code, detail, by, t);
}

/** The same error with the window's sentence, in the user's language. */
export function inWindowWords(error: AppError): AppError {
  const { code, detail, retryAfterSeconds } = error;
  const worded = new AppError(code, { cause: error, detail, retryAfterSeconds });
  worded.message = messageFor('window', error);
  return worded;
}

/** For a code from another process, perhaps of another version. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(statuses, code);
}

/** An error that is reported to the caller. Its own message is in English, for the log and the APIs. `detail` is shown and must contain no secret and no path on this computer. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** In the caller's language, after the code's sentence or inside it. May contain user input, never a secret. */
  get detail(): string | undefined {
    const detail = this.#detail;
    return typeof detail === 'function' ? detail() : detail;
  }

  readonly #detail: string | (() => string) | undefined;
  /** Seconds until a retry makes sense, for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      cause?: unknown;
      detail?: string | (() => string) | undefined;
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    const { detail } = options;
    const words = sayInEnglish(() => (typeof detail === 'function' ? detail() : detail));
    super(sentenceOf(code, words, 'terminal', inEnglish.t), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.#detail = detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return statuses[this.code];
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
    return new AppError('data-folder-invalid', { cause: error, detail: () => t('host.disk-read-only') });
  const isFileGone = code === 'ERR_MODULE_NOT_FOUND';
  const detail = isFileGone ? { detail: () => t('host.program-files-replaced') } : {};
  return new AppError('internal', { cause: error, ...detail });
}
