// Documents in windows of the app, in the text editor and in a document server's, and how they open from outside: tray, links,
// notifications. The connection test loads the editor in a hidden window, as a browser would.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright';
import { startDocumentServer, type DocumentServer } from '../editors/servers/document-server.ts';
import { readFixture } from '../editors/office-zip.ts';
import { pressMenu } from '../stand-in/press.ts';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { launchSecond } from './second-launch.ts';
import { showFailures } from './show-failure.ts';
import { clickNotice, notices } from './stand-in-hooks.ts';
import { closeWindow, until } from './window-of.ts';

let desk: DeskApp;
let collabora: DocumentServer;
before(async () => {
  collabora = await startDocumentServer({ kind: 'collabora' });
  const letter = await readFixture('letter.odt');
  desk = await startDeskApp({
    files: { 'letter.odt': letter, 'in/second.odt': letter, 'notes.md': 'First line.\n' },
    settings: { openIn: 'window', textEditor: true },
  });
  await desk.baseUrl();
});
after(async () => {
  await desk.close();
  await collabora.stop();
});
showFailures(() => desk);

/** Waits for the window of that document with its editor in it. */
async function windowOf(name: string): Promise<Page> {
  const find = (): Page | undefined =>
    desk.app
      .windows()
      .find(
        (page) =>
          /\/(?:edit|view)\/[\w-]{22}$/u.test(page.url()) &&
          page.frames().some((frame) => frame.url().startsWith(collabora.url)),
      );
  await until(async () => ((await find()?.title()) ?? '').startsWith(name), `${name} has a window`);
  const found = find();
  assert.ok(found);
  return found;
}

async function closeDocuments(): Promise<void> {
  await desk.app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) {
      if (!window.webContents.getURL().startsWith('app:')) window.destroy();
    }
  });
  await until(async () => desk.app.windows().length === 1, 'only the app’s window is open');
}

test('tests the text editor in both directions in a hidden window, which is closed then', async () => {
  const { editors } = await desk.stateWhere((state) => state.editors.length === 1, 'it is listed');
  const [builtIn] = editors;
  assert.equal(builtIn?.kind, 'text-editor');
  assert.equal(builtIn.name, 'Text editor');
  const tested = await desk.call('editors.test', { id: builtIn.id });
  assert.equal(tested.isGood, true, JSON.stringify(tested.steps, null, 1));
  await until(() => desk.app.windows().length === 1, 'the hidden window is closed');
  assert.doesNotMatch(JSON.stringify(await desk.state()), /access_token|ticket|PUBLIC KEY/);
});

test('edits and saves a text in a window of the app', async () => {
  const opening = await desk.call('documents.openInEditor', {
    path: 'notes.md',
    mode: 'edit',
    editorId: null,
  });
  assert.equal(opening.openedIn, 'window');
  assert.equal(opening.editorName, 'Text editor');
  const find = (): Page | undefined =>
    desk.app
      .windows()
      .find((page) => page.frames().some((frame) => /^http:\/\/localhost:\d+\/edit\?/u.test(frame.url())));
  await until(async () => find() !== undefined, 'the document has a window');
  const page = find();
  assert.ok(page);
  const editor = page.frameLocator('iframe[name="editor"]');
  const text = editor.locator('.cm-content:not([aria-readonly="true"])');
  await text.locator('.cm-line', { hasText: 'First line.' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' More.');
  await until(
    async () => (await readFile(join(desk.folder, 'notes.md'), 'utf8')) === 'First line. More.\n',
    'the text is on disk',
  );
  await desk.stateWhere(
    (state) => state.locks.some(({ path, editor }) => path === 'notes.md' && editor === 'Text editor'),
    'the lock has the editor’s name',
  );
  assert.doesNotMatch(desk.log(), /ticket=|access_token|request was blocked/);
  await closeDocuments();
});

test('opens a document in one window of its own, without exposing its ticket', async () => {
  const { editors } = await desk.state();
  await desk.call('editors.remove', { id: editors[0]?.id ?? '' });
  await desk.call('editors.add', {
    url: collabora.url,
    name: 'Collabora here',
    publicUrl: null,
    acceptsOtherHosts: false,
  });
  const opening = await desk.call('documents.openInEditor', {
    path: 'letter.odt',
    mode: 'edit',
    editorId: null,
  });
  assert.equal(opening.openedIn, 'window');
  assert.equal(opening.editorName, 'Collabora here');
  assert.doesNotMatch(JSON.stringify(opening), /ticket|http/);
  const page = await windowOf('letter.odt');
  assert.doesNotMatch(page.url(), /ticket|token/);
  await desk.stateWhere((state) => state.locks.some(({ path }) => path === 'letter.odt'), 'it is edited');
  await desk.call('documents.openInEditor', { path: 'letter.odt', mode: 'edit', editorId: null });
  assert.equal(desk.app.windows().length, 2);
  assert.doesNotMatch(desk.log(), /ticket=|access_token|request was blocked/);
  await closeDocuments();
});

test('opens documents from the tray and from links', async () => {
  await pressMenu(desk.app, ['Recent', 'letter.odt']);
  await windowOf('letter.odt');
  await closeDocuments();
  await launchSecond(desk, ['doctray://open?path=in/second.odt&mode=view']);
  const page = await windowOf('second.odt');
  assert.match(page.url(), /\/view\//);
  await closeDocuments();
});

test('notifies of an editor that can’t be reached any more; clicking opens the settings', async () => {
  await collabora.stop();
  await closeWindow(desk.app);
  const { editors } = await desk.state();
  await desk.call('editors.refresh', { id: editors[0]?.id ?? '' }).catch(() => undefined);
  const title = 'Collabora here can’t be reached';
  await until(
    async () => (await notices(desk.app)).some((notice) => notice.title === title),
    'the notification is shown',
  );
  await clickNotice(desk.app, title);
  await desk.page.getByRole('heading', { name: 'Settings' }).first().waitFor();
});

test('document windows trust the host’s own certificate, which this computer doesn’t', async () => {
  await desk.call('tls.useLocalAuthority', {});
  const { port } = new URL(await desk.baseUrl());
  const url = `https://localhost:${port}/`;
  await desk.call('settings.set', { key: 'publicUrl', value: url });
  await assert.rejects(fetch(url), (error: Error) => error.cause !== undefined, 'Node.js doesn’t trust it');
  const load = (partition: string): Promise<string> =>
    desk.app.evaluate(
      async ({ BrowserWindow }, { url: page, partition: name }) => {
        const window = new BrowserWindow({ show: false, webPreferences: { partition: name } });
        try {
          await window.loadURL(page);
          return 'loaded';
        } catch (error) {
          return String((error as { code?: unknown }).code);
        } finally {
          window.destroy();
        }
      },
      { url, partition },
    );
  assert.equal(await load('editor'), 'loaded');
});
