// The state of the model: files with their locks and versions, tokens, and the bytes that must still exist. Contents are short
// names, '' the empty document; the files of a sequence have keys.

export const lockLifetimeMs = 30 * 60_000;
/** How long a force-clear can be undone. */
export const undoMs = 10_000;
/** How long Lock, RefreshLock, PutFile and Unlock accept an expired, unrevoked token with the file's own lock id. */
export const expiredTokenCarryMs = 24 * 60 * 60_000;

export interface Lock {
  id: string;
  byToken: string;
  /** The token that took it had read nothing, and nothing was saved under it yet. */
  isUnread: boolean;
  expiresAtMs: number;
  /** Tokens that have sent its id. */
  joined: readonly string[];
  /** Set when the lock expires, with the content at that time. */
  lapse?: { content: string | undefined; changedSince: boolean };
  /** Another program wrote while the lock was held and no answer has shown yet that the host noticed. */
  unnoticed: boolean;
}

export interface FileState {
  name: string;
  /** Undefined if it isn't on disk. */
  content: string | undefined;
  /** The host received these bytes as a save and hashed them; it hasn't hashed what it only found on disk. */
  isHashed: boolean;
  /** Trashed by DeleteFile: the id is never used again. */
  trashed: boolean;
  lock: Lock | undefined;
  /** The lock that the user force-cleared last, and the file's state at that time, for an undo. */
  cleared?: { lock: Lock; atMs: number; content: string | undefined; unread: FileState['unread'] };
  /** Ids that lost this file's lock without releasing it: their late saves are recovered. */
  dispossessed: readonly string[];
  /** X-WOPI-ItemVersion as last seen; undefined if it has changed to a value not seen yet. */
  version: string | undefined;
  seenVersions: readonly string[];
  seenContent: string | undefined;
  /** Whether another program changed the bytes since the lock's editor read them; 'may' if the page doesn't define it. */
  unread: 'no' | 'may' | 'must';
  /** By token: the content that its session last read or saved; `isSure` while nothing was written since. */
  known: Readonly<Record<string, { content: string | undefined; isSure: boolean }>>;
}

export interface TokenState {
  file: string;
  canWrite: boolean;
  expiresAtMs: number;
  revoked: boolean;
}

export interface ModelState {
  nowMs: number;
  files: Readonly<Record<string, FileState>>;
  tokens: Readonly<Record<string, TokenState>>;
  /** Contents of files that the host created: copies and conflict copies. */
  extras: readonly string[];
  /** Contents that the host replaced or must have recovered: they must still exist. */
  kept: readonly string[];
}

/** `lock` '' means an absent or empty header. */
export type Request = { file: string; token: string; lock: string } & (
  | {
      kind:
        | 'check-file-info'
        | 'get-file'
        | 'get-lock'
        | 'lock'
        | 'refresh-lock'
        | 'unlock'
        | 'rename'
        | 'delete';
    }
  | { kind: 'relock'; oldLock: string }
  | { kind: 'put'; content: string; oldTimestamp: boolean }
  | { kind: 'put-relative'; content: string; wrongSize: boolean; over?: { file: string; overwrite: boolean } }
);

/** A change of the host without an editor's request. */
export type ModelEvent =
  | { kind: 'advance'; ms: number }
  | { kind: 'outside-write'; file: string; content: string }
  | { kind: 'outside-rename'; file: string; name: string }
  | { kind: 'outside-delete' | 'force-clear' | 'not-cleared'; file: string }
  | { kind: 'undo-restored' | 'undo-taken' | 'undo-too-late'; file: string }
  | { kind: 'restart' }
  | { kind: 'revoke'; token: string };

export interface Answer {
  status: number;
  /** X-WOPI-Lock; undefined if the header is absent. */
  lock: string | undefined;
  version: string | undefined;
  /** Facts of the body that the model knows: see `facts` of an outcome. */
  facts: Readonly<Record<string, unknown>>;
  /** RenameFile only: the new name with its extension. */
  name?: string;
}

export type View = 'held' | 'resumable' | 'none';

/** How the host may see the lock: held, expired and resumable, or none. */
export function lockViews({ lock, content }: FileState): View[] {
  if (lock === undefined) return ['none'];
  if (lock.lapse === undefined) return ['held'];
  // The page doesn't define whether a missing file can be recreated under an expired lock; the bytes are safe either way.
  if (content === undefined) return ['resumable', 'none'];
  // Missing when the lock expired and back since: there is no hash of that time. The bytes its editor knows may count.
  if (lock.lapse.content === undefined) return ['resumable', 'none'];
  if (content !== lock.lapse.content) return ['none'];
  return lock.unnoticed || lock.lapse.changedSince ? ['resumable', 'none'] : ['resumable'];
}

/** Whether the content changed since the token's session read or saved it; the same bytes written again may look changed. */
export function unreadBy({ known, content }: FileState, token: string): FileState['unread'] {
  const own = known[token];
  if (own === undefined || own.content !== content) return 'must';
  return own.isSure ? 'no' : 'may';
}

/** A save doesn't conflict if the lock, the token that took it, or the token that saves knows the content. */
export function unreadTo(file: FileState, token: string): FileState['unread'] {
  const ways = [
    file.unread,
    unreadBy(file, token),
    ...(file.lock === undefined ? [] : [unreadBy(file, file.lock.byToken)]),
  ];
  return ways.includes('no') ? 'no' : ways.includes('may') ? 'may' : 'must';
}

export function isLockIdValid(id: string): boolean {
  return id.length <= 1024 && /^[\x20-\x7e]+$/.test(id);
}

export const soften = (unread: FileState['unread']): FileState['unread'] =>
  unread === 'must' ? 'may' : unread;
export const without = (ids: readonly string[], id: string): string[] => ids.filter((other) => other !== id);

export function withFile(state: ModelState, key: string, change: Partial<FileState>): ModelState {
  return { ...state, files: { ...state.files, [key]: { ...state.files[key]!, ...change } } };
}

/** Sets the content: the version changes, and an expired lock records what may look like other bytes. */
export function written(
  state: ModelState,
  key: string,
  content: string | undefined,
  looksChanged = false,
): ModelState {
  const { lock, content: before, known: knownBefore } = state.files[key]!;
  const known = Object.fromEntries(
    Object.entries(knownBefore).map(([token, own]) => [token, { ...own, isSure: false }]),
  );
  const lapse = lock?.lapse && {
    ...lock.lapse,
    changedSince: lock.lapse.changedSince || content !== before || looksChanged,
  };
  return withFile(state, key, {
    content,
    known,
    version: undefined,
    lock: lapse ? { ...lock, lapse } : lock,
  });
}

/** The host replaces the content and keeps the old bytes, also in a conflict copy if another program wrote them. */
export function replaced(state: ModelState, key: string, content: string): ModelState[] {
  const { content: before, unread, lock, isHashed } = state.files[key]!;
  // If the editor of an expired lock reconnects, it may count as not having read these bytes.
  const unreadNow = lock?.lapse === undefined ? 'no' : 'may';
  const next = withFile(written(state, key, content, !isHashed), key, { unread: unreadNow, isHashed: true });
  if (before === undefined || before === content) return [next];
  const kept = { ...next, kept: [...next.kept, before] };
  const withCopy = { ...kept, extras: [...next.extras, before] };
  // An empty document has nothing to keep.
  if (unread === 'no' || before === '') return [kept];
  return unread === 'must' ? [withCopy] : [withCopy, kept];
}

export function newFile(name: string, content: string): FileState {
  const nothingSeen = { version: undefined, seenVersions: [], seenContent: undefined };
  return {
    name,
    content,
    isHashed: false,
    trashed: false,
    lock: undefined,
    dispossessed: [],
    unread: 'no',
    known: {},
    ...nothingSeen,
  };
}
