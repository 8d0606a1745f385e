// PutUserInfo: up to 1024 bytes that an editor stores for a user. The body may be longer than declared, or never end.

import { Readable } from 'node:stream';
import getRawBody from 'raw-body';
import { AppError } from '../../contract/errors.ts';
import type { DocumentIndex } from '../../files/document-index.ts';
import { badRequest, notFound, type WopiCall, type WopiOperation } from '../wopi-call.ts';

const maxUserInfoBytes = 1024;
const defaultLimitMs = 20_000;

const tooLong = badRequest(`UserInfo is longer than ${maxUserInfoBytes} bytes.`);

export interface PutUserInfoDeps {
  folder: DocumentIndex;
  setUserInfo: (userId: string, text: string) => void;
  /** The time for the body to arrive. */
  limitMs?: number;
}

export function createPutUserInfo(deps: PutUserInfoDeps): WopiOperation {
  return {
    name: 'PutUserInfo',
    async run(call) {
      if ((await deps.folder.find(call.fileId)) === undefined) return notFound;
      if ((call.declaredBytes ?? 0) > maxUserInfoBytes) return tooLong;
      const text = await readText(call.body, deps.limitMs ?? defaultLimitMs);
      if (text === undefined) return tooLong;
      deps.setUserInfo(call.grant.userId, text);
      return { status: 200 };
    },
  };
}

/** Undefined if it is too long; the route discards the rest. @throws AppError body-incomplete */
async function readText(body: WopiCall['body'], limitMs: number): Promise<string | undefined> {
  const source = body instanceof Readable ? body : Readable.from(body);
  const timer = setTimeout(() => source.destroy(), limitMs);
  try {
    return (await getRawBody(source, { limit: maxUserInfoBytes })).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'entity.too.large') return undefined;
    throw new AppError('body-incomplete', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
