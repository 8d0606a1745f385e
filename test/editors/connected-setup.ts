// A host with a connected document server. Documents are opened as in a browser, from the link to the editor's page.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { User } from '../../app/store/users.ts';
import type { PagesBuild } from '../../app/server/pages/built-pages.ts';
import { openSetup, type Setup } from './setup.ts';
import { startDocumentServer, type DocumentServer } from './servers/document-server.ts';
import type { DialectKind } from './servers/dialect.ts';
import { createBrowser, type Browser, type HostPage, type OpenAnswer } from './servers/host-page-visitor.ts';
import { visit, type Visit } from './servers/visitor.ts';

export interface OpenDocument {
  hostPage: HostPage;
  opened: OpenAnswer;
  editor: Visit;
}

export interface ConnectedSetup {
  setup: Setup;
  server: DocumentServer;
  /** The id of the connected editor. */
  editorId: string;
  browser: Browser;
  user(login?: string): User;
  /** Opens a document, and returns the link with a ticket. */
  click(path: string, options?: { mode?: 'edit' | 'view'; login?: string }): Promise<string>;
  open(path: string, options?: { mode?: 'edit' | 'view'; login?: string }): Promise<OpenDocument>;
  /** Waits until the server has saved and unlocked all documents. */
  unlocked(): Promise<void>;
}

/** @param pagesBuild the built host page, for a real browser; defaults to a fake */
export async function openConnectedSetup(
  context: TestContext,
  kind: DialectKind,
  files: Record<string, Buffer | string> = {},
  pagesBuild?: PagesBuild,
): Promise<ConnectedSetup> {
  const setup = await openSetup(context, files, pagesBuild);
  const server = await startDocumentServer({ kind });
  context.after(() => server.stop());
  const added = await setup.host.host.services.editors.add({ url: server.url });
  const browser = createBrowser();

  const connected: ConnectedSetup = {
    setup,
    server,
    editorId: added.id,
    browser,
    user(login = 'owner') {
      const user = setup.host.host.services.users.byLogin(login);
      assert.ok(user !== undefined);
      return user;
    },
    async click(path, { mode = 'edit', login } = {}) {
      const { openInEditor } = setup.host.host;
      return (await openInEditor({ user: connected.user(login), path, mode, editorId: null })).url;
    },
    async open(path, options = {}) {
      // Every user has a separate browser.
      const own = options.login === undefined ? browser : createBrowser();
      const hostPage = await own.go(await connected.click(path, options));
      assert.equal(hostPage.page.status, 200, hostPage.page.text);
      const opened = await hostPage.open();
      return { hostPage, opened, editor: await visit(hostPage.form(opened)) };
    },
    async unlocked() {
      const endsAtMs = performance.now() + 30_000;
      while (setup.host.host.services.locks.list().length > 0) {
        assert.ok(performance.now() < endsAtMs, 'the documents are unlocked');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
  return connected;
}
