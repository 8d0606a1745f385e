// The pictures of the README: `npm run screenshots`. `npm run screenshots -- states` takes every state of the window into out/states.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { samples, welcomeText } from '../../app/templates/templates.ts';
import { launchBrowser } from '../browser.ts';
import { openLab } from '../window/open-window.ts';
import { pictureStates } from '../window/states.ts';
import { startDeskApp } from './desk-app.ts';
import { projectRoot } from '../cli/built-program.ts';

const target = join(projectRoot, 'docs', 'screenshots');
const port = 8790;

/** A document in the browser, and the window that shows who edits it. */
async function pictureBeside(): Promise<void> {
  const desk = await startDeskApp({
    files: Object.fromEntries(samples().map(({ name, bytes }) => [name, Buffer.from(bytes)])),
    env: { TZ: 'UTC', LANG: 'en_GB.UTF-8' },
    settings: { port, textEditor: true },
  });
  const browser = await launchBrowser();
  try {
    await desk.call('settings.set', { key: 'appearance', value: 'light' });
    const robin = { login: 'robin', displayName: 'Robin Vale', password: 'nine blue whales' };
    await desk.call('users.add', { ...robin, role: 'editor' });
    const { items } = await desk.call('documents.list', { path: '', startIndex: 0, count: 50 });
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
    await desktop.screenshot({ path: join(target, 'beside.png') });
  } finally {
    await browser.close();
    await desk.close();
  }
}

async function pictureLocks(): Promise<void> {
  const lab = await openLab();
  try {
    const { page, state, change } = await lab.open({ scenario: 'normal', view: 'locks' });
    const { locks } = await state();
    const editors = ['ONLYOFFICE Docs', 'Collabora Online'] as const;
    await change({ locks: locks.map((lock, index) => ({ ...lock, editor: editors[index % 2] ?? null })) });
    await page.getByText('Collabora Online').first().waitFor();
    await page.screenshot({ path: join(target, 'locks.png'), animations: 'disabled' });
  } finally {
    await lab.close();
  }
}

const [first, ...names] = process.argv.slice(2);
if (first === 'states') {
  const isClean = await pictureStates(join(projectRoot, 'out', 'states'), names);
  process.exit(isClean ? 0 : 1);
}
await pictureBeside();
await pictureLocks();
