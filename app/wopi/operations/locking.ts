// Lock, UnlockAndRelock, GetLock, RefreshLock, Unlock. Each decides and writes in one step under the document's mutex.
// @see docs/protocol.md, “WOPI”

import type { DocumentIndex, FoundFile } from '../../files/document-index.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import type { LockRow } from '../../store/locks.ts';
import type { DesktopLockCheck } from '../desktop-lock-check.ts';
import type { Locks } from '../locks.ts';
import { hasLockId, heldLockId, type LockState } from '../lock-rules.ts';
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
  locks: Locks;
  mutex: KeyedMutex;
  desktopLockCheck: DesktopLockCheck;
  /** Whether a lapsed lock can be resumed: nothing has changed the document since. */
  canResume: (lock: LockRow, found: FoundFile) => Promise<boolean>;
  /** A document was locked for editing. */
  onLocked: (found: FoundFile) => void;
}

type Decide = (input: {
  call: WopiCall;
  lockId: string;
  found: FoundFile;
  state: LockState;
}) => Promise<WopiAnswer>;

export function createLocking(
  deps: LockingDeps,
): Record<'lock' | 'unlockAndRelock' | 'getLock' | 'refreshLock' | 'unlock', WopiOperation> {
  const { locks } = deps;

  /**
   * What the writing operations share. A read-only token gets 200 and takes no lock. The lock of a user who may no longer edit
   * can still be released by the token that was issued for editing.
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
        const found = await folder.findHeld(call.fileId);
        if (found === undefined) return notFound;
        const state = locks.state(call.fileId);
        const isHeld = header.kind === 'lock' && state.kind === 'locked' && hasLockId(state.lock, header.id);
        if (!canWrite && !isHeld) return { status: 200 };
        if (header.kind !== 'lock') {
          return badRequest(header.kind === 'invalid' ? header.reason : 'X-WOPI-Lock is missing.');
        }
        return decide({ call, lockId: header.id, found, state });
      });
    },
  });

  const granted = ({ row }: FoundFile): WopiAnswer => ({
    status: 200,
    headers: { 'X-WOPI-ItemVersion': itemVersionOf(row) },
  });
  const conflict = (state: LockState, { grant }: WopiCall): WopiAnswer =>
    state.kind === 'locked'
      ? locks.conflict(state.lock, grant)
      : lockConflict('', 'The document is not locked');

  /** A lapsed lock with this id that can be resumed. */
  const resumable = async (
    state: LockState,
    lockId: string,
    found: FoundFile,
  ): Promise<LockRow | undefined> =>
    state.kind === 'lapsed' && hasLockId(state.lock, lockId) && (await deps.canResume(state.lock, found))
      ? state.lock
      : undefined;

  return {
    lock: operation('Lock', async ({ call, lockId, found, state }) => {
      if (state.kind === 'locked' && !hasLockId(state.lock, lockId)) return conflict(state, call);
      if (state.kind !== 'locked') {
        const held = await deps.desktopLockCheck(found);
        if (held !== undefined) return held;
      }
      await locks.take(found.row, lockId, call.grant);
      deps.onLocked(found);
      return granted(found);
    }),

    unlockAndRelock: operation('UnlockAndRelock', async ({ call, lockId, found, state }) => {
      const old = readLockId(call.header, 'X-WOPI-OldLock');
      if (old.kind !== 'lock') {
        return badRequest(old.kind === 'invalid' ? old.reason : 'X-WOPI-OldLock is empty.');
      }
      if (state.kind !== 'locked' || !hasLockId(state.lock, old.id)) return conflict(state, call);
      await locks.swap(found.row, state.lock, lockId, call.grant);
      return granted(found);
    }),

    refreshLock: operation('RefreshLock', async ({ call, lockId, found, state }) => {
      const lock =
        state.kind === 'locked' && hasLockId(state.lock, lockId)
          ? state.lock
          : await resumable(state, lockId, found);
      if (lock === undefined) return conflict(state, call);
      await locks.refresh(found.row, lock, call.grant);
      return granted(found);
    }),

    unlock: operation('Unlock', async ({ call, lockId, found, state }) => {
      const isHolder = state.kind === 'locked' && hasLockId(state.lock, lockId);
      if (!isHolder && (await resumable(state, lockId, found)) === undefined) return conflict(state, call);
      await locks.release(found.row);
      return granted(found);
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
