// A scripted document server: discovery with proof keys, pages for a browser, and signed calls to the host. It behaves like its product,
// and shares no code with the host.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFixture, withRemark, type FixtureName } from '../office-zip.ts';
import type { Exchange, Slowness } from '../wire.ts';
import { checkAccess } from './access-check.ts';
import { makeCollabora } from './collabora-dialect.ts';
import type { DialectKind, MakeDialect, PageRequest } from './dialect.ts';
import { makeOffice } from './office-dialect.ts';
import { makeOnlyOffice } from './onlyoffice-dialect.ts';
import { answerPageCall, bodyOf, send } from './page-calls.ts';
import { editorPage, editorPageScript } from './page-html.ts';
import { createProofKeyRing, type ProofKeyRing } from './proof-keys.ts';
import { createSessions, type Session } from './sessions.ts';

export interface DocumentServerOptions {
  kind: DialectKind;
  /** Bind address. Defaults to 127.0.0.1 and a free port. */
  host?: string;
  port?: number;
  /** The address in its discovery. Defaults to the bind address. */
  publicUrl?: string;
  /** PEM. If given, the server uses HTTPS. */
  tls?: { key: string; cert: string };
  /** PEM of an additional trusted authority. */
  authority?: string;
  /** Names and addresses of allowed WOPI hosts. Defaults to all. */
  wopiHosts?: string[];
  /** For `collabora`: behaves like LibreOffice Online of 2020, its predecessor. */
  isLegacy?: boolean;
  /** The delay from a closed page to the last save. With real servers it is several seconds. */
  leaveDelayMs?: number;
}

export interface DocumentServer {
  readonly kind: DialectKind;
  readonly url: string;
  readonly keys: ProofKeyRing;
  readonly sessions: Session[];
  /** The calls to the host since the start. */
  readonly exchanges: Exchange[];
  /** The requests to the server: method, path and query. */
  readonly requests: string[];
  /** Whether its pages send messages to the host page. */
  beSilent(isSilent: boolean): void;
  /** For `onlyoffice`: from now on, conversions fail, and their error is saved as the document. */
  failConversions(isFailing: boolean): void;
  beSlow(slowness: Slowness | undefined): void;
  trust(authority: string | undefined): void;
  /** Kills the process: nothing is saved or unlocked, and pages are disconnected. `start` starts it again on the same port. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server without a last save. */
  stop(): Promise<void>;
}

const makers: Record<DialectKind, MakeDialect> = {
  onlyoffice: makeOnlyOffice,
  collabora: makeCollabora,
  office: makeOffice,
};
const fixtureOf: Record<string, FixtureName> = {
  docx: 'letter.docx',
  xlsx: 'sums.xlsx',
  pptx: 'talk.pptx',
  odt: 'letter.odt',
};

export async function startDocumentServer(options: DocumentServerOptions): Promise<DocumentServer> {
  const keys = await createProofKeyRing();
  const named = Object.entries(fixtureOf).map(
    async ([extension, name]) => [extension, await readFixture(name)] as const,
  );
  const templates = Object.fromEntries(await Promise.all(named)) as Record<string, Buffer | undefined>;
  const { isLegacy = false } = options;
  let { authority } = options;
  let slowness: Slowness | undefined;
  let isSilent = false;
  let isFailing = false;
  const requests: string[] = [];
  const dialect = makers[options.kind](
    { sign: keys.headersFor, authority: () => authority, slowness: () => slowness },
    { template: (extension) => templates[extension], isLegacy, isFailing: () => isFailing },
  );
  const isAllowed = (name: string): boolean => options.wopiHosts?.includes(name) ?? true;
  const sessions = createSessions({ dialect, isAllowed, leaveDelayMs: options.leaveDelayMs ?? 50 });

  let server = makeServer();
  let { port = 0 } = options;
  const scheme = options.tls === undefined ? 'http' : 'https';
  const host = options.host ?? '127.0.0.1';

  function makeServer(): ReturnType<typeof createServer> {
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
      answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else send(response, 500, { failure: String(error) });
      });
    };
    return options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', documentServer.url);
    const own = /^\/session\/([\w-]{22})\/([a-z-]+)$/u.exec(url.pathname);
    const session = own === null ? undefined : sessions.byId(own[1] ?? '');
    if (session !== undefined) await answerPageCall(session, own?.[2] ?? '', request, response);
    else if (url.pathname === '/hosting/discovery') {
      const text = dialect.discovery(options.publicUrl ?? documentServer.url, keys.element());
      send(response, 200, text, 'text/xml; charset=utf-8');
    } else if (url.pathname === '/editor-page.js') {
      send(response, 200, editorPageScript(), 'text/javascript; charset=utf-8');
    } else if (options.kind === 'collabora' && url.pathname === '/hosting/wopiAccessCheck') {
      // LibreOffice Online has no access check.
      if (isLegacy) {
        send(response, 400, '');
        return;
      }
      const { callbackUrl = '' } = JSON.parse(await bodyOf(request)) as { callbackUrl?: string };
      send(response, 200, await checkAccess(callbackUrl, { authority, isAllowed }));
    } else {
      const page = dialect.pageOf(url);
      const more = dialect.answer(url.pathname);
      // Servers that open on the form answer only a posted form.
      if (page !== undefined && (request.method === 'POST' || dialect.opensOn === 'socket'))
        await makePage(page, new URLSearchParams(await bodyOf(request)), response);
      else if (more !== undefined) send(response, 200, more);
      else send(response, 404, { failure: 'not found' });
    }
  }

  async function makePage(page: PageRequest, form: URLSearchParams, response: ServerResponse): Promise<void> {
    const access = {
      wopiSrc: page.wopiSrc,
      accessToken: form.get('access_token') ?? '',
      accessTokenTtl: Number(form.get('access_token_ttl') ?? 0),
    };
    if (page.purpose === 'convert') {
      const toExtension = page.toExtension ?? 'docx';
      const bytes = withRemark(templates[toExtension] ?? Buffer.alloc(0), 'converted');
      const made = await dialect.convert(access, toExtension, bytes);
      if (made?.HostEditUrl === undefined) send(response, 200, { failure: 'not converted' });
      else response.writeHead(302, { Location: made.HostEditUrl, 'Content-Length': 0 }).end();
      return;
    }
    const docsApiConfig = form.get('docs_api_config') ?? undefined;
    const session = sessions.begin(access, page.purpose, { docsApiConfig });
    if (dialect.opensOn === 'form') await session.open();
    const ancestors = dialect.frameAncestors(page.wopiSrc);
    if (ancestors !== undefined) {
      response.setHeader('Content-Security-Policy', `frame-ancestors 'self' ${ancestors}`);
    }
    const html = editorPage(options.kind, {
      kind: options.kind,
      isLegacy,
      session: `/session/${session.id}`,
      isSilent,
    });
    send(response, 200, html, 'text/html; charset=utf-8');
  }

  const documentServer: DocumentServer = {
    kind: options.kind,
    get url() {
      return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
    },
    keys,
    sessions: sessions.all,
    exchanges: dialect.exchanges,
    requests,
    beSilent: (next) => void (isSilent = next),
    failConversions: (next) => void (isFailing = next),
    beSlow: (next) => void (slowness = next),
    trust: (next) => void (authority = next),

    async crash() {
      await documentServer.stop();
      sessions.crash();
      server = makeServer();
    },
    async start() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      ({ port } = server.address() as AddressInfo);
    },
    async stop() {
      sessions.freeze();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
  await documentServer.start();
  return documentServer;
}
