// A running host with the fixtures in its folder and users, for the tests with scripted editors.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PagesBuild } from '../../app/server/pages/built-pages.ts';
import type { User } from '../../app/store/users.ts';
import { startTestHost } from '../server/test-host.ts';
import type { TestHost } from '../server/test-host.ts';
import { startTextEditorHost, type TextEditorHost } from '../server/text-editor-host.ts';
import { assertWopiRules } from './wopi-rules.ts';
import { fixtureNames, readFixture } from './office-zip.ts';
import type { FixtureName } from './office-zip.ts';
import {
  startDocumentServer,
  type DocumentServer,
  type DocumentServerOptions,
} from './servers/document-server.ts';
import { createBrowser, type Browser, type HostPage, type OpenAnswer } from './servers/host-page-visitor.ts';
import { visit, type Visit } from './servers/visitor.ts';
import type { Access, Exchange } from './wire.ts';

type Files = Record<string, Buffer | string>;

interface OpenOptions {
  mode?: 'edit' | 'view';
  login?: string;
}

export interface Setup<Host extends TestHost = TestHost> {
  host: Host;
  /** The host's current address, so that editors find it after a restart. */
  address: () => string;
  fixtures: Record<FixtureName, Buffer>;
  /** Opens a document, and returns what the host page would post to the editor. */
  access: (path: string, options?: OpenOptions) => Promise<Access & { fileId: string }>;
  addUser: (login: string, role: 'editor' | 'viewer') => Promise<void>;
  onDisk: (path: string) => Promise<Buffer>;
  /** Names in the hosted folder, sorted. */
  names: () => Promise<string[]>;
  heldLock: (fileId: string) => Promise<string>;
  /** Checks every answer that the editors received against the common rules. */
  assertRules: (...editors: { exchanges: Exchange[] }[]) => void;
}

const password = 'a long enough password';

/** Also starts the built-in text editor. */
export async function openTextSetup(test: TestContext, files: Files): Promise<Setup<TextEditorHost>> {
  const fixtures = await readFixtures();
  return setupOf(await startTextEditorHost(test, { files: { ...fixtures, ...files } }), fixtures);
}

async function readFixtures(): Promise<Record<FixtureName, Buffer>> {
  const read = await Promise.all(fixtureNames.map(async (name) => [name, await readFixture(name)] as const));
  return Object.fromEntries(read) as Record<FixtureName, Buffer>;
}

function setupOf<Host extends TestHost>(host: Host, fixtures: Record<FixtureName, Buffer>): Setup<Host> {
  return {
    host,
    address: () => host.baseUrl,
    fixtures,
    async access(path, { mode = 'edit', login } = {}) {
      const apiToken = login === undefined ? undefined : await host.signIn(login, password);
      return host.access(path, { mode, ...(apiToken === undefined ? {} : { apiToken }) });
    },
    async addUser(login, role) {
      await host.host.services.users.add({ login, displayName: login, role, password });
    },
    onDisk: async (path) => readFile(join(host.folder, path)),
    names: async () => (await readdir(host.folder)).toSorted(),
    async heldLock(fileId) {
      const { path } = (await host.host.services.folder()!.find(fileId))!.row;
      const { accessToken } = await host.access(path);
      const answer = await host.wopi({ method: 'POST', fileId, token: accessToken, override: 'GET_LOCK' });
      return answer.headers.get('x-wopi-lock') ?? 'no header';
    },
    assertRules(...editors) {
      for (const { exchanges } of editors) {
        for (const exchange of exchanges) assertWopiRules(exchange, [host.folder, host.dataDir]);
      }
    },
  };
}

/** A host with a connected document server. Documents are opened as in a browser, from the link to the editor's page. */
export interface ConnectedSetup {
  setup: Setup;
  server: DocumentServer;
  /** The id of the connected editor. */
  editorId: string;
  browser: Browser;
  /** Opens a document, and returns the link with a ticket. */
  click(path: string, options?: OpenOptions): Promise<string>;
  open(
    path: string,
    options?: OpenOptions,
  ): Promise<{ hostPage: HostPage; opened: OpenAnswer; editor: Visit; fileId: string }>;
  /** Waits until the server has saved and unlocked all documents. */
  unlocked(): Promise<void>;
}

/** @param pagesBuild the built host page, for a real browser; defaults to a fake */
export async function openConnectedSetup(
  context: TestContext,
  kind: DocumentServerOptions | DocumentServerOptions['kind'],
  files: Files = {},
  pagesBuild?: PagesBuild,
): Promise<ConnectedSetup> {
  const fixtures = await readFixtures();
  const host = await startTestHost({
    files: { ...fixtures, ...files },
    ...(pagesBuild !== undefined && { pagesBuild }),
  });
  context.after(async () => host.stop());
  const setup = setupOf(host, fixtures);
  const server = await startDocumentServer(typeof kind === 'string' ? { kind } : kind);
  context.after(() => server.stop());
  const { id: editorId } = await host.host.services.editors.add({ url: server.url });
  const browser = createBrowser();

  async function click(path: string, { mode = 'edit', login = 'owner' }: OpenOptions = {}): Promise<string> {
    const user = host.host.services.users.byLogin(login) as User;
    return (await host.host.openInEditor({ user, path, mode, editorId: null })).url;
  }

  return {
    setup,
    server,
    editorId,
    browser,
    click,
    async open(path, options = {}) {
      // Every user has a separate browser.
      const own = options.login === undefined ? browser : createBrowser();
      const hostPage = await own.go(await click(path, options));
      assert.equal(hostPage.page.status, 200, hostPage.page.text);
      const opened = await hostPage.open();
      const fileId = new URL(hostPage.url).pathname.split('/').at(-1) ?? '';
      return { hostPage, opened, editor: await visit(hostPage.form(opened)), fileId };
    },
    async unlocked() {
      const endsAtMs = performance.now() + 30_000;
      while (host.host.services.locks.list().length > 0) {
        assert.ok(performance.now() < endsAtMs, 'the documents are unlocked');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
