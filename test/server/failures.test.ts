// How the host answers when an operation fails or throws, and what it writes to log and journal.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs, { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { AppError } from '../../app/contract/errors.ts';
import { exchange } from '../fuzz/raw-exchange.ts';
import { replaceBuiltin } from '../replace-builtin.ts';
import { startTestHost } from './test-host.ts';

const MiB = 1024 * 1024;

async function begin(t: TestContext, content: string | Buffer = 'text') {
  const logTo = new PassThrough();
  let logged = '';
  logTo.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const host = await startTestHost({ files: { 'a.docx': content }, logTo }, t);
  const document = await host.document('a.docx');
  const { journal, log, folders } = host.host.services;
  return {
    host,
    ...document,
    address: `/wopi/files/${document.fileId}?access_token=${document.token}`,
    /** CheckFileInfo while looking for the document fails. */
    async failWith(error: Error) {
      folders.require().folder.find = async () => {
        throw error;
      };
      return document.call();
    },
    logged(): string {
      log.flush();
      return logged;
    },
    newest: () => journal.newest(1)[0],
  };
}

test('answers an unexpected error with 500 without its text, and logs it', async (t) => {
  const { failWith, logged } = await begin(t);
  const { status, headers, body } = await failWith(new Error('EBAD: /home/anna/secret plan.docx'));
  assert.equal(status, 500);
  const sentence = 'Something went wrong in DocTray. See its log for details.';
  assert.equal(headers.get('X-WOPI-ServerError'), sentence);
  assert.equal(headers.get('Cache-Control'), 'no-store');
  assert.deepEqual([headers.get('Content-Length'), body.length], ['0', 0]);
  assert.match(logged(), /secret plan/);
});

test('answers an AppError with its status and sentence, in one line of ASCII', async (t) => {
  const { failWith } = await begin(t);
  const { status, headers } = await failWith(new AppError('disk-refused', { detail: 'Größe\r\nX-Evil: 1' }));
  assert.equal(status, 500);
  const sentence = 'The disk returned an error. Nothing was changed. Gro?e X-Evil: 1';
  assert.equal(headers.get('X-WOPI-ServerError'), sentence);
  assert.equal(headers.get('X-Evil'), null);
});

test('answers a full database or disk with 500', async (t) => {
  const { failWith } = await begin(t);
  for (const code of ['SQLITE_FULL', 'ENOSPC']) {
    const { status, headers } = await failWith(Object.assign(new Error('full'), { code }));
    assert.equal(status, 500);
    assert.match(headers.get('X-WOPI-ServerError') ?? '', /full/);
  }
});

test('answers 500 if a large document can’t be read, cuts the connection if it became empty, and closes it', async (t) => {
  const { read } = await begin(t, Buffer.alloc(4 * MiB));
  const openFiles = (): number => readdirSync('/proc/self/fd').length;
  let isEmpty = false;
  const failing = (_fd: number, ...rest: unknown[]): void => {
    const done = rest.at(-1) as (error: Error | null, bytes: number) => void;
    done(isEmpty ? null : new Error('EIO'), 0);
  };
  await read();
  const before = openFiles();
  replaceBuiltin(t, fs, 'read', failing);
  for (let round = 0; round < 10; round += 1) {
    const { status, body } = await read();
    assert.deepEqual([status, body.length], [500, 0]);
  }
  isEmpty = true;
  for (let round = 0; round < 10; round += 1) await assert.rejects(read(), { name: 'TypeError' });
  assert.ok(openFiles() < before + 10, `${before} before, ${openFiles()} after`);
});

test('logs an expected refusal neither as an error nor with a stack', async (t) => {
  const { host, call, logged } = await begin(t);
  host.host.pause(null);
  assert.equal((await call()).status, 503);
  await exchange({ port: host.port, parts: ['PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'] });
  const lines = logged().trim().split('\n').slice(-2);
  for (const [index, status] of [503, 501].entries()) {
    assert.match(lines[index] ?? '', new RegExp(`^\\{"level":"info".*"status":${status}`, 'u'));
    assert.doesNotMatch(lines[index] ?? '', /stack/);
  }
});

test('cuts off an unwanted body that does not end', async (t) => {
  const { host, lock, address } = await begin(t);
  await lock();
  const socket = connect(host.port, '127.0.0.1').on('error', () => undefined);
  t.after(() => socket.destroy());
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.resume();
  socket.write(
    `POST ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-WOPI-Override: LOCK\r\nX-WOPI-Lock: other\r\n`,
  );
  socket.write('Content-Length: 1000000000000\r\n\r\n');
  const piece = Buffer.alloc(MiB);
  let sent = 0;
  while (!socket.destroyed && sent < 1024) {
    sent += 1;
    if (!socket.write(piece)) await Promise.race([closed, once(socket, 'drain').catch(() => undefined)]);
  }
  await closed;
  assert.ok(sent < 1024, `${sent} MiB were taken`);
});

test('echoes the correlation id of the request, and writes it to log and journal', async (t) => {
  const { call, newest, logged } = await begin(t);
  const { headers } = await call(undefined, { 'X-WOPI-CorrelationId': 'abc-123' });
  assert.equal(headers.get('X-WOPI-CorrelationId'), 'abc-123');
  assert.equal(newest()?.correlationId, 'abc-123');
  assert.match(logged(), /"correlationId":"abc-123"/);
});

test('the journal has one entry per request, with a path of limited length, and no query', async (t) => {
  const { host, call, lock, fileId, newest } = await begin(t);
  const before = host.host.services.journal.lastSequence();
  await lock();
  assert.equal((await call('LOCK', { 'X-WOPI-Lock': 'other' })).status, 409);
  assert.equal(host.host.services.journal.lastSequence(), before + 2);
  const { operation, method, path, status, user, lock: note, fileId: id } = newest() ?? {};
  const common = { operation, method, path, status, user, fileId: id };
  const address = `/wopi/files/${fileId}`;
  assert.deepEqual(common, {
    operation: 'Lock',
    method: 'POST',
    path: address,
    status: 409,
    user: 'owner',
    fileId,
  });
  assert.ok(note);
  assert.equal((await fetch(`${host.baseUrl}/${'x'.repeat(12_000)}`)).status, 404);
  const { length } = JSON.stringify(newest());
  assert.ok(length < 4096, `an entry of ${length} characters`);
});
