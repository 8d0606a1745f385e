// A page of the dashboard as a program would write it: its WebSocket, without a browser.

import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import {
  socketPath,
  type DashboardMessage,
  type DashboardRequest,
  type DashboardSessionKey,
} from '../../app/contract/dashboard.ts';
import type { CommandAnswer } from '../../app/contract/results.ts';

type Message<Type extends DashboardMessage['type']> = Extract<DashboardMessage, { type: Type }>;

export type DashboardPage = Awaited<ReturnType<typeof connectPage>>;

/** The secret of a link. */
export function secretOf(url: string): string {
  return new URL(url).hash.slice(1);
}

/** @throws Error with the status, if the host refused the WebSocket */
export async function connectPage(
  url: string,
  headers: Record<string, string> = {},
  options: { ca?: string; servername?: string; localAddress?: string } = {},
) {
  const { origin, host, protocol } = new URL(url);
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${socketPath}`, {
    headers: { Origin: origin, ...headers },
    ...options,
  });
  const received: DashboardMessage[] = [];
  const waiting: { type: string; settle: (message: DashboardMessage) => void }[] = [];
  const unread: DashboardMessage[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as DashboardMessage;
    received.push(message);
    const at = waiting.findIndex(({ type }) => type === message.type);
    if (at === -1) unread.push(message);
    else waiting.splice(at, 1)[0]?.settle(message);
  });
  const closed = new Promise<number>((resolve) => {
    socket.on('close', resolve);
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
    socket.on('unexpected-response', (_request: unknown, response: IncomingMessage) => {
      reject(new Error(String(response.statusCode)));
    });
  });
  let lastId = 0;
  const page = {
    /** Everything that has arrived. */
    received,
    /** The code of its end. */
    closed,
    send: (request: DashboardRequest | object | string): void =>
      socket.send(typeof request === 'string' ? request : JSON.stringify(request)),
    /** Reads nothing more, so it doesn't answer when the host closes the connection. */
    stopReading: () => socket.pause(),
    close: () => socket.close(),
    /** The next message of that type, also if it has already arrived. */
    async next<Type extends DashboardMessage['type']>(type: Type): Promise<Message<Type>> {
      const at = unread.findIndex((message) => message.type === type);
      const [known] = at === -1 ? [] : unread.splice(at, 1);
      const message = known ?? (await new Promise((resolve) => waiting.push({ type, settle: resolve })));
      return message as Message<Type>;
    },
    /** Opens a session with a link's secret, and returns the session. */
    async open(link: string): Promise<DashboardSessionKey> {
      page.send({ type: 'open', link });
      const { session } = await page.next('opened');
      assert.ok(session);
      return session;
    },
    /** Proves that it knows the session, and checks the host's proof. */
    async resume({ id, secret }: DashboardSessionKey): Promise<void> {
      const key = createHash('sha256').update(secret).digest();
      const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
      page.send({ type: 'resume', id, nonce: 'a nonce' });
      const { nonce, proof } = await page.next('prove');
      assert.equal(proof, sign('host a nonce'));
      page.send({ type: 'proof', proof: sign(`page ${nonce}`) });
      const { session } = await page.next('opened');
      assert.equal(session, null);
    },
    async call(name: string, args: unknown): Promise<CommandAnswer<unknown>> {
      lastId += 1;
      page.send({ type: 'call', id: lastId, name, args });
      const { id, answer } = await page.next('result');
      assert.equal(id, lastId);
      return answer;
    },
  };
  return page;
}
