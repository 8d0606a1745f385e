// Documents of a folder that isn't hosted, because its drive is unplugged or another folder was chosen: they can't be opened or
// locked, but a save that arrives is still the user's work.

import { AppError } from '../../contract/errors.ts';
import type { WopiOperations } from '../select-operation.ts';
import { isAnswer, type Uploads } from '../upload.ts';
import type { WopiOperation } from '../wopi-call.ts';

export interface UnhostedDeps {
  uploads: Uploads;
  /** Inside the folder it was in. */
  pathOf: (fileId: string) => string;
}

/** Every operation fails with folder-missing; the two with a body only after it became a recovered save. */
export function createUnhostedOperations({ uploads, pathOf }: UnhostedDeps): WopiOperations {
  const missing = (name: string): WopiOperation => ({
    name,
    run: () => Promise.reject(new AppError('folder-missing')),
  });
  const keeping = (name: string): WopiOperation => ({
    name,
    async run(call) {
      if (call.grant.issuedMode === 'view') throw new AppError('folder-missing');
      const incoming = await uploads.receive(call, async () => ({ folder: undefined }));
      if (isAnswer(incoming)) return incoming;
      return uploads.decide(call, incoming, {
        path: () => pathOf(call.fileId),
        decide: () => Promise.reject(new AppError('folder-missing')),
      });
    },
  });
  return {
    checkFileInfo: missing('CheckFileInfo'),
    getFile: missing('GetFile'),
    lock: missing('Lock'),
    unlockAndRelock: missing('UnlockAndRelock'),
    getLock: missing('GetLock'),
    refreshLock: missing('RefreshLock'),
    unlock: missing('Unlock'),
    putRelativeFile: keeping('PutRelativeFile'),
    renameFile: missing('RenameFile'),
    deleteFile: missing('DeleteFile'),
    putUserInfo: missing('PutUserInfo'),
    putFile: keeping('PutFile'),
  };
}
