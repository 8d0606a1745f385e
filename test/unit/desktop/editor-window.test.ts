// Documents' windows in cases that test/security/editor-pages.test.ts can't bring about with real pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { BrowserWindow, DownloadItem, WebContents } from 'electron';
import { createEditorPages, type EditorPagesDeps } from '../../../app/desktop/editor-window.ts';
import type { Ruling } from '../../../app/desktop/guards.ts';
import { faultOf } from '../../../app/editors/editor-fault.ts';
import { FakeWindow, quietLog } from './desktop-fixture.ts';

const base = 'http://127.0.0.1:8790';
const letter = `${base}/edit/abc`;

function bench(change: Partial<EditorPagesDeps> = {}) {
  FakeWindow.created = [];
  const outside: string[] = [];
  const log = quietLog();
  const time = { nowMs: 1_000_000 };
  const session = {
    setCertificateVerifyProc: () => undefined,
    clearStorageData: () => Promise.reject(new Error('not now')),
  } as unknown as Electron.Session;
  let ruling: Ruling | undefined;
  const pages = createEditorPages({
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    nativeTheme: { shouldUseDarkColors: true },
    screen: { getDisplayMatching: () => assert.fail('there are no bounds yet') },
    fromPartition: () => session,
    dialog: { showMessageBox: () => assert.fail('nothing is asked') },
    guards: { rule: (_session, given) => void (ruling = given) },
    platform: 'linux',
    downloadsFolder: () => '/home/ana/Downloads',
    icon: undefined,
    boundsFile: '/nowhere/editor-window.json',
    hasDevTools: false,
    isQuitting: () => false,
    pageUrls: () => [base],
    editorUrls: () => [],
    hostCertificate: () => undefined,
    openExternal: async (url) => void outside.push(url),
    showError: () => assert.fail('nothing fails'),
    clock: () => time.nowMs,
    log: { ...log, request: () => undefined, flush: () => undefined },
    ...change,
  });
  const opened = async (url = letter): Promise<FakeWindow> => {
    const opening = pages.open(`${url}?ticket=t`, 'letter.odt');
    const window = FakeWindow.created.at(-1)!;
    window.navigated(url);
    await opening;
    return window;
  };
  const openOutside = (url: string, window: FakeWindow): void => {
    time.nowMs += 1000;
    ruling?.openOutside(url, window.webContents as unknown as WebContents);
  };
  const nameDownload = (item: DownloadItem): void => ruling?.nameDownload(item);
  return { pages, outside, log, opened, openOutside, nameDownload };
}

test('a document has one window for each mode, also after its page switched to editing, which loads again what shows an error', async () => {
  const { pages, opened } = bench();
  const window = await opened(`${base}/view/abc`);
  window.navigated(letter);
  await pages.open(`${letter}?ticket=other`, 'letter.odt');
  assert.deepEqual(window.calls.slice(-2), ['show', 'focus']);
  window.navigated(letter, 401);
  const again = pages.open(`${letter}?ticket=new`, 'letter.odt');
  window.navigated(letter);
  await again;
  assert.equal(window.calls.at(-1), `load ${letter}?ticket=new`);
  await opened(`${base}/view/abc`);
  assert.equal(FakeWindow.created.length, 2);
  window.destroy();
  await opened();
  assert.equal(FakeWindow.created.length, 3);
});

test('closes the window of a page that fails to load, and reports the error without the URL', async () => {
  const { pages } = bench();
  const opening = pages.open(`${letter}?ticket=secret`, 'letter.odt');
  FakeWindow.created[0]!.fail('ERR_CONNECTION_REFUSED');
  await assert.rejects(opening, (error: Error & { code: string }) => {
    assert.equal(error.code, 'host-away');
    assert.match(error.message, /ERR_CONNECTION_REFUSED/);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
  assert.ok(FakeWindow.created[0]?.wasDestroyed);
  const closed = pages.open(`${letter}?ticket=t`, 'letter.odt');
  FakeWindow.created[1]!.destroy();
  await assert.rejects(closed, { code: 'host-away' });
});

test('only after a close was requested, asks a page that prevents it and closes one that hangs; a quit closes every page', async () => {
  for (const isQuitting of [false, true]) {
    const { opened } = bench({ isQuitting: () => isQuitting });
    let isAllowed = false;
    const window = await opened();
    window.webContents.emit('will-prevent-unload', { preventDefault: () => (isAllowed = true) });
    window.emit('unresponsive');
    assert.deepEqual([isAllowed, window.wasDestroyed], [isQuitting, false]);
    window.emit('close', { preventDefault: () => undefined });
    window.emit('unresponsive');
    assert.equal(window.wasDestroyed, true);
  }
});

test('an editor’s page can’t close the window by its path, nor set its title', async () => {
  const { opened } = bench();
  const window = await opened();
  const isTitleTaken = (): boolean => {
    let isPrevented = false;
    window.emit('page-title-updated', { preventDefault: () => (isPrevented = true) }, 'Your bank', true);
    return !isPrevented;
  };
  assert.equal(isTitleTaken(), true);
  window.navigated('http://office.example:9980/closed');
  await nextTurn();
  assert.deepEqual([isTitleTaken(), window.wasDestroyed], [false, false]);
});

test('opens other pages of the host in the browser, and nothing without focus', async () => {
  const { openOutside, opened, outside, log } = bench();
  const window = await opened();
  openOutside(`${base}/help/start`, window);
  assert.deepEqual(outside.splice(0), [`${base}/help/start`]);
  window.isFocusedNow = false;
  openOutside('https://example.org/', window);
  assert.deepEqual(outside, []);
  assert.doesNotMatch(log.lines.join(), /example/);
});

test('closeFocused closes only a document window that has focus', async () => {
  const { pages, opened } = bench();
  const window = await opened();
  window.isFocusedNow = false;
  assert.equal(pages.closeFocused(), false);
  window.isFocusedNow = true;
  assert.equal(pages.closeFocused(), true);
  assert.equal(window.wasDestroyed, true);
});

test('suggests a download’s own name, always in the downloads folder', async () => {
  const { opened, nameDownload } = bench();
  await opened();
  for (const [name, suggested] of [
    ['letter.pdf', 'letter.pdf'],
    ['../../.bashrc', '.bashrc'],
    ['..\\..\\a:b.pdf', '.._.._a_b.pdf'],
    ['', 'document'],
    ['..', 'document'],
  ]) {
    let defaultPath: string | undefined;
    const setSaveDialogOptions = (given: { defaultPath: string }): void => void ({ defaultPath } = given);
    nameDownload({ getFilename: () => name, setSaveDialogOptions } as unknown as DownloadItem);
    assert.equal(defaultPath, `/home/ana/Downloads/${suggested}`);
  }
});

const form = {
  action: 'https://office.example/cool.html?WOPISrc=http%3A%2F%2F127.0.0.1%2Fwopi%2Ffiles%2Fp',
  accessToken: 'se+cret&token',
  accessTokenTtl: 1_800_000_000_000,
};

test('a connection test that ends before its page has loaded leaves no window', async () => {
  const { pages } = bench();
  const ending = new AbortController();
  const shown = pages.showProbe(form, ending.signal);
  ending.abort();
  await assert.rejects(shown, { name: 'AbortError' });
  assert.equal(FakeWindow.created[0]?.wasDestroyed, true);
  await assert.rejects(pages.showProbe(form, ending.signal), { name: 'AbortError' });
  assert.equal(FakeWindow.created.length, 1);
});

test('a connection test reports why its page didn’t load, without the token, and closes its window', async () => {
  for (const [code, kind] of [
    ['ERR_CERT_AUTHORITY_INVALID', 'tls-not-trusted'],
    ['ERR_BLOCKED_BY_CLIENT', 'other-host'],
    ['ERR_ABORTED', 'redirected'],
    ['ERR_EMPTY_RESPONSE', 'broken'],
  ] as const) {
    const { pages } = bench();
    const shown = pages.showProbe(form, new AbortController().signal);
    const [window] = FakeWindow.created;
    window!.fail(code);
    await assert.rejects(shown, (error: Error) => {
      const fault = faultOf(error);
      assert.equal(fault?.code, kind);
      assert.match(`${fault?.sentence} ${fault?.remedy}`, /office\.example.*\. .{10}/);
      assert.doesNotMatch(inspect(error, { depth: 5 }), /cret|wopi/);
      return true;
    });
    assert.equal(window?.wasDestroyed, true);
  }
});
