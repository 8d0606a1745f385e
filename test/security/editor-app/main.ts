// An app with only the guards and the windows for editor pages, for which the test provides the host and the editor.

import { app, BrowserWindow, dialog, nativeTheme, screen, session } from 'electron';
import { join } from 'node:path';
import { createEditorPages, type EditorPages } from '../../../app/desktop/editor-window.ts';
import { createOpenExternal, installGuards } from '../../../app/desktop/guards.ts';

export interface EditorAppGlobals {
  editorApp: EditorPages & {
    refused: string[];
    /** URLs that were opened in the default browser. */
    openedExternally: string[];
    pageUrls: string[];
    editorUrls: string[];
    time: { nowMs: number };
  };
}

const refused: string[] = [];
const openedExternally: string[] = [];
const guards = installGuards(app, { hasDevTools: false, onRefused: (what) => refused.push(what) });
const log = (): void => undefined;
const urls = { pageUrls: [] as string[], editorUrls: [] as string[] };
const time = { nowMs: 0 };

await app.whenReady();
guards.guardSession(session.defaultSession);
const pages = createEditorPages({
  hostCertificate: () => undefined,
  BrowserWindow,
  nativeTheme,
  screen,
  dialog,
  fromPartition: (partition) => session.fromPartition(partition),
  downloadsFolder: () => app.getPath('downloads'),
  guards,
  platform: process.platform,
  icon: undefined,
  boundsFile: join(app.getPath('userData'), 'none', 'editor-window.json'),
  hasDevTools: false,
  isQuitting: () => false,
  pageUrls: () => editorApp.pageUrls,
  editorUrls: () => editorApp.editorUrls,
  openExternal: createOpenExternal(
    async (url) => void openedExternally.push(url),
    () => [...editorApp.pageUrls, ...editorApp.editorUrls],
  ),
  showError: () => undefined,
  clock: () => time.nowMs,
  log: { info: log, warn: log, error: log, request: () => undefined, flush: () => undefined },
});
const editorApp: EditorAppGlobals['editorApp'] = { ...pages, ...urls, time, refused, openedExternally };
Object.assign(globalThis, { editorApp });
app.on('window-all-closed', () => undefined);
