// What must not be in the sources, or only in files that are known to be careful with it, since a single line could disable the protection.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../cli/built-program.ts';

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

const page = (name: string) => read(`renderer/{${name},kit}/**/*.{ts,tsx,html}`);

/** Each pattern with the files that may have it. */
type Rules = [pattern: RegExp, ...files: string[]][];

/** None of these pages runs text as code, or HTML that isn't sanitized. */
const noInjection: Rules = [
  [/\beval\(|new Function\(/],
  [/dangerouslySetInnerHTML|insertAdjacentHTML|outerHTML|srcdoc|document\.write|createContextualFragment/],
  [/XMLHttpRequest|EventSource|sendBeacon/],
];
/** The name of the SVG namespace isn't an address that a page calls. */
const noAddress: Rules = [[/https?:\/\/(?!www\.w3\.org\/2000\/svg')[^\s'"`$]*\./]];

const suites: [what: string, files: Map<string, string>, rules: Rules][] = [
  [
    'no preference weakens the security of a page',
    read('app/**/*.ts'),
    [
      [/nodeIntegration\w*: true/],
      [/contextIsolation: false/],
      [/sandbox: false/],
      [/webSecurity: false/],
      [/allowRunningInsecureContent: true/],
      [/experimentalFeatures: true/],
      [/enableBlinkFeatures/],
      [/webviewTag: true/],
      [/allowpopups/i],
      [/ignore-certificate-errors/],
      [/disable-web-security/],
      [/bypassCSP/],
      [/'certificate-error'/],
      [/unsafe-eval/],
      // Styles in the preview's frame, which has no origin: see the tests of the text editor's page.
      [/unsafe-inline/, 'app/text-editor/page.ts'],
      [/(?<!"style-src ')unsafe-inline/],
      // It refuses to start with this switch.
      [/no-sandbox'/, 'app/desktop/before-ready.ts'],
      // It trusts only the host's certificate: see test/e2e/document-window.test.ts.
      [/setCertificateVerifyProc/, 'app/desktop/editor-window.ts'],
      [/app\.enableSandbox\(\)/, 'app/desktop/before-ready.ts'],
    ],
  ],
  [
    'creates windows, handles messages and loads URLs in known files only',
    read('app/**/*.ts'),
    [
      // All windows have the same preferences, and only the app's own window has a preload script.
      [/new (?:deps\.)?BrowserWindow\(/, 'app/desktop/page-window.ts'],
      [/\bsandbox: true/, 'app/desktop/page-window.ts'],
      [/\bpreload: deps\.preload/, 'app/desktop/window.ts'],
      // Only one file changes the rules of a session, and its sessions aren't persistent.
      [/guards\.rule\(/, 'app/desktop/editor-window.ts'],
      [/'persist:/, 'app/desktop/protocol.ts'],
      [/new (?:WebContentsView|BrowserView|BaseWindow)\(/],
      [
        /\.openExternal\(/,
        'app/desktop/desktop-app.ts',
        'app/desktop/desktop.ts',
        'app/desktop/editor-window.ts',
      ],
      [/shell\.openExternal\(/, 'app/desktop/desktop-app.ts'],
      [/ipcMain\.\w+\(/, 'app/desktop/ipc.ts'],
      [/ipcRenderer\.\w+\(/, 'app/desktop/preload.ts'],
      [/exposeInMainWorld\(/, 'app/desktop/preload.ts'],
      [/\.protocol\.handle\(/, 'app/desktop/protocol.ts'],
      [/\.loadURL\(/, 'app/desktop/page-window.ts', 'app/desktop/window.ts'],
      [/\.loadFile\(/],
      [/executeJavaScript|insertCSS|\.sendSync\(|\.debugger\b/],
    ],
  ],
  [
    'the window’s page uses no eval and no innerHTML, and connects in one file, for browsers',
    page('window'),
    [
      ...noInjection,
      [/\binnerHTML\b/],
      [/\bfetch\(/, 'renderer/window/state/dashboard-bridge.ts'],
      [/new WebSocket\(/, 'renderer/window/state/dashboard-bridge.ts'],
      [/window\.open\(/, 'renderer/window/state/dashboard-bridge.ts'],
      [/https?:\/\/(?!127\.0\.0\.1|localhost|www\.w3\.org)[^\s'"`<]*\.(?:js|css|png|woff2)/],
      // For pages in a browser; the window doesn't use them.
      [/target="_blank"/, 'renderer/kit/button.tsx', 'renderer/kit/page-notice.tsx'],
      [/\bPageNotice\b/, 'renderer/kit/page-notice.tsx'],
    ],
  ],
  [
    'the host page calls fetch in one file, and uses no eval or innerHTML',
    page('host-page'),
    [
      ...noInjection,
      ...noAddress,
      [/\binnerHTML\b|WebSocket/],
      [/\bfetch\(/, 'renderer/host-page/host-api.ts'],
    ],
  ],
  [
    'the text editor calls fetch in one file, uses innerHTML in one file, and no eval',
    page('text-editor'),
    [
      ...noInjection,
      ...noAddress,
      [/allow-same-origin|allow-top-navigation|allow-popups|WebSocket|window\.open\(/],
      [/\bfetch\b/, 'renderer/text-editor/wopi-client.ts'],
      [/\binnerHTML\b/, 'renderer/text-editor/markdown-preview.ts'],
    ],
  ],
];

for (const [what, files, rules] of suites) {
  test(what, () => {
    assert.ok(files.size > 10);
    for (const [pattern, ...allowed] of rules) {
      const found = [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file);
      assert.deepEqual(found.toSorted(), allowed, String(pattern));
    }
  });
}
