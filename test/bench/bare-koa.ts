// Bare Koa: answers every request with the same JSON. The reference for CheckFileInfo and for the start.

import Koa from 'koa';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

const json = readFileSync(process.argv[2] ?? '', 'utf8');
const app = new Koa();
app.use((context) => {
  context.type = 'application/json';
  context.body = json;
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'listening', baseUrl: `http://127.0.0.1:${port}` })}\n`);
});
process.once('SIGTERM', () => process.exit(0));
