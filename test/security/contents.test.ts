// What web contents and sessions in the main process may load, embed and open, however they were created.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSandboxless } from '../stand-in/launch.ts';
import { settle, startSecuredApp, type SecuredApp } from './secured-app.ts';

let secured: SecuredApp;
before(async () => {
  secured = await startSecuredApp();
});
after(() => secured.close());

test('no session loads anything from another origin, not even the default one or a new one', async () => {
  const loaded = await secured.app.evaluate(async ({ BrowserWindow, session }, otherOrigin) => {
    const results: boolean[] = [];
    for (const own of [
      session.defaultSession,
      session.fromPartition('another'),
      session.fromPartition('persist:window'),
    ]) {
      const window = new BrowserWindow({ show: false, webPreferences: { session: own } });
      for (const url of [`${otherOrigin}/page`, `${otherOrigin}/redirect`, 'file:///etc/passwd']) {
        const isLoaded = window.loadURL(url).then(() => true);
        results.push(await isLoaded.catch(() => false));
      }
      window.destroy();
    }
    return results;
  }, secured.otherOrigin);
  assert.deepEqual(loaded, Array.from({ length: 9 }).fill(false));
  await settle();
  assert.deepEqual(secured.requests, []);
});

test('no spelling of a URL escapes the app’s pages', async () => {
  const addresses = [
    'app://doctray/../../../../../../etc/passwd',
    'app://doctray/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    'app://doctray/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
    'app://doctray/..%5c..%5cetc%5cpasswd',
    'app://doctray/..\\..\\..\\etc\\passwd',
    'app://doctray/%252e%252e%252f%252e%252e%252fetc%252fpasswd',
    'app://doctray//etc/passwd',
    'app://doctray/etc/passwd',
    'app://doctray/%00/etc/passwd',
    'app://doctray/index.html%00.png',
    'app://doctray/../main/main.js',
    'app://doctray/../preload/preload.cjs',
    'app://doctray/assets/../../main/main.js',
    'app://doctray/assets/',
    'app://doctray/assets',
    'app://doctray/index.html?x=1',
    'app://doctray/index%2ehtml',
    'app://doctray/nothing.html',
    'app://other/index.html',
    'app://doctray.evil/index.html',
  ];
  const texts = await secured.app.evaluate(async ({ BrowserWindow, session }, addresses) => {
    const window = new BrowserWindow({
      show: false,
      webPreferences: { session: session.fromPartition('persist:window') },
    });
    const results: string[] = [];
    for (const address of addresses) {
      const text = window
        .loadURL(address)
        .then(() => window.webContents.executeJavaScript('document.body.innerText') as Promise<string>);
      results.push(await text.catch(() => 'not loaded'));
    }
    window.destroy();
    return results;
  }, addresses);
  for (const [index, text] of texts.entries()) {
    assert.ok(
      ['Not found.', 'not loaded'].includes(text.trim()),
      `${addresses[index]}: ${text.slice(0, 80)}`,
    );
  }
});

test('the webview element is disabled', async () => {
  const isElement = await secured.page.evaluate(() => {
    const webview = document.createElement('webview');
    webview.setAttribute('src', 'https://example.com');
    webview.setAttribute('allowpopups', '');
    document.body.append(webview);
    const isWebview = 'getWebContentsId' in webview || 'loadURL' in webview;
    webview.remove();
    return isWebview;
  });
  assert.equal(isElement, false);
  const count = await secured.app.evaluate(({ webContents }) => webContents.getAllWebContents().length);
  assert.equal(count, 1);
});

test('nothing switches the sandbox off, except for root', async () => {
  const isOff = await secured.app.evaluate(({ app }) => app.commandLine.hasSwitch('no-sandbox'));
  assert.equal(isOff, isSandboxless);
});
