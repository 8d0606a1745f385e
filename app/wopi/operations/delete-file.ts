// DeleteFile: moves to the operating system's trash, never past a lock.

import { AppError } from '../../contract/errors.ts';
import type { Documents } from '../../files/documents.ts';
import type { DocumentIndex } from '../../files/document-index.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import type { DesktopLockCheck } from '../desktop-lock-check.ts';
import type { Locks } from '../locks.ts';
import { mayWrite } from '../permissions.ts';
import { serverError } from '../upload.ts';
import { notFound, unauthorized, type WopiOperation } from '../wopi-call.ts';

export interface DeleteFileDeps {
  folder: DocumentIndex;
  locks: Locks;
  documents: Documents;
  mutex: KeyedMutex;
  desktopLockCheck: DesktopLockCheck;
}

export function createDeleteFile(deps: DeleteFileDeps): WopiOperation {
  return {
    name: 'DeleteFile',
    run: (call) =>
      deps.mutex.run(call.fileId, async () => {
        const found = await deps.folder.findHeld(call.fileId);
        if (found === undefined) return notFound;
        if (!mayWrite(call.grant, found)) return unauthorized;
        const state = deps.locks.state(call.fileId);
        if (state.kind === 'locked') return deps.locks.conflict(state.lock, call.grant);
        const held = await deps.desktopLockCheck(found);
        if (held !== undefined) return held;
        try {
          await deps.documents.trash(found);
          return { status: 200 };
        } catch (error) {
          if (error instanceof AppError) return serverError(error);
          throw error;
        }
      }),
  };
}
