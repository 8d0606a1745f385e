// A complete host with a document server whose pages are elsewhere, and what a browser does to open a document in it.

import type { PagesBuild } from '../../app/server/pages/built-pages.ts';
import type { User } from '../../app/store/users.ts';
import { startDocumentServer } from './document-server.ts';
import { startTestHost } from './test-host.ts';
import { enterPage, type TestPage } from './test-page.ts';

export const password = 'correct horse battery';
const actions = ['docx edit', 'docx view', 'pdf view', 'doc view', 'doc convert', 'odg convert'];

export type Pages = Awaited<ReturnType<typeof openPages>>;

/** @param pagesBuild defaults to fake pages that are already built */
export async function openPages(files: Readonly<Record<string, string | Buffer>>, pagesBuild?: PagesBuild) {
  const host = await startTestHost({ files, ...(pagesBuild !== undefined && { pagesBuild }) });
  const { services } = host.host;
  const server = await startDocumentServer({ actions });
  // Their address shows which product it is.
  server.pages = `${server.url}/cool.html/hosting`;
  const { id: editorId } = await services.editors.add({ url: server.url });
  const owner = services.users.byLogin('owner') as User;

  const fileIdOf = async (path: string): Promise<string> => {
    const { id } = await services.folders.require().folder.openPath(path);
    return id;
  };
  return {
    host,
    services,
    clock: host.clock,
    origin: host.baseUrl,
    folder: host.folder,
    owner,
    server,
    editorId,
    fileIdOf,

    /** Another editor for the same types. `pagesAt`: on another host. */
    async connect(t: { after(end: () => Promise<void>): void }, pagesAt?: string): Promise<string> {
      const other = await startDocumentServer({ actions, pages: pagesAt }, t);
      const { id } = await services.editors.add({ url: other.url, acceptsOtherHosts: pagesAt !== undefined });
      t.after(async () => {
        if (services.editors.byId(id) !== undefined) await services.editors.remove(id);
      });
      return id;
    },

    addUser: (login: string, role: 'editor' | 'viewer', displayName = login) =>
      services.users.add({ login, displayName, role, password }),

    /** Enters with a new ticket. */
    async enter(
      path: string,
      given: { user?: User; mode?: 'edit' | 'view'; editorId?: string } = {},
    ): Promise<TestPage> {
      const { user = owner, mode = 'edit', editorId = null } = given;
      const fileId = await fileIdOf(path);
      const ticket = services.tickets.issue({ userId: user.id, fileId, mode, editorId });
      return enterPage(`${host.baseUrl}/${mode}/${fileId}?ticket=${ticket}`);
    },

    /** Requests a token for the page, and returns the answer and what the token grants. */
    async open(page: TestPage) {
      const { body } = await page.post('open');
      const grant = services.accessTokens.find(String(body['accessToken']));
      if (grant === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
      return { body, grant };
    },

    async close(): Promise<void> {
      await server.stop();
      await host.stop();
    },
  };
}
