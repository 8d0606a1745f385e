// Updates of the installed app, with electron-updater. A newer version is downloaded in the background and installed when the user
// quits, so never while a document is being edited. electron-updater checks a download against the feed's metadata. The metadata must
// be signed, so that someone who controls the feed's server can't install anything.

import { verify } from 'node:crypto';
import { once, type EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AppUpdater } from 'electron-updater';
import { z } from 'zod';
import type { Clock } from '../contract/clock.ts';
import { AppError, describeError, inWindowWords } from '../contract/errors.ts';
import type { UpdateState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { appImageOf } from './launch.ts';

/** Written into package.json by build/update-feed.ts. */
export interface UpdateFeed {
  /** Ends with a slash; `latest.yml` and the installers are below it. */
  url: string;
  /** Ed25519, SPKI, base64. */
  publicKey: string;
}

/** What the Windows installer puts beside the app. */
const uninstallerName = 'Uninstall DocTray.exe';

const manifestSchema = z.object({ updates: z.object({ url: z.url(), publicKey: z.string() }) });

/**
 * Undefined if this package doesn't update itself: packages of Linux distributions have a package manager for that, and the update of
 * a zip for Windows would install DocTray elsewhere.
 */
export function findUpdateFeed(deps: {
  app: { isPackaged: boolean; getAppPath(): string };
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  execPath: string;
}): UpdateFeed | undefined {
  const { app, platform, env, execPath } = deps;
  if (!app.isPackaged || (platform === 'linux' && appImageOf(env, execPath) === undefined)) return undefined;
  if (platform === 'win32' && !existsSync(join(dirname(execPath), uninstallerName))) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'));
  return manifestSchema.safeParse(manifest).data?.updates;
}

export interface UpdaterModule {
  autoUpdater: Updater;
  /** Parses the metadata as `checkForUpdates` does. */
  parse(metadata: string): unknown;
}

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'disableWebInstaller'
  | 'requestHeaders'
  | 'logger'
  | 'checkForUpdates'
  | 'downloadUpdate'
  | 'quitAndInstall'
>;

export interface UpdatesDeps {
  feed: UpdateFeed | undefined;
  /** Called at the first check. */
  loadUpdater(): Promise<UpdaterModule>;
  /** Electron's `autoUpdater`, which installs on macOS. */
  native: EventEmitter;
  /** The app was started without options, which a restart would lose. */
  canRestart: boolean;
  /** The new version may start before this process has ended. */
  releaseInstanceLock(): void;
  /** @throws when the address doesn't answer with 200 */
  fetchText(url: string): Promise<string>;
  platform: NodeJS.Platform;
  arch: string;
  /** The setting. */
  isAutomatic(): boolean;
  clock: Clock;
  onChange(): void;
  log: Pick<Logger, 'info' | 'warn'>;
}

export type Updates = ReturnType<typeof createUpdates>;

/** Delayed, so that it doesn't slow down the start. */
const firstCheckMs = 60_000;
const checkEveryMs = 24 * 60 * 60 * 1000;
/** electron-updater has no time limits. */
const checkLimitMs = 60_000;
const downloadLimitMs = 60 * 60_000;
const maxNotesLength = 20_000;

export function createUpdates(deps: UpdatesDeps) {
  const { feed, clock, log, canRestart } = deps;
  let state: UpdateState = {
    status: 'unknown',
    version: null,
    notes: null,
    problem: null,
    checkedAtMs: null,
    canRestart,
  };
  let isInstallCanceled = false;
  let updater: Promise<UpdaterModule> | undefined;
  let loaded: Updater | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(change: Partial<UpdateState>): void {
    state = { ...state, ...change };
    deps.onChange();
  }

  async function load(): Promise<UpdaterModule> {
    const found = await deps.loadUpdater();
    loaded = found.autoUpdater;
    loaded.autoDownload = false;
    loaded.autoInstallOnAppQuit = !isInstallCanceled;
    loaded.disableWebInstaller = true;
    // Without this, each request carries an identifier of this installation.
    loaded.requestHeaders = { 'x-user-staging-id': '' };
    loaded.logger = null;
    return found;
  }

  /** @returns what the state becomes */
  async function findAndDownload({ url, publicKey }: UpdateFeed): Promise<Partial<UpdateState>> {
    const { autoUpdater, parse } = await (updater ??= load());
    const tooLate = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error(`No response within ${checkLimitMs} ms.`)), checkLimitMs).unref();
    });
    const result = await Promise.race([autoUpdater.checkForUpdates(), tooLate]);
    if (result === null) return { status: 'unknown' };
    const { updateInfo, isUpdateAvailable, cancellationToken } = result;
    const metadataUrl = new URL(metadataName(deps.platform, deps.arch), url).href;
    const metadata = await deps.fetchText(metadataUrl);
    assertSigned({ metadata, signature: await deps.fetchText(`${metadataUrl}.sig`), publicKey });
    // The feed may have answered electron-updater with something else.
    if (!isDeepStrictEqual(parse(metadata), updateInfo)) throw new AppError('update-not-signed');
    if (!isUpdateAvailable) return { status: 'current' };
    const { version, releaseNotes } = updateInfo;
    const notes = typeof releaseNotes === 'string' ? releaseNotes.slice(0, maxNotesLength) : null;
    set({ status: 'downloading', version, notes });
    // On macOS, a download isn't ready before the system has unpacked and checked it.
    const installable = deps.platform === 'darwin' ? once(deps.native, 'update-downloaded') : undefined;
    const limit = setTimeout(() => cancellationToken?.cancel(), downloadLimitMs);
    try {
      await Promise.all([autoUpdater.downloadUpdate(cancellationToken), installable]);
    } finally {
      clearTimeout(limit);
    }
    log.info({ version }, 'An update is ready to install.');
    return { status: 'ready' };
  }

  /** Never rejects: the state says how it went. */
  async function check(): Promise<void> {
    // What is ready is installed first, before anything newer.
    if (feed === undefined || ['checking', 'downloading', 'ready'].includes(state.status)) return;
    set({ status: 'checking', problem: null });
    try {
      set({ ...(await findAndDownload(feed)), checkedAtMs: clock() });
    } catch (error) {
      log.warn({ err: error }, 'The check for updates failed.');
      const code = state.status === 'downloading' ? 'update-download-failed' : 'update-check-failed';
      const problem = error instanceof AppError ? error : new AppError(code, { cause: error });
      const { message } = inWindowWords(describeError(problem));
      const failed = { status: 'failed', version: null, notes: null, checkedAtMs: clock() } as const;
      set({ ...failed, problem: { code: problem.code, message } });
    }
  }

  return {
    /** Null if this package doesn't update itself. */
    state: () => (feed === undefined ? null : state),
    /** Checks soon, and then daily. */
    start() {
      if (feed === undefined) return;
      const checkIfAutomatic = (): void => void (deps.isAutomatic() && check());
      timer = globalThis
        .setTimeout(() => {
          checkIfAutomatic();
          timer = setInterval(checkIfAutomatic, checkEveryMs).unref();
        }, firstCheckMs)
        .unref();
    },
    check,
    /** Installs the downloaded version and starts it; call it when the host has stopped. */
    installAndRestart() {
      deps.releaseInstanceLock();
      loaded?.quitAndInstall(true, true);
    },
    /** Shutting down or logging out doesn't leave enough time. */
    cancelInstallOnQuit() {
      isInstallCanceled = true;
      if (loaded !== undefined) loaded.autoInstallOnAppQuit = false;
    },
    close: () => clearTimeout(timer),
  };
}

/** As electron-builder names it. */
export function metadataName(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'win32') return 'latest.yml';
  if (platform === 'darwin') return 'latest-mac.yml';
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

/**
 * @param input.signature Ed25519 over the metadata, base64
 * @throws AppError update-not-signed
 */
export function assertSigned(input: { metadata: string; signature: string; publicKey: string }): void {
  const { metadata, signature, publicKey } = input;
  const key = { key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' } as const;
  if (!verify(null, Buffer.from(metadata), key, Buffer.from(signature, 'base64')))
    throw new AppError('update-not-signed');
}
