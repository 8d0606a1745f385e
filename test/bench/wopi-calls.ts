// The WOPI calls of an editor, with minimal headers.

import type { Body } from './bodies.ts';
import type { Answer, Connection } from './client.ts';

/** A document to which a token gives access. */
export interface WopiFile {
  /** `/wopi/files/{id}?access_token=…` */
  target: string;
  /** `/wopi/files/{id}/contents?access_token=…` */
  contents: string;
  lockId: string;
}

export function checkFileInfo(connection: Connection, file: WopiFile, isBodyKept = false): Promise<Answer> {
  return connection.expectOk({ method: 'GET', target: file.target, isBodyKept });
}

export function getFile(connection: Connection, file: WopiFile): Promise<Answer> {
  return connection.expectOk({ method: 'GET', target: file.contents });
}

export function lock(connection: Connection, file: WopiFile): Promise<Answer> {
  return post(connection, file, 'LOCK');
}

export function refreshLock(connection: Connection, file: WopiFile): Promise<Answer> {
  return post(connection, file, 'REFRESH_LOCK');
}

export function unlock(connection: Connection, file: WopiFile): Promise<Answer> {
  return post(connection, file, 'UNLOCK');
}

export function putFile(connection: Connection, file: WopiFile, body: Body): Promise<Answer> {
  return connection.expectOk({
    method: 'POST',
    target: file.contents,
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': file.lockId },
    body,
  });
}

function post(connection: Connection, file: WopiFile, override: string): Promise<Answer> {
  return connection.expectOk({
    method: 'POST',
    target: file.target,
    headers: { 'X-WOPI-Override': override, 'X-WOPI-Lock': file.lockId },
  });
}
