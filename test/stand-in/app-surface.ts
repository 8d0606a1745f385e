// The part of Electron's `app` that the stand-in has.

import type { App } from 'electron';

export type AppSurface = Pick<
  App,
  | 'name'
  | 'isPackaged'
  | 'commandLine'
  | 'dock'
  | 'applicationMenu'
  | 'userAgentFallback'
  | 'getName'
  | 'setName'
  | 'getVersion'
  | 'getAppPath'
  | 'getPath'
  | 'setPath'
  | 'setAppLogsPath'
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'relaunch'
  | 'focus'
  | 'hide'
  | 'requestSingleInstanceLock'
  | 'hasSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'isDefaultProtocolClient'
  | 'removeAsDefaultProtocolClient'
  | 'setLoginItemSettings'
  | 'getLoginItemSettings'
  | 'enableSandbox'
  | 'disableHardwareAcceleration'
  | 'isHardwareAccelerationEnabled'
  | 'setAppUserModelId'
  | 'setDesktopName'
  | 'setAboutPanelOptions'
  | 'showAboutPanel'
  | 'getLocale'
  | 'getSystemLocale'
  | 'getLocaleCountryCode'
  | 'getPreferredSystemLanguages'
  | 'getAppMetrics'
  | 'addRecentDocument'
  | 'clearRecentDocuments'
  | 'setBadgeCount'
  | 'getBadgeCount'
  | 'setJumpList'
  | 'setUserTasks'
  | 'isAccessibilitySupportEnabled'
  | 'setAccessibilitySupportEnabled'
  | 'isSecureKeyboardEntryEnabled'
  | 'setSecureKeyboardEntryEnabled'
  | 'configureHostResolver'
>;

export const appEvents: readonly string[] = [
  'will-finish-launching',
  'ready',
  'window-all-closed',
  'before-quit',
  'will-quit',
  'quit',
  'open-file',
  'open-url',
  'activate',
  'did-become-active',
  'second-instance',
  'browser-window-blur',
  'browser-window-focus',
  'browser-window-created',
  'web-contents-created',
  'render-process-gone',
  'child-process-gone',
  'certificate-error',
  'select-client-certificate',
  'login',
  'gpu-info-update',
  'accessibility-support-changed',
  'session-created',
];
