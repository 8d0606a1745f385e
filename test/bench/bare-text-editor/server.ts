// Serves the bare page and one file, which a POST overwrites: `server.ts <folder of the built page> <file>`.

import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [, , built = '', file = ''] = process.argv;
const server = createServer((request, response) => {
  if (request.method === 'POST') {
    request.pipe(createWriteStream(file)).on('finish', () => response.end());
    return;
  }
  const isScript = request.url === '/page.js';
  const path = request.url === '/text' ? file : join(built, isScript ? 'page.js' : 'index.html');
  response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
  createReadStream(path).pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
