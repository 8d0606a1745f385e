// The HTML of the editor's page: plain controls with accessible names, by which the tests find them.

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { PageConfig } from './page-config.ts';

export function editorPage(title: string, config: PageConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<script type="application/json" id="config">${json}</script><script type="module" src="/editor-page.js"></script></head>
<body><main><h1 id="name">Loading…</h1><p id="status" role="status"></p><p id="people"></p>
<pre id="text"></pre>
<label>Text <input id="new-text"></label><button id="type">Type</button><button id="save">Save</button>
<label>Name <input id="new-name"></label><button id="rename">Rename</button><button id="save-as">Save copy as</button>
<button id="edit">Edit document</button><button id="share">Share</button><button id="versions">Version history</button>
<button id="close">Close document</button></main></body></html>`;
}

export function editorPageScript(): string {
  const source = readFileSync(new URL('editor-page.ts', import.meta.url), 'utf8');
  return stripTypeScriptTypes(source);
}
