// From a link to a saved document, with a real browser and host: the host page, the editor's frame on its own origin, the signed calls.

import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, Frame, Page } from 'playwright';
import { launchBrowser } from '../browser.ts';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { startKillableHost } from './killable-host.ts';
import { pace, quicken, until, untilEqual } from './open-text-editor.ts';

const projectRoot = join(import.meta.dirname, '..', '..');
const letter = await readFile(join(projectRoot, 'test', 'fixtures', 'letter.docx'));

let host: TestHost;
let browser: Browser;
/** Pages to reuse, each in a context of its own, because starting one takes a third of the time to open a document. */
const idle: Page[] = [];

before(async () => {
  host = await startTestHost({
    files: {
      'Welcome.md': '# Welcome\r\n\r\nFirst line.\r\n',
      'other.md': 'Other\n',
      'handed.md': 'line\n',
      'seen.md': 'first\n',
      'compared.md': 'kept\nold\n',
      'long.txt': 'x'.repeat(1_000_001),
      'named.md': 'line\n',
      'taken.md': 'other\n',
      'left.md': 'line\n',
      'revoked.md': 'line\n',
      'unsaved.md': 'line\n',
      'restored.md': 'first\n',
      'copied.md': 'line\n',
      'letter.docx': letter,
      Makefile: 'all:\n\techo\n',
    },
    settings: { textEditor: true },
    pagesBuild: pagesBuild(process.env),
  });
  browser = await launchBrowser({ withoutCompositing: true });
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

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addInitScript(quicken, pace);
  return context;
}

async function openLink(url: string, given?: BrowserContext): Promise<Opened> {
  const reused = given === undefined ? idle.pop() : undefined;
  const page = reused ?? (await (given ?? (await newContext())).newPage());
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

async function typeAtStart({ page, frame }: Pick<Opened, 'page' | 'frame'>, text: string): Promise<void> {
  await frame.locator('.cm-content:not([aria-readonly="true"])').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(text);
}

const untilOnDisk = async (path: string, text: string): Promise<void> =>
  untilEqual(async () => readFile(path, 'utf8'), text);

/** Makes the page as one that a user just opened. */
async function leave(page: Page): Promise<void> {
  const context = page.context();
  page.removeAllListeners('console');
  page.removeAllListeners('pageerror');
  for (const other of context.pages()) if (other !== page) await other.close();
  const clear = (): void => {
    localStorage.clear();
    sessionStorage.clear();
  };
  // The frame of a preview has no storage.
  for (const frame of page.frames()) await frame.evaluate(clear).catch(() => undefined);
  await context.clearCookies();
  await page.goto('about:blank');
  idle.push(page);
}

test('a link opens the document with the focus in its text, and what is typed is saved to disk', async () => {
  const { page, frame, problems } = await open('Welcome.md');
  const pageUrl = new URL(page.url());
  const editorUrl = new URL(frame.url());
  assert.equal(pageUrl.hostname, '127.0.0.1');
  assert.equal(editorUrl.hostname, 'localhost');
  assert.notEqual(editorUrl.port, pageUrl.port);

  await frame.locator('.cm-content:not([aria-readonly="true"])').waitFor();
  await until('the editor’s focus', async () =>
    frame.evaluate(() => document.activeElement?.className.includes('cm-content')),
  );
  assert.equal(host.host.services.accessTokens.list().length, 1, 'one token per open');
  await page.keyboard.type('Typed ');
  await frame.locator('.cm-line', { hasText: 'First line.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  const saved = 'Typed # Welcome\r\n\r\nFirst line. More.\r\n';
  await untilOnDisk(join(host.folder, 'Welcome.md'), saved);
  await until('the host page to say Saved', async () =>
    (await page.locator('body').innerText()).includes('Saved'),
  );
  assert.deepEqual(await page.context().cookies(editorUrl.origin), []);
  await frame.getByRole('button', { name: 'Find' }).focus();
  // When a window is focused again, its focused element stays the same.
  await frame.evaluate(() => dispatchEvent(new FocusEvent('focus')));
  assert.equal(await frame.evaluate(() => document.activeElement?.textContent), 'Find');
  assert.deepEqual(problems, []);
  await leave(page);
});

test('while the document is edited, a version opens read-only in a tab, is copied and restored, and what was typed last becomes a version', async () => {
  const path = join(host.folder, 'seen.md');
  const { page, frame, problems } = await open('seen.md');
  await typeAtStart({ page, frame }, 'second ');
  await untilOnDisk(path, 'second first\n');
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
  const copy = saved.slice('Saved a copy: '.length);
  assert.equal(await readFile(join(host.folder, copy), 'utf8'), 'first\n');
  assert.equal(await readFile(path, 'utf8'), 'second first\n');
  assert.equal(problems.join(), '');

  await typeAtStart({ page, frame }, 'typed ');
  await page.getByRole('button', { name: /^Restore the version from / }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
  await untilOnDisk(path, 'first\n');
  const again = await until('the editor again', () =>
    page.frames().find((one) => one !== frame && /\/edit\?/u.test(one.url())),
  );
  await again.locator('.cm-line', { hasText: /^first$/u }).waitFor();
  await page.locator('.toast', { hasText: 'Restored' }).waitFor();
  const { fileId } = await host.access('seen.md');
  const kept = host.host.services.versions.list(fileId).map(({ size }) => size);
  assert.ok(kept.includes('typed second first\n'.length), String(kept));
  // While the lock isn't released yet.
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('409 (Conflict)')),
    [],
  );
  await leave(page);
});

test('a version is restored from a tab without the lock: to edit, after the other tab has saved; to read, only once that is closed', async () => {
  const path = join(host.folder, 'restored.md');
  const { page, frame } = await open('restored.md');
  await typeAtStart({ page, frame }, 'second ');
  await untilOnDisk(path, 'second first\n');
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
  const reading = await openLink(page.url().replace('/edit/', '/view/'), page.context());
  await restore(reading.page);
  await reading.page
    .getByRole('alert')
    .getByText('You have this document open in another tab or browser.')
    .waitFor({ timeout: 5000 });
  assert.equal(await reading.page.locator('iframe').count(), 1);
  assert.equal(await reading.page.locator('body').getAttribute('data-phase'), 'ready');
  assert.equal(await reading.page.locator('header [role="status"]').innerText(), 'Read only');
  await reading.page.close();

  const editing = await openLink(page.url(), page.context());
  await editing.frame.getByRole('button', { name: 'Edit here' }).waitFor();
  await typeAtStart({ page, frame }, 'third ');
  await page.getByRole('button', { name: 'Versions' }).click();
  await restore(editing.page);
  await untilOnDisk(path, 'first\n');
  await frame.locator('.cm-line', { hasText: /^first$/u }).waitFor();
  const { fileId } = await host.access('restored.md');
  const kept = host.host.services.versions.list(fileId).map(({ size }) => size);
  assert.ok(kept.includes('third second first\n'.length), String(kept));
  // Its next regular request may be 10 s away.
  await page
    .getByRole('region', { name: 'Versions' })
    .getByText(/Restored$/u)
    .waitFor({ timeout: 3000 });
  await editing.page.locator('.toast', { hasText: 'Restored' }).waitFor();
  const last = await openLink(page.url().replace('/edit/', '/view/'), page.context());
  await editing.page.goto('about:blank');
  await page.goto('about:blank');
  const { closedPages, sessions } = host.host.services;
  const isListed = (): string[] =>
    sessions.list().flatMap((session) => (session.fileId === fileId ? [session.id] : []));
  const end = (): void => {
    host.clock.advance(11_000);
    closedPages.revokeTokens();
  };
  await until('only the session of the last tab', () => {
    end();
    return isListed().length === 1;
  });
  const [before] = isListed();
  await restore(last.page);
  await until('the session of the reloaded tab', () => isListed().some((id) => id !== before));
  end();
  assert.equal(isListed().includes(String(before)), false);
  assert.equal(isListed().length, 1);
  await leave(last.page);
});

test('a copy that is saved in the editor is a toast of its tab, and of no other', async () => {
  const { page, frame } = await open('copied.md');
  await frame.locator('.cm-content:not([aria-readonly="true"])').waitFor();
  const other = await openLink(page.url(), page.context());
  await other.page.locator('body[data-phase="ready"]').waitFor();
  await frame.getByRole('button', { name: 'More' }).click();
  await frame.getByRole('menuitem', { name: 'Save a copy…' }).click();
  await page.keyboard.press('Enter');
  await page.locator('.toast', { hasText: 'Saved a copy: copied (copy).md' }).waitFor({ timeout: 5000 });
  assert.equal(await frame.getByText('Saved a copy').count(), 0);
  for (let polls = 0; polls < 2; polls += 1) {
    const asked = other.page.waitForResponse(/\/state/u);
    await other.page.evaluate(() => dispatchEvent(new Event('online')));
    await (await asked).finished();
  }
  assert.equal(await other.page.getByText('Saved a copy').count(), 0);
  await leave(page);
});

test('a version is compared with the current content, by keyboard, while the document is being edited', async () => {
  const path = join(host.folder, 'compared.md');
  const { page, frame, problems } = await open('compared.md');
  await typeAtStart({ page, frame }, 'new\n');
  await untilOnDisk(path, 'new\nkept\nold\n');
  await page.getByRole('button', { name: 'Versions' }).click();
  const compare = page.getByRole('button', { name: /^Compare the version from /u });
  await compare.waitFor();
  await writeFile(path, 'new <b>line</b>\nkept\n');
  await compare.focus();
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog', { name: /^Changes in “.+” since / });
  await dialog.getByText('2 changes · 1 line removed · 1 line added').waitFor();
  assert.deepEqual(await dialog.locator('del').allInnerTexts(), ['old']);
  assert.deepEqual(await dialog.locator('ins').allInnerTexts(), ['new <b>line</b>']);
  const heads = await dialog.getByRole('columnheader').allInnerTexts();
  assert.match(heads[0] ?? '', /^This version\s.+ · 9 bytes$/u);
  assert.match(heads[1] ?? '', /^Current\s.+ · 21 bytes$/u);
  assert.equal(await page.evaluate(() => document.activeElement?.role), 'dialog');

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.getByText('Change 2 of 2').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await dialog.getByText('Change 1 of 2').waitFor();
  assert.equal(await dialog.locator('.is-at ins').innerText(), 'new <b>line</b>');

  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const focused = async (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  // The dialog is gone a moment before the button has the focus again.
  const label = await until('the focus of the button', async () => {
    const name = await focused();
    return name?.startsWith('Compare the version from ') === true && name;
  });

  // A save draws the list again, with the new version above this one, which stays the chosen one.
  await frame.locator('.cm-line', { hasText: '<b>line</b>' }).waitFor();
  await frame.evaluate(() => {
    const { view } = (
      document.querySelector('.cm-content') as unknown as {
        cmTile: { view: { dispatch(change: unknown): void } };
      }
    ).cmTile;
    view.dispatch({ changes: { from: 0, insert: 'typed ' }, userEvent: 'input.type' });
  });
  await page.getByRole('region', { name: 'Versions' }).getByRole('listitem').nth(2).waitFor();
  // Versions of the same minute have seconds.
  const withoutSeconds = (name?: string | null | false) => String(name).replace(/(\d:\d\d):\d\d/u, '$1');
  assert.equal(withoutSeconds(await focused()), withoutSeconds(label));
  assert.equal(await compare.getAttribute('aria-label'), await focused());
  assert.deepEqual(problems, []);
  await leave(page);
});

test('shows why versions can’t be compared', async () => {
  const { fileId, accessToken: token } = await host.access('long.txt');
  const headers = { 'X-WOPI-Lock': 'lock' };
  const call = { method: 'POST', fileId, token, headers };
  await host.wopi({ ...call, override: 'LOCK' });
  await host.wopi({ ...call, override: 'PUT', contents: true, body: 'short\n' });
  await host.wopi({ ...call, override: 'UNLOCK' });
  const { page } = await open('long.txt');
  await page.getByRole('button', { name: 'Versions' }).click();
  const dialog = page.getByRole('dialog', { name: /^Changes in “.+” since / });
  const compareFails = async (reason: string): Promise<void> => {
    await page.getByRole('button', { name: /^Compare the version from /u }).click();
    await dialog.getByRole('alert').filter({ hasText: reason }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await compareFails('Only text documents of up to 1 MB can be compared.');
  for (const { id } of host.host.services.versions.list(fileId))
    await rm(join(host.dataDir, 'versions', fileId, id));
  await compareFails('This version no longer exists.');
  await page.context().clearCookies();
  await compareFails('This page has expired.');
  await leave(page);
});

test('the document is renamed in the bar while it is edited, later saves go to the new name, and after Close the page says when it was saved', async () => {
  const { page, frame, problems } = await open('named.md');
  await typeAtStart({ page, frame }, 'typed ');
  await page.getByRole('button', { name: 'named.md' }).click();
  const field = page.getByRole('textbox', { name: 'New name' });
  const other = await openLink(page.url(), page.context());
  await other.page.locator('body[data-phase="ready"]').waitFor();
  await field.fill('taken');
  await field.press('Enter');
  await page.getByText('“taken.md” already exists.').waitFor();
  await page.getByRole('button', { name: 'named.md' }).click();
  await field.fill('renamed');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'renamed.md' }).waitFor();
  // Its next regular request may be 10 s away.
  await other.page.getByRole('heading', { name: 'renamed.md' }).waitFor({ timeout: 3000 });
  await other.page.close();
  await typeAtStart({ page, frame }, 'more ');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('heading', { name: /^Saved \d{1,2}:\d{2}$/ }).waitFor();
  await page.getByText('renamed.md', { exact: true }).waitFor();
  assert.match(await page.title(), /^renamed\.md – Saved \d{1,2}:\d{2}$/u);
  // The page session ended with its last tab.
  assert.equal(await page.getByRole('link').count(), 0);
  assert.equal(await readFile(join(host.folder, 'renamed.md'), 'utf8'), 'more typed line\n');
  await assert.rejects(readFile(join(host.folder, 'named.md')));
  assert.equal(await readFile(join(host.folder, 'taken.md'), 'utf8'), 'other\n');
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('409 (Conflict)')),
    [],
  );
  await leave(page);

  const viewed = await open('renamed.md', (url) => url.replace('/edit/', '/view/'));
  assert.equal(await viewed.page.getByRole('button', { name: 'renamed.md' }).isDisabled(), true);
  await leave(viewed.page);
});

test('a page whose token was revoked says once that it is signed out, and keeps unsaved text for a download', async () => {
  const revokeAll = async (): Promise<void> => {
    const { accessTokens, pageSessions } = host.host.services;
    for (const { id } of accessTokens.list()) {
      pageSessions.revoke(accessTokens.placeOf(id)?.pageSessionId ?? '');
      accessTokens.revoke(id);
    }
  };
  for (const [path, hasUnsaved] of [
    ['revoked.md', false],
    ['unsaved.md', true],
  ] as const) {
    const { page, frame } = await open(path);
    await frame.locator('.cm-content:not([aria-readonly="true"])').click();
    if (hasUnsaved) await page.keyboard.type('typed ');
    await revokeAll();
    const notice = page.getByRole('alert').filter({ hasText: 'You are signed out' });
    await notice.getByText('Sign in again to continue.').waitFor();
    await frame.getByText('Your access to this document was revoked.').waitFor({ state: 'detached' });
    const shown = await frame.locator('.notice').allInnerTexts();
    assert.equal(shown.length, hasUnsaved ? 1 : 0, shown.join());
    if (hasUnsaved) await frame.getByRole('button', { name: 'Download my text' }).waitFor();
    else await page.locator('header [role="status"]', { hasText: 'Read only' }).waitFor();
    await page.context().close();
  }
});

test('two pages of one user hand a document over during continuous typing', async () => {
  const first = await open('handed.md');
  const { page } = first;
  const context = page.context();
  await first.frame.locator('.cm-content:not([aria-readonly="true"])').waitFor();
  const second = await openLink(page.url(), context);
  const editHere = second.frame.getByRole('button', { name: 'Edit here' });
  await editHere.waitFor();
  const barOf = (tab: Page, status: string) =>
    tab.locator('header [role="status"]', { hasText: new RegExp(`^${status}$`, 'u') });
  await barOf(second.page, 'Read only').waitFor({ timeout: 2000 });
  await first.frame.locator('.cm-content').click();
  let isTyping = true;
  const typing = (async () => {
    for (let count = 0; isTyping; count += 1) {
      await page.keyboard.type(`<${count}>`);
      await page.waitForTimeout(20);
    }
  })();
  await first.frame.locator('.cm-line', { hasText: '<20>' }).waitFor();
  await editHere.press('Enter');
  const content = second.frame.locator('.cm-content:not([aria-readonly="true"])');
  await content.waitFor();
  isTyping = false;
  await typing;
  // If the lock had been taken instead, the page would have unsaved text.
  await first.frame.locator('.bar .state', { hasText: 'Read only' }).waitFor();
  await barOf(page, 'Read only').waitFor({ timeout: 2000 });
  await barOf(second.page, 'Saved').waitFor({ timeout: 2000 });
  const shown = (await first.frame.locator('.cm-line').allInnerTexts()).join('\n');
  assert.equal(await readFile(join(host.folder, 'handed.md'), 'utf8'), shown);
  await leave(page);
});

test('a reload and Close end what belongs to the tab, once its text is saved, and Close in the last tab ends the page session', async () => {
  const path = join(host.folder, 'left.md');
  const { page, frame } = await open('left.md');
  const sessions = (): string[] =>
    host.host.services.sessions
      .list()
      .filter((session) => session.path === 'left.md')
      .map(({ id }) => id);
  const tokens = (): string[] => host.host.services.accessTokens.list().map(({ id }) => id);
  /** The host checks for closed pages every ten seconds. */
  const hasEnded = (id: string): boolean => {
    host.clock.advance(11_000);
    host.host.services.closedPages.revokeTokens();
    return !sessions().includes(id);
  };
  const text = frame.locator('.cm-content:not([aria-readonly="true"])');
  await text.click();
  const [first] = sessions();
  const other = await openLink(page.url(), page.context());
  await other.frame.getByRole('button', { name: 'Edit here' }).waitFor();
  // For 4 s after it was opened, a page takes a lock that is released, as by the reload of the first one.
  await other.frame.evaluate(() => void (window.aheadMs += 4200));
  const [second] = sessions().filter((id) => id !== first);
  assert.ok(first !== undefined && second !== undefined);

  await page.keyboard.press('Control+Home');
  await page.keyboard.type('last ');
  await page.reload();
  await untilOnDisk(path, 'last line\n');
  const reloaded = await until('the new session', () =>
    sessions().find((id) => id !== first && id !== second),
  );
  host.clock.advance(11_000);
  await until('the host’s check', () => !sessions().includes(first));
  assert.equal(tokens().includes(first), false);
  assert.deepEqual(sessions().toSorted(), [second, reloaded].toSorted());

  const closedAddress = page.url();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.waitForURL(/\/closed/u);
  const openAgain = page.getByRole('link', { name: 'Open again' });
  assert.equal(await openAgain.evaluate((link) => (link as HTMLAnchorElement).href), closedAddress);
  await until('the end of the closed session', () => hasEnded(reloaded));
  const edit = other.frame.getByRole('button', { name: /^Edit/ });
  await edit.click();
  await typeAtStart(other, 'the other’s ');
  await untilOnDisk(path, 'the other’s last line\n');
  assert.deepEqual(sessions(), [second]);
  await other.page.locator('header [role="status"]', { hasText: /^Saved$/u }).waitFor();
  assert.equal(await other.page.getByText('You are signed out').count(), 0);
  const address = other.page.url();
  const [cookie] = await other.page.context().cookies(address);
  await other.page.getByRole('button', { name: 'Close' }).click();
  await other.page.waitForURL(/\/closed/u);
  await until('the end of the last session', () => hasEnded(second));
  assert.deepEqual(sessions(), []);
  const headers = { Cookie: `${cookie?.name}=${cookie?.value}` };
  await until('the end of the page session', async () => (await fetch(address, { headers })).status === 401);
  await leave(page);
});

test('a host page at localhost has its editor at 127.0.0.1, whose menu opens the help page, and closes unchanged', async () => {
  const { page, frame, problems } = await open('other.md', (url) => url.replace('127.0.0.1', 'localhost'));
  assert.equal(new URL(frame.url()).hostname, '127.0.0.1');
  await frame.locator('.cm-content:not([aria-readonly="true"])').waitFor();
  await frame.getByRole('button', { name: 'More' }).click();
  const opening = page.context().waitForEvent('page');
  await frame.getByRole('menuitem', { name: 'Help' }).click();
  const help = await opening;
  await help.getByRole('heading', { name: 'The text editor', exact: true }).waitFor();
  assert.equal(new URL(help.url()).origin, new URL(page.url()).origin);
  await help.close();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByRole('heading', { name: 'The document is closed' }).waitFor();
  assert.deepEqual(problems, []);
  await leave(page);
});

test('opens text without an extension, and previews a .docx when no other editor opens it', async () => {
  const makefile = await open('Makefile');
  await makefile.frame.locator('.cm-line', { hasText: 'all:' }).waitFor();
  await leave(makefile.page);

  const { page, frame, problems } = await open('letter.docx');
  assert.match(frame.url(), /\/view\?/u);
  const preview = await until('the preview’s frame', () =>
    page.frames().find((one) => one.url().endsWith('/assets/preview.html')),
  );
  await preview.locator('section').first().waitFor();
  assert.deepEqual(problems, []);
  await leave(page);
});

test('text typed while the host is killed and restarted is saved, and both status bars say so', async () => {
  const killable = await startKillableHost({ 'notes.md': 'MARK' });
  try {
    const { page, frame, problems } = await openLink(await killable.editUrl('notes.md'));
    const status = (): Promise<string> => page.locator('.name-and-status [role=status]').innerText();
    await frame.locator('.cm-content:not([aria-readonly="true"])').focus();
    await page.keyboard.press('Control+End');
    let typed = 'MARK';
    const type = async (letters: number): Promise<void> => {
      for (let index = 0; index < letters; index += 1) {
        const letter = String.fromCharCode(97 + ((typed.length - 4) % 26));
        await page.keyboard.type(letter);
        typed += letter;
        await page.waitForTimeout(100 / pace);
      }
    };
    // The second time shows that the page has recovered from the first.
    for (let round = 0; round < 2; round += 1) {
      await type(10);
      await killable.kill();
      await type(15);
      await frame
        .getByText('Your changes are kept here and saved when it’s back.')
        .waitFor({ timeout: 15_000 });
      await until('the editor to say Not saved', async () =>
        (await frame.locator('.bar .state').innerText()).includes('Not saved'),
      );
      assert.match(await status(), /not saved/iu);
      await killable.start();
      await type(5);
      await until(
        'the text on disk',
        async () => (await readFile(join(killable.folder, 'notes.md'), 'utf8')) === typed,
      );
      await until('the host page to say Saved', async () => (await status()).startsWith('Saved'));
    }
    assert.equal(await frame.locator('.notice').count(), 0);
    assert.deepEqual(await readdir(killable.folder), ['notes.md']);
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith('Failed to load resource')),
      [],
    );
    await leave(page);
  } finally {
    await killable.stop();
  }
});
