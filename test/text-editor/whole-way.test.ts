// From a link to a saved document, with a real browser and host: the host page, the editor's frame on its own origin, the signed calls.

import assert from 'node:assert/strict';
import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright';
import { startKillableHost } from './killable-host.ts';
import { startTextEditorLab, type OpenTextEditor, type TextEditorLab } from './open-text-editor.ts';
import { until } from '../until.ts';

let lab: TextEditorLab;
before(async () => {
  lab = await startTextEditorLab();
});
after(async () => lab.close());

/** Opens a new file, and waits until it can be edited. */
async function open(name: string, content = 'line\n'): Promise<OpenTextEditor> {
  await lab.write(name, content);
  const editor = await lab.open(name, { around: 'host page' });
  await editor.untilStatus('Saved');
  return editor;
}

/** Opens the same document in another tab. */
const openAgain = async ({ page, context }: OpenTextEditor, mode: 'edit' | 'view' = 'edit') =>
  lab.openLink(page.url().replace('/edit/', `/${mode}/`), context);

/** Waits for the status in the host page's bar. */
const untilBar = async ({ page }: Pick<OpenTextEditor, 'page'>, status: RegExp): Promise<void> =>
  page.locator('header [role="status"]', { hasText: status }).waitFor();

const sizesOf = ({ fileId }: OpenTextEditor): number[] =>
  lab.host.host.services.versions.list(fileId).map(({ size }) => size);

/** A busy computer takes more than 60 ms to ask another tab. */
const giveTime = async ({ page }: OpenTextEditor) => page.evaluate(() => void (window.pace = 0.05));

/** Restores the oldest version, with the panel of a page that has just been opened. */
const restore = async (tab: Page): Promise<void> => {
  await tab.locator('body[data-phase="ready"]').waitFor();
  await tab.getByRole('button', { name: 'Versions' }).click();
  // A tab that was opened later has two versions, the newest first.
  await tab.getByRole('link', { name: /^Open the version from / }).waitFor();
  const oldest = tab.getByRole('region', { name: 'Versions' }).locator('li > button').last();
  if ((await oldest.getAttribute('aria-expanded')) === 'false') await oldest.click();
  await tab.getByRole('button', { name: /^Restore the version from / }).click();
  await tab.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
};

test('a link opens the document with the focus in its text, what is typed is saved to disk, and the menu leads to the help', async () => {
  const editor = await open('Welcome.md', '# Welcome\r\n\r\nFirst line.\r\n');
  const { page, frame, context } = editor;
  const pageUrl = new URL(page.url());
  const editorUrl = new URL(frame.url());
  assert.equal(pageUrl.hostname, '127.0.0.1');
  assert.equal(editorUrl.hostname, 'localhost');
  assert.notEqual(editorUrl.port, pageUrl.port);

  await until('the editor’s focus', async () =>
    frame.evaluate(() => document.activeElement?.className.includes('cm-content')),
  );
  assert.equal(lab.host.host.services.accessTokens.list().length, 1, 'one token per open');
  await page.keyboard.type('Typed ');
  await frame.locator('.cm-line', { hasText: 'First line.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  await lab.untilOnDisk('Welcome.md', 'Typed # Welcome\r\n\r\nFirst line. More.\r\n');
  await untilBar(editor, /^Saved/u);
  assert.deepEqual(await context.cookies(editorUrl.origin), []);
  await frame.getByRole('button', { name: 'Find' }).focus();
  // When a window is focused again, its focused element stays the same.
  await frame.evaluate(() => dispatchEvent(new FocusEvent('focus')));
  assert.equal(await frame.evaluate(() => document.activeElement?.textContent), 'Find');

  const opening = context.waitForEvent('page');
  await editor.choose('Help');
  const help = await opening;
  await help.getByRole('heading', { name: 'The text editor', exact: true }).waitFor();
  assert.equal(new URL(help.url()).origin, pageUrl.origin);
  assert.deepEqual(editor.problems, []);
  await editor.close();
});

test('while the document is edited, a version opens read-only in a tab, is copied, compared and restored, and what was typed last becomes a version', async () => {
  const editor = await open('seen.md', 'first\n');
  const { page, frame } = editor;
  await editor.typeAfter('', 'second ');
  await lab.untilOnDisk('seen.md', 'second first\n');
  await page.getByRole('button', { name: 'Versions' }).click();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: /^Open the version from / }).click(),
  ]);
  const shown = await until('the version’s frame', () =>
    tab.frames().find((one) => /\/view\?/u.test(one.url())),
  );
  await shown.locator('.cm-line', { hasText: /^first$/u }).waitFor();
  await tab.getByText('Earlier version, read-only').waitFor();
  await shown.locator('.cm-content').click();
  await tab.keyboard.type('never ');
  assert.equal(await shown.locator('.cm-line').first().innerText(), 'first');
  await tab.close();

  await page.getByRole('button', { name: 'Save a copy' }).click();
  const saved = await page.getByText(/^Saved a copy: /).innerText();
  assert.equal(await lab.textOnDisk(saved.slice('Saved a copy: '.length)), 'first\n');
  assert.equal(await lab.textOnDisk('seen.md'), 'second first\n');

  const dialog = page.getByRole('dialog', { name: /^Changes in “seen.md” since / });
  const compare = page.getByRole('button', { name: /^Compare the version from /u });
  await compare.click();
  await dialog.getByText('1 line removed').waitFor();
  assert.deepEqual(await dialog.locator('del').allInnerTexts(), ['first']);
  assert.deepEqual(await dialog.locator('ins').allInnerTexts(), ['second first']);
  await page.keyboard.press('Escape');
  await compare.and(page.locator(':focus')).waitFor();
  const { dataDir } = lab.host;
  const [version] = lab.host.host.services.versions.list(editor.fileId);
  const kept = join(dataDir, 'versions', editor.fileId, version?.id ?? '');
  await rename(kept, join(dataDir, 'aside'));
  await compare.click();
  await dialog.getByRole('alert').filter({ hasText: 'This version no longer exists.' }).waitFor();
  await page.keyboard.press('Escape');
  await rename(join(dataDir, 'aside'), kept);

  await editor.typeAfter('', 'typed ');
  await page.getByRole('button', { name: /^Restore the version from / }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
  await lab.untilOnDisk('seen.md', 'first\n');
  const again = await until('the editor again', () =>
    page.frames().find((one) => one !== frame && /\/edit\?/u.test(one.url())),
  );
  await again.locator('.cm-line', { hasText: /^first$/u }).waitFor();
  await page.locator('.toast', { hasText: 'Restored' }).waitFor();
  assert.ok(sizesOf(editor).includes('typed second first\n'.length), String(sizesOf(editor)));

  assert.deepEqual(editor.problems, []);
  await editor.close();
});

test('a version is restored from a tab without the lock: to edit, after the other tab has saved; to read, only once that is closed', async () => {
  const editor = await open('restored.md', 'first\n');
  const { page, frame, fileId } = editor;
  await editor.typeAfter('', 'second ');
  await lab.untilOnDisk('restored.md', 'second first\n');
  const reading = await openAgain(editor, 'view');
  await giveTime(reading);
  await restore(reading.page);
  await reading.page
    .getByRole('alert')
    .getByText('You have this document open in another tab or browser.')
    .waitFor();
  assert.equal(await reading.page.locator('iframe').count(), 1);
  assert.equal(await reading.page.locator('body').getAttribute('data-phase'), 'ready');
  await untilBar(reading, /^Read only$/u);
  await reading.page.close();

  const editing = await openAgain(editor);
  await editing.frame.getByRole('button', { name: 'Edit here' }).waitFor();
  await editor.typeAfter('', 'third ');
  await page.getByRole('button', { name: 'Versions' }).click();
  await restore(editing.page);
  await lab.untilOnDisk('restored.md', 'first\n');
  await frame.locator('.cm-line', { hasText: /^first$/u }).waitFor();
  assert.ok(sizesOf(editor).includes('third second first\n'.length), String(sizesOf(editor)));
  await page
    .getByRole('region', { name: 'Versions' })
    .getByText(/Restored$/u)
    .waitFor();
  await editing.page.locator('.toast', { hasText: 'Restored' }).waitFor();

  const last = await openAgain(editor, 'view');
  await editing.page.goto('about:blank');
  await page.goto('about:blank');
  const { closedPages, sessions } = lab.host.host.services;
  const ids = (): string[] =>
    sessions.list().flatMap((session) => (session.fileId === fileId ? [session.id] : []));
  const endClosed = (): void => {
    lab.host.clock.advance(11_000);
    closedPages.revokeTokens();
  };
  await until('only the session of the last tab', () => {
    endClosed();
    return ids().length === 1;
  });
  const [before] = ids();
  await restore(last.page);
  await until('the session of the reloaded tab', () => ids().some((id) => id !== before));
  endClosed();
  assert.equal(ids().includes(String(before)), false);
  assert.equal(ids().length, 1);
  await last.page.close();
  await editor.close();
});

test('with unsaved text and without the lock, a restore asks before the page is loaded again, and the text stays for a user who declines', async () => {
  const editor = await open('declined.md', 'first\n');
  const { page, frame } = editor;
  await editor.typeAfter('', 'second ');
  await lab.untilOnDisk('declined.md', 'second first\n');
  await editor.typeUnsaved('', 'third ');
  await lab.forceClear(editor);
  await editor.untilShown('The lock on this document was cleared.');
  const asked = page.waitForEvent('dialog');
  await restore(page);
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await frame.locator('.cm-line', { hasText: /^third second first$/u }).waitFor();
  await page.getByText('This document has changes that').waitFor();
  assert.equal(await lab.textOnDisk('declined.md'), 'first\n');
  await editor.close();
});

test('in one of two tabs, the document is renamed in the bar, later saves go to the new name, a copy is a toast of this tab only, and after Close the page says when it was saved', async () => {
  await lab.write('taken.md', 'other\n');
  const editor = await open('named.md');
  const { page } = editor;
  await editor.typeAfter('', 'typed ');
  const other = await openAgain(editor);
  await untilBar(other, /^Read only$/u);
  await page.getByRole('button', { name: 'named.md' }).click();
  const field = page.getByRole('textbox', { name: 'New name' });
  await field.fill('taken');
  await field.press('Enter');
  await page.getByText('“taken.md” already exists.').waitFor();
  await page.getByRole('button', { name: 'named.md' }).click();
  await field.fill('renamed');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'renamed.md' }).waitFor();
  await other.page.getByRole('heading', { name: 'renamed.md' }).waitFor();
  // The editor hears of it with its next poll, and proposes the name of the copy.
  await editor.frame.getByRole('heading', { name: 'renamed.md' }).waitFor();

  await editor.choose('Save a copy…');
  await page.keyboard.press('Enter');
  await page.locator('.toast', { hasText: 'Saved a copy: renamed (copy).md' }).waitFor();
  assert.equal(await editor.frame.getByText('Saved a copy').count(), 0);
  for (let polls = 0; polls < 2; polls += 1) {
    const asked = other.page.waitForResponse(/\/state/u);
    await other.page.evaluate(() => dispatchEvent(new Event('online')));
    await (await asked).finished();
  }
  assert.equal(await other.page.getByText('Saved a copy').count(), 0);
  await other.page.close();

  await editor.typeAfter('', 'more ');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('heading', { name: /^Saved \d{1,2}:\d{2}$/ }).waitFor();
  await page.getByText('renamed.md', { exact: true }).waitFor();
  assert.match(await page.title(), /^renamed\.md – Saved \d{1,2}:\d{2}$/u);
  // The page session ended with its last tab.
  assert.equal(await page.getByRole('link').count(), 0);
  assert.equal(await lab.textOnDisk('renamed.md'), 'more typed line\n');
  await assert.rejects(lab.textOnDisk('named.md'));
  assert.equal(await lab.textOnDisk('taken.md'), 'other\n');
  assert.deepEqual(editor.problems, []);
  await editor.close();

  const viewed = await lab.open('renamed.md', { mode: 'view', around: 'host page' });
  assert.equal(await viewed.page.getByRole('button', { name: 'renamed.md' }).isDisabled(), true);
  await viewed.close();
});

test('a page whose token was revoked says once that it is signed out, and keeps unsaved text for a download', async () => {
  for (const hasUnsaved of [false, true]) {
    const editor = await open('revoked.md');
    const { page, frame } = editor;
    if (hasUnsaved) await editor.typeUnsaved('', 'typed ');
    const { accessTokens, pageSessions } = lab.host.host.services;
    for (const { id } of accessTokens.list()) {
      pageSessions.revoke(accessTokens.placeOf(id)?.pageSessionId ?? '');
      accessTokens.revoke(id);
    }
    const notice = page.getByRole('alert').filter({ hasText: 'You are signed out' });
    const more = hasUnsaved ? 'Download or copy them, then sign in again.' : 'Sign in again to continue.';
    await notice.getByText(more).waitFor();
    if (hasUnsaved) await frame.getByRole('button', { name: 'Download my text' }).waitFor();
    else await untilBar(editor, /^Read only/u);
    assert.equal((await frame.getByRole('button', { name: 'Preview' }).boundingBox())?.x, 6);
    await page.getByRole('button', { name: hasUnsaved ? 'Close' : 'Versions' }).click();
    const shows = page.locator('section', {
      hasText: hasUnsaved ? 'couldn’t save the document' : 'Versions',
    });
    await shows.getByRole('button', { name: 'Sign in again' }).waitFor();
    assert.equal(await shows.getByRole('button', { name: 'Save a copy…' }).count(), 0);
    await frame.getByText('Your access to this document was revoked.').waitFor({ state: 'detached' });
    const shown = await frame.locator('.notice').allInnerTexts();
    assert.equal(shown.length, hasUnsaved ? 1 : 0, shown.join());
    await editor.close();
  }
});

test('a reload and Close end what belongs to the tab, once its text is saved, and Close in the last tab ends the page session', async () => {
  const editor = await open('left.md');
  const { page } = editor;
  const { services } = lab.host.host;
  const sessions = (): string[] =>
    services.sessions
      .list()
      .filter((session) => session.path === 'left.md')
      .map(({ id }) => id);
  const tokens = (): string[] => services.accessTokens.list().map(({ id }) => id);
  /** The host checks for closed pages every ten seconds. */
  const hasEnded = (id: string): boolean => {
    lab.host.clock.advance(11_000);
    services.closedPages.revokeTokens();
    return !sessions().includes(id);
  };
  const [first] = sessions();
  const other = await openAgain(editor);
  await other.frame.getByRole('button', { name: 'Edit here' }).waitFor();
  // For 4 s after it was opened, a page takes a lock that is released, as by the reload of the first one.
  await other.passTime(4200);
  const [second] = sessions().filter((id) => id !== first);
  assert.ok(first !== undefined && second !== undefined);

  await editor.typeAfter('', 'last ');
  await page.reload();
  await lab.untilOnDisk('left.md', 'last line\n');
  const reloaded = await until('the new session', () =>
    sessions().find((id) => id !== first && id !== second),
  );
  await until('the host’s check', () => hasEnded(first));
  assert.equal(tokens().includes(first), false);
  assert.deepEqual(sessions().toSorted(), [second, reloaded].toSorted());

  const closedAddress = page.url();
  await giveTime(editor);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.waitForURL(/\/closed/u);
  const openLink = page.getByRole('link', { name: 'Open again' });
  assert.equal(await openLink.evaluate((link) => (link as HTMLAnchorElement).href), closedAddress);
  await until('the end of the closed session', () => hasEnded(reloaded));
  await other.frame.getByRole('button', { name: /^Edit/ }).click();
  await other.untilStatus('Saved');
  await other.typeAfter('', 'the other’s ');
  await lab.untilOnDisk('left.md', 'the other’s last line\n');
  assert.deepEqual(sessions(), [second]);
  await untilBar(other, /^Saved$/u);
  assert.equal(await other.page.getByText('You are signed out').count(), 0);
  const address = other.page.url();
  const [cookie] = await other.context.cookies(address);
  await other.page.getByRole('button', { name: 'Close' }).click();
  await other.page.waitForURL(/\/closed/u);
  await until('the end of the last session', () => hasEnded(second));
  assert.deepEqual(sessions(), []);
  const headers = { Cookie: `${cookie?.name}=${cookie?.value}` };
  await until('the end of the page session', async () => (await fetch(address, { headers })).status === 401);
  await editor.close();
});

test('text typed while the host is killed and restarted is saved, and both status bars say so', async () => {
  const killable = await startKillableHost({ 'notes.md': 'MARK' });
  try {
    const editor = await lab.openLink(await killable.editUrl('notes.md'));
    const { page } = editor;
    await editor.untilStatus('Saved');
    await editor.typeAfter('MARK', '');
    let typed = 'MARK';
    const type = async (letters: number): Promise<void> => {
      for (let index = 0; index < letters; index += 1) {
        const letter = String.fromCharCode(97 + ((typed.length - 4) % 26));
        await page.keyboard.type(letter, { delay: 20 });
        typed += letter;
      }
    };
    // The second time shows that the page has recovered from the first.
    for (let round = 0; round < 2; round += 1) {
      await type(6);
      await killable.kill();
      await type(8);
      await editor.untilShown('Your changes are kept here and saved when it’s back.');
      await until('the editor to say Not saved', async () => (await editor.status()).includes('Not saved'));
      await untilBar(editor, /not saved/iu);
      await killable.start();
      await type(5);
      await until(
        'the text on disk',
        async () => (await readFile(join(killable.folder, 'notes.md'), 'utf8')) === typed,
      );
      await untilBar(editor, /^Saved/u);
    }
    assert.deepEqual(await editor.notices(), []);
    assert.deepEqual(await readdir(killable.folder), ['notes.md']);
    assert.deepEqual(
      editor.problems.filter((problem) => !problem.startsWith('Failed to load resource')),
      [],
    );
    await editor.close();
  } finally {
    await killable.remove();
  }
});
