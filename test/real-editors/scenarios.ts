// What must work with every document server. In each scenario a user opens another document through DocTray's host page and works in
// the editor; then the file on disk is checked.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { access, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright';
import { makePlace, type Place } from '../cli/processes.ts';
import { readFixture } from '../editors/office-zip.ts';
import { documentText } from './document-text.ts';
import type { EditorUi } from './editor-ui.ts';

export interface Stage {
  place: Place;
  /** The id or name of the connected editor. */
  editor: string;
  ui: EditorUi;
  /** The browsers of two users, as `openPlace` returns them. */
  owner: BrowserContext;
  guest: BrowserContext;
  /** Aborts the run without a result for the current scenario. */
  stop: AbortSignal;
  /** Long, because ONLYOFFICE saves some time after the last user has closed the document. */
  timeoutMs: number;
}

interface Scenario {
  name: string;
  run(stage: Stage): Promise<void>;
}

const guestLogin = { login: 'ana', password: 'a password for ana' };

/** A host with the documents that the scenarios open, the guest as a user, and the browsers of both users. */
export async function openPlace(
  browser: Browser,
  change: (place: Place) => Place = (place) => place,
): Promise<Pick<Stage, 'place' | 'owner' | 'guest'> & { host: Awaited<ReturnType<Place['serve']>> }> {
  const letter = { docx: await readFixture('letter.docx'), odt: await readFixture('letter.odt') };
  const names = ['save.docx', 'rename.docx', 'original.docx', 'together.docx', 'close.docx'];
  const files = { ...Object.fromEntries(names.map((name) => [name, letter.docx])), 'save.odt': letter.odt };
  const place = change(await makePlace(files, { textEditor: false }));
  const host = await place.serve();
  const add = ['users', 'add', guestLogin.login, '--password-stdin', '--data', place.dataDir];
  const { code, stderr } = await place.run(add, { input: `${guestLogin.password}\n` });
  assert.equal(code, 0, stderr);
  const newUser = () => browser.newContext({ locale: 'en-US', viewport: { width: 1400, height: 900 } });
  return { place, host, owner: await newUser(), guest: await newUser() };
}

const pollMs = 500;
const saveAgainMs = 10_000;

async function until(stage: Stage, what: string, isSo: () => Promise<boolean>): Promise<void> {
  const { timeoutMs } = stage;
  const endsAtMs = Date.now() + timeoutMs;
  for (;;) {
    if (await isSo()) return;
    if (Date.now() > endsAtMs) throw new Error(`Not within ${timeoutMs / 1000} s: ${what}.`);
    await delay(pollMs);
  }
}

/** A random word, which no editor corrects or splits. */
function newWord(): string {
  const letters = [...randomBytes(8)].map((byte) => String.fromCodePoint(97 + (byte % 26)));
  return `qx${letters.join('')}`;
}

async function json<Result>({ place }: Stage, ...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await place.run([...args, '--json', '--data', place.dataDir]);
  assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Result;
}

/** Case-insensitive, because editors capitalize the first word of a sentence. */
async function isOnDisk(stage: Stage, name: string, words: readonly string[]): Promise<boolean> {
  const bytes = await readFile(join(stage.place.folder, name));
  const text = documentText(name, bytes).toLowerCase();
  return words.every((word) => text.includes(word));
}

function untilOnDisk(stage: Stage, name: string, word: string): Promise<void> {
  const what = `${name} contains what was typed`;
  return until(stage, what, () => isOnDisk(stage, name, [word]));
}

function hasFile({ place }: Stage, name: string): Promise<boolean> {
  return access(join(place.folder, name)).then(
    () => true,
    () => false,
  );
}

/** Opens the document's page by its link. The guest's link has no ticket, so the guest signs in. */
async function open(stage: Stage, name: string, as: 'owner' | 'guest' = 'owner'): Promise<Page> {
  const { page: link } = await json<{ page: { url: string } | null }>(
    stage,
    'open',
    name,
    '--editor',
    stage.editor,
  );
  assert.ok(link !== null, `${name} opens in no editor`);
  const url = new URL(link.url);
  if (as === 'guest') url.search = '';
  const page = await stage[as].newPage();
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  await page.goto(url.href);
  if (as === 'guest') await signIn(page);
  await page.locator('body[data-phase="ready"]').waitFor({ timeout: stage.timeoutMs });
  await stage.ui.ready(page);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('User name').fill(guestLogin.login);
  await page.getByLabel('Password').fill(guestLogin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

function statusIs({ timeoutMs }: Stage, page: Page, pattern: RegExp): Promise<void> {
  return page.locator('header [role="status"]').filter({ hasText: pattern }).waitFor({ timeout: timeoutMs });
}

/** Types a word, and waits until the host page shows an unsaved change. */
async function typeWord(stage: Stage, page: Page): Promise<string> {
  const word = newWord();
  await stage.ui.type(page, word);
  await statusIs(stage, page, /not saved|not in the file/iu);
  return word;
}

async function saveAndCheck(stage: Stage, page: Page, name: string, word: string): Promise<void> {
  await stage.ui.save(page);
  await untilOnDisk(stage, name, word);
  await statusIs(stage, page, /^Saved/u);
}

/** Waits until all documents are unlocked. */
function unlocked(stage: Stage): Promise<void> {
  return until(
    stage,
    'all locks are released',
    async () => (await json<unknown[]>(stage, 'locks')).length === 0,
  );
}

function savesAs(name: string): Scenario {
  return {
    name: `open, type and save a .${name.split('.').at(-1) ?? ''}`,
    async run(stage) {
      const before = await readFile(join(stage.place.folder, name));
      const page = await open(stage, name);
      await saveAndCheck(stage, page, name, await typeWord(stage, page));
      assert.notDeepEqual(await readFile(join(stage.place.folder, name)), before);
      const { versions } = await json<{ versions: unknown[] }>(stage, 'versions', name);
      assert.ok(versions.length > 0, 'the replaced content is kept as a version');
    },
  };
}

const rename: Scenario = {
  name: 'rename, and save under the new name',
  async run(stage) {
    const page = await open(stage, 'rename.docx');
    await stage.ui.rename(page, 'renamed');
    // For a moment, the file has both names.
    await until(
      stage,
      'the file has only the new name',
      async () => (await hasFile(stage, 'renamed.docx')) && !(await hasFile(stage, 'rename.docx')),
    );
    await page.getByRole('heading', { name: 'renamed.docx' }).waitFor({ timeout: stage.timeoutMs });
    await saveAndCheck(stage, page, 'renamed.docx', await typeWord(stage, page));
    assert.equal(await hasFile(stage, 'rename.docx'), false);
  },
};

const saveCopy: Scenario = {
  name: 'save as a copy',
  async run(stage) {
    const page = await open(stage, 'original.docx');
    const word = await typeWord(stage, page);
    await saveAndCheck(stage, page, 'original.docx', word);
    const before = new Set(await readdir(stage.place.folder));
    await stage.ui.saveCopy(page, 'copy.docx');
    let copy = '';
    await until(stage, 'there is a copy', async () => {
      const names = await readdir(stage.place.folder);
      copy = names.find((name) => !before.has(name) && name.endsWith('.docx')) ?? '';
      return copy !== '';
    });
    await untilOnDisk(stage, copy, word);
    assert.ok(await isOnDisk(stage, 'original.docx', [word]), 'the original stays');
  },
};

const together: Scenario = {
  name: 'two users type in one document',
  async run(stage) {
    const owner = await open(stage, 'together.docx');
    const guest = await open(stage, 'together.docx', 'guest');
    const first = await typeWord(stage, owner);
    const second = await typeWord(stage, guest);
    let savedAtMs = 0;
    const isSaved = async (): Promise<boolean> => {
      // Retry, because the editor's server gets the other user's text asynchronously.
      if (Date.now() - savedAtMs >= saveAgainMs) {
        await stage.ui.save(owner);
        savedAtMs = Date.now();
      }
      return isOnDisk(stage, 'together.docx', [first, second]);
    };
    await until(stage, 'the file contains both texts', isSaved);
    await guest.close();
    // ONLYOFFICE signals typing every 30 s, so the page may not show this change.
    const third = newWord();
    await stage.ui.type(owner, third);
    await saveAndCheck(stage, owner, 'together.docx', third);
    assert.ok(await isOnDisk(stage, 'together.docx', [first, second]), 'both texts stay');
  },
};

const close: Scenario = {
  name: 'close without saving: the text is on disk, and the lock is released',
  async run(stage) {
    const page = await open(stage, 'close.docx');
    const word = await typeWord(stage, page);
    await stage.ui.close(page);
    await untilOnDisk(stage, 'close.docx', word);
    await page.waitForURL((url) => !/\/edit\/[\w-]+$/u.test(url.pathname), { timeout: stage.timeoutMs });
    await page.close();
    await unlocked(stage);
  },
};

const nothingLeft: Scenario = {
  name: 'no save was refused, and no lock or conflict is left',
  async run(stage) {
    await unlocked(stage);
    assert.deepEqual(await json(stage, 'recovered'), []);
    assert.deepEqual(await json(stage, 'conflicts'), []);
  },
};

const scenarios: readonly Scenario[] = [
  savesAs('save.docx'),
  savesAs('save.odt'),
  rename,
  saveCopy,
  together,
  close,
  nothingLeft,
];

export interface ScenarioResult {
  name: string;
  seconds: number;
  /** Undefined if it passed. */
  problem: string | undefined;
}

/**
 * Runs the scenarios, even after a failure.
 * @param onFailure gets the pages in their state after the failure
 */
export async function runScenarios(
  stage: Stage,
  onResult: (result: ScenarioResult) => void,
  onFailure: (name: string, pages: Page[]) => Promise<void>,
): Promise<void> {
  for (const { name, run } of scenarios) {
    if (stage.stop.aborted) return;
    const startedAtMs = Date.now();
    let problem: string | undefined;
    try {
      await run(stage);
    } catch (error) {
      if (stage.stop.aborted) return;
      problem = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
      await onFailure(name, [...stage.owner.pages(), ...stage.guest.pages()]);
    }
    for (const page of [...stage.owner.pages(), ...stage.guest.pages()]) await page.close();
    onResult({ name, seconds: Math.round((Date.now() - startedAtMs) / 1000), problem });
  }
}
