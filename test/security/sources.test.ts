// What the sources must not say anywhere, since one line of it would undo the rest; and what the built app must be.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { before, test } from 'node:test';
import { buildApp, projectRoot } from './secured-app.ts';

before(buildApp);

/** Paths below the project, with '/', and what the files say besides comments. */
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
const appWindow = pageSources('window');
const hostPage = pageSources('host-page');
const textEditor = pageSources('text-editor');

function filesWith(files: Map<string, string>, pattern: RegExp): string[] {
  return [...files]
    .filter(([, text]) => pattern.test(text))
    .map(([file]) => file)
    .toSorted();
}

test('no preference that weakens a page is set anywhere', () => {
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
    /no-sandbox/,
    /ignore-certificate-errors/,
    /disable-web-security/,
    /bypassCSP/,
    /'certificate-error'/,
    /unsafe-eval/,
    // of styles alone, and in the frame without an origin: see the test of the text editor's page
    /(?<!"style-src ')unsafe-inline/,
  ]) {
    assert.deepEqual(filesWith(app, pattern), [], String(pattern));
  }
  // it trusts the host's own certificate only, see test/e2e/text-editor-window.test.ts
  assert.deepEqual(filesWith(app, /setCertificateVerifyProc/), ['app/desktop/editor-window.ts']);
  assert.deepEqual(filesWith(app, /unsafe-inline/), ['app/text-editor/page.ts']);
});

test('the sandbox is on for whatever is drawn, before anything is', () => {
  assert.deepEqual(filesWith(app, /app\.enableSandbox\(\)/), ['app/desktop/before-ready.ts']);
});

const windows = ['app/desktop/editor-window.ts', 'app/desktop/probe-window.ts', 'app/desktop/window.ts'];
const creators = ['app/desktop/page-window.ts', 'app/desktop/probe-window.ts'];

test('there is one place for each of the doors', () => {
  assert.deepEqual(filesWith(app, /new (?:deps\.)?BrowserWindow\(/), creators);
  // each of them runs its page under the same preferences, and only the app's own has a preload script
  assert.deepEqual(filesWith(app, /\.\.\.pagePreferences\(/), creators);
  assert.deepEqual(filesWith(app, /\bsandbox: true/), ['app/desktop/page-window.ts']);
  assert.deepEqual(filesWith(app, /\bpreload: deps\.preload/), ['app/desktop/window.ts']);
  // a session gets other rules than the window's in one place, and none of those lives on
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
  assert.deepEqual(filesWith(app, /\.loadURL\(/), windows);
  assert.deepEqual(filesWith(app, /\.loadFile\(/), []);
  assert.deepEqual(filesWith(app, /executeJavaScript|insertCSS|\.sendSync\(|\.debugger\b/), []);
});

test('the pages make no code, no markup of text, and no connection', () => {
  for (const pattern of [
    /dangerouslySetInnerHTML/,
    /\binnerHTML\b/,
    /insertAdjacentHTML/,
    /\beval\(/,
    /new Function\(/,
    /\bfetch\(/,
    /XMLHttpRequest/,
    /https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org)[^\s'"`<]*\.(?:js|css|png|woff2)/,
    /window\.open\(/,
    /target="_blank"/,
  ]) {
    assert.deepEqual(filesWith(appWindow, pattern), [], String(pattern));
  }
});

test('the host page calls the host in one place, and makes neither code nor markup of text', () => {
  assert.ok(hostPage.size > 0);
  assert.deepEqual(filesWith(hostPage, /\bfetch\(/), ['renderer/host-page/host-api.ts']);
  for (const pattern of [
    /innerHTML|insertAdjacentHTML|outerHTML|srcdoc|document\.write|createContextualFragment/,
    /\beval\(|new Function\(/,
    /XMLHttpRequest|WebSocket|EventSource/,
    /https?:\/\/[^\s'"`$]*\./,
  ]) {
    assert.deepEqual(filesWith(hostPage, pattern), [], String(pattern));
  }
});

test('the text editor calls the relay in one place, makes markup of text in one place, and no code', () => {
  assert.ok(textEditor.size > 0);
  assert.deepEqual(filesWith(textEditor, /\bfetch\b/), ['renderer/text-editor/wopi-client.ts']);
  assert.deepEqual(filesWith(textEditor, /\binnerHTML\b/), ['renderer/text-editor/markdown-preview.ts']);
  for (const pattern of [
    /insertAdjacentHTML|outerHTML|srcdoc|document\.write|createContextualFragment/,
    /\beval\(|new Function\(/,
    /XMLHttpRequest|sendBeacon|WebSocket|EventSource/,
    /allow-same-origin|allow-top-navigation|allow-popups/,
    /https?:\/\/[^\s'"`$]*\./,
    /window\.open\(/,
  ]) {
    assert.deepEqual(filesWith(textEditor, pattern), [], String(pattern));
  }
});

test('the preload script is one file that needs nothing but Electron', () => {
  const text = readFileSync(join(projectRoot, 'out', 'preload', 'preload.cjs'), 'utf8');
  const required = [...text.matchAll(/require\(([^)]*)\)/g)].map(([, name]) => name);
  assert.deepEqual(required, ['"electron"']);
  assert.doesNotMatch(text, /^import /m);
});

test('no part of the main process waits for its entry, which waits for them', () => {
  const chunks = read('out/main/chunks/*.js');
  assert.ok(chunks.size > 0);
  assert.deepEqual(filesWith(chunks, /from\s*["']\.\.\/main\.js["']/), []);
});

test('the built pages hold no inline script, no inline style, and no address to load from', () => {
  const pages = read('out/renderer/*.html');
  assert.equal(pages.size, 1);
  for (const [file, text] of pages) {
    assert.doesNotMatch(
      text,
      /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:|https?:\/\//i,
      file,
    );
  }
});

test('Electron is a version that is still mended', () => {
  // Electron mends its latest three; this is the one the app was written for, and none before it will do.
  const { version } = JSON.parse(
    readFileSync(join(projectRoot, 'node_modules', 'electron', 'package.json'), 'utf8'),
  ) as { version: string };
  assert.ok(Number(version.split('.')[0]) >= 45, version);
});
