import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { readBodyText } from '../../../app/server/body-text.ts';

test('a body that comes byte by byte is waited for no longer than its time, and the connection ends with it', async (t) => {
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
  const dripping = setInterval(() => call.write('x'), 20);
  const patience = setTimeout(() => resolve('still waiting'), 5000);
  t.after(() => {
    clearInterval(dripping);
    clearTimeout(patience);
  });
  const error = await outcome;
  assert.ok(error instanceof AppError, String(error));
  assert.equal(error.code, 'body-incomplete');
  clearInterval(dripping);
  await ended;
});
