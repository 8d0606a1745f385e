// From a link to a saved document, with a real browser and host: the host page, the editor's frame on its own origin, the signed calls.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Frame, Page } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { pagesBuild } from '../../app/terminal/pages-build.ts';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { startKillableHost } from './killable-host.ts';
import { until } from './open-text-editor.ts';

const projectRoot = join(import.meta.dirname, '..', '..');
const letter = await readFile(join(projectRoot, 'test', 'fixtures', 'letter.docx'));

let host: TestHost;
let browser: Browser;

before(async () => {
  host = await startTestHost({
    files: {
      'Welcome.md': '# Welcome\r\n\r\nFirst line.\r\n',
      'other.md': 'Other\n',
      'helped.md': 'Help\n',
      'typed.md': 'line\n',
      'handed.md': 'line\n',
      'letter.docx': letter,
      Makefile: 'all:\n\techo\n',
    },
    settings: { textEditor: true },
    pagesBuild: pagesBuild(process.env),
  });
  browser = await launchBrowser({ isWhole: true });
});
after(async () => {
  await browser.close();
  await host.stop();
});

interface Opened {
  page: Page;
  frame: Frame;
  problems: string[];
}

async function open(path: string, change: (url: string) => string = (url) => url): Promise<Opened> {
  const user = host.host.services.users.list().find(({ role }) => role === 'owner')!;
  const { url } = await host.host.openInEditor({ user, path, mode: 'edit', editorId: null });
  return openLink(change(url));
}

async function openLink(url: string, given?: BrowserContext): Promise<Opened> {
  const context = given ?? (await browser.newContext({ locale: 'en-GB' }));
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  const frame = await until('the editor’s frame', () =>
    page.frames().find((one) => /\/(?:edit|view)\?/u.test(one.url())),
  );
  return { page, frame, problems };
}

test('a link opens the document, and what is typed is saved to disk', async () => {
  const { page, frame, problems } = await open('Welcome.md');
  const pageUrl = new URL(page.url());
  const editorUrl = new URL(frame.url());
  assert.equal(pageUrl.hostname, '127.0.0.1');
  assert.equal(editorUrl.hostname, 'localhost');
  assert.notEqual(editorUrl.port, pageUrl.port);

  await frame.locator('.cm-content').waitFor();
  await frame.locator('.cm-line', { hasText: 'First line.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  const saved = '# Welcome\r\n\r\nFirst line. More.\r\n';
  await until(
    'the change on disk',
    async () => (await readFile(join(host.folder, 'Welcome.md'), 'utf8')) === saved,
  );
  await until('the host page to say Saved', async () =>
    (await page.locator('body').innerText()).includes('Saved'),
  );
  assert.deepEqual(await page.context().cookies(editorUrl.origin), []);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('the text has the focus after opening, and doesn’t take it from a button', async () => {
  const { page, frame } = await open('typed.md');
  const content = frame.locator('.cm-content:not([aria-readonly="true"])');
  await content.waitFor();
  await until('the editor’s focus', async () =>
    frame.evaluate(() => document.activeElement?.className.includes('cm-content')),
  );
  await page.keyboard.type('First ');
  await until(
    'the text on disk',
    async () => (await readFile(join(host.folder, 'typed.md'), 'utf8')) === 'First line\n',
  );
  await frame.getByRole('button', { name: 'Find' }).focus();
  // When a window is focused again, its focused element stays the same.
  await frame.evaluate(() => dispatchEvent(new FocusEvent('focus')));
  assert.equal(await frame.evaluate(() => document.activeElement?.textContent), 'Find');
  await page.context().close();
});

test('two pages of one user hand a document over during continuous typing', async () => {
  const first = await open('handed.md');
  const { page } = first;
  const context = page.context();
  await first.frame.locator('.cm-content:not([aria-readonly="true"])').waitFor();
  const second = await openLink(page.url(), context);
  const editHere = second.frame.getByRole('button', { name: 'Edit here' });
  await editHere.waitFor();
  await first.frame.locator('.cm-content').click();
  let isTyping = true;
  const typing = (async () => {
    for (let count = 0; isTyping; count += 1) {
      await page.keyboard.type(`<${count}>`);
      await page.waitForTimeout(20);
    }
  })();
  await page.waitForTimeout(1500);
  await editHere.press('Enter');
  const content = second.frame.locator('.cm-content:not([aria-readonly="true"])');
  await content.waitFor();
  isTyping = false;
  await typing;
  // If the lock had been taken instead, the page would have unsaved text.
  await first.frame.locator('.bar .state', { hasText: 'Read only' }).waitFor();
  const shown = (await first.frame.locator('.cm-line').allInnerTexts()).join('\n');
  assert.equal(await readFile(join(host.folder, 'handed.md'), 'utf8'), shown);
  await context.close();
});

test('the menu opens the help page of the text editor', async () => {
  const { page, frame, problems } = await open('helped.md');
  await frame.locator('.cm-content').waitFor();
  await frame.getByRole('button', { name: 'More' }).click();
  const opening = page.context().waitForEvent('page');
  await frame.getByRole('menuitem', { name: 'Help' }).click();
  const help = await opening;
  await help.getByRole('heading', { name: 'The text editor', exact: true }).waitFor();
  assert.equal(new URL(help.url()).origin, new URL(page.url()).origin);
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('a host page at localhost has its editor at 127.0.0.1', async () => {
  const { page, frame, problems } = await open('other.md', (url) => url.replace('127.0.0.1', 'localhost'));
  assert.equal(new URL(frame.url()).hostname, '127.0.0.1');
  await frame.locator('.cm-content').waitFor();
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('opens text without an extension, and previews a .docx when no other editor opens it', async () => {
  const makefile = await open('Makefile');
  await makefile.frame.locator('.cm-line', { hasText: 'all:' }).waitFor();
  await makefile.page.context().close();

  const { page, frame, problems } = await open('letter.docx');
  assert.match(frame.url(), /\/view\?/u);
  const preview = await until('the preview’s frame', () =>
    page.frames().find((one) => one.url().endsWith('/assets/preview.html')),
  );
  await preview.locator('section').first().waitFor();
  assert.deepEqual(problems, []);
  await page.context().close();
});

test('text typed while the host is down is saved when it is back, and both status bars say so', async () => {
  const killable = await startKillableHost({ 'notes.md': 'One.' });
  try {
    const { hostEditUrl } = await killable.access('notes.md', { mode: 'edit' });
    const { page, frame } = await openLink(hostEditUrl);
    const status = (): Promise<string> => page.locator('.name-and-status [role=status]').innerText();
    await frame.locator('.cm-content:not([aria-readonly="true"])').focus();
    await page.keyboard.press('Control+End');
    const onDisk = async (): Promise<string> => readFile(join(killable.folder, 'notes.md'), 'utf8');
    for (const [typed, expected] of [
      [' Two.', 'One. Two.'],
      [' Three.', 'One. Two. Three.'],
    ] as const) {
      await killable.kill();
      await page.keyboard.type(typed);
      await until('the editor to say Not saved', async () =>
        (await frame.locator('.bar .state').innerText()).includes('Not saved'),
      );
      assert.match(await status(), /not saved/iu);
      await killable.start();
      await until('the text on disk', async () => (await onDisk()) === expected);
      await until('the host page to say Saved', async () => (await status()).startsWith('Saved'));
    }
    await page.context().close();
  } finally {
    await killable.stop();
  }
});
