// The DevTools endpoint for Playwright: a WebSocket that forwards messages to Chromium's pipe. URLs of app schemes look as in real
// Electron here, and internals (synchronous questions, popups that the app hasn't allowed yet) aren't forwarded.

import { randomUUID } from 'node:crypto';

import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Cdp, CdpMessage } from './cdp.ts';
import type { SchemeAlias } from './scheme-alias.ts';

export interface DevtoolsEndpoint {
  url: string;
}

export interface DevtoolsDeps {
  cdp: Cdp;
  alias: SchemeAlias;
  /** True for an internal dialog, which the stand-in answers. */
  isOwnDialog: (params: Record<string, unknown>) => boolean;
  /** Undefined if the target may be shown at once, else a promise of whether it may. */
  mayShow: (target: Protocol.Target.TargetInfo) => Promise<boolean> | undefined;
  onCloseBrowser: () => void;
}

export function openDevtoolsEndpoint(deps: DevtoolsDeps): Promise<DevtoolsEndpoint> {
  const { cdp } = deps;
  const clients = new Set<(message: CdpMessage) => void>();
  cdp.onAny((message) => {
    for (const client of clients) client(message);
  });

  async function serve(socket: WebSocket): Promise<void> {
    const early: Buffer[] = [];
    const keep = (data: Buffer): void => void early.push(data);
    socket.on('message', keep);
    socket.on('error', () => undefined);

    const { sessionId: browserSession } = await cdp.send('Target.attachToBrowserTarget');
    const sessions = new Set<string>([browserSession]);
    const held = new Map<string, CdpMessage[]>();
    const ownDialogs = new Set<string>();
    const deliver = (message: CdpMessage): void =>
      socket.send(deps.alias.fromChromium(JSON.stringify(message)));

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
        const permission = deps.mayShow(target);
        if (permission) {
          const queue = [message];
          held.set(child, queue);
          void permission.then((isAllowed) => {
            held.delete(child);
            if (isAllowed) for (const waiting of queue) pass(waiting);
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
      if (message.method === 'Page.javascriptDialogOpening' && deps.isOwnDialog(params)) {
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
      const message = JSON.parse(deps.alias.toChromium(data.toString('utf8'))) as CdpMessage;
      const { id, sessionId } = message;
      if (message.method === 'Browser.close') {
        deliver({ id: id!, result: {} });
        deps.onCloseBrowser();
        return;
      }
      if (message.method === 'Target.createTarget') {
        // same as Electron, because only the app creates windows
        deliver({ id: id!, error: { code: -32000, message: 'Not supported' } });
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
    server.on('listening', () =>
      resolve({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}` }),
    );
  });
}
