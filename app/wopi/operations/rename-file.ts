// RenameFile: a new name in the same folder; id, lock, version and extension stay.
// @see docs/protocol.md, “WOPI”

import { nameOf, stemOf } from '../../contract/names.ts';
import { hasLockId } from '../lock-rules.ts';
import type { Documents } from '../../files/documents.ts';
import type { DocumentIndex } from '../../files/document-index.ts';
import type { KeyedMutex } from '../../files/keyed-mutex.ts';
import { AppError } from '../../contract/errors.ts';
import type { DesktopLockCheck } from '../desktop-lock-check.ts';
import type { Locks } from '../locks.ts';
import { candidateNames, requestedName } from '../target-names.ts';
import { mayWrite } from '../permissions.ts';
import { serverError } from '../upload.ts';
import { decodeUtf7 } from '../utf7.ts';
import { badRequest, notFound, unauthorized, type WopiOperation } from '../wopi-call.ts';
import { readLockId, wopiTime } from '../wopi-headers.ts';

export interface RenameFileDeps {
  folder: DocumentIndex;
  locks: Locks;
  documents: Documents;
  mutex: KeyedMutex;
  desktopLockCheck: DesktopLockCheck;
}

export function createRenameFile(deps: RenameFileDeps): WopiOperation {
  return {
    name: 'RenameFile',
    async run(call) {
      const header = readLockId(call.header, 'X-WOPI-Lock');
      await deps.locks.flush();
      return deps.mutex.run(call.fileId, async () => {
        const found = await deps.folder.findHeld(call.fileId);
        if (found === undefined) return notFound;
        if (!mayWrite(call.grant, found)) return unauthorized;
        if (header.kind === 'invalid') return badRequest(header.reason);
        const state = deps.locks.state(call.fileId);
        const given = header.kind === 'lock' ? header.id : '';
        // LibreOffice Online sends no lock id here; its session is identified by its token.
        const isHolder =
          state.kind === 'locked' &&
          (hasLockId(state.lock, given) || (given === '' && deps.locks.isOwn(state.lock, call.grant)));
        if (state.kind === 'locked' && !isHolder) {
          return deps.locks.conflict(state.lock, call.grant);
        }
        const held = state.kind === 'locked' ? undefined : await deps.desktopLockCheck(found);
        if (held !== undefined) return held;
        const refused = {
          status: 400,
          headers: {
            'X-WOPI-InvalidFileNameError': 'No legal name can be derived from X-WOPI-RequestedName',
          },
        };
        const requested = decodeUtf7(call.header('X-WOPI-RequestedName') ?? '');
        const name = requestedName({ requested, currentName: nameOf(found.row.path) });
        if (name === undefined) return refused;
        try {
          const renamed = await deps.documents.rename(found, candidateNames(name));
          if (renamed === undefined) return refused;
          return {
            status: 200,
            json: {
              Name: stemOf(nameOf(renamed.row.path)),
              // Collabora continues under this address.
              Url: `${call.baseUrl}/wopi/files/${call.fileId}?access_token=${call.token}`,
              LastModifiedTime: wopiTime({ ns: renamed.stats.mtimeNs }),
            },
          };
        } catch (error) {
          if (error instanceof AppError) return serverError(error);
          throw error;
        }
      });
    },
  };
}
