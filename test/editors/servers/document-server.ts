// A scripted document server: discovery with proof keys, pages for a browser, and signed calls to the host. It behaves like its product,
// and shares no code with the host.

import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DialectKind, PageRequest } from '../dialects/dialect.ts';
import { readFixture, withRemark, type FixtureName } from '../office-zip.ts';
import { createEditor } from '../scripted-editor.ts';
import { checkAccess } from './access-check.ts';
import type { PageCall, PageCallResult, PageConfig } from './page-config.ts';
import { createProofKeyRing } from './proof-keys.ts';
import { createSessions, type Session } from './sessions.ts';

export interface DocumentServerOptions {
  kind: DialectKind;
  /** Bind address. Defaults to 127.0.0.1. */
  host?: string;
  /** PEM of an additional trusted authority. */
  authority?: string;
  /** For `collabora`: behaves like LibreOffice Online of 2020, its predecessor. */
  isLegacy?: boolean;
}

export type DocumentServer = Awaited<ReturnType<typeof startDocumentServer>>;

const fixtureOf: Record<string, FixtureName> = {
  docx: 'letter.docx',
  xlsx: 'sums.xlsx',
  pptx: 'talk.pptx',
  odt: 'letter.odt',
};

const done: PageCallResult = { status: 200 };
/** The calls of a page. */
const verbs: Record<string, (session: Session, call: PageCall) => object | Promise<object>> = {
  /** For a page without an event stream. Like the stream, it opens the document. */
  async state(session) {
    await session.open();
    return session.state();
  },
  type: (session, call) => session.type(call.text ?? ''),
  save: (session) => session.save(),
  'save-as': (session, call) => session.saveAs(call.name ?? ''),
  rename: (session, call) => session.rename(call.name ?? ''),
  'keep-alive': (session) => session.keepAlive(),
  token(session, call) {
    session.renewToken(call.token ?? '');
    return done;
  },
  heard(session, { id = '', values = {} }) {
    session.heard.push({ id, values });
    return done;
  },
  async leave(session) {
    await session.leave();
    return done;
  },
};

export async function startDocumentServer(options: DocumentServerOptions) {
  const { kind, host = '127.0.0.1', isLegacy = false } = options;
  const keys = await createProofKeyRing();
  const named = Object.entries(fixtureOf).map(
    async ([extension, name]) => [extension, await readFixture(name)] as const,
  );
  const templates = Object.fromEntries(await Promise.all(named)) as Record<string, Buffer | undefined>;
  let { authority } = options;
  const requests: string[] = [];
  const editor = createEditor(kind, {
    sign: keys.headersFor,
    authority: () => authority,
    isLegacy,
    template: (extension) => templates[extension],
  });
  const { dialect, exchanges } = editor;
  const sessions = createSessions(editor);
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, 500, { failure: String(error) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const serverUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', serverUrl);
    const [, id, verb = ''] = /^\/session\/([\w-]{22})\/([a-z-]+)$/u.exec(url.pathname) ?? [];
    const session = sessions.all.find((one) => one.id === id);
    const page = dialect.pageOf(url);
    if (session !== undefined && verb === 'events') await streamEvents(session, response);
    else if (session !== undefined) {
      const body = await text(request);
      const call = (body === '' ? {} : JSON.parse(body)) as PageCall;
      send(response, 200, (await verbs[verb]?.(session, call)) ?? { failure: `no ${verb}` });
    } else if (url.pathname === '/hosting/discovery') {
      const discovery = dialect.discovery(serverUrl, keys.element());
      send(response, 200, discovery, 'text/xml; charset=utf-8');
    } else if (url.pathname === '/editor-page.js') {
      const source = readFileSync(new URL('editor-page.ts', import.meta.url), 'utf8');
      send(response, 200, stripTypeScriptTypes(source), 'text/javascript; charset=utf-8');
    } else if (kind === 'collabora' && url.pathname === '/hosting/wopiAccessCheck') {
      // LibreOffice Online has no access check.
      const { callbackUrl = '' } = JSON.parse(await text(request)) as { callbackUrl?: string };
      if (isLegacy) send(response, 400, '');
      else send(response, 200, await checkAccess(callbackUrl, authority));
    } else if (page !== undefined && (request.method === 'POST' || dialect.opensOn === 'socket')) {
      // Servers that open on the form answer only a posted form.
      await makePage(page, new URLSearchParams(await text(request)), response);
    } else if (url.pathname === '/hosting/capabilities' && dialect.capabilities !== undefined) {
      send(response, 200, dialect.capabilities);
    } else send(response, 404, { failure: 'not found' });
  }

  async function makePage(page: PageRequest, form: URLSearchParams, response: ServerResponse): Promise<void> {
    const { purpose, wopiSrc, toExtension = 'docx' } = page;
    const access = { wopiSrc, accessToken: form.get('access_token') ?? '' };
    if (purpose === 'convert') {
      const converted = withRemark(templates[toExtension] ?? Buffer.alloc(0), 'converted');
      const { answer: made } = await editor.convert(access, toExtension, converted);
      if (made?.HostEditUrl === undefined) send(response, 200, { failure: 'not converted' });
      else response.writeHead(302, { Location: made.HostEditUrl, 'Content-Length': 0 }).end();
      return;
    }
    const isForcing = !dialect.forcesSavesOnRequest || requestsForcedSaves(form.get('docs_api_config'));
    const session = sessions.begin(access, purpose, isForcing);
    if (dialect.opensOn === 'form') await session.open();
    if (dialect.isFramedByHostOnly) {
      const ancestors = `frame-ancestors 'self' ${new URL(wopiSrc).hostname}:*`;
      response.setHeader('Content-Security-Policy', ancestors);
    }
    const html = editorPage({ kind, isLegacy, session: `/session/${session.id}` });
    send(response, 200, html, 'text/html; charset=utf-8');
  }

  return {
    url: serverUrl,
    keys,
    sessions: sessions.all,
    /** The calls to the host since the start. */
    exchanges,
    /** The requests to the server: method, path and query. */
    requests,
    trust: (next: string | undefined): void => void (authority = next),
    /** Stops the server without a last save. */
    async stop(): Promise<void> {
      sessions.freeze();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function requestsForcedSaves(docsApiConfig: string | null): boolean {
  const config = JSON.parse(docsApiConfig ?? '{}') as {
    editorConfig?: { customization?: { forcesave?: boolean } };
  };
  return config.editorConfig?.customization?.forcesave === true;
}

/** The end of the stream means that the page was closed. */
async function streamEvents(session: Session, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  const write = (state: object): void =>
    void response.write(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
  const end = session.watch(write);
  response.on('close', () => {
    end();
    session.leave().catch(() => undefined);
  });
  await session.open();
  write(session.state());
}

/** Plain controls with accessible names, by which the tests find them. */
function editorPage(config: PageConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${config.kind}</title>
<script type="application/json" id="config">${json}</script><script type="module" src="/editor-page.js"></script></head>
<body><main><h1 id="name">Loading…</h1><p id="status" role="status"></p><p id="people"></p>
<pre id="text"></pre>
<label>Text <input id="new-text"></label><button id="type">Type</button><button id="save">Save</button>
<label>Name <input id="new-name"></label><button id="rename">Rename</button><button id="save-as">Save copy as</button>
<button id="edit">Edit document</button><button id="share">Share</button><button id="versions">Version history</button>
<button id="close">Close document</button></main></body></html>`;
}

function send(
  response: ServerResponse,
  status: number,
  body: string | object,
  type = 'application/json; charset=utf-8',
): void {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(content) });
  response.end(content);
}
