// The part of Electron's BrowserWindow that the stand-in has: members, events, options.

import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';

export type WindowSurface = Pick<
  BrowserWindow,
  | 'id'
  | 'webContents'
  | 'title'
  | 'autoHideMenuBar'
  | 'loadURL'
  | 'loadFile'
  | 'reload'
  | 'show'
  | 'showInactive'
  | 'hide'
  | 'focus'
  | 'blur'
  | 'close'
  | 'destroy'
  | 'isVisible'
  | 'isFocused'
  | 'isDestroyed'
  | 'minimize'
  | 'restore'
  | 'isMinimized'
  | 'maximize'
  | 'unmaximize'
  | 'isMaximized'
  | 'setFullScreen'
  | 'isFullScreen'
  | 'isNormal'
  | 'getBounds'
  | 'setBounds'
  | 'getNormalBounds'
  | 'getContentBounds'
  | 'setContentBounds'
  | 'getSize'
  | 'setSize'
  | 'getContentSize'
  | 'setContentSize'
  | 'getPosition'
  | 'setPosition'
  | 'center'
  | 'setMinimumSize'
  | 'getMinimumSize'
  | 'setMaximumSize'
  | 'getMaximumSize'
  | 'getTitle'
  | 'setTitle'
  | 'setMenu'
  | 'removeMenu'
  | 'setMenuBarVisibility'
  | 'isMenuBarVisible'
  | 'setAutoHideMenuBar'
  | 'setBackgroundColor'
  | 'getBackgroundColor'
  | 'setProgressBar'
  | 'setIcon'
  | 'setOverlayIcon'
  | 'flashFrame'
  | 'setTitleBarOverlay'
  | 'setSkipTaskbar'
  | 'setAlwaysOnTop'
  | 'isAlwaysOnTop'
  | 'setResizable'
  | 'isResizable'
  | 'isEnabled'
  | 'setEnabled'
  | 'moveTop'
  | 'setContentProtection'
  | 'getParentWindow'
  | 'isModal'
>;

export const windowEvents: readonly string[] = [
  'page-title-updated',
  'close',
  'closed',
  'query-session-end',
  'session-end',
  'unresponsive',
  'responsive',
  'blur',
  'focus',
  'show',
  'hide',
  'ready-to-show',
  'maximize',
  'unmaximize',
  'minimize',
  'restore',
  'resize',
  'resized',
  'move',
  'moved',
  'enter-full-screen',
  'leave-full-screen',
];

export const windowOptionKeys: readonly (keyof BrowserWindowConstructorOptions)[] = [
  'acceptFirstMouse',
  'alwaysOnTop',
  'autoHideMenuBar',
  'backgroundColor',
  'backgroundMaterial',
  'center',
  'closable',
  'darkTheme',
  'focusable',
  'frame',
  'fullscreen',
  'fullscreenable',
  'hasShadow',
  'height',
  'icon',
  'maxHeight',
  'maxWidth',
  'maximizable',
  'minHeight',
  'minWidth',
  'minimizable',
  'modal',
  'movable',
  'paintWhenInitiallyHidden',
  'parent',
  'resizable',
  'roundedCorners',
  'show',
  'skipTaskbar',
  'tabbingIdentifier',
  'title',
  'titleBarOverlay',
  'titleBarStyle',
  'trafficLightPosition',
  'type',
  'useContentSize',
  'vibrancy',
  'visualEffectState',
  'webPreferences',
  'width',
  'x',
  'y',
];
