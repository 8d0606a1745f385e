// The host pages with real services, a real folder and real sockets. Only the editors' discovery is a fake. The methods do what
// a browser would: they send cookies and origins, and don't follow redirects.

import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Koa from 'koa';
import { createPageCopies } from '../../app/accounts/page-copies.ts';
import { createPageSessions } from '../../app/accounts/page-sessions.ts';
import { createTickets } from '../../app/accounts/tickets.ts';
import type { User } from '../../app/store/users.ts';
import { openServices } from '../../app/host/services.ts';
import type { EditorKind } from '../../app/contract/editors.ts';
import type { AppError } from '../../app/contract/errors.ts';
import { createEditors } from '../../app/editors/editors.ts';
import { createLogger } from '../../app/log/logger.ts';
import { addressList } from '../../app/network/addresses.ts';
import { callerOf } from '../../app/server/client-address.ts';
import { createOpenDocument, createOpenInEditor } from '../../app/server/document-access.ts';
import { createErrors } from '../../app/server/middleware/errors.ts';
import { createVersionViews } from '../../app/wopi/version-views.ts';
import type { RequestState } from '../../app/server/request-state.ts';
import { createBuiltPage, type PagesBuild } from '../../app/server/pages/built-pages.ts';
import { createRunningSaves } from '../../app/server/running-saves.ts';
import { createPagesRoutes } from '../../app/server/routes/pages.ts';
import { createPageSessionsTable } from '../../app/store/page-sessions.ts';
import { writeFakePages } from './fake-pages.ts';
import { cheapPasswords } from './test-host.ts';

export const password = 'correct horse battery';
export const editorUrl = 'http://docs.example:9980';

/** The actions in the editor's discovery, as `extension name`. */
const actions = ['docx edit', 'docx view', 'pdf view', 'doc view', 'doc convert', 'odg convert'];

export type Pages = Awaited<ReturnType<typeof openPages>>;

/** @param pagesBuild defaults to fake pages that are already built */
export async function openPages(files: Readonly<Record<string, string | Buffer>>, pagesBuild?: PagesBuild) {
  const place = await mkdtemp(join(tmpdir(), 'doctray-pages-'));
  const folder = join(place, 'documents');
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const pagesFolder = join(place, 'pages');
  await writeFakePages(pagesFolder);
  const log = createLogger([]);
  delete process.env['DBUS_SESSION_BUS_ADDRESS'];
  let movedMs = 0;
  const clock = (): number => Date.now() + movedMs;
  const services = await openServices({
    dataDir: join(place, 'data'),
    folder,
    clock,
    log,
    passwordCost: cheapPasswords,
  });
  const { users, accessTokens, folders, store } = services;
  const { user: owner } = await users.ensureOwner({ password });

  const tickets = createTickets({ clock, users });
  const tokenKey = randomBytes(32);
  const table = createPageSessionsTable(store.db);
  const pageSessions = createPageSessions({ table, users, accessTokens, tickets, clock, tokenKey });
  const copies = createPageCopies({ clock });
  const runningSaves = createRunningSaves(services);
  const known: { kind: EditorKind; url: string } = { kind: 'collabora', url: editorUrl };
  const editors = createEditors({
    db: store.db,
    clock,
    fetchDiscovery: async () => ({
      kind: known.kind,
      product: 'Editor',
      version: '1',
      discovery: {
        actions: actions.map((one) => {
          const [extension = '', name = ''] = one.split(' ');
          const urlsrc = `${known.url}/hosting/${name}?<ui=UI_LLCC&>`;
          return { app: 'writer', name, extension, urlsrc, isDefault: false };
        }),
        proofKeys: null,
      },
    }),
    emit: () => undefined,
    newId: () => randomBytes(4).toString('hex'),
    log,
  });
  const state: { refusal: AppError | undefined; knownBases: string[] } = {
    refusal: undefined,
    knownBases: [],
  };

  const app = new Koa<RequestState>();
  app.silent = true;
  app.use((context, next) => {
    context.state.client = callerOf(context.req, addressList([]));
    context.state.correlationId = 'test';
    return next();
  });
  app.use(createErrors({ log }));
  app.use(
    createPagesRoutes({
      tickets,
      pageSessions,
      copies,
      users,
      accessTokens,
      editors,
      signIn: services.signIn,
      locks: services.locks,
      sessions: services.sessions,
      saves: runningSaves,
      settings: services.settings,
      missedSaves: services.missedSaves,
      recoveredSaves: services.recoveredSaves,
      conflicts: services.conflicts,
      closedPages: services.closedPages,
      clock,
      folderOf: (fileId) => folders.forFile(fileId)?.folder,
      hostedFolderOf: folders.forFile,
      newDocuments: services.newDocuments,
      documentChanges: services.documentChanges,
      versionViews: createVersionViews({ clock, users }),
      isUnhosted: folders.isUnhosted,
      baseUrlOf: () => 'http://host.docker.internal:8790',
      browserUrlOf: (_editor, url) => url,
      refusalOfOpen: () => state.refusal,
      knownBases: () => state.knownBases,
      hostPage: createBuiltPage('host-page', { ...(pagesBuild ?? { folder: pagesFolder }), log }),
      log,
    }).routes(),
  );
  const handler = app.callback();
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { folder: services.folder, tickets, accessTokens, editors, pageUrlOf: () => origin };

  return {
    origin,
    folder,
    owner,
    services,
    tickets,
    pageSessions,
    copies,
    runningSaves,
    editors,
    known,
    state,
    openDocument: createOpenDocument({ ...access, publicUrl: () => 'http://host.docker.internal:8790' }),
    openInEditor: createOpenInEditor(access),
    clock: {
      now: clock,
      advance(ms: number) {
        movedMs += ms;
      },
    },

    connect: () => editors.add({ url: known.url }),

    async fileId(path: string): Promise<string> {
      const file = await services.folder()?.openPath(path);
      if (file === undefined) throw new Error('no folder');
      return file.id;
    },

    /** Redeems a new ticket and returns the Cookie header of the page session. */
    async enter(
      user: User,
      fileId: string,
      grant: { mode?: 'edit' | 'view'; editorId?: string } = {},
    ): Promise<string> {
      const { mode = 'edit', editorId = null } = grant;
      const ticket = tickets.issue({ userId: user.id, fileId, mode, editorId });
      const answer = await fetch(`${origin}/${mode}/${fileId}?ticket=${ticket}`, { redirect: 'manual' });
      if (answer.status !== 303) throw new Error(`Entering: ${answer.status}`);
      return cookieOf(answer);
    },

    /** A call of the page's script. */
    async post(
      path: string,
      options: { cookie?: string; body?: unknown; headers?: Record<string, string> } = {},
    ): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
      const { cookie, body = {}, headers } = options;
      const answer = await fetch(origin + path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Origin: origin,
          ...(cookie !== undefined && { Cookie: cookie }),
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      };
    },

    async signIn(
      path: string,
      form: { userName: string; password: string },
      headers: Record<string, string> = { Origin: origin },
    ): Promise<Response> {
      return fetch(`${origin}${path}/sign-in`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form),
        redirect: 'manual',
      });
    },

    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      editors.close();
      await services.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}

export function cookieOf(answer: Response): string {
  const [first = ''] = answer.headers.getSetCookie();
  return first.split(';')[0] ?? '';
}
