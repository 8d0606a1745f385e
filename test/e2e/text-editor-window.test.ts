// The text editor in the built app: it is listed and tested like any editor, and a document opens in its own window.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright';
import { startDeskApp, type DeskApp } from './desk-app.ts';
import { showFailures } from './show-failure.ts';
import { until } from './window-of.ts';

let desk: DeskApp;
before(async () => {
  desk = await startDeskApp({
    files: { 'notes.md': 'First line.\n' },
    settings: { openIn: 'window', textEditor: true },
  });
  await desk.baseUrl();
});
after(() => desk.close());
showFailures(() => desk);

test('tests the text editor in both directions in a hidden window', async () => {
  const { editors } = await desk.stateWhere((state) => state.editors.length === 1, 'it is listed');
  const [builtIn] = editors;
  assert.equal(builtIn?.kind, 'text-editor');
  assert.equal(builtIn.name, 'Text editor');
  const tested = await desk.call('editors.test', { id: builtIn.id });
  assert.equal(tested.isGood, true, JSON.stringify(tested.steps, null, 1));
});

test('edits and saves a document in a window of the app', async () => {
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
  await editor.locator('.cm-line', { hasText: 'First line.' }).click();
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

test('removing it switches it off, and the setting switches it on again', async () => {
  const { editors } = await desk.state();
  await desk.call('editors.remove', { id: editors[0]?.id ?? '' });
  await desk.stateWhere((state) => state.editors.length === 0 && !state.settings.textEditor, 'it is off');
  await desk.call('settings.set', { key: 'textEditor', value: true });
  await desk.stateWhere((state) => state.editors.length === 1, 'it is back');
});
