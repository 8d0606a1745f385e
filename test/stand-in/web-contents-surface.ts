// What the stand-in has of webContents: members, events that it emits (or would emit if the page could cause them, such as
// `will-attach-webview`) and supported preferences.

import type { WebContents, WebPreferences } from 'electron';

export const contentsEvents: readonly string[] = [
  'blur',
  'console-message',
  'destroyed',
  'devtools-closed',
  'devtools-opened',
  'did-create-window',
  'did-fail-load',
  'did-finish-load',
  'did-navigate',
  'did-navigate-in-page',
  'did-redirect-navigation',
  'did-start-loading',
  'did-start-navigation',
  'did-stop-loading',
  'dom-ready',
  'focus',
  'ipc-message',
  'ipc-message-sync',
  'page-title-updated',
  'preload-error',
  'render-process-gone',
  'responsive',
  'unresponsive',
  'will-attach-webview',
  'will-frame-navigate',
  'will-navigate',
  'will-prevent-unload',
  'will-redirect',
  'certificate-error',
  'login',
];

export const preferenceKeys: readonly (keyof WebPreferences)[] = [
  'allowRunningInsecureContent',
  'backgroundThrottling',
  'contextIsolation',
  'devTools',
  'disableDialogs',
  'experimentalFeatures',
  'images',
  'javascript',
  'navigateOnDragDrop',
  'nodeIntegration',
  'nodeIntegrationInSubFrames',
  'nodeIntegrationInWorker',
  'partition',
  'plugins',
  'preload',
  'safeDialogs',
  'sandbox',
  'session',
  'spellcheck',
  'v8CacheOptions',
  'webSecurity',
  'webviewTag',
  'zoomFactor',
];

/** Preferences whose unsafe value the stand-in doesn't support; an app that asks for it fails at once. */
export const fixedPreferences: Partial<Record<keyof WebPreferences, boolean>> = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  webviewTag: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  javascript: true,
};

/** The members of WebContents that the stand-in has, with Electron's types. */
export type ContentsSurface = Pick<
  WebContents,
  | 'id'
  | 'ipc'
  | 'session'
  | 'mainFrame'
  | 'opener'
  | 'backgroundThrottling'
  | 'loadURL'
  | 'reload'
  | 'stop'
  | 'getURL'
  | 'getTitle'
  | 'isDestroyed'
  | 'isCrashed'
  | 'isLoading'
  | 'isFocused'
  | 'focus'
  | 'send'
  | 'executeJavaScript'
  | 'forcefullyCrashRenderer'
  | 'close'
  | 'setWindowOpenHandler'
  | 'setZoomFactor'
  | 'getZoomFactor'
  | 'setZoomLevel'
  | 'getZoomLevel'
  | 'toggleDevTools'
  | 'setAudioMuted'
  | 'isAudioMuted'
  | 'copy'
  | 'cut'
  | 'paste'
  | 'selectAll'
  | 'undo'
  | 'redo'
>;
