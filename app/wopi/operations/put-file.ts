// PutFile. The whole body is received and synced first; then, under the document's mutex, the lock decides and the content is
// replaced in one step. A body that came whole with a good token and cannot be used is rescued, whatever the answer is.
// @see behaviour page section 3; seed 4.3 PutFile

import type { Clock } from '../../contract/clock.ts';
import { AppError, describeError } from '../../contract/errors.ts';
import type { Folder, SeenFile } from '../../files/folder.ts';
import type { Incoming } from '../../files/incoming.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import { nameOf, parentOf } from '../../files/jail.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import type { Saves } from '../../files/saves.ts';
import type { FileRow } from '../../store/files.ts';
import type { LockRow } from '../../store/locks.ts';
import type { ContentDrift } from '../content-drift.ts';
import type { LockBook } from '../lock-book.ts';
import { candidateNames, conflictName } from '../name-targets.ts';
import { isWriteProtected } from '../permissions.ts';
import { isAnswer, serverError, type UploadPlace, type Uploads } from '../upload.ts';
import {
  badRequest,
  lockConflict,
  notFound,
  unauthorized,
  type WopiAnswer,
  type WopiCall,
  type WopiOperation,
} from '../wopi-call.ts';
import { readCoolTimestamp, readLockId, wopiTicks, wopiTime } from '../wopi-headers.ts';

export interface PutFileDeps {
  folder: () => Folder;
  locks: LockBook;
  saves: Saves;
  uploads: Uploads;
  drift: ContentDrift;
  mutex: KeyedMutex;
  clock: Clock;
  /** Whether the token is still known and not revoked: an upload may have taken long. */
  isGood: (token: string) => boolean;
}

/** What the lock says to a save: go on (under a lock, or into an empty document), or the answer and why. */
type Verdict = { lock: LockRow | undefined } | { refusal: WopiAnswer; reason: string };

/** A program that writes to the document again and again does not keep a save waiting for longer. */
const maxLooks = 4;

export function createPutFile(deps: PutFileDeps): WopiOperation {
  const { locks, saves, uploads, drift } = deps;

  const judge = async (row: FileRow, seen: SeenFile | undefined, given: string): Promise<Verdict> => {
    const state = locks.state(row.id);
    if (seen === undefined && (state.kind === 'unlocked' || state.lock.lockId !== given)) {
      return { refusal: notFound, reason: 'the document was deleted' };
    }
    if (state.kind === 'locked') {
      if (state.lock.lockId === given) return { lock: state.lock };
      const reason = given === '' ? 'no lock id was sent' : 'the document is locked by another editor';
      return { refusal: lockConflict(state.lock.lockId, reason), reason };
    }
    if (state.kind === 'lapsed' && state.lock.lockId === given) {
      if (seen === undefined || (await drift.isGraced(state.lock, seen))) return { lock: state.lock };
    }
    if (seen?.stats.size === 0n) return { lock: undefined };
    return state.kind === 'lapsed' && state.lock.lockId === given
      ? {
          refusal: lockConflict('', 'The lock lapsed and the document has changed since'),
          reason: 'the lock had lapsed and the document was changed meanwhile',
        }
      : {
          refusal: lockConflict('', 'The document is not locked'),
          reason: 'the document was not locked any more',
        };
  };

  const commit = async (call: WopiCall, seen: SeenFile, lock: LockRow | undefined, incoming: Incoming) => {
    const origin = uploads.origin(call);
    const record = (row: FileRow): void => {
      if (lock !== undefined) locks.recordSave(row, lock);
    };
    if (await saves.hasSameBytes(seen, incoming)) return saves.confirm(seen, origin, record);
    const hasDrifted = lock !== undefined && (await drift.hasDrifted(lock, seen));
    if (hasDrifted && isOtherTime(call, seen)) return changedOnDisk(lock.lockId);
    const conflictNames = hasDrifted
      ? candidateNames(conflictName(nameOf(seen.row.path), deps.clock()))
      : undefined;
    return saves.replace({ seen, incoming, origin, record, ...(conflictNames && { conflictNames }) });
  };

  /** Undefined when another program was at the document meanwhile: look again. */
  const decide = async (
    call: WopiCall,
    before: FileRow,
    given: string,
    incoming: Incoming,
  ): Promise<WopiAnswer | undefined> => {
    const folder = deps.folder();
    await folder.jail.requireRoot();
    const seen = await folder.seeHeld(before.id);
    const row = seen?.row ?? folder.rowOf(before.id);
    if (row === undefined) {
      await uploads.rescue(incoming, call, before.path, 'Not saved: the document was deleted.');
      return notFound;
    }
    const { path } = row;
    if (!deps.isGood(call.token)) {
      await uploads.rescue(
        incoming,
        call,
        path,
        'Not saved: its access was revoked while it was on the way.',
      );
      return unauthorized;
    }
    const verdict = await judge(row, seen, given);
    if ('refusal' in verdict) {
      if (seen === undefined || !(await saves.hasSameBytes(seen, incoming))) {
        await uploads.rescue(incoming, call, path, `Not saved: ${verdict.reason}.`);
      }
      return verdict.refusal;
    }
    if (incoming.refusal !== undefined) throw incoming.refusal;
    if (seen !== undefined && isWriteProtected(seen)) {
      throw new AppError('disk-refused', { detail: 'The document is write-protected.' });
    }
    const { lock } = verdict;
    const saved =
      seen === undefined
        ? await saves.remake({
            row,
            incoming,
            origin: uploads.origin(call),
            record: (next) => {
              if (lock !== undefined) locks.recordSave(next, lock);
            },
          })
        : await commit(call, seen, lock, incoming);
    return saved === undefined || 'status' in saved ? saved : savedAnswer(saved, incoming.size);
  };

  const openPlace = async (row: FileRow): Promise<UploadPlace> => {
    const { jail, see, rowOf } = deps.folder();
    if (rowOf(row.id) === undefined) return { folder: undefined };
    try {
      const seen = await see(row.id);
      const folder = await jail.openFolder(parentOf((seen?.row ?? row).path));
      return seen === undefined ? { folder } : { folder, mode: Number(seen.stats.mode & 0o777n) };
    } catch {
      // Whatever it is, it is met again when the save is decided; until then the bytes need a place.
      return { folder: undefined };
    }
  };

  return {
    name: 'PutFile',
    async run(call) {
      const folder = deps.folder();
      // A deleted document is not there any more, but a body meant for it is still somebody's work.
      const row = folder.lastRowOf(call.fileId);
      if (row === undefined) return notFound;
      if (!call.grant.canWrite) return (await folder.see(row.id)) === undefined ? notFound : unauthorized;
      const header = readLockId(call.header, 'X-WOPI-Lock');
      if (header.kind === 'invalid') return badRequest(header.reason);
      const given = header.kind === 'lock' ? header.id : '';

      const incoming = await uploads.receive(call, () => openPlace(row));
      if (isAnswer(incoming)) return incoming;
      try {
        return await deps.mutex.run(row.id, async () => {
          try {
            for (let tries = 0; tries < maxLooks; tries += 1) {
              const answer = await decide(call, row, given, incoming).catch(lookAgain);
              if (answer !== undefined) return answer;
            }
            throw new AppError('file-changed');
          } catch (error) {
            // Whatever went wrong, the work is kept first. A surprise is thrown on to where it is logged.
            if (!isSaved(error)) await uploads.rescue(incoming, call, row.path, describeError(error).message);
            if (error instanceof AppError) return serverError(error);
            throw error;
          }
        });
      } finally {
        await incoming.discard();
      }
    },
  };
}

/** Another program took the file away between two looks. */
function lookAgain(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'file-changed') return undefined;
  throw error;
}

/** The document has the new content, so there is nothing to recover. */
function isSaved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'save-unconfirmed';
}

function savedAnswer({ row, stats }: SeenFile, bytes: number): WopiAnswer {
  return {
    status: 200,
    headers: { 'X-WOPI-ItemVersion': itemVersionOf(row) },
    json: { LastModifiedTime: wopiTime({ ns: stats.mtimeNs }) },
    savedBytes: bytes,
  };
}

/** Collabora alone tells when it last saw the file, and offers its user a choice when that is not the disk's time. */
function isOtherTime(call: WopiCall, seen: SeenFile): boolean {
  const known = readCoolTimestamp(call.header);
  return known !== undefined && known.ticks !== wopiTicks({ ns: seen.stats.mtimeNs });
}

function changedOnDisk(lockId: string): WopiAnswer {
  return {
    ...lockConflict(lockId, 'Another program changed the document'),
    json: { COOLStatusCode: 1010, LOOLStatusCode: 1010 },
  };
}
