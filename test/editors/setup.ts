// A running host with the fixtures in its folder and users, for the tests with scripted editors.

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { PagesBuild } from '../../app/server/pages/built-pages.ts';
import { startTestHost } from '../server/test-host.ts';
import type { TestHost } from '../server/test-host.ts';
import { startTextEditorHost, type TextEditorHost } from '../server/text-editor-host.ts';
import { assertWopiRules } from './wopi-rules.ts';
import { fixtureNames, readFixture } from './office-zip.ts';
import type { FixtureName } from './office-zip.ts';
import type { Access, Exchange } from './wire.ts';

export interface Setup<Host extends TestHost = TestHost> {
  host: Host;
  /** The host's current address, so that editors find it after a restart. */
  address: () => string;
  fixtures: Record<FixtureName, Buffer>;
  /** Opens a document, and returns what the host page would post to the editor. */
  access: (
    path: string,
    options?: { mode?: 'edit' | 'view'; login?: string },
  ) => Promise<Access & { fileId: string }>;
  addUser: (login: string, role: 'editor' | 'viewer') => Promise<void>;
  onDisk: (path: string) => Promise<Buffer>;
  /** Names in the hosted folder, sorted. */
  names: () => Promise<string[]>;
  heldLock: (fileId: string) => Promise<string>;
  /** Checks every answer that the editors received against the common rules. */
  assertRules: (...editors: { exchanges: Exchange[] }[]) => void;
}

const password = 'a long enough password';

/** The host stops after the test. */
export async function openSetup(
  test: TestContext,
  files: Record<string, Buffer | string> = {},
  pagesBuild?: PagesBuild,
): Promise<Setup> {
  const fixtures = await readFixtures();
  const host = await startTestHost({
    files: { ...fixtures, ...files },
    ...(pagesBuild !== undefined && { pagesBuild }),
  });
  test.after(async () => host.stop());
  return setupOf(host, fixtures);
}

/** Also starts the built-in text editor. */
export async function openTextSetup(
  test: TestContext,
  files: Record<string, Buffer | string> = {},
): Promise<Setup<TextEditorHost>> {
  const fixtures = await readFixtures();
  return setupOf(await startTextEditorHost(test, { files: { ...fixtures, ...files } }), fixtures);
}

async function readFixtures(): Promise<Record<FixtureName, Buffer>> {
  const read = await Promise.all(fixtureNames.map(async (name) => [name, await readFixture(name)] as const));
  return Object.fromEntries(read) as Record<FixtureName, Buffer>;
}

function setupOf<Host extends TestHost>(host: Host, fixtures: Record<FixtureName, Buffer>): Setup<Host> {
  const setup: Setup<Host> = {
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
  return setup;
}
