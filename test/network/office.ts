// An office network in the lab: DocTray runs on `desk`, a document server on `docs`, and the user has a terminal and a browser on
// `desk`.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ConnectionStep, ConnectionTest, EditorItem } from '../../app/contract/editors.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { cli, cliJson, makeScratch, serve } from '../crash/serve-process.ts';
import { readFixture, withRemark } from '../editors/office-zip.ts';
import type { DialectKind } from '../editors/dialects/dialect.ts';
import { createBrowser } from '../editors/servers/host-page-visitor.ts';
import { createLab, type MachineName } from './lab.ts';
import { startMachine, type Machine } from './machine.ts';

export const port = 8790;

/** The document that is edited. */
const path = 'letter.docx';

export async function openOffice(context: TestContext, settings: Partial<Settings> = {}) {
  const scratch = makeScratch();
  const lab = await createLab();
  const machines = new Map<MachineName, Machine>();
  const letter = await readFixture(path);
  writeFileSync(join(scratch.folder, path), letter);
  mkdirSync(scratch.dataDir, { recursive: true, mode: 0o700 });
  const given = { port, textEditor: false, ...settings };
  writeFileSync(join(scratch.dataDir, 'settings.json'), JSON.stringify(given), { mode: 0o600 });
  let trusted: { authority?: string } = {};
  const starting = serve({ ...scratch, port, entering: lab.on('desk') });
  context.after(async () => {
    for (const machine of machines.values()) await machine.stop();
    await starting.then(
      (host) => host.kill(),
      () => undefined,
    );
    await lab.remove();
    scratch.remove();
  });
  await starting;

  const machine = (name: MachineName): Machine => {
    const known = machines.get(name) ?? startMachine(lab, name);
    machines.set(name, known);
    return known;
  };
  const browser = createBrowser((url, options) =>
    machine('desk').call('ask', url, { ...options, ...trusted }),
  );
  const json = (...args: string[]) => cliJson(scratch.dataDir, args);
  let connected: EditorItem | undefined;
  const office = {
    lab,
    folder: scratch.folder,
    dataDir: scratch.dataDir,
    machine,
    /** Runs a terminal command. */
    json,
    set: (key: keyof Settings, value: string) => json('settings', 'set', key, value),
    /** Starts a document server on `docs` and connects it, instead of the one before. */
    async connect(
      kind: DialectKind,
      {
        host: on = lab.ipv4('docs'),
        publicUrl,
        authority,
      }: Partial<Record<'host' | 'publicUrl' | 'authority', string>> = {},
    ): Promise<EditorItem> {
      if (connected !== undefined) await json('editors', 'remove', connected.id);
      const trusting = authority === undefined ? {} : { authority };
      const url = await machine('docs').call('startServer', { kind, host: on, ...trusting });
      const more = publicUrl === undefined ? [] : ['--public-url', publicUrl];
      connected = (await json('editors', 'add', url, ...more)) as EditorItem;
      await json('editors', 'change', connected.id, '--proof', 'required');
      return connected;
    },
    /** Makes the server on `docs` and the browser on `desk` trust the authority (PEM). */
    async trust(authority: string) {
      trusted = { authority };
      await machine('docs').call('trust', authority);
    },
    useAddress: ({ id }: EditorItem, url: string) => json('editors', 'use-address', id, url),
    /** @returns `{ discovery: 'passed', … }`, with the error code of steps that didn't pass */
    async test({ id }: EditorItem): Promise<Record<string, string>> {
      const { stdout } = await cli(scratch.dataDir, ['editors', 'test', id, '--json']);
      const { steps } = JSON.parse(stdout) as ConnectionTest;
      const verdictOf = ({ state, code }: ConnectionStep): string =>
        code === null || state === 'passed' ? state : `${state}: ${code}`;
      return Object.fromEntries(steps.map((step) => [step.name, verdictOf(step)]));
    },

    /** Opens the document through the host page, in the browser on `desk`. */
    async open() {
      const file = join(scratch.folder, path);
      const printed = (await json('open', file)) as { page: { url: string } | null };
      assert.ok(printed.page !== null, 'a connected editor opens it');
      const hostPage = await browser.go(printed.page.url);
      assert.equal(hostPage.page.status, 200, `${hostPage.url}: ${hostPage.page.text}`);
      const opened = await hostPage.open();
      const visit = await machine('desk').call('visit', hostPage.form(opened));
      return { hostPage, opened, visit };
    },
    /** Opens, edits, saves and closes the document, and checks the file. */
    async editDocument(text: string) {
      const desk = machine('desk');
      const { visit } = await office.open();
      const { failure, mode } = await desk.call('state', visit);
      assert.deepEqual({ failure, mode }, { failure: '', mode: 'edit' });
      await desk.call('do', visit, 'type', { text });
      assert.deepEqual(await desk.call('do', visit, 'save'), { status: 200 });
      const saved = readFileSync(join(scratch.folder, path));
      assert.ok(saved.equals(withRemark(letter, text)), 'the file is changed');
      await desk.call('do', visit, 'leave');
      assert.deepEqual(await json('locks'), []);
    },
  };
  return office;
}

const steps = ['discovery', 'page', 'callback', 'proof', 'clock'];
export const allPassed = Object.fromEntries(steps.map((name) => [name, 'passed']));
