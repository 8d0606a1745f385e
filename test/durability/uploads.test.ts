// Uploads that don't arrive as announced: interrupted, too short, too large. The document and the
// folder don't change, and no temporary file is left.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { cliJson } from '../crash/serve-process.ts';
import { eventually } from './eventually.ts';
import { exchange } from '../fuzz/raw-exchange.ts';
import { recoveredSaves } from './terminal.ts';

const megabyte = 1_000_000;
const original = makeContent('original', 50_000);
const served = serveHost(({ folder }) => writeFileSync(join(folder, 'a.docx'), original));
const { scratch, client, inFolder } = served;
let access: Access;
let version: string;

before(async () => {
  access = await served.edit('a.docx');
  version = fileInfo(await client.checkFileInfo(access)).Version;
});

async function assertUntouched(): Promise<void> {
  await eventually('only the document is in the folder', () => {
    assert.deepEqual(readdirSync(scratch.folder), ['a.docx']);
  });
  assert.ok(readFileSync(inFolder('a.docx')).equals(original));
  assert.equal(fileInfo(await client.checkFileInfo(access)).Version, version);
  assert.equal(await client.lockId(access), 'the lock');
}

function head(lines: string[], tail = '/contents'): string {
  const url = new URL(client.wopiUrl(access, tail));
  return [`POST ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, ...lines, '', ''].join('\r\n');
}

/** Sends part of an upload, waits until the host has begun to write it, and cuts the connection. */
async function abort(lines: string[], body: Buffer, tail?: string): Promise<void> {
  const socket = connect({ port: served.host.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(head(lines, tail));
  socket.write(body);
  await eventually('the upload has begun', () => {
    assert.ok(readdirSync(scratch.folder).length > 1, 'no temporary file yet');
  });
  socket.resetAndDestroy();
}

describe('an upload that does not arrive as announced', () => {
  const put = ['X-WOPI-Override: PUT', 'X-WOPI-Lock: the lock'];

  it('changes nothing if the client disconnects during a PutFile', async () => {
    await abort([...put, `Content-Length: ${8 * megabyte}`], makeContent('aborted', 3 * megabyte));
    await assertUntouched();
    await abort(
      [...put, 'Transfer-Encoding: chunked'],
      Buffer.concat([Buffer.from('2dc6c0\r\n'), makeContent('aborted in chunks', 3 * megabyte)]),
    );
    await assertUntouched();
  });

  it('changes nothing if the client disconnects during a PutRelativeFile', async () => {
    const lines = ['X-WOPI-Override: PUT_RELATIVE', 'X-WOPI-SuggestedTarget: copy.docx'];
    await abort([...lines, `Content-Length: ${8 * megabyte}`], makeContent('aborted', 3 * megabyte), '');
    await assertUntouched();
  });

  for (const [what, length, body] of [
    ['the body ends before its Content-Length', 'Content-Length: 100001', makeContent('short', 100_000)],
    ['the last chunk never arrives', 'Transfer-Encoding: chunked', '5\r\nhello\r\n'],
  ] as const) {
    it(`changes nothing if ${what}`, async () => {
      const parts = [head([...put, length]), body];
      const { answers, end } = await exchange({ port: served.host.port, parts, halfClose: true });
      assert.notEqual(end, 'hang');
      for (const { status } of answers) assert.equal(status, 400);
      await assertUntouched();
    });
  }

  it('keeps no recovered save of an incomplete body', async () => {
    assert.deepEqual(await recoveredSaves(scratch.dataDir), []);
  });
});

describe('an upload over the limit', () => {
  const large = makeContent('large', 2 * megabyte);

  before(async () => {
    // Takes effect on the next request, without a restart.
    await cliJson(scratch.dataDir, ['settings', 'set', 'maxUploadMB', '1']);
  });

  it('is a 413 and changes nothing, also in chunks and as a copy', async () => {
    const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
    for (const body of [() => large, () => Readable.from(slices(large))])
      for (const answer of [
        await client.putFile(access, 'the lock', body()),
        await client.operate(access, 'PUT_RELATIVE', headers, body()),
      ]) {
        assert.equal(answer.status, 413, answer.body.toString());
        await assertUntouched();
      }
  });

  it('is rejected from the first byte over the limit', async () => {
    const over = await client.putFile(access, 'the lock', makeContent('a byte too much', megabyte + 1));
    assert.equal(over.status, 413);
    const exact = makeContent('exactly at the limit', megabyte);
    const fits = await client.putFile(access, 'the lock', exact);
    assert.equal(fits.status, 200, fits.body.toString());
    assert.ok(readFileSync(inFolder('a.docx')).equals(exact));
  });

  it('is accepted after the limit was raised, without a restart', async () => {
    await cliJson(scratch.dataDir, ['settings', 'set', 'maxUploadMB', '4']);
    assert.equal((await client.putFile(access, 'the lock', large)).status, 200);
    const streamed = makeContent('streamed', 2 * megabyte);
    assert.equal((await client.putFile(access, 'the lock', Readable.from(slices(streamed)))).status, 200);
    assert.ok(readFileSync(inFolder('a.docx')).equals(streamed));
  });
});

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
