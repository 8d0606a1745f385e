// PutUserInfo: up to 1024 bytes an editor wants to find again with the same user.

import type { Folder } from '../../files/folder.ts';
import { badRequest, notFound, type WopiOperation } from '../wopi-call.ts';

export const maxUserInfoBytes = 1024;

const tooLong = badRequest(`UserInfo is longer than ${maxUserInfoBytes} bytes.`);

export interface PutUserInfoDeps {
  folder: () => Folder;
  setUserInfo: (userId: string, text: string) => void;
}

export function createPutUserInfo(deps: PutUserInfoDeps): WopiOperation {
  return {
    name: 'PutUserInfo',
    async run(call) {
      if ((await deps.folder().see(call.fileId)) === undefined) return notFound;
      if ((call.declaredBytes ?? 0) > maxUserInfoBytes) return tooLong;
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of call.body) {
        bytes += chunk.length;
        // Read to its end even so: an early end would take the connection from under the answer.
        if (bytes <= maxUserInfoBytes) chunks.push(chunk);
      }
      if (bytes > maxUserInfoBytes) return tooLong;
      deps.setUserInfo(call.grant.userId, Buffer.concat(chunks).toString('utf8'));
      return { status: 200 };
    },
  };
}
