// What the model of the host knows: files with their locks and versions, tokens, and the bytes that must still exist.
// Contents are short names, '' the empty document; the files of one sequence are known by a key.

export const lockLifetimeMs = 30 * 60_000;
/** A force-clear can be undone for so long. */
export const undoMs = 10_000;
/** For so long an expired, unrevoked token still carries Lock, RefreshLock, PutFile and Unlock with the file's own lock id. */
export const expiredTokenCarryMs = 24 * 60 * 60_000;

export interface Lock {
  id: string;
  byToken: string;
  /** The token that took it had read nothing, and nobody has saved under it yet. */
  isUnread: boolean;
  expiresAtMs: number;
  /** Tokens that have shown that they know its id. */
  joined: readonly string[];
  /** Set at the moment of lapse, with the content of that moment. */
  lapse?: { content: string | undefined; changedSince: boolean };
  /** Another program wrote while the lock was held and no answer has shown yet that the host noticed. */
  unnoticed: boolean;
}

export interface FileState {
  name: string;
  /** Undefined: gone from the disk. */
  content: string | undefined;
  /** The host had these bytes in its hands as a save; what only lies on the disk it has not hashed. */
  isHashed: boolean;
  /** Trashed by DeleteFile: the id never comes back. */
  trashed: boolean;
  lock: Lock | undefined;
  /** The lock that the user cleared last, and what the file was then: for a moment it can be put back. */
  cleared?: { lock: Lock; atMs: number; content: string | undefined; unread: FileState['unread'] };
  /** Ids that lost this file's lock without asking for it: their late saves are recovered. */
  dispossessed: readonly string[];
  /** X-WOPI-ItemVersion as last seen; undefined: moved on since, to a value not seen yet. */
  version: string | undefined;
  seenVersions: readonly string[];
  seenContent: string | undefined;
  /** Did another program change the bytes since the editor behind the lock read them? 'may': the page does not say. */
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
  /** Contents of files the host made: copies and conflict copies. */
  extras: readonly string[];
  /** Contents that the host replaced or must have recovered: they have to be found again. */
  kept: readonly string[];
}

/** `lock` '' stands for an absent or empty header. */
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

/** What happens to a host without a request of an editor. */
export type Happening =
  | { kind: 'advance'; ms: number }
  | { kind: 'outside-write'; file: string; content: string }
  | { kind: 'outside-rename'; file: string; name: string }
  | { kind: 'outside-delete' | 'force-clear' | 'not-cleared'; file: string }
  | { kind: 'undo-restored' | 'undo-taken' | 'undo-too-late'; file: string }
  | { kind: 'restart' }
  | { kind: 'revoke'; token: string };

export interface Answer {
  status: number;
  /** X-WOPI-Lock; undefined when the header is absent. */
  lock: string | undefined;
  version: string | undefined;
  /** Facts of the body that the model knows: see `facts` of an outcome. */
  facts: Readonly<Record<string, unknown>>;
  /** RenameFile alone: the new name with its extension. */
  name?: string;
}

export type View = 'held' | 'graced' | 'none';

/** How the host may see the lock: held, lapsed and graced, or not there. */
export function lockViews({ lock, content }: FileState): View[] {
  if (lock === undefined) return ['none'];
  if (lock.lapse === undefined) return ['held'];
  // Whether a file that is gone can be made again under a lapsed lock is not said; either way the bytes are safe.
  if (content === undefined) return ['graced', 'none'];
  // Gone at the moment of the lapse and back since: there is no hash of that moment. Its holder's own bytes may count.
  if (lock.lapse.content === undefined) return ['graced', 'none'];
  if (content !== lock.lapse.content) return ['none'];
  return lock.unnoticed || lock.lapse.changedSince ? ['graced', 'none'] : ['graced'];
}

/** Whether the content changed since the session of that token read or saved it: the same bytes again may look changed. */
export function unreadBy({ known, content }: FileState, token: string): FileState['unread'] {
  const own = known[token];
  if (own === undefined || own.content !== content) return 'must';
  return own.isSure ? 'no' : 'may';
}

/** A save is no conflict when the lock, the token that took it, or the token that saves knows the content. */
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

/** The content becomes `content`: the version moves on, a lapsed lock remembers what may look like other bytes. */
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

/** The host replaces the content: the old bytes are kept, beside the file too where another program wrote them. */
export function replaced(state: ModelState, key: string, content: string): ModelState[] {
  const { content: before, unread, lock, isHashed } = state.files[key]!;
  // The editor behind a lapsed lock, should it come back, may be said not to have read these bytes.
  const unreadNow = lock?.lapse === undefined ? 'no' : 'may';
  const next = withFile(written(state, key, content, !isHashed), key, { unread: unreadNow, isHashed: true });
  if (before === undefined || before === content) return [next];
  const kept = { ...next, kept: [...next.kept, before] };
  const withCopy = { ...kept, extras: [...next.extras, before] };
  // An empty document holds nothing that could be kept.
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
