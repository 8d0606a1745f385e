// The connection test's hidden window, with a fake of Electron's BrowserWindow.

import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { BrowserWindow, BrowserWindowConstructorOptions, LoadURLOptions } from 'electron';
import { faultOf } from '../../../app/editors/editor-fault.ts';
import { createShowProbe } from '../../../app/desktop/probe-window.ts';

class FakeWindow extends EventEmitter {
  static created: FakeWindow[] = [];
  options: BrowserWindowConstructorOptions;
  loads: { url: string; options: LoadURLOptions | undefined }[] = [];
  loading = Promise.withResolvers<void>();
  wasDestroyed = false;
  isMuted = false;
  webContents = Object.assign(new EventEmitter(), {
    setAudioMuted: (isMuted: boolean) => (this.isMuted = isMuted),
  });
  constructor(options: BrowserWindowConstructorOptions) {
    super();
    this.options = options;
    this.loading.promise.catch(() => undefined);
    FakeWindow.created.push(this);
  }
  loadURL(url: string, options?: LoadURLOptions): Promise<void> {
    this.loads.push({ url, options });
    return this.loading.promise;
  }
  isDestroyed(): boolean {
    return this.wasDestroyed;
  }
  destroy(): void {
    this.wasDestroyed = true;
    this.webContents.emit('destroyed');
  }
}

const page = {
  action: 'https://office.example/cool.html?WOPISrc=http%3A%2F%2F127.0.0.1%2Fwopi%2Ffiles%2Fp',
  accessToken: 'se+cret&token',
  accessTokenTtl: 1_800_000_000_000,
};

function bench(limitMs?: number) {
  FakeWindow.created = [];
  let clears = 0;
  const session = {
    clearStorageData() {
      clears += 1;
      return Promise.reject(new Error('not now'));
    },
  };
  const showProbe = createShowProbe({
    BrowserWindow: FakeWindow as unknown as typeof BrowserWindow,
    session: () => session as unknown as Electron.Session,
    ...(limitMs !== undefined && { limitMs }),
  });
  const ending = new AbortController();
  const shown = showProbe(page, ending.signal);
  shown.catch(() => undefined);
  return { shown, ending, showProbe, session, window: FakeWindow.created[0]!, clears: () => clears };
}

test('is hidden and muted, shows no dialogs, and sandboxes its page', async () => {
  const { window, session, ending } = bench();
  const { webPreferences, ...options } = window.options;
  assert.deepEqual(options, {
    show: false,
    width: 1024,
    height: 768,
    focusable: false,
    skipTaskbar: true,
    title: 'DocTray',
  });
  assert.equal(webPreferences?.session, session);
  for (const key of ['sandbox', 'contextIsolation', 'webSecurity', 'disableDialogs'] as const)
    assert.equal(webPreferences[key], true, key);
  for (const key of ['nodeIntegration', 'webviewTag', 'devTools', 'backgroundThrottling'] as const)
    assert.equal(webPreferences[key], false, key);
  assert.equal(webPreferences.preload, undefined);
  assert.equal(window.isMuted, true);
  ending.abort();
});

test('posts the token as a form, not in the URL', async () => {
  const { window, ending } = bench();
  const [{ url, options } = { url: '', options: undefined }] = window.loads;
  assert.equal(url, page.action);
  assert.equal(options?.extraHeaders, 'Content-Type: application/x-www-form-urlencoded');
  const [part] = options.postData ?? [];
  assert.ok(part?.type === 'rawData');
  assert.equal(part.bytes.toString(), 'access_token=se%2Bcret%26token&access_token_ttl=1800000000000');
  ending.abort();
});

test('stays open after its page has loaded until the test ends, then clears the session’s data', async () => {
  const { window, shown, ending, clears } = bench();
  window.webContents.emit('did-navigate', {}, page.action, 200, 'OK');
  await shown;
  assert.equal(window.wasDestroyed, false);
  assert.equal(clears(), 0);
  ending.abort();
  assert.equal(window.wasDestroyed, true);
  assert.equal(clears(), 1);
});

test('a page can’t prevent its unload', () => {
  const { window, ending } = bench();
  let isAllowed = false;
  window.webContents.emit('will-prevent-unload', { preventDefault: () => (isAllowed = true) });
  assert.equal(isAllowed, true);
  ending.abort();
});

test('leaves no window if the test ends before the page has loaded, or before it began', async () => {
  const { window, shown, ending, showProbe } = bench();
  ending.abort();
  await assert.rejects(shown, { name: 'AbortError' });
  assert.equal(window.wasDestroyed, true);
  await assert.rejects(showProbe(page, ending.signal), { name: 'AbortError' });
  assert.equal(FakeWindow.created.length, 1);
});

test('closes after its time limit', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { window, shown } = bench(1000);
  window.webContents.emit('did-navigate', {}, page.action, 200, 'OK');
  await shown;
  t.mock.timers.tick(1000);
  assert.equal(window.wasDestroyed, true);
});

const faults: [code: string, kind: string][] = [
  ['ERR_NAME_NOT_RESOLVED', 'name-not-resolved'],
  ['ERR_CONNECTION_REFUSED', 'refused'],
  ['ERR_ADDRESS_UNREACHABLE', 'no-route'],
  ['ERR_CONNECTION_TIMED_OUT', 'timed-out'],
  ['ERR_CERT_AUTHORITY_INVALID', 'tls-not-trusted'],
  ['ERR_SSL_PROTOCOL_ERROR', 'tls-failed'],
  ['ERR_BLOCKED_BY_CLIENT', 'other-host'],
  ['ERR_ABORTED', 'redirected'],
  ['ERR_EMPTY_RESPONSE', 'broken'],
];
for (const [code, kind] of faults) {
  test(`reports ${code} as ${kind} without the token, and closes the window`, async () => {
    const { window, shown } = bench();
    window.loading.reject(Object.assign(new Error(`${code} (-1) loading '${page.action}'`), { code }));
    await assert.rejects(shown, (error: Error & { code: string }) => {
      assert.equal(error.code, 'editor-unreachable');
      const fault = faultOf(error);
      assert.equal(fault?.code, kind);
      assert.match(fault.sentence, /office\.example/);
      assert.ok(fault.remedy.length > 10);
      assert.doesNotMatch(inspect(error, { depth: 5 }), /cret|wopi/);
      return true;
    });
    assert.equal(window.wasDestroyed, true);
  });
}

test('reports an error response of the editor with its status', async () => {
  const { window, shown } = bench();
  window.webContents.emit('did-navigate', {}, page.action, 403, 'Forbidden');
  await assert.rejects(shown, (error) => {
    assert.equal(faultOf(error)?.code, 'status');
    assert.match(faultOf(error)?.sentence ?? '', /https:\/\/office\.example answered 403/);
    return true;
  });
  assert.equal(window.wasDestroyed, true);
});

test('ignores an aborted load after the page has loaded', async () => {
  const { window, shown, ending } = bench();
  window.webContents.emit('did-navigate', {}, page.action, 200, 'OK');
  window.loading.reject(Object.assign(new Error('aborted'), { code: 'ERR_ABORTED' }));
  await shown;
  assert.equal(window.wasDestroyed, false);
  ending.abort();
});

test('reports a page that doesn’t load in time as timed out', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { window, shown } = bench(1000);
  t.mock.timers.tick(1000);
  await assert.rejects(shown, (error) => faultOf(error)?.code === 'timed-out');
  assert.equal(window.wasDestroyed, true);
});
