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
    /** The logged texts. */
    logged: string[];
    pageUrls: string[];
    editorUrls: string[];
    isEnding: boolean;
  };
}

const refused: string[] = [];
const openedExternally: string[] = [];
const logged: string[] = [];
const guards = installGuards(app, { hasDevTools: false, onRefused: (what) => refused.push(what) });
const log = (_fields: object, text: string): void => void logged.push(text);
const urls = { pageUrls: [] as string[], editorUrls: [] as string[], isEnding: false };

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
  isQuitting: () => editorApp.isEnding,
  pageUrls: () => editorApp.pageUrls,
  editorUrls: () => editorApp.editorUrls,
  openExternal: createOpenExternal(
    async (url) => void openedExternally.push(url),
    () => [...editorApp.pageUrls, ...editorApp.editorUrls],
  ),
  showError: () => undefined,
  clock: () => performance.now(),
  log: { info: log, warn: log, error: log, request: () => undefined, flush: () => undefined },
});
const editorApp: EditorAppGlobals['editorApp'] = { ...pages, ...urls, refused, openedExternally, logged };
Object.assign(globalThis, { editorApp });
app.on('window-all-closed', () => undefined);
