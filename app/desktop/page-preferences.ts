// What every page of the app runs in, whoever wrote it: a sandboxed process without Node.

import type { Session, WebPreferences } from 'electron';

/** @see Electron's security checklist, 2 to 11 */
export function pagePreferences(session: Session, hasDevTools: boolean): WebPreferences {
  return {
    session,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    plugins: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    devTools: hasDevTools,
  };
}
