// Two ways for a node:http server to send a file: `/pipe`, a stream with defaults, and `/chunks`, explicit reads and writes with two
// alternating buffers (a small file in one).

import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendFile } from './send-file.ts';

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bare');
  const path = searchParams.get('path') ?? '';
  if (pathname === '/chunks') void sendFile(response, fs.openSync(path, 'r'));
  else {
    response.writeHead(200, { 'Content-Length': fs.statSync(path).size });
    fs.createReadStream(path).pipe(response);
  }
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
