// An office network in the lab: DocTray runs on `desk`, a document server on `docs`, and the user has a terminal and a browser on
// `desk`.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ConnectionTest, EditorItem } from '../../app/contract/editors.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { cli, cliJson, makeScratch, serve, type ServeProcess } from '../crash/serve-process.ts';
import { readFixture, withRemark } from '../editors/office-zip.ts';
import type { DialectKind } from '../editors/dialects/dialect.ts';
import {
  createBrowser,
  type Browser,
  type HostPage,
  type OpenAnswer,
} from '../editors/servers/host-page-visitor.ts';
import { createLab, type Lab, type MachineName } from './lab.ts';
import { startMachine, type Machine } from './machine.ts';

export const port = 8790;

export interface Office {
  lab: Lab;
  folder: string;
  dataDir: string;
  machine(name: MachineName): Machine;
  /** The browser on `desk`. */
  browser: Browser;
  set(key: keyof Settings, value: string): Promise<void>;
  /** Starts a document server on `docs` and connects it. */
  connect(
    kind: DialectKind,
    options?: { host?: string; publicUrl?: string; authority?: string },
  ): Promise<EditorItem>;
  /** Makes the server on `docs` and the browser on `desk` trust the authority (PEM). */
  trust(authority: string): Promise<void>;
  useAddress(editor: EditorItem, url: string): Promise<void>;
  test(editor: EditorItem): Promise<ConnectionTest>;
  /** Opens a document through the host page, in the browser on `desk`. */
  open(path: string): Promise<{ hostPage: HostPage; opened: OpenAnswer; visit: number }>;
  /** Opens, edits, saves and closes a document, and checks the file. */
  editDocument(path: string, text: string): Promise<void>;
  locks(): Promise<unknown[]>;
  /** Restarts DocTray with the same folders. */
  restart(): Promise<void>;
}

export async function openOffice(context: TestContext, settings: Partial<Settings> = {}): Promise<Office> {
  const scratch = makeScratch();
  const lab = await createLab();
  const machines = new Map<MachineName, Machine>();
  const letter = await readFixture('letter.docx');
  writeFileSync(join(scratch.folder, 'letter.docx'), letter);
  mkdirSync(scratch.dataDir, { recursive: true, mode: 0o700 });
  const given = { port, textEditor: false, ...settings };
  writeFileSync(join(scratch.dataDir, 'settings.json'), JSON.stringify(given), { mode: 0o600 });
  let trusted: { authority?: string } = {};
  const start = () => serve({ ...scratch, port, entering: lab.on('desk') });
  let host: ServeProcess | undefined;
  context.after(async () => {
    for (const machine of machines.values()) await machine.stop();
    await host?.kill();
    await lab.remove();
    scratch.remove();
  });
  host = await start();

  const office: Office = {
    lab,
    folder: scratch.folder,
    dataDir: scratch.dataDir,
    machine(name) {
      const known = machines.get(name) ?? startMachine(lab, name);
      machines.set(name, known);
      return known;
    },
    browser: createBrowser((url, options) =>
      office.machine('desk').call('ask', url, { ...options, ...trusted }),
    ),
    async set(key, value) {
      await cliJson(scratch.dataDir, ['settings', 'set', key, value]);
    },
    async connect(kind, { host: listensOn = lab.ipv4('docs'), publicUrl, authority } = {}) {
      const url = await office.machine('docs').call('startServer', {
        kind,
        host: listensOn,
        ...(authority !== undefined && { authority }),
      });
      const more = publicUrl === undefined ? [] : ['--public-url', publicUrl];
      const added = (await cliJson(scratch.dataDir, ['editors', 'add', url, ...more])) as EditorItem;
      await cliJson(scratch.dataDir, ['editors', 'change', added.id, '--proof', 'required']);
      return added;
    },
    async trust(authority) {
      trusted = { authority };
      await office.machine('docs').call('trust', authority);
    },
    async useAddress({ id }, url) {
      await cliJson(scratch.dataDir, ['editors', 'use-address', id, url]);
    },
    async test({ id }) {
      const { stdout } = await cli(scratch.dataDir, ['editors', 'test', id, '--json']);
      return JSON.parse(stdout) as ConnectionTest;
    },

    async open(path) {
      const file = join(scratch.folder, path);
      const printed = (await cliJson(scratch.dataDir, ['open', file])) as { page: { url: string } | null };
      assert.ok(printed.page !== null, 'a connected editor opens it');
      const hostPage = await office.browser.go(printed.page.url);
      assert.equal(hostPage.page.status, 200, `${hostPage.url}: ${hostPage.page.text}`);
      const opened = await hostPage.open();
      const visit = await office.machine('desk').call('visit', hostPage.form(opened));
      return { hostPage, opened, visit };
    },
    async editDocument(path, text) {
      const desk = office.machine('desk');
      const { visit } = await office.open(path);
      const { failure, mode } = await desk.call('state', visit);
      assert.deepEqual({ failure, mode }, { failure: '', mode: 'edit' });
      await desk.call('do', visit, 'type', { text });
      assert.deepEqual(await desk.call('do', visit, 'save'), { status: 200 });
      assert.ok(
        readFileSync(join(scratch.folder, path)).equals(withRemark(letter, text)),
        'the file is changed',
      );
      await desk.call('do', visit, 'leave');
      await desk.call('goAway', visit);
      assert.deepEqual(await office.locks(), []);
    },
    locks: async () => (await cliJson(scratch.dataDir, ['locks'])) as unknown[],
    async restart() {
      await host?.stop();
      host = await start();
    },
  };
  return office;
}

/** `{ discovery: 'passed', … }`, with the error code of steps that didn't pass. */
export function verdicts({ steps }: ConnectionTest): Record<string, string> {
  return Object.fromEntries(
    steps.map(({ name, state, code }) => [
      name,
      code === null || state === 'passed' ? state : `${state}: ${code}`,
    ]),
  );
}

export const allPassed = {
  discovery: 'passed',
  page: 'passed',
  callback: 'passed',
  proof: 'passed',
  clock: 'passed',
};
