// The HTTP side of the dashboard: the window's page, which is the same for everyone, and the WebSocket for everything else. A
// session is no cookie, so a page of another origin has nothing that the browser would add to its requests.

import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { closeCodes, commandPath, socketPath } from '../contract/dashboard.ts';
import { AppError, describeError } from '../contract/errors.ts';
import type { HostKeeper } from '../host/host-keeper.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { DashboardDeps } from '../host/surfaces.ts';
import { createWindowHost } from '../live-state/window-host.ts';
import type { Handler, UpgradeHandler } from '../server/http-server.ts';
import { createErrors } from '../server/middleware/errors.ts';
import { createHostCheck, createHostGuard } from '../server/middleware/host-guard.ts';
import { requireImplementedMethod } from '../server/middleware/methods.ts';
import { createPagesGuard } from '../server/middleware/network-guard.ts';
import { createRequestJournal } from '../server/middleware/request-journal.ts';
import { bearerToken } from '../server/bearer-token.ts';
import { pageHeaders } from '../server/pages/csp.ts';
import { sendPageFile } from '../server/pages/page-answers.ts';
import { requireOwnOrigin } from '../server/pages/page-base.ts';
import type { RequestState } from '../server/request-state.ts';
import type { Client } from '../server/client-address.ts';
import { createBrowserDesktop } from './browser-desktop.ts';
import { acceptedLanguages, speaking } from '../languages.ts';
import { openConnection } from './connection.ts';
import { receiveDrop } from './upload.ts';
import type { DashboardSessions } from './sessions.ts';

/** Pages at once. */
const maxPages = 32;
/** Connections that haven't opened a session yet; above it, the oldest is dropped. */
const maxUnopened = 8;
/** A command with the longest arguments: 10,000 paths. */
const maxMessageBytes = 16 * 1024 * 1024;

export interface DashboardServerDeps extends Omit<DashboardDeps, 'hostPort' | 'tls'> {
  sessions: DashboardSessions;
}

export interface DashboardServer {
  handler: Handler;
  onUpgrade: UpgradeHandler;
  /** Ends the connections of other computers. */
  closeRemote(): void;
  /** Ends all connections, because the host stops. */
  goAway(): void;
}

export function createDashboardServer(deps: DashboardServerDeps): DashboardServer {
  const { services, guard, sessions } = deps;
  const { log } = services;
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use((context, next) => speaking(acceptedLanguages(context.get('Accept-Language')), next));
  app.use(createRequestJournal(services));
  app.use(createErrors({ log }));
  app.use(createHostGuard(guard));
  app.use(requireImplementedMethod);
  app.use(createPagesGuard(guard));
  app.use(createRoutes(deps).routes());
  const handle = app.callback();

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    clientTracking: true,
  });
  const check = createHostCheck(guard);
  const remote = new Set<WebSocket>();
  const unopened = new Set<WebSocket>();

  /** @throws AppError */
  const admit = (request: IncomingMessage): Client => {
    const { client, refusal } = check(request);
    if (refusal !== undefined) throw refusal;
    if (!client.isThisComputer && !guard.arePagesOpen()) throw new AppError('network-closed');
    if (request.url !== socketPath) throw new AppError('not-found');
    // Browsers send it with every WebSocket. @see RFC 6455 section 10.2
    if (request.headers.origin !== `${client.scheme}://${client.host}`)
      throw new AppError('origin-not-allowed');
    return client;
  };

  return {
    handler: handle,
    onUpgrade(request, socket, head) {
      let client: Client;
      try {
        client = admit(request);
      } catch (error) {
        refuse(socket, describeError(error).status);
        return;
      }
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        unopened.add(webSocket);
        webSocket.on('close', () => unopened.delete(webSocket));
        const [oldest] = unopened;
        if (unopened.size > maxUnopened) oldest?.terminate();
        if (sockets.clients.size - unopened.size >= maxPages) {
          webSocket.close(closeCodes.tooMany);
          return;
        }
        if (!client.isThisComputer) {
          remote.add(webSocket);
          webSocket.on('close', () => remote.delete(webSocket));
        }
        speaking(acceptedLanguages(request.headers['accept-language']), () => serve(webSocket, client));
      });
    },
    goAway() {
      // 1001: going away. @see RFC 6455 section 7.4.1
      for (const one of sockets.clients) one.close(1001);
    },
    closeRemote() {
      for (const one of remote) one.close(closeCodes.sessionEnded);
    },
  };

  function serve(webSocket: WebSocket, client: Client): void {
    const host = deps.host();
    const { clientAddress: address, isThisComputer: isLocal } = client;
    openConnection({
      socket: webSocket,
      sessions,
      clock: services.clock,
      onOpened: () => void unopened.delete(webSocket),
      async checkPassword(password) {
        await services.signIn.verify({ login: host.ownerLogin, password, address, isLocal });
      },
      openWindow: ({ send, ask }) =>
        createWindowHost({
          keeper: keeperOf(host),
          log,
          clock: services.clock,
          desktop: createBrowserDesktop({
            send,
            ask,
            dataDir: services.dataDir,
            reachable: (url) => reachableAt(url, client, deps.hostListening.networkUrl()),
            hostUrl: () => host.baseUrl,
            quit: host.quit,
          }),
        }),
    });
  }
}

/** The running host, as the window knows it: it can't be started from a page that it serves. */
function keeperOf(host: RunningHost): HostKeeper {
  const { services } = host;
  return {
    dataDir: services.dataDir,
    host: () => host,
    isStarting: () => false,
    problem: () => undefined,
    start: () => Promise.resolve(),
    whenStarted: () => Promise.resolve(),
    retryKeychain: () => undefined,
    restart: host.reopen,
    stop: (limitMs) => host.stop(limitMs === undefined ? undefined : { limitMs }),
    onEvent: services.events.onAny,
  };
}

/** A page of the host, under the name by which the browser knows this computer. */
function reachableAt(url: string, { isThisComputer, host }: Client, networkUrl: string | null): string {
  if (isThisComputer || networkUrl === null || !URL.canParse(`http://${host}`)) return url;
  const page = new URL(url);
  const { protocol, port } = new URL(networkUrl);
  page.protocol = protocol;
  page.port = port;
  page.hostname = new URL(`http://${host}`).hostname;
  return page.href;
}

/** The connection was taken from the HTTP server, so its answer is written here. */
function refuse(socket: Duplex, status: number): void {
  socket.once('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}

function createRoutes({
  page,
  services,
  sessions,
  host,
  command,
  dataOption,
}: DashboardServerDeps): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const send = async (context: Context & { state: RequestState }, name: string): Promise<void> => {
    context.state.operation = 'Dashboard';
    context.state.isUnjournaled = true;
    const file = await page.read(name);
    context.set(pageHeaders({ hasScript: true }));
    context.set('Cross-Origin-Opener-Policy', 'same-origin');
    context.set('Cross-Origin-Resource-Policy', 'same-origin');
    sendPageFile(context, file);
  };
  router.get('/', async (context) => {
    const fault = await page.fault();
    if (fault !== undefined) throw new AppError('page-unavailable', { detail: fault });
    await send(context, 'index.html');
  });
  // Not in the state: a page that may not connect shows it too.
  router.get(commandPath, (context) => {
    context.state.operation = 'Dashboard';
    context.state.isUnjournaled = true;
    context.set('Cache-Control', 'no-store');
    // Other computers don't learn where the folder is.
    const isDataShown = dataOption !== undefined && context.state.client.isThisComputer;
    context.body = [command, 'dashboard', ...(isDataShown ? [dataOption] : [])].join(' ');
  });
  router.post('/upload', async (context) => {
    context.state.operation = 'Upload';
    const { headers, query, req } = context;
    requireOwnOrigin(headers, context.state.client, []);
    const token = bearerToken(headers.authorization) ?? '';
    const isAllowed = () => sessions.find(token) !== undefined;
    if (!isAllowed()) throw new AppError('not-authenticated');
    context.state.user = host().ownerLogin;
    context.set('Cache-Control', 'no-store');
    context.body = { jobId: await receiveDrop(services, req, query, isAllowed) };
  });
  router.get('/:name', (context) => send(context, context.params['name'] ?? ''));
  return router;
}
