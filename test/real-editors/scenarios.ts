// What must work with every document server. In each scenario a user opens another document through DocTray's host page and works in
// the editor; then the file on disk is checked.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { makePlace, type Place } from '../cli/processes.ts';
import { readFixture } from '../editors/office-zip.ts';
import { engineEnvironment } from './document-server.ts';
import { documentText } from './document-text.ts';
import type { EditorUi } from './editor-ui.ts';

export interface Stage {
  place: Place;
  /** The id of the connected editor. */
  editor: string;
  ui: EditorUi;
  /** The browsers of two users, as `openPlace` returns them. */
  owner: BrowserContext;
  guest: BrowserContext;
}

/** Long, because ONLYOFFICE saves some time after the last user has closed the document. */
const timeoutMs = 120_000;
type Scenario = (stage: Stage) => Promise<void>;
const guestLogin = { login: 'ana', password: 'a password for ana' };

/** A host with the documents that the scenarios open, the guest as a user, and the browsers of both users. */
export async function openPlace(browser: Browser, onCleanup: (cleanUp: () => Promise<void>) => void) {
  const letter = { docx: await readFixture('letter.docx'), odt: await readFixture('letter.odt') };
  const names = ['save.docx', 'rename.docx', 'original.docx', 'together.docx', 'close.docx'];
  const files = { ...Object.fromEntries(names.map((name) => [name, letter.docx])), 'save.odt': letter.odt };
  const place = await makePlace(files, { textEditor: false });
  onCleanup(place.remove);
  Object.assign(place.env, engineEnvironment(process.env));
  const host = await place.serve();
  const add = ['users', 'add', guestLogin.login, '--password-stdin', '--data', place.dataDir];
  const { code, stderr } = await place.run(add, { input: `${guestLogin.password}\n` });
  assert.equal(code, 0, stderr);
  const newUser = () => browser.newContext({ locale: 'en-US', viewport: { width: 1400, height: 900 } });
  return { place, host, owner: await newUser(), guest: await newUser() };
}

const saveAgainMs = 10_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endsAtMs = Date.now() + timeoutMs;
  for (; !(await isSo()); await delay(500))
    if (Date.now() > endsAtMs) throw new Error(`Not within ${timeoutMs / 1000} s: ${what}.`);
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
  return until(`${name} contains what was typed`, () => isOnDisk(stage, name, [word]));
}

const hasFile = ({ place }: Stage, name: string): boolean => existsSync(join(place.folder, name));

/** Opens the document's page by its link. The guest's link has no ticket, so the guest signs in. */
async function open(stage: Stage, name: string, as: 'owner' | 'guest' = 'owner'): Promise<Page> {
  const args = ['open', name, '--editor', stage.editor];
  const { page: link } = await json<{ page: { url: string } | null }>(stage, ...args);
  assert.ok(link !== null, `${name} opens in no editor`);
  const url = new URL(link.url);
  if (as === 'guest') url.search = '';
  const page = await stage[as].newPage();
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  await page.goto(url.href);
  if (as === 'guest') {
    await page.getByLabel('User name').fill(guestLogin.login);
    await page.getByLabel('Password').fill(guestLogin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  await page.locator('body[data-phase="ready"]').waitFor({ timeout: timeoutMs });
  await stage.ui.ready(page);
  return page;
}

function statusIs(page: Page, pattern: RegExp): Promise<void> {
  return page.locator('header [role="status"]').filter({ hasText: pattern }).waitFor({ timeout: timeoutMs });
}

/** Types a word, and waits until the host page shows an unsaved change. */
async function typeWord(stage: Stage, page: Page): Promise<string> {
  const word = newWord();
  await stage.ui.type(page, word);
  await statusIs(page, /not saved|not in the file/iu);
  return word;
}

async function saveAndCheck(stage: Stage, page: Page, name: string, word: string): Promise<void> {
  await stage.ui.save(page);
  await untilOnDisk(stage, name, word);
  await statusIs(page, /^Saved/u);
}

/** Waits until all documents are unlocked. */
function unlocked(stage: Stage): Promise<void> {
  const isUnlocked = async () => (await json<unknown[]>(stage, 'locks')).length === 0;
  return until('all locks are released', isUnlocked);
}

const saves =
  (name: string): Scenario =>
  async (stage) => {
    const before = await readFile(join(stage.place.folder, name));
    const page = await open(stage, name);
    await saveAndCheck(stage, page, name, await typeWord(stage, page));
    assert.notDeepEqual(await readFile(join(stage.place.folder, name)), before);
    const { versions } = await json<{ versions: unknown[] }>(stage, 'versions', name);
    assert.ok(versions.length > 0, 'the replaced content is kept as a version');
  };

export const scenarios: Readonly<Record<string, Scenario>> = {
  'open, type and save a .docx': saves('save.docx'),
  'open, type and save a .odt': saves('save.odt'),
  'rename, and save under the new name': async (stage) => {
    const page = await open(stage, 'rename.docx');
    await stage.ui.rename(page, 'renamed');
    // For a moment, the file has both names.
    await until(
      'the file has only the new name',
      async () => hasFile(stage, 'renamed.docx') && !hasFile(stage, 'rename.docx'),
    );
    await page.getByRole('heading', { name: 'renamed.docx' }).waitFor({ timeout: timeoutMs });
    await saveAndCheck(stage, page, 'renamed.docx', await typeWord(stage, page));
    assert.equal(hasFile(stage, 'rename.docx'), false);
  },

  'save as a copy': async (stage) => {
    const page = await open(stage, 'original.docx');
    const word = await typeWord(stage, page);
    await saveAndCheck(stage, page, 'original.docx', word);
    const before = new Set(await readdir(stage.place.folder));
    await stage.ui.saveCopy(page, 'copy.docx');
    let copy = '';
    await until('there is a copy', async () => {
      const names = await readdir(stage.place.folder);
      copy = names.find((name) => !before.has(name) && name.endsWith('.docx')) ?? '';
      return copy !== '';
    });
    await untilOnDisk(stage, copy, word);
    assert.ok(await isOnDisk(stage, 'original.docx', [word]), 'the original stays');
  },

  'two users type in one document': async (stage) => {
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
    await until('the file contains both texts', isSaved);
    await guest.close();
    // ONLYOFFICE signals typing every 30 s, so the page may not show this change.
    const third = newWord();
    await stage.ui.type(owner, third);
    await saveAndCheck(stage, owner, 'together.docx', third);
    assert.ok(await isOnDisk(stage, 'together.docx', [first, second]), 'both texts stay');
  },

  'close without saving: the text is on disk, and the lock is released': async (stage) => {
    const page = await open(stage, 'close.docx');
    const word = await typeWord(stage, page);
    await stage.ui.close(page);
    await untilOnDisk(stage, 'close.docx', word);
    await page.waitForURL((url) => !/\/edit\/[\w-]+$/u.test(url.pathname), { timeout: timeoutMs });
    await page.close();
    await unlocked(stage);
  },

  'no save was refused, and no lock or conflict is left': async (stage) => {
    await unlocked(stage);
    assert.deepEqual(await json(stage, 'recovered'), []);
    assert.deepEqual(await json(stage, 'conflicts'), []);
  },
};
