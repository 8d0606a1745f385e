// Lock, UnlockAndRelock, GetLock, RefreshLock, Unlock. Each decides and writes in one step under the document's mutex.
// @see behaviour page section 3; seed section 3, 4.3 Unlock

import type { DocumentIndex, SeenFile } from '../../files/document-index.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import type { LockRow } from '../../store/locks.ts';
import type { DesktopGuard } from '../desktop-guard.ts';
import type { LockBook } from '../lock-book.ts';
import { heldLockId, type LockState } from '../lock-rules.ts';
import {
  badRequest,
  lockConflict,
  notFound,
  type WopiAnswer,
  type WopiCall,
  type WopiOperation,
} from '../wopi-call.ts';
import { readLockId } from '../wopi-headers.ts';

export interface LockingDeps {
  folder: DocumentIndex;
  locks: LockBook;
  mutex: KeyedMutex;
  desktopGuard: DesktopGuard;
  /** Whether a lapsed lock may be taken up again: nothing changed the document meanwhile. */
  isGraced: (lock: LockRow, seen: SeenFile) => Promise<boolean>;
  /** Told of a document that was locked for editing. */
  onLocked: (seen: SeenFile) => void;
}

type Decide = (input: {
  call: WopiCall;
  lockId: string;
  seen: SeenFile;
  state: LockState;
}) => Promise<WopiAnswer>;

export function createLocking(
  deps: LockingDeps,
): Record<'lock' | 'unlockAndRelock' | 'getLock' | 'refreshLock' | 'unlock', WopiOperation> {
  const { locks } = deps;

  /**
   * The frame the writing operations share. A read-only token gets 200 and no lock is taken. The lock of a user who may no longer
   * edit is still released by the token that was issued for editing.
   */
  const operation = (name: string, decide: Decide): WopiOperation => ({
    name,
    async run(call) {
      const { folder } = deps;
      const { canWrite, issuedMode } = call.grant;
      if (!canWrite && !(name === 'Unlock' && issuedMode === 'edit')) {
        return (await folder.find(call.fileId)) === undefined ? notFound : { status: 200 };
      }
      const header = readLockId(call.header, 'X-WOPI-Lock');
      return deps.mutex.run(call.fileId, async () => {
        const seen = await folder.findHeld(call.fileId);
        if (seen === undefined) return notFound;
        const state = locks.state(call.fileId);
        if (!canWrite && (header.kind !== 'lock' || heldLockId(state) !== header.id)) return { status: 200 };
        if (header.kind !== 'lock') {
          return badRequest(header.kind === 'invalid' ? header.reason : 'X-WOPI-Lock is missing.');
        }
        return decide({ call, lockId: header.id, seen, state });
      });
    },
  });

  const granted = ({ row }: SeenFile): WopiAnswer => ({
    status: 200,
    headers: { 'X-WOPI-ItemVersion': itemVersionOf(row) },
  });
  const conflict = (state: LockState, { grant }: WopiCall): WopiAnswer =>
    state.kind === 'locked'
      ? locks.conflict(state.lock, grant)
      : lockConflict('', 'The document is not locked');

  /** A lapsed lock with this id that may be taken up again. */
  const graced = async (state: LockState, lockId: string, seen: SeenFile): Promise<LockRow | undefined> =>
    state.kind === 'lapsed' && state.lock.lockId === lockId && (await deps.isGraced(state.lock, seen))
      ? state.lock
      : undefined;

  return {
    lock: operation('Lock', async ({ call, lockId, seen, state }) => {
      if (state.kind === 'locked' && state.lock.lockId !== lockId) return conflict(state, call);
      if (state.kind !== 'locked') {
        const held = await deps.desktopGuard(seen);
        if (held !== undefined) return held;
      }
      await locks.take(seen.row, lockId, call.grant);
      deps.onLocked(seen);
      return granted(seen);
    }),

    unlockAndRelock: operation('UnlockAndRelock', async ({ call, lockId, seen, state }) => {
      const old = readLockId(call.header, 'X-WOPI-OldLock');
      if (old.kind !== 'lock') {
        return badRequest(old.kind === 'invalid' ? old.reason : 'X-WOPI-OldLock is empty.');
      }
      if (state.kind !== 'locked' || state.lock.lockId !== old.id) return conflict(state, call);
      await locks.swap(seen.row, state.lock, lockId, call.grant);
      return granted(seen);
    }),

    refreshLock: operation('RefreshLock', async ({ call, lockId, seen, state }) => {
      const lock =
        state.kind === 'locked' && state.lock.lockId === lockId
          ? state.lock
          : await graced(state, lockId, seen);
      if (lock === undefined) return conflict(state, call);
      await locks.refresh(seen.row, lock, call.grant);
      return granted(seen);
    }),

    unlock: operation('Unlock', async ({ call, lockId, seen, state }) => {
      const isHolder = state.kind === 'locked' && state.lock.lockId === lockId;
      if (!isHolder && (await graced(state, lockId, seen)) === undefined) return conflict(state, call);
      await locks.release(seen.row);
      return granted(seen);
    }),

    getLock: {
      name: 'GetLock',
      async run(call) {
        if ((await deps.folder.find(call.fileId)) === undefined) return notFound;
        return { status: 200, headers: { 'X-WOPI-Lock': heldLockId(locks.state(call.fileId)) } };
      },
    },
  };
}
