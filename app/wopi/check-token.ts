// Whether the access token of a request is valid for its document and its operation.
// @see docs/protocol.md, “Access checks”

import type { AccessGrant, AccessTokens } from '../accounts/access-tokens.ts';
import type { Clock } from '../contract/clock.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import type { ExternalChanges } from './external-changes.ts';
import { hasLockId } from './lock-rules.ts';
import type { Locks } from './locks.ts';
import { notFound, unauthorized, type WopiAnswer } from './wopi-call.ts';
import { readLockId, type ReadHeader } from './wopi-headers.ts';

export interface TokenCheckDeps {
  accessTokens: AccessTokens;
  folder: Pick<DocumentIndex, 'find'>;
  locks: Pick<Locks, 'state'>;
  externalChanges: Pick<ExternalChanges, 'canResume'>;
  clock: Clock;
}

/** Returns the token's grant, or the answer that refuses the call. */
export function checkToken(
  deps: TokenCheckDeps,
  request: { token: string; fileId: string; operation: string; header: ReadHeader },
): AccessGrant | WopiAnswer | Promise<AccessGrant | WopiAnswer> {
  const grant = deps.accessTokens.find(request.token);
  if (grant === undefined) return unauthorized;
  const isExpired = deps.clock() >= grant.expiresAtMs;
  if (!isExpired) return grant.fileId === request.fileId ? grant : notFound;
  if (grant.fileId !== request.fileId) return unauthorized;
  return carriesHeldLock(deps, request).then((isCarried) => (isCarried ? grant : unauthorized));
}

/** For 24 hours an expired token may still finish an edit, as long as its lock proves that there is one. */
async function carriesHeldLock(
  deps: TokenCheckDeps,
  { fileId, operation, header }: { fileId: string; operation: string; header: ReadHeader },
): Promise<boolean> {
  // Collabora keeps its lock alive by Lock. After a 401 there it makes the document read-only and no longer saves.
  if (!['PutFile', 'RefreshLock', 'Lock', 'Unlock'].includes(operation)) return false;
  const given = readLockId(header, 'X-WOPI-Lock');
  const state = deps.locks.state(fileId);
  if (given.kind !== 'lock' || state.kind === 'unlocked' || !hasLockId(state.lock, given.id)) return false;
  if (state.kind === 'locked') return true;
  const found = await deps.folder.find(fileId);
  return found === undefined || deps.externalChanges.canResume(state.lock, found);
}
