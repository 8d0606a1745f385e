// Which operation a request is, and whether its token is good for it.
// @see behaviour page sections 1 and 2

import { hasLockId } from './lock-rules.ts';
import type { AccessGrant, AccessTokens } from '../accounts/access-tokens.ts';
import type { Clock } from '../contract/clock.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import type { ExternalChanges } from './external-changes.ts';
import type { Locks } from './locks.ts';
import { badRequest, notFound, unauthorized, type WopiAnswer, type WopiOperation } from './wopi-call.ts';
import { readLockId, readOverride, type ReadHeader } from './wopi-headers.ts';

export interface WopiOperations {
  checkFileInfo: WopiOperation;
  getFile: WopiOperation;
  lock: WopiOperation;
  unlockAndRelock: WopiOperation;
  getLock: WopiOperation;
  refreshLock: WopiOperation;
  unlock: WopiOperation;
  putFile: WopiOperation;
  putRelativeFile: WopiOperation;
  renameFile: WopiOperation;
  deleteFile: WopiOperation;
  putUserInfo: WopiOperation;
}

const answering = (name: string, answer: WopiAnswer): WopiOperation => ({ name, run: async () => answer });
const missingOverride = answering('Unnamed', badRequest('X-WOPI-Override is missing.'));

/** Operations that this host doesn't have get 501. */
function unsupported(override: string): WopiOperation {
  return answering(/^[A-Z_]{1,40}$/u.test(override) ? override : 'Unknown', { status: 501 });
}

/** `hasContents`: the address ends in `/contents`. */
export function selectOperation(
  operations: WopiOperations,
  request: { method: string; hasContents: boolean; header: ReadHeader },
): WopiOperation {
  if (request.method !== 'POST') return request.hasContents ? operations.getFile : operations.checkFileInfo;
  const override = readOverride(request.header);
  if (override === undefined) return missingOverride;
  if (request.hasContents) return override === 'PUT' ? operations.putFile : unsupported(override);
  switch (override) {
    case 'LOCK':
      return request.header('X-WOPI-OldLock') ? operations.unlockAndRelock : operations.lock;
    case 'GET_LOCK':
      return operations.getLock;
    case 'REFRESH_LOCK':
      return operations.refreshLock;
    case 'UNLOCK':
      return operations.unlock;
    case 'PUT_RELATIVE':
      return operations.putRelativeFile;
    case 'RENAME_FILE':
      return operations.renameFile;
    case 'DELETE':
      return operations.deleteFile;
    case 'PUT_USER_INFO':
      return operations.putUserInfo;
    default:
      return unsupported(override);
  }
}

export interface AdmissionDeps {
  accessTokens: AccessTokens;
  folder: Pick<DocumentIndex, 'find'>;
  locks: Pick<Locks, 'state'>;
  drift: Pick<ExternalChanges, 'canResume'>;
  clock: Clock;
}

/** Returns the grant of the token, or the answer that refuses it. */
export function admit(
  deps: AdmissionDeps,
  request: { token: string; fileId: string; operation: string; header: ReadHeader },
): AccessGrant | WopiAnswer | Promise<AccessGrant | WopiAnswer> {
  const grant = deps.accessTokens.find(request.token);
  if (grant === undefined) return unauthorized;
  const isExpired = deps.clock() >= grant.expiresAtMs;
  if (!isExpired) return grant.fileId === request.fileId ? grant : notFound;
  if (grant.fileId !== request.fileId) return unauthorized;
  return carriesHeldLock(deps, request).then((isCarried) => (isCarried ? grant : unauthorized));
}

/** For 24 hours an expired token still carries the end of an edit, as long as its lock is there to prove that there is one. */
async function carriesHeldLock(
  deps: AdmissionDeps,
  { fileId, operation, header }: { fileId: string; operation: string; header: ReadHeader },
): Promise<boolean> {
  // Collabora keeps its lock alive by Lock. Told 401 there, it makes the document read-only and saves nothing more.
  if (!['PutFile', 'RefreshLock', 'Lock', 'Unlock'].includes(operation)) return false;
  const given = readLockId(header, 'X-WOPI-Lock');
  const state = deps.locks.state(fileId);
  if (given.kind !== 'lock' || state.kind === 'unlocked' || !hasLockId(state.lock, given.id)) return false;
  if (state.kind === 'locked') return true;
  const found = await deps.folder.find(fileId);
  return found === undefined || deps.drift.canResume(state.lock, found);
}
