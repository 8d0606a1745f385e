// The connection test's look at an editor, as a browser has it: a window that nobody sees posts the probe's form to the editor's
// page and keeps it open until the test has its answer. It may do less than any other page of a stranger: the row `probe` of
// page-rules.ts, no dialogs, no sound, and nothing of it is kept.

import type { BrowserWindow, Session } from 'electron';
import { EditorFault, unreachable } from '../editors/editor-fault.ts';
import { loadFault } from './editor-window.ts';
import { pagePreferences } from './page-preferences.ts';

export interface ProbePage {
  /** The complete address of the editor's view page. */
  action: string;
  accessToken: string;
  accessTokenTtl: number;
}

/**
 * Resolves once the editor's page has come; it stays until the signal ends it, two minutes at most.
 * @throws AppError editor-unreachable, with an EditorFault as its cause
 */
export type ShowPage = (page: ProbePage, signal: AbortSignal) => Promise<void>;

export interface ProbeWindowDeps {
  BrowserWindow: typeof BrowserWindow;
  /** Of its own, with the ruling `probe`. */
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
      // what cannot be cleared is gone with the process
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
          reject(unreachable(pageFault(action, loadFault(error))));
        });
      });
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** What Chromium says of it (`ERR_NAME_NOT_RESOLVED`, …), in words. */
function pageFault(action: string, code: string): EditorFault {
  const { host } = new URL(action);
  const [, kind, said, remedy] = pageFaults.find(([pattern]) => pattern.test(code)) ?? otherFault;
  return new EditorFault(
    kind,
    `A browser on this machine does not get the editor’s page: ${said(host)}`,
    remedy,
  );
}

function statusFault(action: string, status: number): EditorFault {
  return new EditorFault(
    'status',
    `The editor’s page at ${new URL(action).origin} answered ${status}.`,
    status >= 500
      ? 'It may still be starting; try again in a minute. Its log says more.'
      : 'Look into the log of the document server: it does not show its page to this host.',
  );
}

type PageFault = [pattern: RegExp, kind: EditorFault['code'], said: (host: string) => string, remedy: string];

const checkServer = 'Check that the document server runs there, and that no firewall is in between.';
const otherFault: PageFault = [/^/u, 'broken', (host) => `the connection to ${host} broke.`, checkServer];
const pageFaults: PageFault[] = [
  [
    /NAME_NOT_RESOLVED/u,
    'name-not-resolved',
    (host) => `the name ${host} is not known here.`,
    'Have the document server use a name or address that this machine knows, too.',
  ],
  [/CONNECTION_REFUSED/u, 'refused', (host) => `nothing listens at ${host}.`, checkServer],
  [
    /UNREACHABLE|INTERNET_DISCONNECTED/u,
    'no-route',
    (host) => `there is no way from here to ${host}.`,
    'Check the network, a VPN perhaps, and the address.',
  ],
  [/TIMED_OUT/u, 'timed-out', (host) => `${host} did not answer in time.`, checkServer],
  [
    /CERT_/u,
    'tls-not-trusted',
    (host) => `the certificate of ${host} is not trusted.`,
    'Have browsers on this machine trust the authority that signed it, or use the name the certificate is for.',
  ],
  [
    /SSL_/u,
    'tls-failed',
    (host) => `${host} does not speak TLS, or none that browsers take.`,
    'Check the port, and whether it takes http:// or https://.',
  ],
  [
    /ABORTED/u,
    'redirected',
    (host) => `${host} leads on to another host, or gives no page.`,
    'Connect the editor by the address that its pages have.',
  ],
  [
    /BLOCKED_BY_CLIENT/u,
    'other-host',
    (host) => `it lies on another host than the editor, or leads to one: ${host}.`,
    'Connect the editor again and agree to that, if you know the other host.',
  ],
];
