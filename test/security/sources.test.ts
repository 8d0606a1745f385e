// What must not be in the sources, since a single line could disable the protection, and properties of the built app.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { before, test } from 'node:test';
import { buildApp, projectRoot } from '../e2e/running-app.ts';

before(buildApp);

/** The files' paths in the project, with '/', and their contents without comments. */
function read(...patterns: string[]): Map<string, string> {
  const files = patterns.flatMap((pattern) => globSync(join(projectRoot, pattern)));
  return new Map(
    files.map((file) => [
      relative(projectRoot, file).replaceAll('\\', '/'),
      readFileSync(file, 'utf8')
        .replaceAll(/<!--[\s\S]*?-->/g, '')
        .replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, ''),
    ]),
  );
}

const app = read('app/**/*.ts');
const pageSources = (page: string): Map<string, string> =>
  read(...['ts', 'tsx', 'html'].map((ending) => `renderer/${page}/**/*.${ending}`));
const kit = pageSources('kit');
const appWindow = new Map([...pageSources('window'), ...kit]);
const hostPage = new Map([...pageSources('host-page'), ...kit]);
const textEditor = new Map([...pageSources('text-editor'), ...kit]);

function filesWith(files: Map<string, string>, pattern: RegExp): string[] {
  return [...files]
    .filter(([, text]) => pattern.test(text))
    .map(([file]) => file)
    .toSorted();
}

test('no preference weakens the security of a page', () => {
  for (const pattern of [
    /nodeIntegration\w*: true/,
    /contextIsolation: false/,
    /sandbox: false/,
    /webSecurity: false/,
    /allowRunningInsecureContent: true/,
    /experimentalFeatures: true/,
    /enableBlinkFeatures/,
    /webviewTag: true/,
    /allowpopups/i,
    /ignore-certificate-errors/,
    /disable-web-security/,
    /bypassCSP/,
    /'certificate-error'/,
    /unsafe-eval/,
    // Except for styles in the preview's frame, which has no origin: see the tests of the text editor's page.
    /(?<!"style-src ')unsafe-inline/,
  ]) {
    assert.deepEqual(filesWith(app, pattern), [], String(pattern));
  }
  // It refuses to start with this switch.
  assert.deepEqual(filesWith(app, /no-sandbox'/), ['app/desktop/before-ready.ts']);
  // It trusts only the host's certificate: see test/e2e/document-window.test.ts.
  assert.deepEqual(filesWith(app, /setCertificateVerifyProc/), ['app/desktop/editor-window.ts']);
  assert.deepEqual(filesWith(app, /unsafe-inline/), ['app/text-editor/page.ts']);
});

test('enables the sandbox for all pages before the app is ready', () => {
  assert.deepEqual(filesWith(app, /app\.enableSandbox\(\)/), ['app/desktop/before-ready.ts']);
});

test('creates windows, handles messages and loads URLs in known files only', () => {
  // All windows have the same preferences, and only the app's own window has a preload script.
  assert.deepEqual(filesWith(app, /new (?:deps\.)?BrowserWindow\(/), ['app/desktop/page-window.ts']);
  assert.deepEqual(filesWith(app, /\bsandbox: true/), ['app/desktop/page-window.ts']);
  assert.deepEqual(filesWith(app, /\bpreload: deps\.preload/), ['app/desktop/window.ts']);
  // Only one file changes the rules of a session, and its sessions aren't persistent.
  assert.deepEqual(filesWith(app, /guards\.rule\(/), ['app/desktop/editor-window.ts']);
  assert.deepEqual(filesWith(app, /'persist:/), ['app/desktop/protocol.ts']);
  assert.deepEqual(filesWith(app, /new (?:WebContentsView|BrowserView|BaseWindow)\(/), []);
  assert.deepEqual(filesWith(app, /\.openExternal\(/), [
    'app/desktop/desktop-app.ts',
    'app/desktop/desktop.ts',
    'app/desktop/editor-window.ts',
  ]);
  assert.deepEqual(filesWith(app, /shell\.openExternal\(/), ['app/desktop/desktop-app.ts']);
  assert.deepEqual(filesWith(app, /ipcMain\.\w+\(/), ['app/desktop/ipc.ts']);
  assert.deepEqual(filesWith(app, /ipcRenderer\.\w+\(/), ['app/desktop/preload.ts']);
  assert.deepEqual(filesWith(app, /exposeInMainWorld\(/), ['app/desktop/preload.ts']);
  assert.deepEqual(filesWith(app, /\.protocol\.handle\(/), ['app/desktop/protocol.ts']);
  assert.deepEqual(filesWith(app, /\.loadURL\(/), ['app/desktop/page-window.ts', 'app/desktop/window.ts']);
  assert.deepEqual(filesWith(app, /\.loadFile\(/), []);
  assert.deepEqual(filesWith(app, /executeJavaScript|insertCSS|\.sendSync\(|\.debugger\b/), []);
});

test('the window’s page uses no eval and no innerHTML, and connects in one file, for browsers', () => {
  for (const pattern of [/\bfetch\(/, /new WebSocket\(/, /window\.open\(/]) {
    const [file, ...others] = filesWith(appWindow, pattern);
    assert.match(file ?? '', /dashboard-bridge\.ts$/, String(pattern));
    assert.deepEqual(others, [], String(pattern));
  }
  for (const pattern of [
    /dangerouslySetInnerHTML/,
    /\binnerHTML\b/,
    /insertAdjacentHTML/,
    /\beval\(/,
    /new Function\(/,
    /XMLHttpRequest|EventSource|sendBeacon/,
    /https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org)[^\s'"`<]*\.(?:js|css|png|woff2)/,
  ]) {
    assert.deepEqual(filesWith(appWindow, pattern), [], String(pattern));
  }
  // For pages in a browser; the window doesn't use them.
  const notice = 'renderer/kit/page-notice.tsx';
  assert.deepEqual(filesWith(appWindow, /target="_blank"/), ['renderer/kit/button.tsx', notice]);
  assert.deepEqual(filesWith(appWindow, /\bPageNotice\b/), [notice]);
  for (const user of filesWith(appWindow, /\bLinkButton\b/)) assert.match(user, /^renderer\/kit\//u);
});

test('the host page calls fetch in one file, and uses no eval or innerHTML', () => {
  assert.ok(hostPage.size > 0);
  assert.deepEqual(filesWith(hostPage, /\bfetch\(/), ['renderer/host-page/host-api.ts']);
  for (const pattern of [
    /innerHTML|insertAdjacentHTML|outerHTML|srcdoc|document\.write|createContextualFragment/,
    /\beval\(|new Function\(/,
    /XMLHttpRequest|WebSocket|EventSource/,
    // The name of the SVG namespace isn't an address that a page calls.
    /https?:\/\/(?!www\.w3\.org\/2000\/svg')[^\s'"`$]*\./,
  ]) {
    assert.deepEqual(filesWith(hostPage, pattern), [], String(pattern));
  }
});

test('the text editor calls fetch in one file, uses innerHTML in one file, and no eval', () => {
  assert.ok(textEditor.size > 0);
  assert.deepEqual(filesWith(textEditor, /\bfetch\b/), ['renderer/text-editor/wopi-client.ts']);
  assert.deepEqual(filesWith(textEditor, /\binnerHTML\b/), ['renderer/text-editor/markdown-preview.ts']);
  for (const pattern of [
    /insertAdjacentHTML|outerHTML|srcdoc|document\.write|createContextualFragment/,
    /\beval\(|new Function\(/,
    /XMLHttpRequest|sendBeacon|WebSocket|EventSource/,
    /allow-same-origin|allow-top-navigation|allow-popups/,
    /https?:\/\/(?!www\.w3\.org\/2000\/svg')[^\s'"`$]*\./,
    /window\.open\(/,
  ]) {
    assert.deepEqual(filesWith(textEditor, pattern), [], String(pattern));
  }
});

test('the preload script is one file that imports only Electron', () => {
  const text = readFileSync(join(projectRoot, 'out', 'preload', 'preload.cjs'), 'utf8');
  const required = [...text.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name);
  assert.deepEqual(required, ['"electron"']);
  assert.doesNotMatch(text, /^import /m);
});

// The entry has a top-level await on its chunks, so an import of it would be a deadlock.
test('no chunk of the main process imports the entry', () => {
  const chunks = read('out/main/chunks/*.js');
  assert.ok(chunks.size > 0);
  assert.deepEqual(filesWith(chunks, /from\s*["']\.\.\/main\.js["']/), []);
});

test('the built page has no inline script or style and no absolute URL', () => {
  const pages = read('out/window/*.html');
  assert.equal(pages.size, 1);
  for (const [file, text] of pages) {
    assert.doesNotMatch(
      text,
      /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:|https?:\/\//i,
      file,
    );
  }
});

// Electron supports its latest three major versions.
test('Electron is a supported version', () => {
  const { version } = JSON.parse(
    readFileSync(join(projectRoot, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as { version: string };
  assert.ok(Number(version.split('.')[0]) >= 45, version);
});
