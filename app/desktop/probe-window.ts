// The connection test's browser: a hidden window posts the probe's form to the editor's page and keeps it open until the test has
// its answer. It is the most restricted of the windows with third-party pages: the row `probe` of guards.ts, no dialogs, no
// sound, and nothing is stored.

import type { BrowserWindow, Session } from 'electron';
import { EditorFault, unreachable } from '../editors/editor-fault.ts';
import { loadErrorCode, pagePreferences } from './page-window.ts';
import { t, type MessageKey } from '../contract/messages.ts';

export interface ProbePage {
  /** The complete address of the editor's view page. */
  action: string;
  accessToken: string;
  accessTokenTtl: number;
}

/**
 * Resolves when the editor's page has arrived. The page stays until the signal aborts, two minutes at most.
 * @throws AppError editor-unreachable, with an EditorFault as its cause
 */
export type ShowPage = (page: ProbePage, signal: AbortSignal) => Promise<void>;

export interface ProbeWindowDeps {
  BrowserWindow: typeof BrowserWindow;
  /** With the ruling `probe`. */
  session(): Session;
  limitMs?: number;
}

export function createShowProbe(deps: ProbeWindowDeps): ShowPage {
  return async ({ action, accessToken, accessTokenTtl }, signal) => {
    signal.throwIfAborted();
    const session = deps.session();
    const window = new deps.BrowserWindow({
      show: false,
      width: 1024,
      height: 768,
      focusable: false,
      skipTaskbar: true,
      title: 'DocTray',
      webPreferences: {
        ...pagePreferences(session, false),
        disableDialogs: true,
        backgroundThrottling: false,
      },
    });
    const { webContents } = window;
    webContents.setAudioMuted(true);
    webContents.on('will-prevent-unload', (event) => {
      event.preventDefault();
    });
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (!window.isDestroyed()) window.destroy();
      // The session is in memory: what can't be cleared now is gone when the app quits.
      void session.clearStorageData().catch(() => undefined);
    };
    const timer = setTimeout(end, deps.limitMs ?? 120_000);
    signal.addEventListener('abort', end);
    try {
      await new Promise<void>((resolve, reject) => {
        webContents.on('did-navigate', (_event, _url, status) => {
          if (status < 400) resolve();
          else reject(unreachable(statusFault(action, status)));
        });
        webContents.on('destroyed', () => {
          reject(signal.aborted ? (signal.reason as Error) : unreachable(pageFault(action, 'TIMED_OUT')));
        });
        const form = new URLSearchParams({
          access_token: accessToken,
          access_token_ttl: String(accessTokenTtl),
        });
        const options = {
          postData: [{ type: 'rawData' as const, bytes: Buffer.from(form.toString()) }],
          extraHeaders: 'Content-Type: application/x-www-form-urlencoded',
        };
        window.loadURL(action, options).catch((error: unknown) => {
          reject(unreachable(pageFault(action, loadErrorCode(error))));
        });
      });
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** Explains Chromium's error code (`ERR_NAME_NOT_RESOLVED`, …). */
function pageFault(action: string, code: string): EditorFault {
  const { host } = new URL(action);
  const [, kind, sentence, remedy] = pageFaults.find(([pattern]) => pattern.test(code)) ?? otherFault;
  return new EditorFault(kind, () => [t(sentence, { host }), t(remedy)]);
}

function statusFault(action: string, status: number): EditorFault {
  return new EditorFault('status', () => [
    t('desktop.page-status', { origin: new URL(action).origin, status }),
    t(status >= 500 ? 'desktop.page-may-be-starting' : 'desktop.page-check-log'),
  ]);
}

type PageFault = [pattern: RegExp, kind: EditorFault['code'], sentence: MessageKey, remedy: MessageKey];

const otherFault: PageFault = [/^/u, 'broken', 'desktop.page-lost', 'desktop.page-check-server'];
const pageFaults: PageFault[] = [
  [
    /NAME_NOT_RESOLVED/u,
    'name-not-resolved',
    'desktop.page-name-not-resolved',
    'desktop.page-give-resolvable-name',
  ],
  [/CONNECTION_REFUSED/u, 'refused', 'desktop.page-refused', 'desktop.page-check-server'],
  [
    /UNREACHABLE|INTERNET_DISCONNECTED/u,
    'no-route',
    'desktop.page-no-route',
    'host.check-address-network-vpn',
  ],
  [/TIMED_OUT/u, 'timed-out', 'desktop.page-timed-out', 'desktop.page-check-server'],
  [/CERT_/u, 'tls-not-trusted', 'desktop.page-not-trusted', 'desktop.page-trust-authority'],
  [/SSL_/u, 'tls-failed', 'desktop.page-no-https', 'desktop.page-check-port'],
  [/ABORTED/u, 'redirected', 'desktop.page-redirected', 'desktop.page-connect-at-its-address'],
  [/BLOCKED_BY_CLIENT/u, 'other-host', 'desktop.page-on-other-host', 'desktop.page-allow-other-host'],
];
