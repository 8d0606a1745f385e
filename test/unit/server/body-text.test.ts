import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { readBodyText } from '../../../app/server/body-text.ts';

test('rejects a body that arrives byte by byte after the time limit, and ends the connection', async (t) => {
  const { promise: outcome, resolve } = Promise.withResolvers<unknown>();
  const server = createServer((incoming) => {
    readBodyText(incoming, { limitMs: 200 }).then(resolve, resolve);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const call = request({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    agent: false,
    headers: { 'Content-Length': 1000 },
  });
  const ended = new Promise((done) => void call.on('error', done));
  const writing = setInterval(() => call.write('x'), 20);
  const deadline = setTimeout(() => resolve('still waiting'), 5000);
  t.after(() => {
    clearInterval(writing);
    clearTimeout(deadline);
  });
  const error = await outcome;
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, 'body-incomplete');
  clearInterval(writing);
  await ended;
});
