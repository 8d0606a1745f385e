// Two users take turns writing one document in separate browsers while the host is killed, tabs crash and locks are force-cleared at
// random. At the end, every line must exist that was reported as saved, or whose tab didn't crash.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Frame, Page } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { callHost } from '../../app/control/control-client.ts';
import { t } from '../../app/contract/messages.ts';
import { createRandom, seed } from '../random.ts';
import { startKillableHost, type KillableHost } from './killable-host.ts';
import { newContext, pace, patienceMs, type TextElement } from './open-text-editor.ts';
import { until } from '../until.ts';

const { TWO_PEOPLE_EDITS: wantedEdits } = process.env;
const edits = Number(wantedEdits ?? 7);
/** A busy computer may do fewer, unless their number is given. */
const editingMs = wantedEdits === undefined ? 40_000 : Infinity;
const random = createRandom();

const name = 'shared.md';
const password = 'a long enough password';

/** What happens after a line was typed: everything once before anything happens again. */
const deck = [
  'nothing',
  'wait until it is saved',
  'press Ctrl+S',
  'kill the host',
  'crash the tab',
  'hand over',
  'clear the lock',
] as const;
type Event = (typeof deck)[number];

interface Line {
  text: string;
  /** The event during which it was typed, or the next one. */
  event?: Event;
  /** Whether its tab reported it as saved. */
  isReportedSaved: boolean;
  /** Its tab crashed, before it reported the line as saved. */
  isCrashed: boolean;
}

interface Person {
  login: string;
  context: BrowserContext;
  page: Page;
  frame: Frame;
}

const lines: Line[] = [];
const problems: string[] = [];
/** The last event, for failure messages. */
let latest = '';
let host: KillableHost;
let browser: Browser;
let links: Record<string, string>;
let fileId: string;

before(async () => {
  host = await startKillableHost({ [name]: '# Shared\n' });
  const bjorn = { login: 'bjorn', displayName: 'Bjorn', role: 'editor', password } as const;
  await callHost(host.dataDir, 'users.add', bjorn);
  links = { owner: await host.editUrl(name), bjorn: await host.editUrl(name, 'bjorn', password) };
  fileId = /\/edit\/([\w-]+)/u.exec(links['owner'] ?? '')?.[1] ?? '';
  // The editor's frame gets a process of its own, as in a complete Chromium, so that it can crash without the host page.
  browser = await launchBrowser({ withoutCompositing: true, args: ['--site-per-process'] });
});

after(async () => {
  await browser.close();
  await host.remove();
});

describe(`${edits} edits by two people (SEED=${seed}, TWO_PEOPLE_EDITS=${edits})`, () => {
  it('loses no saved line when the host is killed and tabs crash', async (test) => {
    let writer = await arrive('owner');
    await until('permission to edit', () => isEditing(writer));
    let reader = await arrive('bjorn');
    await until(
      'the other user’s lock',
      async () => (await snapshot(reader)).status === t('common.read-only'),
    );

    const endsAtMs = Date.now() + editingMs;
    for (let edit = 1; edit <= edits && Date.now() < endsAtMs; edit += 1) {
      // A crash may have passed the document to the other user.
      if (await isEditing(reader)) [writer, reader] = [reader, writer];
      await until('permission to edit', () => isEditing(writer));
      const line = await type(writer, edit);
      const event = nextEvent();
      line.event = event;
      latest = `${writer.login} typed line ${edit}, then: ${event}`;
      if (event === 'wait until it is saved') {
        await saved(writer, line);
        await until('the line in the reader’s page', async () =>
          (await snapshot(reader)).text.includes(line.text),
        );
      } else if (event === 'press Ctrl+S') {
        await writer.page.keyboard.press('Control+s');
        await saved(writer, line);
      } else if (event === 'kill the host') {
        await killHost(writer, edit);
        if (random.fraction() < 0.5) await crash(writer, reader);
      } else if (event === 'crash the tab') {
        await delay(random.between(0, 1500));
        await crash(writer, reader);
      } else if (event === 'hand over') {
        await saved(writer, line);
        await leave(writer);
        await takeOver(reader);
        [writer, reader] = [reader, writer];
        await comeBack(reader);
      } else if (event === 'clear the lock') {
        await clearLock(writer, reader, edit);
        [writer, reader] = [reader, writer];
      } else await delay(random.between(0, 400));
    }
    if (await isEditing(reader)) [writer, reader] = [reader, writer];
    const last = await type(writer, edits + 1);
    await saved(writer, last);
    await leave(writer);
    await leave(reader);
    assert.equal(await host.stop(), 0);

    const kept = contentsOfEverything();
    const file = kept.get(join(host.folder, name)) ?? '';
    const beside = [...kept].filter(([path]) => path !== join(host.folder, name));
    const promised = lines.filter(({ isReportedSaved, isCrashed }) => isReportedSaved || !isCrashed);
    const isIn = (content: string, { text }: Line): boolean => content.includes(`${text}\n`);
    const lost = promised.filter((line) => ![...kept.values()].some((content) => isIn(content, line)));
    const inFile = file.split('\n').filter((text) => text !== '');
    test.diagnostic(
      `${lines.length} lines were typed; ${promised.length} had to be kept; ${inFile.length - 1} are in the file, beside ${beside.length} other contents`,
    );
    assert.deepEqual(lost.map(nameOf), [], 'lost lines');
    // No user deletes a line, so one that only an earlier version has was overwritten.
    const current = beside.filter(([path]) => !path.includes(join('data', 'versions')));
    const overwritten = promised.filter(
      (line) => !isIn(file, line) && !current.some(([, content]) => isIn(content, line)),
    );
    assert.deepEqual(overwritten.map(nameOf), [], 'lines that a later save overwrote');
    const known = ['# Shared', '', ...lines.map(({ text }) => text)];
    // The user who gets the document after a force-clear may type behind a line that was only saved in part.
    const isBehindPartialLine = (text: string): boolean =>
      lines.some(
        (line) =>
          line.event === 'clear the lock' &&
          text.endsWith(line.text) &&
          known.some((one) => one.startsWith(text.slice(0, -line.text.length))),
      );
    assert.deepEqual(
      file.split('\n').filter((text) => !known.includes(text) && !isBehindPartialLine(text)),
      [],
      'lines that no user typed',
    );
    assert.equal(new Set(inFile).size, inFile.length, 'duplicate lines');
    // On a slow computer, more lines end before they are saved.
    assert.ok(promised.length >= lines.length * 0.5, `too few lines had to be kept: ${promised.length}`);
    assert.deepEqual(problems, []);
  });
});

/** What is left of the deck. */
let cards: Event[] = [];
function nextEvent(): Event {
  if (cards.length === 0) cards = [...deck];
  return cards.splice(random.between(0, cards.length - 1), 1)[0] ?? 'nothing';
}

const nameOf = ({ text, event, isReportedSaved }: Line): string =>
  `${text} (${event}${isReportedSaved ? ', reported as saved' : ''})`;

// users and their tabs

async function arrive(login: string): Promise<Person> {
  return open(login, await newContext(browser), links[login] ?? '');
}

async function open(login: string, context: BrowserContext, address: string): Promise<Person> {
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(address);
  const person: Person = { login, context, page, frame: page.mainFrame() };
  await findFrame(person);
  return person;
}

async function findFrame(person: Person): Promise<void> {
  person.frame = await until('the editor’s frame', () =>
    person.page.frames().find((one) => /\/edit\?/u.test(one.url())),
  );
  await person.frame.locator('.cm-content').waitFor();
}

/** Opens the document again with the page session, because links work only once. */
async function comeBack(person: Person): Promise<void> {
  const { login, context, page } = person;
  await page.close();
  Object.assign(person, await open(login, context, `${host.baseUrl}/edit/${fileId}`));
}

async function leave({ page }: Person): Promise<void> {
  await page.goto('about:blank');
}

/** @param other may take it first */
async function takeOver(person: Person, other?: Person): Promise<void> {
  await until(`permission to edit for ${person.login} (${latest})`, async () => {
    if (await isEditing(person)) return true;
    if (other !== undefined && (await isEditing(other))) return true;
    const button = person.frame.getByRole('button', { name: /^Edit (?:now|here)$/u });
    // With a key, because a click waits for the layout to be stable.
    if (await button.isVisible()) await button.press('Enter', { timeout: 5000 }).catch(() => undefined);
    return false;
  });
}

/** Status and text at one moment. */
async function snapshot({ frame }: Person): Promise<{ status: string; text: string }> {
  return frame.evaluate(() => ({
    status: document.querySelector('.bar .state')?.textContent ?? '',
    text: document.querySelector<TextElement>('.cm-content')?.cmTile.view.state.doc.toString() ?? '',
  }));
}

async function isEditing({ frame }: Person): Promise<boolean> {
  return frame.locator('.cm-content:not([aria-readonly="true"])').isVisible();
}

async function type(person: Person, edit: number): Promise<Line> {
  const { page, frame, login } = person;
  const text = `${login} ${edit} ${random.between(100_000, 999_999)}`;
  await frame.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`${text}\n`);
  const line: Line = { text, isReportedSaved: false, isCrashed: false };
  const shown = await snapshot(person);
  assert.ok(
    shown.text.endsWith(`${text}\n`),
    `what was typed isn’t at the end of the text: ${shown.text.slice(-200)}`,
  );
  lines.push(line);
  return line;
}

/** Waits until the page reports the line as saved. */
async function saved(person: Person, line: Line): Promise<void> {
  await until('the status Saved', async () => {
    await noteSaved(person);
    return line.isReportedSaved;
  });
}

async function noteSaved(person: Person): Promise<void> {
  const { status, text } = await snapshot(person);
  if (status !== t('common.saved')) return;
  for (const line of lines) line.isReportedSaved ||= text.includes(`${line.text}\n`);
}

/**
 * Force-clears the writer's lock, half the time while the writer's browser is offline. Unsaved text goes into a copy, and the reader
 * gets the document.
 */
async function clearLock(writer: Person, reader: Person, edit: number): Promise<void> {
  const { frame, page, context } = writer;
  const isAway = random.fraction() < 0.5;
  await context.setOffline(isAway);
  await delay(random.between(0, 1600 / pace));
  await callHost(host.dataDir, 'locks.forceClear', { ids: [fileId] });
  await takeOver(reader);
  const line = await type(reader, edit + 0.5);
  line.event = 'clear the lock';
  await saved(reader, line);
  await context.setOffline(false);
  const saveCopy = frame.getByRole('button', { name: t('common.save-a-copy-ask'), exact: true });
  // The status alone doesn't distinguish a lost lock from a failed save.
  const text = await until('a lost lock', async () => {
    if (await saveCopy.isVisible()) return 'unsaved';
    return (await snapshot(writer)).status === t('editor.not-editing') && 'saved';
  });
  if (text === 'unsaved') {
    const copy = `copy ${edit}`;
    await saveCopy.press('Enter');
    const field = frame.getByRole('dialog').getByRole('textbox');
    await field.fill(copy);
    await field.press('Enter');
    await page
      .locator('.toast', { hasText: t('common.saved-a-copy-name', { name: `${copy}.md` }) })
      .waitFor();
  }
  await comeBack(writer);
}

/**
 * Crashes the process of the editor's frame, of the host page, or both; unsaved text is lost. This browser keeps no storage for frames
 * of other sites, so the user has to take over the old tab's lock.
 */
async function crash(person: Person, other: Person): Promise<void> {
  const { page, frame, context } = person;
  await noteSaved(person);
  const crashing = [[frame], [frame, page], [page]][random.between(0, 2)] ?? [];
  const sessions = await Promise.all(crashing.map((place) => context.newCDPSession(place)));
  for (const line of lines) line.isCrashed ||= !line.isReportedSaved;
  for (const session of sessions) {
    const isGone = new Promise((resolve) => {
      session.once('Inspector.targetCrashed', resolve);
    });
    // The crashed target never responds.
    void session.send('Page.crash').catch(() => undefined);
    await Promise.race([isGone, delay(patienceMs).then(() => assert.fail('The tab did not crash.'))]);
  }
  await comeBack(person);
  await takeOver(person, other);
}

// the host

async function killHost(person: Person, edit: number): Promise<void> {
  await delay(random.between(0, 2500 / pace));
  await host.kill();
  if (random.fraction() < 0.5) await type(person, edit + 0.5);
  await delay(random.between(0, 1500));
  await host.start();
}

/** The contents of the file, of the other files in the folder, of versions and recovered saves. */
function contentsOfEverything(): Map<string, string> {
  const roots = [host.folder, join(host.dataDir, 'versions'), join(host.dataDir, 'rescued')];
  const paths = roots.flatMap((root) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}
