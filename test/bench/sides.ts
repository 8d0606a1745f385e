// A side is a process that answers like a WOPI host: DocTray with a small folder, DocTray with a large one, or the bare host. All
// three get the same calls.

import { join } from 'node:path';
import { connect, type Connection } from './client.ts';
import type { ServerProcess } from './processes.ts';

export interface WopiFile {
  side: Side;
  /** `/wopi/files/{id}?access_token=…` */
  target: string;
  /** `/wopi/files/{id}/contents?access_token=…` */
  contents: string;
  /** The document's path on disk. */
  diskPath: string;
  lockId: string;
}

export interface Side {
  name: string;
  server: ServerProcess;
  folder: string;
  connect(): Promise<Connection>;
  /** Signs in and gets edit access to the documents. */
  open(names: string[]): Promise<WopiFile[]>;
}

interface Envelope<T> {
  response: T;
}

export const ownerPassword = 'bench-only-owner-password';

export function createSide(name: string, server: ServerProcess, folder: string): Side {
  const side: Side = {
    name,
    server,
    folder,
    connect: () => connect(server),
    async open(names) {
      const connection = await connect(server);
      try {
        const { token } = await post<{ token: string }>(connection, '/api/2.0/authentication.json', {
          userName: 'owner',
          password: ownerPassword,
        });
        const files: WopiFile[] = [];
        for (const path of names) {
          const access = await post<{ wopiSrc: string; accessToken: string }>(
            connection,
            '/api/2.0/files/access',
            { path, mode: 'edit' },
            token,
          );
          const { pathname } = new URL(access.wopiSrc);
          const query = `?access_token=${encodeURIComponent(access.accessToken)}`;
          files.push({
            side,
            target: pathname + query,
            contents: `${pathname}/contents${query}`,
            diskPath: join(folder, path),
            lockId: `bench-${path}`,
          });
        }
        return files;
      } finally {
        connection.close();
      }
    },
  };
  return side;
}

async function post<T>(connection: Connection, target: string, body: object, token?: string): Promise<T> {
  const answer = await connection.expectOk({
    method: 'POST',
    target,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      ...(token === undefined ? {} : { Authorization: token }),
    },
    body: Buffer.from(JSON.stringify(body)),
    isBodyKept: true,
  });
  return (JSON.parse(answer.body.toString('utf8')) as Envelope<T>).response;
}
