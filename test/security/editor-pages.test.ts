// What a malicious editor page can do in a window of the app, and in the hidden window of the connection test. Every attack runs as
// a script of that page.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import type { ElectronApplication, Frame, Page } from 'playwright';
import { watchDialogs } from '../e2e/desk-dialogs.ts';
import { until } from '../e2e/window-of.ts';
import { listen, type Site } from '../listen.ts';
import { isRealElectron, launchElectron } from '../stand-in/launch.ts';
import type { EditorAppGlobals } from './editor-app/main.ts';
import { settle } from './secured-app.ts';

interface RecordingSite extends Site {
  /** Method, path and body of every request, in order. */
  requests: string[];
}

let app: ElectronApplication;
let home: string;
/** Each has its own origin. */
let host: RecordingSite;
let editor: RecordingSite;
let otherSite: RecordingSite;

async function site(name: string, answer: (path: string) => string): Promise<RecordingSite> {
  const requests: string[] = [];
  const listening = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      if (path === '/favicon.ico') return void response.writeHead(404).end();
      requests.push(`${request.method} ${path} ${body}`.trim());
      const to = /^\/to\?(.*)$/u.exec(path)?.[1];
      response.writeHead(to === undefined ? 200 : 302, {
        'Content-Type': 'text/html; charset=utf-8',
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': 'no-store',
        ...(to !== undefined && { Location: decodeURIComponent(to) }),
      });
      response.end(`<!doctype html><title>${name} ${path}</title><main>${name}</main>${answer(path)}`);
    });
  });
  return { ...listening, requests };
}

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'doctray-editor-pages-'));
  editor = await site('editor', () => '');
  host = await site(
    'host',
    (
      path,
    ) => `<form method="post" action="${editor.url}/page" target="editor"><input name="access_token" value="t"></form>
      <iframe name="editor" allow="fullscreen ${editor.url}"></iframe>
      <script>
        if (${JSON.stringify(path)}.includes('unsaved')) addEventListener('beforeunload', (event) => event.preventDefault());
        document.forms[0].submit();
      </script>`,
  );
  otherSite = await site('elsewhere', () => '');
  app = await launchElectron({
    appDir: join(import.meta.dirname, 'editor-app'),
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), DBUS_SESSION_BUS_ADDRESS: '' },
  });
  await until(() => app.evaluate(() => 'editorApp' in globalThis), 'the app’s main script has run');
  await app.evaluate(
    (_, { pageUrls, editorUrls }) =>
      void Object.assign((globalThis as unknown as EditorAppGlobals).editorApp, { pageUrls, editorUrls }),
    { pageUrls: [host.url], editorUrls: [editor.url] },
  );
});

after(async () => {
  await app.close();
  for (const one of [host, editor, otherSite]) await one.close();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
});

afterEach(async () => {
  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    const { refused, openedExternally } = (globalThis as unknown as EditorAppGlobals).editorApp;
    for (const list of [refused, openedExternally]) list.length = 0;
  });
  for (const { requests } of [host, editor, otherSite]) requests.length = 0;
});

const noted = (list: 'refused' | 'openedExternally') => (): Promise<string[]> =>
  app.evaluate((_, name) => [...(globalThis as unknown as EditorAppGlobals).editorApp[name]], list);
const refused = noted('refused');
const openedExternally = noted('openedExternally');
const windowCount = (): Promise<number> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

const go = (where: Page | Frame, target: 'top.location' | 'location', url: string): Promise<unknown> =>
  run(where, `void (${target}.href = ${JSON.stringify(url)})`).catch(() => undefined);

/** Opens a document in a window, with the editor's page in its frame. */
async function open(path = '/edit/abc'): Promise<{ page: Page; frame: Frame }> {
  const url = host.url + path;
  await app.evaluate(
    (_, address) => (globalThis as unknown as EditorAppGlobals).editorApp.open(address, 'letter.odt'),
    url,
  );
  const found = (): Page | undefined => app.windows().find((one) => one.url() === url);
  await until(() => found() !== undefined, 'the page is there');
  const page = found()!;
  const frame = (): Frame | undefined =>
    page.frames().find((one) => one.parentFrame() !== null && one.url() === `${editor.url}/page`);
  await until(() => frame() !== undefined, 'the editor is in its frame');
  return { page, frame: frame()! };
}

const run = (where: Page | Frame, script: string): Promise<unknown> => where.evaluate(script);

test('opens a document in a window with an in-memory session, posts the token into the frame, and gives neither Node, Electron nor the app’s bridge', async () => {
  const { page, frame } = await open();
  assert.deepEqual(editor.requests, ['POST /page access_token=t']);
  assert.equal(await page.title(), 'host /edit/abc');
  const about = await app.evaluate(({ BrowserWindow, session }) => {
    const [window] = BrowserWindow.getAllWindows();
    const own = window?.webContents.session;
    return [own === session.defaultSession, own?.isPersistent(), window?.getTitle()];
  });
  assert.deepEqual(about, [false, false, 'host /edit/abc']);
  assert.deepEqual(await refused(), []);
  const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer', 'doctray'];
  for (const where of [page, frame])
    assert.deepEqual(await run(where, `${JSON.stringify(names)}.filter((name) => name in globalThis)`), []);
});

test('the editor can navigate the window only to pages of the host', async () => {
  const { page, frame } = await open();
  for (const url of [`${otherSite.url}/a`, `${editor.url}/a`, `${host.url}/to?${otherSite.url}/b`]) {
    await go(frame, 'top.location', url);
    await settle();
    assert.ok(!page.url().startsWith(otherSite.url), page.url());
  }
  assert.deepEqual(otherSite.requests, []);
  const { frame: other } = await open('/edit/second');
  await go(other, 'top.location', `${host.url}/closed-not`);
  await until(() => host.requests.includes('GET /closed-not'), 'the page of the host is loaded');
});

test('the host page can navigate only to pages of the host and the editor, as for a conversion', async () => {
  const { page } = await open();
  await go(page, 'location', `${otherSite.url}/a`);
  await settle();
  assert.equal(page.url(), `${host.url}/edit/abc`);
  await run(
    page,
    `{ const form = document.forms[0]; form.target = '_top'; form.action = ${JSON.stringify(`${editor.url}/to?${encodeURIComponent(`${host.url}/edit/converted`)}`)}; form.submit(); }`,
  );
  await page.waitForURL(`${host.url}/edit/converted`);
  assert.deepEqual(otherSite.requests, []);
});

test('the frame can navigate only to pages of the editor, even through redirects', async () => {
  const { page, frame } = await open();
  for (const url of [
    `${otherSite.url}/a`,
    `${host.url}/edit/other`,
    `${editor.url}/to?${encodeURIComponent(`${otherSite.url}/b`)}`,
    'file:///etc/passwd',
    'app://doctray/index.html',
    'data:text/html,x',
  ]) {
    await run(page, `document.querySelector('iframe').src = ${JSON.stringify(url)}; undefined`);
    await go(frame, 'location', url);
    await settle();
  }
  assert.deepEqual(otherSite.requests, []);
  assert.ok(!host.requests.includes('GET /edit/other'));
  assert.ok((await refused()).length > 0);
});

test('the editor can’t load anything from another origin over HTTP', async () => {
  const { frame } = await open();
  const url = JSON.stringify(`${otherSite.url}/x`);
  const got = await run(
    frame,
    `Promise.all([
      fetch(${url}, { mode: 'no-cors' }).then(() => 'fetched', () => 'refused'),
      fetch(${JSON.stringify(`${editor.url}/own`)}).then(() => 'fetched', () => 'refused'),
      new Promise((resolve) => { const image = new Image(); image.onload = image.onerror = () => resolve('asked'); image.src = ${url}; }),
      new Promise((resolve) => { const script = document.createElement('script'); script.onload = () => resolve('ran'); script.onerror = () => resolve('refused'); script.src = ${url}; document.body.append(script); }),
    ])`,
  );
  assert.deepEqual(got, ['refused', 'fetched', 'asked', 'refused']);
  if (isRealElectron) {
    // The stand-in's Chromium does not show sockets to the app.
    const socket = `new Promise((resolve) => { const socket = new WebSocket(${JSON.stringify(otherSite.url.replace('http', 'ws'))}); socket.onopen = () => resolve('open'); socket.onerror = () => resolve('refused'); })`;
    assert.equal(await run(frame, socket), 'refused');
  }
  await settle();
  assert.deepEqual(otherSite.requests, []);
});

test('opens new windows in the browser, at most one per second, and host pages in the app', async () => {
  const { page, frame } = await open();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
  await run(frame, `{ for (let i = 0; i < 5; i += 1) window.open('https://example.org/' + i); undefined }`);
  await until(async () => (await openedExternally()).length > 0, 'the first is opened');
  await settle();
  assert.deepEqual(await openedExternally(), ['https://example.org/0']);
  assert.equal(await windowCount(), 1);
  const openLater = async (url: string): Promise<void> => {
    await app.evaluate(() => void ((globalThis as unknown as EditorAppGlobals).editorApp.time.nowMs += 1000));
    await run(page, `void window.open(${JSON.stringify(url)})`);
  };
  for (const url of ['file:///etc/passwd', 'smb://evil/x']) await openLater(url);
  await openLater(`${host.url}/edit/copy`);
  await until(async () => (await windowCount()) === 2, 'the copy has a window');
  assert.deepEqual(await openedExternally(), ['https://example.org/0']);
});

test('asks before it closes a window with unsaved changes', async () => {
  const dialogs = await watchDialogs(app);
  const { page } = await open('/edit/unsaved');
  const close = (): Promise<void> =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  // Chromium runs beforeunload only in pages with user interaction.
  await page.mouse.click(5, 5);
  await close();
  const { message } = await dialogs.press('Keep editing');
  assert.equal(message, 'letter.odt has unsaved changes.');
  await settle();
  assert.equal(await windowCount(), 1);
  // Chromium ignores a close while it still cancels the previous one. A user isn't that fast.
  await until(async () => {
    await close();
    return (await dialogs.asked()).length > 1;
  }, 'it asks again');
  await dialogs.press('Close anyway');
  await until(async () => (await windowCount()) === 0, 'the window is closed');
});

test('closes the window when the page for a closed editor loads', async () => {
  const { page } = await open();
  await go(page, 'location', `${host.url}/closed`);
  await until(async () => (await windowCount()) === 0, 'the window is closed');
});

/** Shows the editor's page as the connection test does. @returns `shown`, or the code of the fault */
async function probe(action: string): Promise<string> {
  return app.evaluate(async (_, url) => {
    const { editorApp } = globalThis as unknown as EditorAppGlobals;
    const ending = new AbortController();
    Object.assign(globalThis, { endProbe: () => ending.abort() });
    const page = { action: url, accessToken: 'secret token', accessTokenTtl: 5 };
    return editorApp.showProbe(page, ending.signal).then(
      () => 'shown',
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
  }, action);
}

const endProbe = (): Promise<void> =>
  app.evaluate(() => (globalThis as unknown as { endProbe(): void }).endProbe());

test('the connection test posts the token in a hidden, muted window with an in-memory session', async () => {
  assert.equal(await probe(`${editor.url}/page?WOPISrc=x`), 'shown');
  // A form of the previous test may still arrive.
  const requests = editor.requests.filter((one) => one !== 'POST /page access_token=t');
  assert.deepEqual(requests, ['POST /page?WOPISrc=x access_token=secret+token&access_token_ttl=5']);
  const about = await app.evaluate(({ BrowserWindow, session }) => {
    const [window] = BrowserWindow.getAllWindows();
    const own = window?.webContents.session;
    return [
      window?.isVisible(),
      window?.webContents.isAudioMuted(),
      own?.isPersistent(),
      own === session.fromPartition('editor'),
    ];
  });
  assert.deepEqual(about, [false, true, false, false]);
  await endProbe();
  await until(async () => (await windowCount()) === 0, 'the window is gone');
});

test('the connection test’s page can’t navigate, load other origins or open windows', async () => {
  assert.equal(await probe(`${editor.url}/page`), 'shown');
  const found = (): Page | undefined => app.windows().find((one) => one.url() === `${editor.url}/page`);
  await until(() => found() !== undefined, 'the page is there');
  const page = found()!;
  for (const url of [otherSite.url, host.url])
    await run(page, `fetch(${JSON.stringify(`${url}/x`)}, { mode: 'no-cors' }).catch(() => 0).then(() => 0)`);
  await run(page, `window.open('https://example.org/'); undefined`);
  await go(page, 'location', `${otherSite.url}/a`);
  await settle();
  assert.equal(page.url(), `${editor.url}/page`);
  assert.deepEqual([otherSite.requests, host.requests, await openedExternally()], [[], [], []]);
  assert.equal(await windowCount(), 1);
  await endProbe();
});

test('distinguishes an editor page on another host, a redirect to another host, and a refused connection', async () => {
  assert.equal(await probe(`${otherSite.url}/page`), 'other-host');
  const redirected = await probe(`${editor.url}/to?${encodeURIComponent(`${otherSite.url}/b`)}`);
  assert.equal(redirected, 'redirected');
  assert.deepEqual(otherSite.requests, []);
  await until(async () => (await windowCount()) === 0, 'no window is left');
  const { url: gone, close } = await site('gone', () => '');
  await close();
  await app.evaluate((_, url) => {
    (globalThis as unknown as EditorAppGlobals).editorApp.editorUrls.push(url);
  }, gone);
  assert.equal(await probe(`${gone}/page`), 'broken');
  await until(async () => (await windowCount()) === 0, 'no window is left');
});
