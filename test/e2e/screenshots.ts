// Pictures for the documentation, in light and dark: every view of the window, and the text editor in a browser. `npm run screenshots`
// takes all of them, `npm run screenshots -- text-editor` only those, and `npm run screenshots -- states` every state of the window into
// out/states. The clock is stopped, and paths are replaced by ones of a home
// folder, so that every run makes the same pictures.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { mkdir, stat, utimes } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { formatSize } from '../../app/contract/format.ts';
import { samples, welcomeText } from '../../app/templates/templates.ts';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { launchBrowser } from '../browser.ts';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { startTestHost } from '../server/test-host.ts';
import { startBusyDay } from './busy-day.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { projectRoot } from './running-app.ts';
import { pictureStates } from '../window/states.ts';

const target = join(projectRoot, 'docs', 'screenshots');
const size = { width: 1100, height: 720 };
const mostBytes = 200_000;
const themes = ['light', 'dark'] as const;
const morningMs = Date.UTC(2026, 5, 16, 9, 2);
const env = { TZ: 'UTC', LANG: 'en_GB.UTF-8' };
const port = 8790;

/** Takes a screenshot in both themes. */
async function picture(desk: DeskApp, name: string): Promise<void> {
  const { page } = desk;
  for (const theme of themes) {
    await desk.call('settings.set', { key: 'appearance', value: theme });
    await page.locator(`html[data-appearance="${theme}"]`).waitFor();
    await page.evaluate(
      (paths) => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const [from, to] of paths) {
            if (node.nodeValue?.includes(from) === true) node.nodeValue = node.nodeValue.replaceAll(from, to);
          }
        }
      },
      [
        [desk.dataDir, '/home/robin/.local/share/doctray'],
        [desk.place, '/home/robin'],
      ] as const,
    );
    await write(page, `${name}-${theme}.png`);
  }
}

async function write(page: Page, name: string): Promise<void> {
  const path = join(target, name);
  await page.screenshot({ path, animations: 'disabled', scale: 'css' });
  const { size: bytes } = await stat(path);
  assert.ok(bytes < mostBytes, `${path} has ${bytes} bytes`);
  console.log(`${name}  ${formatSize(bytes)}`);
}

async function prepare(desk: DeskApp): Promise<void> {
  await desk.app.evaluate(({ BrowserWindow }, wanted) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(wanted.width, wanted.height);
  }, size);
  await desk.page.waitForFunction((wanted) => window.innerWidth === wanted, size.width);
  await desk.page.emulateMedia({ reducedMotion: 'reduce' });
  // Ids and durations are the same on each run.
  await desk.app.evaluate(() => {
    const own = process.getBuiltinModule('node:crypto');
    let count = 0;
    own.randomUUID = () => {
      count += 1;
      return `7c0f${String(count).padStart(4, '0')}-51de-4c1b-9d3a-2f60b7a8e914`;
    };
    process.getBuiltinModule('node:module').syncBuiltinESMExports();
    let nowMs = 0;
    performance.now = () => (nowMs += 1.3 + (nowMs % 0.7));
  });
}

/** Moves the pointer to where nothing has a hover style. */
async function rest(desk: DeskApp): Promise<void> {
  await desk.page.mouse.move(size.width / 2, 4);
}

async function pictureFirstRun(): Promise<void> {
  const editors = await startEditors();
  const desk = await startDeskApp({ isFirstRun: true, env });
  try {
    await prepare(desk);
    const press = (name: string): Promise<void> =>
      desk.page.getByRole('button', { name, exact: true }).click();
    await press('Choose another…');
    await desk.dialogs.chooseFolder(desk.folder);
    await desk.page.getByText(desk.folder, { exact: true }).waitFor();
    await rest(desk);
    await picture(desk, 'first-run-folder');
    await press('Next');
    // Other servers of this computer must not be in the picture.
    await desk.page.getByRole('listitem').filter({ hasText: 'http://localhost:9980' }).waitFor();
    await rest(desk);
    await picture(desk, 'first-run-editor');
  } finally {
    await desk.close();
    for (const editor of editors) await editor.stop();
  }
}

/** Uses the products' own ports, so that the pictures show what a reader will see. */
async function startEditors(): Promise<DocumentServer[]> {
  return [
    await startDocumentServer({ kind: 'onlyoffice', port: 8080, publicUrl: 'http://localhost:8080' }),
    await startDocumentServer({ kind: 'collabora', port: 9980, publicUrl: 'http://localhost:9980' }),
  ];
}

async function connectEditors(desk: DeskApp): Promise<void> {
  for (const url of ['http://localhost:8080', 'http://localhost:9980']) {
    await desk.call('editors.add', { url, name: null, publicUrl: null, acceptsOtherHosts: false });
  }
}

async function pictureDay(): Promise<void> {
  const editors = await startEditors();
  // The first version of Budget 2026.xlsx would have the time at which it was kept, which is that of the save after it.
  const settings = { port, textEditor: true, versionCount: 2 };
  const desk = await startBusyDay(morningMs, { env, settings }, prepare);
  try {
    const { page } = desk;
    await connectEditors(desk);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    // Saved documents and folders have the time of this computer's clock, not the stopped one.
    const { locks } = await desk.state();
    for (const { path, takenAtMs } of locks) {
      // The budget was saved again and again, last 13 minutes after its first save.
      const at = new Date(takenAtMs + (path === 'Budget 2026.xlsx' ? 13.5 : 1) * 60_000);
      await utimes(join(desk.folder, path), at, at);
    }
    for (const [index, path] of ['Finance', 'Minutes', 'Talks'].entries()) {
      const at = new Date(morningMs - (index * 50 + 3) * 60 * 60_000);
      await utimes(join(desk.folder, path), at, at);
    }
    const views: [view: string, shows: string][] = [
      ['Overview', 'A failed save of Welcome.docx was recovered'],
      ['Documents', 'Handbook.docx'],
      ['Locks', 'Minutes June.odt'],
      ['Sessions', 'Price list.xlsx'],
      ['Tokens', 'Price list.xlsx'],
      ['Activity', 'Price list.xlsx'],
      ['Settings', 'Start DocTray when you log in'],
    ];
    for (const [view, shows] of views) {
      await desk.goTo(view);
      await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor();
      await rest(desk);
      await picture(desk, view.toLowerCase());
    }
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Editors' }).click();
    await page.getByRole('button', { name: /^Details of ONLYOFFICE/u }).click();
    await rest(desk);
    await picture(desk, 'editors');

    await desk.goTo('Locks');
    await row('Minutes June.odt').click();
    await page.keyboard.press('Delete');
    await page.getByRole('alertdialog').waitFor();
    await rest(desk);
    await picture(desk, 'force-clear');
    await page.keyboard.press('Escape');

    await desk.goTo('Documents');
    await row('Budget 2026.xlsx').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Versions', exact: true }).click();
    await page.getByRole('list', { name: 'Versions' }).getByRole('listitem').nth(1).waitFor();
    await rest(desk);
    await picture(desk, 'versions');
    await page.keyboard.press('Escape');

    await row('Handbook.docx').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Open with' }).press('ArrowRight');
    await page.getByRole('menu', { name: 'Open with' }).waitFor();
    await rest(desk);
    await picture(desk, 'open-with');
  } finally {
    await desk.close();
    for (const editor of editors) await editor.stop();
  }
}

/** A document being edited in a browser: the host page with the text editor in its frame. */
async function pictureTextEditor(): Promise<void> {
  const browser = await launchBrowser();
  try {
    for (const theme of themes) {
      const host = await startTestHost({
        files: Object.fromEntries(samples().map(({ name, bytes }) => [name, Buffer.from(bytes)])),
        settings: { textEditor: true },
        pagesBuild: pagesBuild(process.env),
      });
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      try {
        const [user] = host.host.services.users.list();
        assert.ok(user);
        const { url } = await host.host.openInEditor({
          user,
          path: welcomeText,
          mode: 'edit',
          editorId: null,
        });
        const page = await context.newPage();
        await page.goto(url);
        const editor = page.frameLocator('iframe[name="editor"]');
        await editor.locator('.cm-line', { hasText: 'Type your name here: …' }).click();
        await page.keyboard.press('End');
        await page.keyboard.press('Backspace');
        await page.keyboard.type('Robin');
        await editor.locator('.markdown').getByText('Type your name here: Robin').waitFor();
        await editor.locator('.state').getByText('Saved', { exact: true }).waitFor();
        await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
        await page.mouse.move(640, 790);
        await write(page, `text-editor-${theme}.png`);
      } finally {
        await context.close();
        await host.stop();
      }
    }
  } finally {
    await browser.close();
  }
}

/** For the README: a document in the browser, and the window that shows who edits it. */
async function pictureBeside(): Promise<void> {
  const desk = await startDeskApp({
    files: Object.fromEntries(samples().map(({ name, bytes }) => [name, Buffer.from(bytes)])),
    env,
    settings: { port, textEditor: true },
  });
  const browser = await launchBrowser();
  try {
    await desk.call('settings.set', { key: 'appearance', value: 'light' });
    const robin = { login: 'robin', displayName: 'Robin Vale', password: 'nine blue whales' };
    await desk.call('users.add', { ...robin, role: 'editor' });
    const { items } = await desk.call('documents.list', {
      path: '',
      startIndex: 0,
      count: 50,
    });
    const welcome = items.find(({ path }) => path === welcomeText);
    assert.ok(welcome?.kind === 'document');
    const newPage = async (viewport: { width: number; height: number }): Promise<Page> =>
      (await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'UTC' })).newPage();
    const document = await newPage({ width: 880, height: 600 });
    await document.goto(`${await desk.baseUrl()}/edit/${welcome.fileId}`);
    await document.getByLabel('User name').fill(robin.login);
    await document.getByLabel('Password').fill(robin.password);
    await document.getByRole('button', { name: 'Sign in' }).click();
    const editor = document.frameLocator('iframe[name="editor"]');
    await editor.locator('.cm-line', { hasText: 'Type your name here: …' }).click();
    await document.keyboard.press('End');
    await document.keyboard.press('Backspace');
    await document.keyboard.type('Robin');
    await document.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await desk.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(920, 392);
    });
    await desk.goTo('Locks');
    await desk.page.getByRole('row').filter({ hasText: welcomeText }).waitFor();
    await desk.page.mouse.move(430, 4);
    const pictures = [
      { title: `${welcomeText} – http://127.0.0.1:${port}`, png: await document.screenshot() },
      { title: 'DocTray', png: await desk.page.screenshot() },
    ];
    const desktop = await newPage({ width: 1400, height: 800 });
    await desktop.setContent(`<!doctype html><style>
      body { margin: 0; height: 100vh; background: #dfe6ef; font: 13px sans-serif }
      figure { position: absolute; margin: 0; border-radius: 10px; overflow: hidden; box-shadow: 0 0 0 1px #1b2a4a44 }
      figure:first-of-type { left: 36px; top: 32px }
      figure:last-of-type { right: 36px; bottom: 32px }
      figcaption { background: #e6e9ee; padding: 9px 14px; color: #3b4250 }
      img { display: block }
    </style>${pictures
      .map(
        ({ title, png }) =>
          `<figure><figcaption>${title}</figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`,
      )
      .join('')}`);
    await desktop.locator('img').last().waitFor();
    await write(desktop, 'beside.png');
  } finally {
    await browser.close();
    await desk.close();
  }
}

let count = 0;
crypto.randomUUID = () => {
  count += 1;
  return `e3b0${String(count).padStart(4, '0')}-98fc-4c14-9afb-f4c8996fb924`;
};
syncBuiltinESMExports();
await mkdir(target, { recursive: true });
const pictures = {
  'first-run': pictureFirstRun,
  day: pictureDay,
  'text-editor': pictureTextEditor,
  beside: pictureBeside,
};
const wanted = process.argv.slice(2);
if (wanted[0] === 'states') {
  const isClean = await pictureStates(join(projectRoot, 'out', 'states'), wanted.slice(1));
  process.exit(isClean ? 0 : 1);
}
for (const [name, take] of Object.entries(pictures)) {
  if (wanted.length === 0 || wanted.includes(name)) await take();
}
