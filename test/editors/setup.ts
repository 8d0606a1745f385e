// A running host with the fixtures in its folder and users, for the tests with scripted editors.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PagesBuild } from '../../app/server/pages/built-pages.ts';
import type { User } from '../../app/store/users.ts';
import { startTestHost } from '../server/test-host.ts';
import { fixtureNames, readFixture, withRemark, type FixtureName } from './office-zip.ts';
import { startDocumentServer, type DocumentServerOptions } from './servers/document-server.ts';
import { createBrowser } from './servers/host-page-visitor.ts';
import { visit, type Visit } from './servers/visitor.ts';

interface OpenOptions {
  mode?: 'edit' | 'view';
  login?: string | undefined;
}

export type Setup = Awaited<ReturnType<typeof openSetup>>;

const password = 'a long enough password';

/** @param pagesBuild the built host page, for a real browser; defaults to a fake */
export async function openSetup(
  context: TestContext,
  files: Record<string, string> = {},
  pagesBuild?: PagesBuild,
) {
  const read = await Promise.all(fixtureNames.map(async (name) => [name, await readFixture(name)] as const));
  const fixtures = Object.fromEntries(read) as Record<FixtureName, Buffer>;
  const options = { files: { ...fixtures, ...files }, ...(pagesBuild !== undefined && { pagesBuild }) };
  const host = await startTestHost(options, context);
  const onDisk = async (path: string): Promise<Buffer> => readFile(join(host.folder, path));
  return {
    host,
    fixtures,
    /** The host's current address, so that editors find it after a restart. */
    address: () => host.baseUrl,
    /** Opens a document, and returns what the host page would post to the editor. */
    async access(path: string, { mode = 'edit', login }: OpenOptions = {}) {
      const apiToken = login === undefined ? undefined : await host.signIn(login, password);
      return host.access(path, { mode, ...(apiToken !== undefined && { apiToken }) });
    },
    async addUser(login: string, role: 'editor' | 'viewer'): Promise<void> {
      await host.host.services.users.add({ login, displayName: login, role, password });
    },
    onDisk,
    /** Checks that the document is the fixture with this text, by default the fixture of its name. */
    async assertText(path: string, text: string, fixture = path as FixtureName): Promise<void> {
      assert.deepEqual(await onDisk(path), withRemark(fixtures[fixture], text));
    },
    /** Names in the hosted folder, sorted. */
    names: async () => (await readdir(host.folder)).toSorted(),
  };
}

export type ConnectedSetup = Awaited<ReturnType<typeof openConnectedSetup>>;

/** A host with a connected document server. Documents are opened as in a browser, from the link to the editor's page. */
export async function openConnectedSetup(
  context: TestContext,
  kind: DocumentServerOptions | DocumentServerOptions['kind'],
  files?: Record<string, string>,
  pagesBuild?: PagesBuild,
) {
  const setup = await openSetup(context, files, pagesBuild);
  const server = await startDocumentServer(typeof kind === 'string' ? { kind } : kind);
  context.after(() => server.stop());
  const { id: editorId } = await setup.host.host.services.editors.add({ url: server.url });
  const browser = createBrowser();

  const connected = {
    setup,
    server,
    /** The id of the connected editor. */
    editorId,
    browser,
    /** Opens a document, and returns the link with a ticket. */
    async click(path: string, { mode = 'edit', login = 'owner' }: OpenOptions = {}): Promise<string> {
      const user = setup.host.host.services.users.byLogin(login) as User;
      return (await setup.host.host.openInEditor({ user, path, mode, editorId: null })).url;
    },
    async open(path: string, options: OpenOptions = {}) {
      // Every user has a separate browser.
      const own = options.login === undefined ? browser : createBrowser();
      const hostPage = await own.go(await connected.click(path, options));
      assert.equal(hostPage.page.status, 200, hostPage.page.text);
      const opened = await hostPage.open();
      const fileId = new URL(hostPage.url).pathname.split('/').at(-1) ?? '';
      return { hostPage, opened, editor: await visit(hostPage.form(opened)), fileId };
    },
    /** Closes the editor's page: its document is saved and unlocked. */
    async leave(editor: Visit): Promise<void> {
      await editor.do('leave');
      assert.deepEqual(setup.host.host.services.locks.list(), []);
    },
  };
  return connected;
}
