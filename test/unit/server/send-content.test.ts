import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createContentSender } from '../../../app/server/send-content.ts';
import type { ContentBody } from '../../../app/wopi/wopi-call.ts';
import { exchange } from '../../fuzz/raw-exchange.ts';

const MiB = 1024 * 1024;
const address = '192.0.2.7';
const { send } = createContentSender();

/** Bytes whose value encodes their position. `announced` is the expected end, `available` the end of what is on disk. */
function content(announced: number, available: number = announced, start = 0) {
  const reads: number[] = [];
  let isClosed = false;
  const body: ContentBody = {
    start,
    end: announced,
    async read(buffer, position) {
      reads.push(position);
      const length = Math.max(0, Math.min(buffer.length, announced - position, available - position));
      for (let index = 0; index < length; index += 1) buffer[index] = (position + index) % 251;
      return length;
    },
    close() {
      isClosed = true;
    },
  };
  return { body, reads, isClosed: () => isClosed };
}

const expected = (start: number, end: number): Buffer =>
  Buffer.from(Uint8Array.from({ length: end - start }, (_, index) => (start + index) % 251));

/** A server that runs `answer` for each request; `outcomes` are its promises. */
async function serve(t: TestContext, answer: (response: ServerResponse) => Promise<void>) {
  const outcomes: Promise<void>[] = [];
  const server = createServer((_request, response) => {
    outcomes.push(answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const request = async (): Promise<IncomingMessage> => {
    const call = get({ port, host: '127.0.0.1', agent: false });
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response;
  };
  return { port, request, outcomes };
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('sends large content unchanged although it reuses its buffers', async (t) => {
  const size = 5 * MiB + 17;
  const { body } = content(size, size, 3);
  const { request } = await serve(t, async (response) => {
    response.setHeader('Content-Length', size - 3);
    await send(response, body, address);
  });
  const got = await bytesOf(await request());
  assert.equal(got.length, size - 3);
  assert.ok(got.equals(expected(3, size)));
});

test('cuts the connection, even a keep-alive one, if the content became shorter', async (t) => {
  const { body } = content(4 * MiB, 2 * MiB);
  const { port, outcomes } = await serve(t, async (response) => {
    response.setHeader('Content-Length', 4 * MiB);
    await send(response, body, address);
  });
  const text = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n';
  const { answers, end } = await exchange({ port, parts: [text], deadlineMs: 30_000 });
  assert.deepEqual([answers, end], [[], 'closed']);
  await Promise.all(outcomes);
});

test('rejects with the error of a failed read, so that the caller can cut the connection', async (t) => {
  const { body } = content(4 * MiB);
  const failing = {
    ...body,
    read: (buffer: Uint8Array, position: number) =>
      position > 0 ? Promise.reject(new Error('EIO')) : body.read(buffer, position),
  };
  const failures: unknown[] = [];
  const { request } = await serve(t, async (response) => {
    response.setHeader('Content-Length', 4 * MiB);
    await send(response, failing, address).catch((error: unknown) => {
      failures.push(error);
      response.destroy();
    });
  });
  await assert.rejects(request().then(bytesOf));
  assert.match(String(failures[0]), /EIO/);
});

test('stops reading when the client disconnects', async (t) => {
  const size = 400 * MiB;
  const { body, reads } = content(size);
  const { request, outcomes } = await serve(t, async (response) => {
    response.setHeader('Content-Length', size);
    await send(response, body, address);
  });
  const response = await request();
  response.on('error', () => undefined);
  response.destroy();
  await Promise.all(outcomes);
  const readMiB = (reads.at(-1) ?? 0) / MiB;
  assert.ok(readMiB < 100, `${readMiB} MiB were read for a client that disconnected`);
});

test('stops reading while the client doesn’t read', async (t) => {
  const size = 200 * MiB;
  const { body, reads } = content(size);
  const { request, outcomes } = await serve(t, async (response) => {
    response.setHeader('Content-Length', size);
    await send(response, body, address);
  });
  const response = await request();
  response.on('error', () => undefined);
  response.pause();
  // Long enough to send everything without backpressure.
  await new Promise((resolve) => setTimeout(resolve, 700));
  const readMiB = (reads.at(-1) ?? 0) / MiB;
  response.destroy();
  await Promise.all(outcomes);
  assert.ok(readMiB < 60, `${readMiB} MiB were read though the client took nothing`);
});

test('reads at most two pieces if the client disconnected before the first byte', async (t) => {
  const size = 200 * MiB;
  const { body, reads } = content(size);
  const { request, outcomes } = await serve(t, async (response) => {
    // The client disconnects while the document is being opened.
    const closed = once(response, 'close');
    response.req.socket.destroy();
    await closed;
    await send(response, body, address);
  });
  await assert.rejects(request());
  await Promise.all(outcomes);
  assert.ok(reads.length <= 2, `${reads.length} pieces were read for a client that disconnected`);
});

test('limits the large answers to one address at a time; further ones wait, those to another address don’t', async (t) => {
  const { send } = createContentSender({ maxPerAddress: 2 });
  const bodies: ReturnType<typeof content>[] = [];
  const from = [address, address, address, '198.51.100.1'];
  const { request, outcomes } = await serve(t, async (response) => {
    const body = content(60 * MiB);
    const index = bodies.push(body) - 1;
    response.setHeader('Content-Length', 60 * MiB);
    response.flushHeaders();
    await send(response, body.body, from[index] ?? '');
  });
  const responses: IncomingMessage[] = [];
  for (const _ of from) {
    const response = await request();
    responses.push(response.on('error', () => undefined).pause());
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(
    bodies.map(({ reads }) => reads.length > 0),
    [true, true, false, true],
  );
  // An answer whose client disconnects makes room for the next.
  responses[0]?.destroy();
  const [, , third] = responses;
  assert.ok(third !== undefined);
  assert.equal((await bytesOf(third)).length, 60 * MiB);
  for (const response of responses) response.destroy();
  await Promise.all(outcomes);
});

test('stops sending to a client that takes too long for one piece', async (t) => {
  const { send } = createContentSender({ pieceLimitMs: 200 });
  const { request, outcomes } = await serve(t, async (response) => {
    response.setHeader('Content-Length', 200 * MiB);
    await send(response, content(200 * MiB).body, address);
  });
  const response = await request();
  response.on('error', () => undefined).pause();
  await Promise.all(outcomes);
});
