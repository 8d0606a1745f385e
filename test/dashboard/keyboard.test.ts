// A day without a mouse: everything that a user must be able to do, with keys only, in a real browser against a real host.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { shareBrowser } from '../browser.ts';
import { startDocumentServer } from '../editors/servers/document-server.ts';
import { startTestHost, type TestHost } from '../server/test-host.ts';

/** The accessible name of what has the focus, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement === document.body ? null : document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

/** Presses `key` until the focus is where a user wants it. */
async function reach(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const met: string[] = [];
  for (let steps = 0; steps < 60; steps += 1) {
    const now = await focused(page);
    if (name.test(now)) return;
    met.push(now.slice(0, 40));
    await page.keyboard.press(key);
    // Dialogs and menus move the focus in a later frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  assert.fail(`${String(name)} isn’t reached with ${key}: ${met.join(' | ')}`);
}

/** A lock whose editor lost its token, and a document that was saved twice. */
async function prepare(host: TestHost): Promise<void> {
  const letter = await host.edit('Letter.md');
  for (const body of ['first text\n', 'second text\n']) {
    host.clock.advance(3_600_000 / 4);
    await letter.refresh();
    assert.equal((await letter.save(body)).status, 200);
  }
  await letter.unlock();
  await host.edit('Notes.md');
  const { accessTokens } = host.host.services;
  for (const { id } of accessTokens.list()) accessTokens.revoke(id);
}

test('a user without a mouse clears a stale lock and undoes it, opens a document, restores a version and connects an editor', async (t) => {
  const [host, shared, editor] = await Promise.all([
    startTestHost({
      files: { 'Letter.md': 'text before DocTray\n', 'Notes.md': 'A line.\n' },
      settings: { textEditor: true },
      pagesBuild: pagesBuild(process.env),
    }),
    shareBrowser(),
    startDocumentServer({ kind: 'onlyoffice' }),
  ]);
  t.after(async () => {
    for (const context of shared.browser.contexts()) await context.close();
    await shared.close();
    await editor.stop();
    await host.stop();
  });
  await prepare(host);
  const context = await shared.browser.newContext({
    locale: 'en-GB',
    viewport: { width: 1100, height: 720 },
  });
  const page = await context.newPage();
  const { keyboard } = page;
  await page.goto(await host.host.createDashboardLink());
  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  await heading('Overview').waitFor();

  await keyboard.press('Control+3');
  await heading('Locks').waitFor();
  await page.getByRole('row').filter({ hasText: 'Notes.md' }).waitFor();
  await reach(page, /Notes\.md.*Stale/);
  await keyboard.press('Delete');
  await page.getByRole('alertdialog', { name: 'Force-clear the lock on Notes.md?' }).waitFor();
  await reach(page, /^Force-clear$/);
  await keyboard.press('Enter');
  await page.getByText('Lock on Notes.md cleared').waitFor();
  const { locks, editors } = host.host.services;
  assert.equal(locks.list().length, 0);
  await keyboard.press('F6');
  await reach(page, /^Undo/);
  await keyboard.press('Enter');
  await page.getByText('Notes.md is locked again').waitFor();
  await page.getByRole('row').filter({ hasText: 'Notes.md' }).waitFor();
  assert.equal(locks.list().length, 1);

  await keyboard.press('Control+2');
  await heading('Documents').waitFor();
  await page.getByRole('row').filter({ hasText: 'Letter.md' }).waitFor();
  await reach(page, /^Letter\.md/);
  const [tab] = await Promise.all([context.waitForEvent('page'), keyboard.press('Enter')]);
  await tab.frameLocator('iframe[name="editor"]').getByText('second text').first().waitFor();
  await tab.close({ runBeforeUnload: true });
  await page.bringToFront();

  await reach(page, /^Letter\.md/);
  await keyboard.press('Shift+F10');
  await page.getByRole('menu', { name: 'Actions' }).waitFor();
  await reach(page, /^Versions$/, 'ArrowDown');
  await keyboard.press('Enter');
  await page.getByRole('list', { name: 'Versions' }).getByRole('listitem').nth(1).waitFor();
  await reach(page, /^Restore the version from /);
  await keyboard.press('Enter');
  await page.getByRole('alertdialog', { name: 'Restore “Letter.md”?' }).waitFor();
  await reach(page, /^Restore$/);
  await keyboard.press('Enter');
  await page
    .getByText(/Restored/)
    .first()
    .waitFor();
  assert.equal(await readFile(join(host.folder, 'Letter.md'), 'utf8'), 'first text\n');

  await keyboard.press('Control+7');
  await heading('Settings').waitFor();
  await reach(page, /^Editors$/);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Editors' }).first().waitFor();
  await reach(page, /^Connect document server…$/);
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Connect a document server' }).locator('input:focus').waitFor();
  await keyboard.type(editor.url);
  await keyboard.press('Enter');
  await page
    .getByRole('alertdialog', { name: /^Connect the document server at / })
    .locator('input:focus')
    .waitFor();
  await keyboard.type(host.owner.password);
  await keyboard.press('Enter');
  await page.getByRole('button', { name: /^Details of ONLYOFFICE/ }).waitFor();
  assert.equal(editors.list().filter(({ url }) => url === editor.url).length, 1);
});
