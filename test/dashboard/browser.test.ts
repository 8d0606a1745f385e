// The dashboard as a user has it: a link, a browser, a real host. Its views are tested with those of the app's window, in
// test/window and test/e2e/first-run.test.ts.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright';
import { WebSocketServer } from 'ws';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { axeFindings } from '../axe.ts';
import { noteProblems, shareBrowser } from '../browser.ts';
import { startDocumentServer } from '../editors/servers/document-server.ts';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { until } from '../until.ts';

let host: TestHost;
let shared: { browser: Browser; close(): Promise<void> };
/** Pages to reuse, each in a context of its own, because starting one takes longer than most tests. */
const idle: Page[] = [];
before(async () => {
  [host, shared] = await Promise.all([
    startTestHost({
      files: { 'Notes.md': 'A line.\n', 'Letters/a.txt': 'text' },
      settings: { textEditor: true },
      pagesBuild: pagesBuild(process.env),
      command: 'npm run cli --',
    }),
    shareBrowser(),
  ]);
});
after(async () => {
  for (const page of idle) await page.context().close();
  await shared.close();
  await host.stop();
});

async function openDashboard(t: TestContext, link?: string) {
  const page =
    idle.pop() ?? (await shared.browser.newPage({ locale: 'en-GB', viewport: { width: 1100, height: 720 } }));
  const context = page.context();
  const { problems, stop } = noteProblems(page);
  const url = link ?? (await host.host.createDashboardLink());
  t.after(async () => {
    stop();
    for (const other of context.pages()) if (other !== page) await other.close();
    // As a new user: without a session, cookies and what the window remembers.
    await page.evaluate(() => {
      sessionStorage.clear();
      localStorage.clear();
    });
    await context.clearCookies();
    await page.goto('about:blank');
    idle.push(page);
  });
  await page.goto(url);
  return { page, context, link: url, problems };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const goTo = async (page: Page, index: number, name: string): Promise<void> => {
  // The rail is there before the state, and before the page listens to keys.
  await page.locator('.app:not([aria-busy="true"])').waitFor();
  await page.keyboard.press(`Control+${index}`);
  await heading(page, name).waitFor();
};

test('a link opens the window, without what a browser can’t do; a reload keeps it, and the link stays neither in the address nor usable', async (t) => {
  const { page, link, problems, context } = await openDashboard(t);
  await heading(page, 'Overview').waitFor();
  assert.equal(page.url(), `${new URL(link).origin}/`);
  assert.equal(await page.evaluate(() => history.length), 1 + 1, 'about:blank and the page');
  const lacks = async (...names: string[]) => {
    for (const name of names) assert.equal(await page.getByText(name, { exact: true }).count(), 0, name);
  };
  await lacks('Open folder');
  await goTo(page, 7, 'Settings');
  await page.getByText('Theme', { exact: true }).waitFor();
  await lacks('Notifications', 'Start DocTray when you log in', 'Shortcut for quick open');
  for (const [pane, lacking] of [
    ['Users', 'Copy password'],
    ['About', 'Show in file manager'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: pane }).click();
    await page.getByRole('heading', { name: pane, level: 2 }).waitFor();
    await lacks(lacking);
  }
  await page.getByRole('button', { name: 'Versions', exact: true }).click();
  await goTo(page, 3, 'Locks');
  await page.reload();
  await heading(page, 'Locks').waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Versions', level: 2 }).waitFor();
  await page.goForward();
  await heading(page, 'Locks').waitFor();
  assert.equal(page.url(), `${new URL(link).origin}/#/locks`);
  assert.deepEqual(problems, []);
  assert.deepEqual(await context.cookies(), []);
  const icon = await page.locator('link[rel="icon"]').evaluate((element: HTMLLinkElement) => element.href);
  const { status, headers } = await fetch(icon);
  assert.deepEqual([status, headers.get('Content-Type')], [200, 'image/svg+xml']);

  const other = await openDashboard(t, link);
  const create = 'Create another with npm run cli -- dashboard on the computer that DocTray runs on.';
  await other.page
    .getByText(`This link was already used, so the page that it opened was signed out. ${create}`)
    .waitFor();
  await page
    .getByText(`You were signed out, because the link to this page was used again. ${create}`)
    .waitFor();
  const { page: without } = await openDashboard(t, new URL('/', link).href);
  await without.getByText(/This page opens with a link\. Run npm run cli -- dashboard in/).waitFor();
  assert.deepEqual(await axeFindings(without), []);
  const fresh = await host.host.createDashboardLink();
  // As if it was entered in the address bar: only the part after # changes.
  await without
    .evaluate((hash) => {
      location.hash = hash;
    }, new URL(fresh).hash)
    .catch(() => undefined);
  await heading(without, 'Overview').waitFor();
  assert.equal(new URL(without.url()).hash, '');
});

test('a copy or a new tab that the browser blocked isn’t reported as done before the user presses the button', async (t) => {
  const { page, context } = await openDashboard(t);
  await goTo(page, 2, 'Documents');
  await page.evaluate(() => {
    let isAllowed = false;
    navigator.clipboard.writeText = async (text) => {
      if (!isAllowed) throw new DOMException('', 'NotAllowedError');
      Object.assign(globalThis, { copied: text });
    };
    Object.assign(globalThis, {
      allow: () => (isAllowed = true),
      refuse: () => (isAllowed = false),
    });
  });
  const row = page.getByRole('row').filter({ hasText: 'Notes.md' });
  const dialog = page.getByRole('dialog', { name: 'The browser didn’t allow copying' });
  const said = page.locator('.toast').filter({ hasText: 'Path copied' });
  const copyPath = async (): Promise<void> => {
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Advanced' }).press('ArrowRight');
    await page.getByRole('menuitem', { name: 'Copy path' }).click();
  };
  await copyPath();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await copyPath();
  await dialog.waitFor();
  assert.equal(await page.locator('.toast').count(), 0);
  await page.evaluate('allow()');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await said.waitFor();
  assert.match(String(await page.evaluate('copied')), /Notes\.md/);
  await page.evaluate('refuse()');
  await copyPath();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('The browser doesn’t let this page copy. Allow the clipboard for it.').waitFor();

  await page.evaluate(() => {
    const open = window.open.bind(window);
    let isBlocked = true;
    window.open = (...args) => {
      const tab = isBlocked ? null : open(...args);
      isBlocked = !isBlocked;
      return tab;
    };
  });
  const newTab = page.getByRole('dialog', { name: 'The browser blocked a new tab' });
  await row.dblclick();
  await newTab.waitFor();
  assert.equal(await page.getByText(/^Opened Notes\.md/).count(), 0);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    newTab.getByRole('button', { name: 'Open' }).click(),
  ]);
  await page.getByText(/^Opened Notes\.md/).waitFor();
  await tab.waitForURL(/^http/u);
  assert.equal(await tab.evaluate(() => window.opener), null);
  await tab.close();
  await row.dblclick();
  await newTab.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('The browser blocked the new tab. Allow pop-ups for this page.').waitFor();
});

test('dropped files are uploaded into the folder that is shown, many as one job without one that is refused; a canceled upload leaves nothing', async (t) => {
  const { page, context, problems } = await openDashboard(t);
  await goTo(page, 2, 'Documents');
  await page.getByRole('row').filter({ hasText: 'Letters' }).dblclick();
  await page.getByRole('row').filter({ hasText: 'a.txt' }).waitFor();
  const { settings } = host.host.services;
  const { maxUploadMB } = settings.current();
  await settings.update({ maxUploadMB: 1 });
  t.after(() => settings.update({ maxUploadMB }));
  const several = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    for (const name of ['new “one”.txt', 'two.txt', 'three.txt']) {
      if (name === 'two.txt') transfer.items.add(new File([new Uint8Array(2 ** 20 + 1)], 'large.bin'));
      transfer.items.add(new File([name], name));
    }
    return transfer;
  });
  await page.locator('.documents-drop-area').dispatchEvent('drop', { dataTransfer: several });
  await page.getByText(/^3 of 4 files copied\. “large\.bin”: /).waitFor();
  assert.equal(
    await page.locator('.documents-jobs .list-row').filter({ hasText: 'Copying 4 items' }).count(),
    1,
  );
  await page.getByRole('row').filter({ hasText: 'new “one”.txt' }).waitFor();
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('413')),
    [],
  );
  for (const name of ['new “one”.txt', 'two.txt', 'three.txt'])
    assert.equal(await readFile(join(host.folder, 'Letters', name), 'utf8'), name);

  await settings.update({ maxUploadMB });
  const left = (): string[] =>
    readdirSync(host.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /big|next|doctray/.test(name),
    );
  const large = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(5_000_000)], 'big.bin'));
    transfer.items.add(new File(['x'], 'next.txt'));
    return transfer;
  });
  // The upload would take 10 seconds.
  const network = await context.newCDPSession(page);
  const unlimited = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await network.send('Network.emulateNetworkConditions', { ...unlimited, uploadThroughput: 500_000 });
  await page.locator('.documents-drop-area').dispatchEvent('drop', { dataTransfer: large });
  await until('a part of the file arrived', () => left().length > 0);
  await page.getByRole('button', { name: /^Cancel: Copying/ }).click();
  await page.getByText('Stopped. 0 of 2 files copied.').waitFor();
  await network.detach();
  assert.deepEqual(left(), []);
});

test('what the app confirms in a dialog of the system asks for the owner’s password, one question after the other; what isn’t confirmed isn’t shown as a failure', async (t) => {
  const { page } = await openDashboard(t);
  const { settings } = host.host.services;
  await goTo(page, 7, 'Settings');
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('button', { name: 'Network & HTTPS' })
    .click();
  const row = page.getByRole('switch', { name: 'Let other computers open documents' });
  await row.focus();
  assert.equal(await page.evaluate(() => document.documentElement.scrollTop), 0, 'only the view scrolls');
  await page.keyboard.press('Space');
  const dialog = page.getByRole('alertdialog', { name: 'Let other computers reach DocTray?' });
  const password = dialog.getByLabel('The owner’s password');
  await password.fill('a guess');
  await password.press('Enter');
  await dialog.getByText('This isn’t the owner’s password.').waitFor();
  assert.equal(settings.current().networkPages, false);
  assert.deepEqual(await axeFindings(page), []);
  await password.fill(host.owner.password);
  await password.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await until('the setting is changed', () => settings.current().networkPages);

  await page.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'General' }).click();
  await page.getByRole('button', { name: 'Change folder…' }).click();
  const folder = page.getByRole('alertdialog', { name: 'Choose the folder to serve' });
  await folder.getByLabel(/^Folder on the computer/).fill(join(host.folder, 'Lettres'));
  await folder.getByLabel('The owner’s password').fill(host.owner.password);
  await folder.getByRole('button', { name: 'Serve this folder' }).click();
  await folder.getByText('This folder doesn’t exist.').waitFor();
  // The password was right.
  await folder.getByLabel(/^Folder on the computer/).fill(join(host.folder, 'Letters'));
  await folder.getByRole('button', { name: 'Serve this folder' }).click();
  await page.getByText(join(host.folder, 'Letters'), { exact: true }).first().waitFor();
  await until(
    'the folder is served',
    () => host.host.services.folder()?.root === join(host.folder, 'Letters'),
  );
  await host.host.useFolder(host.folder);

  await settings.update({ networkDashboard: false, networkApi: false });
  await goTo(page, 7, 'Settings');
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('button', { name: /^Network/ })
    .click();
  for (const name of ['JSON API on the network', 'This window in a browser']) {
    await page.getByRole('switch', { name }).evaluate((control: HTMLElement) => control.click());
  }
  for (const detail of [/use the JSON API/, /use everything in this window/]) {
    const question = page.getByRole('alertdialog').filter({ hasText: detail });
    await question.getByLabel('The owner’s password').fill(host.owner.password);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
  }
  await until(
    'both settings are changed',
    () => settings.current().networkDashboard && settings.current().networkApi,
  );
  await settings.update({ networkDashboard: false });

  await goTo(page, 5, 'Tokens');
  await page.getByRole('tab', { name: 'API tokens' }).click();
  await page.getByRole('button', { name: 'Create API token…' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create an API token' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Backup');
  await form.getByRole('button', { name: 'Create token' }).click();
  const canceled = page.getByRole('alertdialog', { name: 'Create an API token for owner?' });
  await canceled.getByRole('button', { name: 'Cancel' }).click();
  await canceled.waitFor({ state: 'detached' });
  await form
    .locator('button:not([aria-disabled="true"], [data-pending])', { hasText: 'Create token' })
    .waitFor();
  assert.equal(await page.getByText('Can’t create the token').count(), 0);
  assert.deepEqual(host.host.services.apiTokens.list(), []);
});

test('a German window shows an English host’s questions, setting faults and connection tests in German', async (t) => {
  const editor = await startDocumentServer({ kind: 'onlyoffice' });
  const { id } = await host.host.services.editors.add({ url: editor.url, name: 'Office' });
  await editor.stop();
  const context = await shared.browser.newContext({
    locale: 'de-AT',
    viewport: { width: 1100, height: 900 },
  });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(await host.host.createDashboardLink());
  await page.getByRole('heading', { name: 'Übersicht', exact: true, level: 1 }).waitFor();
  const pane = async (name: string): Promise<void> => {
    await page.keyboard.press('Control+7');
    await page.getByRole('heading', { name: 'Einstellungen', exact: true, level: 1 }).waitFor();
    await page.getByRole('button', { name, exact: true }).click();
  };

  await pane('Erweitert');
  await page.getByLabel('Gültigkeit von Zugriffstoken', { exact: true }).fill('70000');
  await page.getByText('Geben Sie eine ganze Zahl von 1 bis 720 ein.').waitFor();
  await page.keyboard.press('Escape');

  await pane('Editoren');
  await page.getByRole('button', { name: 'Verbindung testen: Office' }).click();
  const { host: place } = new URL(editor.url);
  await page.getByText(`Unter ${place} lauscht nichts (Verbindung abgelehnt).`).first().waitFor();
  await page.getByText('Starten Sie den Dokumentserver oder prüfen Sie den Port.').first().waitFor();

  await page.getByRole('button', { name: 'Dokumentserver verbinden…' }).click();
  await page.getByRole('dialog', { name: 'Dokumentserver verbinden' }).locator('input:focus').waitFor();
  await page.keyboard.type('http://127.0.0.1:1');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', {
    name: 'Dokumentserver unter http://127.0.0.1:1 verbinden?',
  });
  await question.getByText('Dokumente, die darin geöffnet werden, gehen an diese Adresse.').waitFor();
  await question.locator('input:focus').waitFor();
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await question.getByText('Das ist nicht das Passwort des Besitzers.').waitFor();
  await question.locator('input').fill(host.owner.password);
  await question.getByRole('button', { name: 'Verbinden' }).click();
  await page.getByText('Unter 127.0.0.1:1 lauscht nichts (Verbindung abgelehnt).').waitFor();

  // The host itself says it in English.
  const test = await host.host.testEditor(id);
  assert.equal(test.steps[0]?.sentence, `Nothing is listening at ${place} (connection refused).`);
});

test('says that DocTray is away, doesn’t believe a program that took its port, and asks for a new link after a restart', async (t) => {
  const { page, link } = await openDashboard(t);
  // Its title is there before the state.
  await page.locator('.app:not([aria-busy])').waitFor();
  await host.host.stop();
  await page.getByText('Disconnected from DocTray.').waitFor();
  await page.getByText('npm run cli -- dashboard').waitFor();
  await page.getByRole('button', { name: 'Copy command' }).waitFor();
  const rail = page.getByRole('navigation', { name: 'Views' });
  await rail.getByText('Disconnected').waitFor();
  assert.equal(await rail.getByText('Serving').count(), 0);

  const impostor = new WebSocketServer({ host: '127.0.0.1', port: Number(new URL(link).port) });
  t.after(() => impostor.close());
  const messages: string[] = [];
  impostor.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      messages.push(data.toString());
      const question = { kind: 'confirm', message: 'Sign in again', detail: '', button: 'Sign in' };
      socket.send(JSON.stringify({ type: 'prove', nonce: 'n', proof: 'a guess' }));
      socket.send(JSON.stringify({ type: 'opened', session: null, nowMs: 0 }));
      socket.send(JSON.stringify({ type: 'ask', id: 1, question, problem: null }));
    });
  });
  await until('it connects again', () => messages.length >= 2);
  assert.equal(await page.getByRole('alertdialog').count(), 0);
  await page.getByText(/DocTray isn’t reachable/).waitFor();
  const secret = await page.evaluate(
    () => JSON.parse(sessionStorage.getItem('doctray-session') ?? '{}').secret as string,
  );
  assert.ok(secret.length > 40);
  assert.ok(!messages.join().includes(secret));
  impostor.close();

  await host.restart();
  // It listens on another port here, so the page can only be opened with a new link.
  await page.goto(await host.host.createDashboardLink());
  await heading(page, 'Overview').waitFor();
});
