// The connection test's browser: a hidden window posts the probe's form to the editor's page and keeps it open until the test has
// its answer. It is the most restricted of the windows with third-party pages: the row `probe` of guards.ts, no dialogs, no
// sound, and nothing is stored.

import type { BrowserWindow, Session } from 'electron';
import { EditorFault, unreachable } from '../editors/editor-fault.ts';
import { loadErrorCode, pagePreferences } from './page-window.ts';

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
  const [, kind, explain, remedy] = pageFaults.find(([pattern]) => pattern.test(code)) ?? otherFault;
  return new EditorFault(kind, () => [
    `A browser on this computer can’t load the editor’s page: ${explain(host)}`,
    remedy,
  ]);
}

function statusFault(action: string, status: number): EditorFault {
  return new EditorFault('status', () => [
    `The editor’s page at ${new URL(action).origin} answered ${status}.`,
    status >= 500
      ? 'It may still be starting. Try again in a minute, or check its log.'
      : 'Check the log of the document server for the reason.',
  ]);
}

type PageFault = [
  pattern: RegExp,
  kind: EditorFault['code'],
  explain: (host: string) => string,
  remedy: string,
];

const checkServer = 'Check that the document server is running there, and that no firewall blocks it.';
const otherFault: PageFault = [/^/u, 'broken', (host) => `the connection to ${host} was lost.`, checkServer];
const pageFaults: PageFault[] = [
  [
    /NAME_NOT_RESOLVED/u,
    'name-not-resolved',
    (host) => `the name ${host} can’t be resolved.`,
    'Give the document server a name or address that this computer can resolve.',
  ],
  [/CONNECTION_REFUSED/u, 'refused', (host) => `nothing is listening at ${host}.`, checkServer],
  [
    /UNREACHABLE|INTERNET_DISCONNECTED/u,
    'no-route',
    (host) => `there is no route to ${host}.`,
    'Check the address, the network and the VPN.',
  ],
  [/TIMED_OUT/u, 'timed-out', (host) => `${host} didn’t respond in time.`, checkServer],
  [
    /CERT_/u,
    'tls-not-trusted',
    (host) => `the certificate of ${host} isn’t trusted.`,
    'Make browsers on this computer trust the authority that signed it, or use the host name in the certificate.',
  ],
  [
    /SSL_/u,
    'tls-failed',
    (host) => `${host} doesn’t support HTTPS, or only a TLS version that browsers don’t accept.`,
    'Check the port, and whether it needs http:// or https://.',
  ],
  [
    /ABORTED/u,
    'redirected',
    (host) => `${host} redirects to another host, or returns no page.`,
    'Connect the editor at the address of its pages.',
  ],
  [
    /BLOCKED_BY_CLIENT/u,
    'other-host',
    (host) => `it is on another host than the editor, or redirects to one: ${host}.`,
    'If you trust the other host, connect the editor again and allow it.',
  ],
];
