// PutFile. The whole body is received and synced first; then, under the document's mutex, the lock decides and the content is
// replaced in one step. A complete body with a valid token that is refused becomes a recovered save (`Uploads.decide`).
// @see docs/protocol.md, “WOPI”

import { parentOf, nameOf } from '../../contract/names.ts';
import { hasLockId } from '../lock-rules.ts';
import type { AccessGrant } from '../../accounts/access-tokens.ts';
import type { Clock } from '../../contract/clock.ts';
import { AppError } from '../../contract/errors.ts';
import type { DocumentIndex, FoundFile } from '../../files/document-index.ts';
import type { ReceivedBody } from '../../files/received-body.ts';
import { itemVersionOf } from '../../files/item-version.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import type { ContentReplacer } from '../../files/replace-content.ts';
import type { FileRow } from '../../store/files.ts';
import type { LockRow } from '../../store/locks.ts';
import type { ExternalChanges } from '../external-changes.ts';
import type { Locks } from '../locks.ts';
import { candidateNames, conflictName } from '../target-names.ts';
import { isWriteProtected } from '../permissions.ts';
import {
  isAnswer,
  refusedByHeaders,
  unreadable,
  type Outcome,
  type UploadPlace,
  type Uploads,
} from '../upload.ts';
import {
  badRequest,
  lockConflict,
  notFound,
  unauthorized,
  type WopiAnswer,
  type WopiCall,
  type WopiOperation,
} from '../wopi-call.ts';
import {
  claimsNoChanges,
  readCoolTimestamp,
  readLockId,
  readSaveFlags,
  wopiTicks,
  wopiTime,
  type LockIdHeader,
} from '../wopi-headers.ts';

export interface PutFileDeps {
  folder: DocumentIndex;
  locks: Locks;
  content: ContentReplacer;
  uploads: Uploads;
  externalChanges: ExternalChanges;
  mutex: KeyedMutex;
  clock: Clock;
  /** What the token allows now, undefined if it was revoked: the upload may have taken long. */
  grantOf: (token: string) => AccessGrant | undefined;
}

/** What the lock allows: save (under a lock, or into an empty document), or the answer and its reason. */
type Verdict = { lock: LockRow | undefined } | Outcome;

/** Limits how long a program that keeps writing to the document can delay a save. */
const maxAttempts = 4;

export function createPutFile(deps: PutFileDeps): WopiOperation {
  const { locks, content, uploads, externalChanges } = deps;

  const checkLock = async (
    { grant }: WopiCall,
    row: FileRow,
    found: FoundFile | undefined,
    given: string,
  ): Promise<Verdict> => {
    const state = locks.state(row.id);
    if (found === undefined && (state.kind === 'unlocked' || !hasLockId(state.lock, given))) {
      return { answer: notFound, reason: 'recovered.document-deleted' };
    }
    if (state.kind === 'locked') {
      if (hasLockId(state.lock, given)) return { lock: state.lock };
      const reason = given === '' ? 'recovered.no-lock-id' : 'recovered.locked';
      return { answer: locks.conflict(state.lock, grant), reason };
    }
    if (state.kind === 'lapsed' && hasLockId(state.lock, given)) {
      if (found === undefined || (await externalChanges.canResume(state.lock, found)))
        return { lock: state.lock };
    }
    if (found?.stats.size === 0n) return { lock: undefined };
    return state.kind === 'lapsed' && hasLockId(state.lock, given)
      ? {
          answer: lockConflict('', 'The lock expired, and the document has changed since'),
          reason: 'recovered.lock-expired',
        }
      : {
          answer: lockConflict('', 'The document is not locked'),
          reason: 'recovered.not-locked',
        };
  };

  /** The bytes differ from the document's. */
  const commit = async (
    call: WopiCall,
    found: FoundFile,
    lock: LockRow | undefined,
    incoming: ReceivedBody,
  ): Promise<Outcome | undefined> => {
    const origin = uploads.origin(call);
    const record = (row: FileRow): void => locks.recordSave(row, lock, call.grant);
    const hasExternalChange =
      lock !== undefined && (await externalChanges.hasExternalChange(locks.knownTo(lock, call.grant), found));
    if (hasExternalChange && claimsNoChanges(readSaveFlags(call.header))) {
      // What is on disk stays, and counts as unread by the editor. But the claim may be wrong: LibreOffice Online's flag lags behind
      // the keyboard. So the body is kept.
      const kept = await content.keepUnwritten(found, incoming, origin);
      await locks.refresh(kept.found.row, lock, call.grant);
      // Without the byte count: the host page would count this as a written save.
      return { answer: { ...accepted(kept.found), kept: { kind: 'version', keptId: kept.versionId } } };
    }
    if (await content.wouldDamage(found, incoming)) return unreadable(incoming);
    if (hasExternalChange && isOtherTime(call, found)) return changedOnDisk(lock.lockId);
    // An empty document has nothing to keep.
    const conflictNames =
      hasExternalChange && found.stats.size > 0n
        ? candidateNames(conflictName(nameOf(found.row.path), deps.clock()))
        : undefined;
    const replacement = { found, incoming, origin, record, ...(conflictNames && { conflictNames }) };
    return savedOutcome(await content.replace(replacement), incoming);
  };

  /** Undefined if another program changed the document in between: decide again. */
  const decide = async (
    call: WopiCall,
    given: LockIdHeader,
    incoming: ReceivedBody,
  ): Promise<Outcome | undefined> => {
    const { folder } = deps;
    await folder.jail.requireRoot();
    const found = await folder.findHeld(call.fileId);
    const row = found?.row ?? folder.rowOf(call.fileId);
    if (row === undefined) return { answer: notFound, reason: 'recovered.document-deleted' };
    /** If the document has these bytes already, there is nothing to keep. */
    const refuse = async (outcome: Outcome): Promise<Outcome> => ({
      ...outcome,
      isOnDisk: found !== undefined && (await content.hasSameBytes(found, incoming)),
    });
    const grant = deps.grantOf(call.token);
    if (grant === undefined) {
      return refuse({ answer: unauthorized, reason: 'recovered.token-revoked' });
    }
    if (!grant.canWrite) {
      return refuse({ answer: unauthorized, reason: 'recovered.permission-ended' });
    }
    const refusal = refusedByHeaders(call, incoming);
    if (refusal !== undefined) return refuse(refusal);
    if (given.kind === 'invalid')
      return refuse({ answer: badRequest(given.reason), reason: 'recovered.lock-id-invalid' });
    const verdict = await checkLock(call, row, found, given.kind === 'lock' ? given.id : '');
    if ('answer' in verdict) return refuse(verdict);
    const { lock } = verdict;
    const record = (next: FileRow): void => locks.recordSave(next, lock, call.grant);
    if (found !== undefined && (await content.hasSameBytes(found, incoming))) {
      return savedOutcome(await content.confirm(found, uploads.origin(call), record), incoming);
    }
    if (incoming.refusal !== undefined) throw incoming.refusal;
    if (found !== undefined && isWriteProtected(found)) {
      throw new AppError('disk-refused', { detail: 'The document is write-protected.' });
    }
    if (found !== undefined) return commit(call, found, lock, incoming);
    const recreated = await content.recreate({ row, incoming, origin: uploads.origin(call), record });
    const outcome = savedOutcome(recreated, incoming);
    if (outcome !== undefined)
      outcome.answer.lockNote = 'The document had been deleted or moved; the save created it again';
    return outcome;
  };

  const openPlace = async (row: FileRow): Promise<UploadPlace> => {
    const { jail, find, rowOf } = deps.folder;
    if (rowOf(row.id) === undefined) return { folder: undefined };
    try {
      const here = await jail.openFolder(parentOf(row.path));
      const stats = await here?.stat(nameOf(row.path));
      if (stats?.isFile() === true) return { folder: here, mode: Number(stats.mode & 0o777n) };
      // It was moved or deleted.
      const found = await find(row.id);
      if (found === undefined) return { folder: here };
      here?.close();
      const folder = await jail.openFolder(parentOf(found.row.path));
      return { folder, mode: Number(found.stats.mode & 0o777n) };
    } catch {
      // The decision about the save will meet the same error; until then the bytes need a place.
      return { folder: undefined };
    }
  };

  return {
    name: 'PutFile',
    async run(call) {
      const { folder } = deps;
      // The document was deleted, but the body is still the user's work.
      const row = folder.lastRowOf(call.fileId);
      if (row === undefined) return notFound;
      // If the user has lost the right to edit, the body is still that user's work.
      if (call.grant.issuedMode === 'view') {
        return (await folder.find(row.id)) === undefined ? notFound : unauthorized;
      }
      const given = readLockId(call.header, 'X-WOPI-Lock');
      // What this editor has read must be on disk before its save is, in case the process ends between the two.
      await locks.flush();
      const incoming = await uploads.receive(call, () => openPlace(row));
      if (isAnswer(incoming)) return incoming;
      const answer = await deps.mutex.run(row.id, () =>
        uploads.decide(call, incoming, {
          path: () => (folder.rowOf(row.id) ?? row).path,
          async decide() {
            for (let tries = 0; tries < maxAttempts; tries += 1) {
              const outcome = await decide(call, given, incoming).catch(retryIfChanged);
              if (outcome !== undefined) return outcome;
            }
            throw new AppError('file-changed');
          },
        }),
      );
      if (answer.savedBytes !== undefined) await uploads.noteSaved(call, incoming);
      return answer;
    },
  };
}

/** Another program removed the file between two reads: decide again. */
function retryIfChanged(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'file-changed') return undefined;
  throw error;
}

/** Undefined if nothing was saved. */
function savedOutcome(saved: FoundFile | undefined, { size }: ReceivedBody): Outcome | undefined {
  return saved && { answer: { ...accepted(saved), savedBytes: size } };
}

function accepted({ row, stats }: FoundFile): WopiAnswer {
  return {
    status: 200,
    headers: { 'X-WOPI-ItemVersion': itemVersionOf(row) },
    json: { LastModifiedTime: wopiTime({ ns: stats.mtimeNs }) },
  };
}

/** Only Collabora sends when it last saw the file, and offers its user a choice if that isn't the time on disk. */
function isOtherTime(call: WopiCall, found: FoundFile): boolean {
  const known = readCoolTimestamp(call.header);
  return known !== undefined && known.ticks !== wopiTicks({ ns: found.stats.mtimeNs });
}

function changedOnDisk(lockId: string): Outcome {
  return {
    answer: {
      ...lockConflict(lockId, 'Another program changed the document'),
      json: { COOLStatusCode: 1010, LOOLStatusCode: 1010 },
    },
    reason: 'recovered.changed',
  };
}
