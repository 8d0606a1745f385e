// Updates of the installed app, with electron-updater. A newer version is downloaded in the background and installed when the user
// quits, so never while a document is being edited. electron-updater checks a download against the feed's metadata. The metadata must
// be signed, so that someone who controls the feed's server can't install anything.

import { verify } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
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

/** What is used of electron-updater. */
export interface UpdaterModule {
  autoUpdater: Updater;
  /** Parses the metadata as `checkForUpdates` does. */
  parse(metadata: string): unknown;
}

export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  disableWebInstaller: boolean;
  requestHeaders: object | null;
  logger: unknown;
  checkForUpdates(): Promise<UpdateCheck | null>;
  /** With the token from `checkForUpdates`, the download can be canceled. */
  downloadUpdate(token?: Cancellation): Promise<unknown>;
  on(event: 'download-progress', listener: (progress: DownloadProgress) => void): unknown;
  off(event: 'download-progress', listener: (progress: DownloadProgress) => void): unknown;
  /** Installs, and starts the new version. */
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
}

export interface UpdateCheck {
  isUpdateAvailable: boolean;
  updateInfo: UpdateInfo;
  /** Only with an available update. */
  cancellationToken?: Cancellation;
}

export interface Cancellation {
  cancel(): void;
}

export interface DownloadProgress {
  percent: number;
}

export interface UpdateInfo {
  version: string;
  releaseNotes?: string | readonly unknown[] | null | undefined;
}

export interface UpdatesDeps {
  feed: UpdateFeed | undefined;
  /** Called at the first check. */
  loadUpdater(): Promise<UpdaterModule>;
  /** Resolves when the system can install what is being downloaded. @see untilInstallable */
  untilInstallable(): Promise<void>;
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

export interface Updates {
  /** Null if this package doesn't update itself. */
  state(): UpdateState | null;
  /** Checks soon, and then daily. */
  start(): void;
  /** Never rejects: the state says how it went. */
  check(): Promise<void>;
  /** Installs the downloaded version and starts it; call it when the host has stopped. */
  installAndRestart(): void;
  /** Shutting down or logging out doesn't leave enough time. */
  cancelInstallOnQuit(): void;
  close(): void;
}

/** Delayed, so that it doesn't slow down the start. */
const firstCheckMs = 60_000;
const checkEveryMs = 24 * 60 * 60 * 1000;
/** electron-updater has no time limit for it. */
const checkLimitMs = 60_000;
/** A download that receives nothing for so long has failed. electron-updater would wait for ever. */
const stallLimitMs = 60_000;
const maxNotesLength = 20_000;

export function createUpdates(deps: UpdatesDeps): Updates {
  const { feed, clock, log, canRestart } = deps;
  let state: UpdateState = {
    status: 'unknown',
    version: null,
    notes: null,
    problem: null,
    checkedAtMs: null,
    canRestart,
  };
  let isRunning = false;
  let isInstallCanceled = false;
  let updater: Promise<UpdaterModule> | undefined;
  let loaded: Updater | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(change: Partial<UpdateState>): void {
    state = { ...state, ...change };
    deps.onChange();
  }

  function installOnQuit(autoUpdater: Updater, isWanted: boolean): void {
    autoUpdater.autoInstallOnAppQuit = isWanted && !isInstallCanceled;
  }

  async function load(): Promise<UpdaterModule> {
    const found = await deps.loadUpdater();
    const { autoUpdater } = found;
    autoUpdater.autoDownload = false;
    autoUpdater.disableWebInstaller = true;
    // Without this, each request carries an identifier of this installation.
    autoUpdater.requestHeaders = { 'x-user-staging-id': '' };
    autoUpdater.logger = null;
    loaded = autoUpdater;
    return found;
  }

  /** @returns what the state becomes */
  async function findAndDownload({ url, publicKey }: UpdateFeed): Promise<Partial<UpdateState>> {
    const { autoUpdater, parse } = await (updater ??= load());
    const result = await withTimeout(checkLimitMs, autoUpdater.checkForUpdates());
    if (result === null) return { status: 'unknown' };
    const { updateInfo, isUpdateAvailable } = result;
    const metadataUrl = new URL(metadataName(deps.platform, deps.arch), url).href;
    const metadata = await deps.fetchText(metadataUrl);
    assertSigned({ metadata, signature: await deps.fetchText(`${metadataUrl}.sig`), publicKey });
    // The feed may have answered electron-updater with something else.
    if (!isDeepStrictEqual(parse(metadata), updateInfo)) throw new AppError('update-not-signed');
    const { version } = updateInfo;
    if (!isUpdateAvailable) {
      // What was downloaded has been withdrawn.
      installOnQuit(autoUpdater, false);
      return { status: 'current', version: null, notes: null };
    }
    if (state.version === version) return { status: 'ready' };
    const notes = notesOf(updateInfo);
    // While a download replaces an earlier one, neither can be installed: an AppImage would be deleted first. Without an earlier one,
    // electron-updater must know before the download that it is going to install.
    installOnQuit(autoUpdater, state.status !== 'ready');
    set({ status: 'downloading', version, notes });
    const installable = deps.untilInstallable();
    await Promise.all([download(autoUpdater, result.cancellationToken), installable]);
    installOnQuit(autoUpdater, true);
    log.info({ version }, 'An update is ready to install.');
    return { status: 'ready' };
  }

  async function check(): Promise<void> {
    if (feed === undefined || isRunning) return;
    isRunning = true;
    if (state.status !== 'ready') set({ status: 'checking', problem: null });
    try {
      const change = await findAndDownload(feed);
      set({ ...change, checkedAtMs: clock() });
    } catch (error) {
      log.warn({ err: error }, 'The check for updates failed.');
      // A download that failed has removed the earlier one.
      if (state.status === 'ready') return set({ checkedAtMs: clock() });
      const code = state.status === 'downloading' ? 'update-download-failed' : 'update-check-failed';
      const problem = error instanceof AppError ? error : new AppError(code, { cause: error });
      const { message } = inWindowWords(describeError(problem));
      const failed = { status: 'failed', version: null, notes: null, checkedAtMs: clock() } as const;
      set({ ...failed, problem: { code: problem.code, message } });
    } finally {
      isRunning = false;
    }
  }

  return {
    state: () => (feed === undefined ? null : state),
    start() {
      if (feed === undefined) return;
      const checkIfAutomatic = (): void => void (deps.isAutomatic() && check());
      timer = setTimeout(() => {
        checkIfAutomatic();
        timer = setInterval(checkIfAutomatic, checkEveryMs).unref();
      }, firstCheckMs).unref();
    },
    check,
    installAndRestart() {
      deps.releaseInstanceLock();
      loaded?.quitAndInstall(true, true);
    },
    cancelInstallOnQuit() {
      isInstallCanceled = true;
      if (loaded !== undefined) installOnQuit(loaded, false);
    },
    close: () => clearTimeout(timer),
  };
}

/** @throws Error if nothing arrives for a minute */
async function download(updater: Updater, token: Cancellation | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onProgress: (progress: DownloadProgress) => void = () => undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    const fail = (): void => {
      reject(new Error(`No data within ${stallLimitMs} ms.`));
      // Otherwise, the next download would wait for this one.
      token?.cancel();
    };
    onProgress = ({ percent }) => {
      clearTimeout(timer);
      // What follows the last byte, such as the system's check, doesn't report progress.
      timer = percent < 100 ? setTimeout(fail, stallLimitMs) : undefined;
    };
    onProgress({ percent: 0 });
  });
  updater.on('download-progress', onProgress);
  try {
    await Promise.race([updater.downloadUpdate(token), stalled]);
  } finally {
    clearTimeout(timer);
    updater.off('download-progress', onProgress);
  }
}

/** @throws Error after that time */
async function withTimeout<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${limitMs} ms.`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * On macOS, a download isn't ready before the system has unpacked and checked it. Call it before the download.
 * @param native Electron's `autoUpdater`
 */
export async function untilInstallable(
  platform: NodeJS.Platform,
  native: Pick<EventEmitter, 'once' | 'off'>,
): Promise<void> {
  if (platform !== 'darwin') return;
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      native.off('update-downloaded', done);
      native.off('error', failed);
    };
    const done = (): void => {
      end();
      resolve();
    };
    const failed = (error: Error): void => {
      end();
      reject(error);
    };
    native.once('update-downloaded', done);
    native.once('error', failed);
  });
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

function notesOf({ releaseNotes }: UpdateInfo): string | null {
  return typeof releaseNotes === 'string' ? releaseNotes.slice(0, maxNotesLength) : null;
}
