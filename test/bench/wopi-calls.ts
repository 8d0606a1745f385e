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
  /** Its path on disk. */
  diskPath: string;
}

export function checkFileInfo(connection: Connection, file: WopiFile, isBodyKept = false): Promise<Answer> {
  return connection.expectOk({ method: 'GET', target: file.target, isBodyKept });
}

export function getFile(connection: Connection, file: WopiFile): Promise<Answer> {
  return connection.expectOk({ method: 'GET', target: file.contents });
}

export const lock = operation('LOCK');
export const refreshLock = operation('REFRESH_LOCK');
export const unlock = operation('UNLOCK');

export function putFile(connection: Connection, file: WopiFile, body: Body): Promise<Answer> {
  const headers = headersOf('PUT', file);
  return connection.expectOk({ method: 'POST', target: file.contents, headers, body });
}

function operation(override: string) {
  return (connection: Connection, file: WopiFile): Promise<Answer> =>
    connection.expectOk({ method: 'POST', target: file.target, headers: headersOf(override, file) });
}

function headersOf(override: string, { lockId }: WopiFile): Record<string, string> {
  return { 'X-WOPI-Override': override, 'X-WOPI-Lock': lockId };
}
