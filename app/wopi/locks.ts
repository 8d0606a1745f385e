// The locks of the hosted documents: read as they are at this moment, written only here. Every change is one durable commit.
// Callers that write hold the document's mutex.

import type { AccessGrant } from '../accounts/access-tokens.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { hasExpired } from '../contract/age.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import type { StaleCause } from '../contract/state.ts';
import type { KeyedMutex } from '../files/keyed-mutex.ts';
import type { FileRow, FilesTable } from '../store/files.ts';
import type { Commit } from '../store/group-commit.ts';
import {
  neverRead,
  type KnownContent,
  type LockRow,
  type LocksTable,
  type ShownLock,
} from '../store/locks.ts';
import { lockConflictHeader } from './lock-conflict-text.ts';
import {
  hasLockId,
  lockStateAt,
  lockLifeMs,
  quietSince,
  staleCause,
  undoLimitMs,
  type LockState,
} from './lock-rules.ts';
import { lockConflict, type WopiAnswer } from './wopi-call.ts';

/** A held lock as the window and the terminal show it. Doesn't contain the lock id. */
export interface LockSummary {
  fileId: string;
  /** Inside the folder, '/'-separated. */
  path: string;
  /** Login of the user whose token took it. */
  user: string | null;
  /** The display name. */
  userName: string | null;
  /** The connected editor that took it. */
  editorName: string | null;
  /** The User-Agent of the token that took it. */
  client: string | null;
  takenAtMs: number;
  refreshedAtMs: number;
  expiresAtMs: number;
  state: 'held' | 'stale';
  stale: StaleCause | null;
  /** The latest call that carried the lock or came from the token that took it. */
  lastCallAtMs: number;
  /** Since when its holder has made no call; not before the host started or the computer resumed. */
  quietSinceMs: number;
}

export interface Locks {
  state(fileId: string): LockState;
  isHeld(fileId: string): boolean;
  /** Its last lock was force-cleared, and nobody has locked it since. */
  wasForceCleared(fileId: string): boolean;
  /**
   * Locks a free document, or extends a lock with the same id. A new lock's base is what its token has read; Lock and GetFile
   * come in either order.
   */
  take(row: FileRow, lockId: string, grant: AccessGrant): Promise<void>;
  /** Extends the lock; a lapsed lock is held again. */
  refresh(row: FileRow, lock: LockRow, grant: AccessGrant): Promise<void>;
  /** Same lock, new id. */
  swap(row: FileRow, lock: LockRow, lockId: string, grant: AccessGrant): Promise<void>;
  release(row: FileRow): Promise<void>;
  /**
   * Part of a save's transaction: the saved content becomes what the token knows, and under a lock what its holder knows; the
   * lock is extended.
   */
  recordSave(row: FileRow, lock: LockRow | undefined, grant: Pick<AccessGrant, 'id'>): void;
  /** That token's session has read or created this content. In memory at once, written soon after; never fails. */
  recordRead(row: FileRow, grant: Pick<AccessGrant, 'id'>): void;
  /** Writes pending reads; never rejects, and the next flush retries what failed. */
  flush(): Promise<void>;
  /**
   * The contents that a save by this token under this lock may be based on. If the session has read none, ONLYOFFICE continues with
   * what its server has kept of an earlier session.
   */
  knownTo(lock: LockRow, grant: AccessGrant): KnownContent[];
  /** A session of that editor has read or saved the present content, so its server may open it again without reading. */
  isKnownToEditor(row: FileRow, editorId: string): boolean;
  /** The session of this token works under that lock. */
  isOwn(lock: LockRow, grant: Pick<AccessGrant, 'id' | 'pageSessionId'>): boolean;
  /** A token of this host page works under that lock. */
  isOwnOfPage(lock: LockRow, pageSessionId: string): boolean;
  /** The conflict with the lock's holder, with a text that editors show their user. */
  conflict(lock: LockRow, grant: AccessGrant): WopiAnswer;
  /** Held locks, oldest first. */
  list(): LockSummary[];
  /** The held lock of a document. */
  find(fileId: string): LockSummary | undefined;
  /** Force-clears a lock. @throws AppError file-not-locked, lock-not-stale with `onlyStale` */
  forceClear(fileId: string, by: string, options?: { onlyStale: boolean }): Promise<LockSummary>;
  /**
   * Within 10 seconds, restores a force-cleared lock with its id, holder and times. `taken`: another user has locked the
   * document, and nothing is changed; `too-late`: there is nothing to restore any more.
   */
  undoForceClear(fileId: string, by: string): Promise<'restored' | 'taken' | 'too-late'>;
  /** Lets a held lock lapse now, unless it was replaced. Its editor can resume it as after any lapse. */
  lapse(lock: Pick<LockRow, 'fileId' | 'lockId' | 'takenAtMs'>): Promise<void>;
  /** Records the content version of documents whose lock lapsed since the last call. */
  noteLapses(versionOf: (fileId: string) => Promise<number | undefined>): Promise<void>;
}

export interface LocksDeps {
  table: LocksTable;
  files: FilesTable;
  mutex: KeyedMutex;
  commit: Commit;
  clock: Clock;
  emit: EmitEvent;
  /** A token's calls that aren't in the database yet. */
  unwritten: Sessions['unwritten'];
  /** Tokens that expire after this moment can still refresh a lock. */
  tokensAfterMs: () => number;
  awakeSinceMs: () => number;
  /** What a session has read couldn't be written; it will be retried. */
  onError?: (error: unknown) => void;
}

/**
 * After the answer is sent, because a commit waits for the disk. A host that dies in between causes at most a needless conflict
 * copy.
 */
const writeReadsAfterMs = 250;

export function createLocks(deps: LocksDeps): Locks {
  const { table, clock, emit, onError = () => undefined } = deps;
  const expiry = (): { refreshedAtMs: number; expiresAtMs: number } => ({
    refreshedAtMs: clock(),
    expiresAtMs: clock() + lockLifeMs,
  });
  const state = (fileId: string): LockState => lockStateAt(table.get(fileId), clock());

  const summary = (lock: ShownLock): LockSummary => {
    // A call that isn't written yet is later than any that is.
    const unwritten = lock.accessTokenId === null ? undefined : deps.unwritten(lock.accessTokenId);
    const facts = {
      nowMs: clock(),
      lastCallAtMs: Math.max(lock.refreshedAtMs, unwritten?.lastCallAtMs ?? lock.lastCallAtMs ?? 0),
      awakeSinceMs: deps.awakeSinceMs(),
      tokensEnded: lock.tokensEnded ?? undefined,
    };
    const stale = staleCause(facts);
    return {
      fileId: lock.fileId,
      path: lock.path,
      user: lock.userLogin,
      userName: lock.userName,
      editorName: lock.editorName,
      client: unwritten?.client ?? lock.client,
      takenAtMs: lock.takenAtMs,
      refreshedAtMs: lock.refreshedAtMs,
      expiresAtMs: lock.expiresAtMs,
      state: stale === null ? 'held' : 'stale',
      stale,
      lastCallAtMs: facts.lastCallAtMs,
      quietSinceMs: quietSince(facts),
    };
  };
  const shownAt = () => ({ nowMs: clock(), tokensAfterMs: deps.tokensAfterMs() });
  const find = (fileId: string): LockSummary | undefined => {
    const lock = table.shownOne(fileId, shownAt());
    return lock === undefined ? undefined : summary(lock);
  };

  /** Documents that nobody has locked since their lock was force-cleared. */
  const forceCleared = new Set<string>();
  /** Recently force-cleared locks, by file id, oldest first. */
  const cleared = new Map<string, { lock: LockRow; atMs: number }>();
  const forgetOld = (): void => {
    for (const [fileId, { atMs }] of cleared) {
      // Thousands may be cleared at once, and each call sweeps.
      if (!hasExpired(atMs, undoLimitMs, clock())) return;
      cleared.delete(fileId);
    }
  };

  /** Read and not written yet, by token id. */
  const unwritten = new Map<string, KnownContent & { fileId: string }>();
  const known = (tokenId: string | null): KnownContent | undefined => {
    if (tokenId === null) return undefined;
    const fresh = unwritten.get(tokenId);
    const written = table.known(tokenId);
    return fresh !== undefined && fresh.version > (written?.version ?? neverRead) ? fresh : written;
  };
  const writeReads = (): void => {
    for (const [tokenId, read] of unwritten) {
      if ((table.known(tokenId)?.version ?? neverRead) >= read.version) continue;
      table.setKnown(tokenId, read);
      const held = state(read.fileId);
      const isOwn = held.kind === 'locked' && held.lock.accessTokenId === tokenId;
      if (isOwn && held.lock.baseVersion < read.version) table.setBase(read.fileId, read);
    }
  };
  let writing: NodeJS.Timeout | undefined;
  const flush = async (): Promise<void> => {
    clearTimeout(writing);
    writing = undefined;
    if (unwritten.size === 0) return;
    const written = [...unwritten];
    try {
      await deps.commit(writeReads);
      for (const [tokenId, read] of written) if (unwritten.get(tokenId) === read) unwritten.delete(tokenId);
    } catch (error) {
      onError(error);
    }
  };
  /** The lock has a new holder; the previous token still works under it. */
  const transfer = (old: LockRow, next: LockRow): void => {
    table.put(next);
    if (old.accessTokenId !== null) table.join(old.accessTokenId, next);
  };
  /** What a token knows of the document when it takes a lock. */
  const baseOf = (row: FileRow, grant: AccessGrant): Pick<LockRow, 'baseVersion' | 'baseSha256'> => {
    const { version, sha256 } = known(grant.id) ?? { version: neverRead, sha256: null };
    return { baseVersion: version, baseSha256: version === row.version ? (row.sha256 ?? sha256) : sha256 };
  };

  return {
    state,
    isHeld: (fileId) => state(fileId).kind === 'locked',
    wasForceCleared: (fileId) => forceCleared.has(fileId),

    async take(row, lockId, grant) {
      const old = table.get(row.id);
      const by = { accessTokenId: grant.id, userId: grant.userId };
      if (old !== undefined && lockStateAt(old, clock()).kind === 'locked') {
        // A page that was closed before its editor read the document left this lock; start from the new token's knowledge.
        const isUnread = old.baseVersion === neverRead && known(old.accessTokenId) === undefined;
        await deps.commit(() => {
          if (isUnread) transfer(old, { ...old, ...by, ...baseOf(row, grant), lapsedVersion: null });
          else table.join(grant.id, old);
          table.refresh(row.id, { ...expiry(), seenVersion: row.version });
        });
        return;
      }
      // Its holder resumes it after a lapse: it knows the document as it was then.
      const isReturn = old !== undefined && hasLockId(old, lockId);
      await deps.commit(() => {
        const lock = {
          fileId: row.id,
          lockId,
          ...by,
          takenAtMs: clock(),
          ...expiry(),
          ...(isReturn ? { baseVersion: old.baseVersion, baseSha256: old.baseSha256 } : baseOf(row, grant)),
          seenVersion: row.version,
          lapsedVersion: null,
        };
        table.put(lock);
        table.disjoin(lock);
      });
      forceCleared.delete(row.id);
      if (isReturn) emit({ event: 'lock-regained', fileId: row.id, path: row.path });
      else emit({ event: 'lock-taken', fileId: row.id, path: row.path, user: grant.userLogin });
    },

    async refresh(row, lock, grant) {
      const isReturn = lockStateAt(lock, clock()).kind === 'lapsed';
      await deps.commit(() => {
        table.refresh(row.id, { ...expiry(), seenVersion: row.version });
        table.join(grant.id, lock);
      });
      if (isReturn) {
        emit({ event: 'lock-regained', fileId: row.id, path: row.path });
      }
    },

    async swap(row, lock, lockId, grant) {
      const read = known(lock.accessTokenId);
      // What the previous holder has read may not be written yet.
      const isNewer = read !== undefined && read.version > lock.baseVersion;
      await deps.commit(() => {
        transfer(lock, {
          ...lock,
          ...(isNewer && { baseVersion: read.version, baseSha256: read.sha256 }),
          lockId,
          accessTokenId: grant.id,
          userId: grant.userId,
          ...expiry(),
          seenVersion: row.version,
          lapsedVersion: null,
        });
      });
    },

    async release(row) {
      await deps.commit(() => table.remove(row.id));
      emit({ event: 'lock-released', fileId: row.id, path: row.path });
    },

    recordSave(row, lock, grant) {
      table.setKnown(grant.id, row);
      if (lock === undefined) return;
      table.join(grant.id, lock);
      table.refresh(row.id, { ...expiry(), seenVersion: row.version });
      table.setBase(lock.fileId, row);
    },

    recordRead({ id: fileId, version, sha256 }, grant) {
      try {
        // Versions only grow: a read that finished after a save of the same token knows less than that save.
        if ((known(grant.id)?.version ?? neverRead) >= version) return;
      } catch (error) {
        onError(error);
      }
      unwritten.set(grant.id, { fileId, version, sha256 });
      writing ??= setTimeout(() => void flush(), writeReadsAfterMs).unref();
    },

    flush,

    knownTo(lock, grant) {
      const ofSession = [known(lock.accessTokenId), known(grant.id)].filter(
        (content) => content !== undefined,
      );
      const { fileId, baseVersion: version, baseSha256: sha256 } = lock;
      const isUnread = version === neverRead && ofSession.length === 0;
      const kept =
        isUnread && grant.editorId !== null ? table.knownToEditor(fileId, grant.editorId) : undefined;
      return [{ version, sha256 }, ...ofSession, ...(kept === undefined ? [] : [kept])];
    },

    isKnownToEditor: (row, editorId) => table.knownToEditor(row.id, editorId)?.version === row.version,

    isOwn: (lock, { id: tokenId, pageSessionId }) => table.hasJoined({ ...lock, tokenId, pageSessionId }),
    isOwnOfPage: (lock, pageSessionId) => table.hasJoined({ ...lock, tokenId: null, pageSessionId }),

    conflict: ({ fileId, lockId }, grant) => {
      const shown = find(fileId);
      const note = 'The document is locked with another lock id';
      return {
        ...lockConflict(lockId, note, shown && lockConflictHeader(shown, grant)),
        code: 'file-locked',
      };
    },

    list: () => table.shown(shownAt()).map(summary),
    find,

    forceClear: (fileId, by, { onlyStale } = { onlyStale: false }) =>
      deps.mutex.run(fileId, async () => {
        const held = state(fileId);
        const shown = find(fileId);
        if (held.kind !== 'locked' || shown === undefined) throw new AppError('file-not-locked');
        if (onlyStale && shown.stale === null) throw new AppError('lock-not-stale');
        await deps.commit(() => table.remove(fileId));
        forgetOld();
        forceCleared.add(fileId);
        cleared.delete(fileId);
        cleared.set(fileId, { lock: held.lock, atMs: clock() });
        emit({ event: 'lock-force-cleared', fileId, path: shown.path, by });
        return shown;
      }),

    undoForceClear: (fileId, by) =>
      deps.mutex.run(fileId, async () => {
        forgetOld();
        const undone = cleared.get(fileId);
        if (undone === undefined) return 'too-late';
        const now = state(fileId);
        // Its own editor may have locked it again.
        if (now.kind === 'locked') return hasLockId(now.lock, undone.lock.lockId) ? 'restored' : 'taken';
        const document = deps.files.byId(fileId);
        if (document === undefined || document.deletedAtMs !== null) return 'too-late';
        await deps.commit(() => table.put(undone.lock));
        forceCleared.delete(fileId);
        cleared.delete(fileId);
        emit({ event: 'lock-restored', fileId, path: document.path, by });
        return 'restored';
      }),

    lapse: ({ fileId, lockId, takenAtMs }) =>
      deps.mutex.run(fileId, async () => {
        const now = state(fileId);
        if (now.kind !== 'locked' || !hasLockId(now.lock, lockId) || now.lock.takenAtMs !== takenAtMs) return;
        await deps.commit(() => table.put({ ...now.lock, expiresAtMs: clock() }));
      }),

    async noteLapses(versionOf) {
      for (const lock of table.newlyLapsed(clock())) {
        const version = (await versionOf(lock.fileId)) ?? lock.seenVersion;
        const now = table.get(lock.fileId);
        if (now === undefined || lockStateAt(now, clock()).kind !== 'lapsed') continue;
        table.setLapsed(lock.fileId, { version });
        const path = deps.files.byId(lock.fileId)?.path ?? '';
        emit({ event: 'lock-lapsed', fileId: lock.fileId, path });
      }
    },
  };
}
