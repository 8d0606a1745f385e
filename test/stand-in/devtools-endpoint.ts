// The DevTools address that Playwright is told: a WebSocket of the stand-in's own that passes messages to Chromium's
// pipe. Addresses of app schemes read on this side as they do on real Electron, and what is the stand-in's own business
// (its synchronous questions, a popup the app has not yet allowed) is not passed on.

import { randomUUID } from 'node:crypto';

import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import type { Cdp, CdpMessage } from './cdp.ts';
import type { SchemeAlias } from './scheme-alias.ts';

export interface DevtoolsEndpoint {
  url: string;
}

export interface DevtoolsDeps {
  cdp: Cdp;
  alias: SchemeAlias;
  /** True for a dialog that no user would see: the stand-in answers it. */
  isOwnDialog: (params: Record<string, unknown>) => boolean;
  /** Undefined when the target may be shown at once, else a promise of whether it may. */
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
        // as Electron answers: windows are made by the app
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
      // a page in some browser must not drive this one
      verifyClient: (info) => info.origin === undefined,
    });
    server.on('error', reject);
    server.on('connection', (socket) => void serve(socket));
    server.on('listening', () => resolve({ url: `ws://127.0.0.1:${server.address().port}${path}` }));
  });
}
