// Selects the operation by method, address and X-WOPI-Override.
// @see docs/protocol.md, “WOPI”

import { badRequest, type WopiAnswer, type WopiOperation } from './wopi-call.ts';
import { readOverride, type ReadHeader } from './wopi-headers.ts';

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

/** Operations that this host doesn't support get 501. */
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
