import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createContentSender } from '../../../app/server/send-content.ts';
import type { ContentBody } from '../../../app/wopi/wopi-call.ts';

const MiB = 1024 * 1024;
const address = '192.0.2.7';
const { send } = createContentSender();

/** Content of this size; `reads` are the positions that were read. */
function content(size: number): { body: ContentBody; reads: number[] } {
  const reads: number[] = [];
  const body: ContentBody = {
    start: 0,
    end: size,
    async read(buffer, position) {
      reads.push(position);
      return Math.max(0, Math.min(buffer.length, size - position));
    },
    close: () => undefined,
  };
  return { body, reads };
}

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
  return { request, outcomes };
}

for (const [what, isDestroyed] of [
  ['disconnects', true],
  ['doesn’t read', false],
] as const) {
  test(`stops reading when the client ${what}`, async (t) => {
    const size = 400 * MiB;
    const { body, reads } = content(size);
    const { request, outcomes } = await serve(t, async (response) => {
      response.setHeader('Content-Length', size);
      await send(response, body, address);
    });
    const response = await request();
    response.on('error', () => undefined).pause();
    // Long enough to send everything without backpressure.
    if (!isDestroyed) await pause(700);
    else {
      response.destroy();
      await Promise.all(outcomes);
    }
    const readMiB = (reads.at(-1) ?? 0) / MiB;
    response.destroy();
    await Promise.all(outcomes);
    assert.ok(readMiB < 100, `${readMiB} MiB were read`);
  });
}

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
  await pause(100);
  assert.deepEqual(
    bodies.map(({ reads }) => reads.length > 0),
    [true, true, false, true],
  );
  // An answer whose client disconnects makes room for the next.
  responses[0]?.destroy();
  const [, , third] = responses;
  assert.ok(third !== undefined);
  assert.equal((await buffer(third)).length, 60 * MiB);
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
