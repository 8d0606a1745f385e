// Different ways for a node:http server to send a file, at `/{way}`, to find the fastest on this machine: `pipe` (a stream with
// defaults), `stream` (with 1 MiB chunks), `loop-256k` and `loop-1m` (explicit reads and writes with two alternating buffers) and
// `whole` (one read and one write, for small files).

import fs from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendFile } from './send-file.ts';

function pipe(response: ServerResponse, path: string, options: { highWaterMark?: number }): void {
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': fs.statSync(path).size,
  });
  fs.createReadStream(path, options).pipe(response);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bare');
  const path = searchParams.get('path') ?? '';
  const fail = (error: unknown): void => void response.destroy(error instanceof Error ? error : undefined);
  if (pathname === '/pipe') pipe(response, path, {});
  else if (pathname === '/stream') pipe(response, path, { highWaterMark: 1 << 20 });
  else if (pathname === '/loop-256k') sendFile(response, fs.openSync(path, 'r'), {}, 256 << 10).catch(fail);
  else sendFile(response, fs.openSync(path, 'r')).catch(fail);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
