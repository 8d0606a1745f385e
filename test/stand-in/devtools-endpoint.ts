// The DevTools endpoint for Playwright: a WebSocket that forwards messages to Chromium's pipe. URLs of app schemes look as in real
// Electron here, and internals (questions that a page waits for, popups that are closed) aren't forwarded.

import { randomUUID } from 'node:crypto';

import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { CdpMessage } from './cdp.ts';
import { hub } from './hub.ts';

/** @returns its address */
export function openDevtoolsEndpoint(): Promise<string> {
  const { cdp, alias } = hub;
  const clients = new Set<(message: CdpMessage) => void>();
  cdp.onAny((message) => {
    for (const client of clients) client(message);
  });
  /** The stand-in answers these. */
  const isOwnDialog = ({ type, message }: Record<string, unknown>): boolean =>
    type === 'beforeunload' ||
    [...hub.secrets].some((secret) => String(message).startsWith(`standin:${secret}:`));

  async function serve(socket: WebSocket): Promise<void> {
    const early: Buffer[] = [];
    const keep = (data: Buffer): void => void early.push(data);
    socket.on('message', keep);
    socket.on('error', () => undefined);

    const { sessionId: browserSession } = await cdp.send('Target.attachToBrowserTarget');
    const sessions = new Set<string>([browserSession]);
    const held = new Map<string, CdpMessage[]>();
    const ownDialogs = new Set<string>();
    const deliver = (message: CdpMessage): void => socket.send(alias.fromChromium(JSON.stringify(message)));

    const pass = (message: CdpMessage): void => {
      const { sessionId, ...rest } = message;
      deliver(sessionId === browserSession || sessionId === undefined ? rest : message);
    };

    const onEvent = (message: CdpMessage): void => {
      const session = message.sessionId;
      if (session === undefined || !sessions.has(session)) return;
      const params = message.params ?? {};
      if (message.method === 'Target.attachedToTarget') {
        const child = params['sessionId'] as string;
        const target = params['targetInfo'] as Protocol.Target.TargetInfo;
        sessions.add(child);
        if (target.type === 'page') {
          const queue = [message];
          held.set(child, queue);
          void hub.targets.isOwn(target.targetId).then((isOwn) => {
            held.delete(child);
            if (isOwn) for (const waiting of queue) pass(waiting);
            else sessions.delete(child);
          });
          return;
        }
      }
      if (message.method === 'Target.detachedFromTarget') {
        const child = params['sessionId'] as string;
        if (held.has(child)) return;
        sessions.delete(child);
      }
      if (message.method === 'Page.javascriptDialogOpening' && isOwnDialog(params)) {
        ownDialogs.add(session);
        return;
      }
      if (message.method === 'Page.javascriptDialogClosed' && ownDialogs.delete(session)) return;
      const queue = held.get(session);
      if (queue) queue.push(message);
      else pass(message);
    };
    clients.add(onEvent);

    const onCommand = (data: Buffer): void => {
      const message = JSON.parse(alias.toChromium(data.toString('utf8'))) as CdpMessage;
      const { id, sessionId } = message;
      if (message.method === 'Browser.close') {
        deliver({ id: id!, result: {} });
        hub.app.quit();
        return;
      }
      cdp.relay({ ...message, sessionId: sessionId ?? browserSession }, (answer) => {
        const reply: CdpMessage = answer.error ? { error: answer.error } : { result: answer.result ?? {} };
        reply.id = id!;
        if (sessionId !== undefined) reply.sessionId = sessionId;
        deliver(reply);
      });
    };
    socket.off('message', keep);
    for (const data of early) onCommand(data);
    socket.on('message', onCommand);
    socket.on('close', () => {
      clients.delete(onEvent);
      void cdp.send('Target.detachFromTarget', { sessionId: browserSession }).catch(() => undefined);
    });
  }

  const path = `/devtools/browser/${randomUUID()}`;
  return new Promise((resolve, reject) => {
    const server = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      path,
      maxPayload: 512 << 20,
      perMessageDeflate: false,
      // a web page in another browser must not control this one
      verifyClient: (info: { origin: string | undefined }) => info.origin === undefined,
    });
    server.on('error', reject);
    server.on('connection', (socket) => void serve(socket));
    server.on('listening', () => resolve(`ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`));
  });
}
