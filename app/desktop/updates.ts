// Updates of the installed app, with electron-updater. A newer version is downloaded in the background and installed when the user
// quits, so never while a document is being edited. electron-updater checks a download against the feed's metadata; the metadata must
// carry a signature of its own, so that whoever controls the feed's server can't install anything.

import { verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const manifestSchema = z.object({ updates: z.object({ url: z.url(), publicKey: z.string() }) });

/** Undefined if this package doesn't update itself: packages of Linux distributions have a package manager for that. */
export function findUpdateFeed(deps: {
  app: { isPackaged: boolean; getAppPath(): string };
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}): UpdateFeed | undefined {
  const { app, platform, env } = deps;
  if (!app.isPackaged || (platform === 'linux' && appImageOf(env) === undefined)) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(join(app.getAppPath(), 'package.json'), 'utf8'));
  return manifestSchema.safeParse(manifest).data?.updates;
}

/** The part of electron-updater's `autoUpdater` that is used. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  disableWebInstaller: boolean;
  requestHeaders: object | null;
  logger: unknown;
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: UpdateInfo } | null>;
  downloadUpdate(): Promise<unknown>;
  /** Installs, and starts the new version. */
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void;
}

export interface UpdateInfo {
  version: string;
  files: readonly { sha512: string }[];
  releaseNotes?: string | readonly unknown[] | null | undefined;
}

export interface UpdatesDeps {
  feed: UpdateFeed | undefined;
  /** Loaded at the first check. */
  loadUpdater(): Promise<Updater>;
  /** @throws when the address doesn't answer with 200 */
  fetchText(url: string): Promise<string>;
  platform: NodeJS.Platform;
  arch: string;
  /** The setting. */
  isAutomatic(): boolean;
  clock: Clock;
  onChange(): void;
  log: Pick<Logger, 'info' | 'warn'>;
  /** For tests. */
  firstCheckMs?: number;
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
  /** This quit installs nothing: the system is shutting down, or an installer is at work. */
  skip(): void;
  close(): void;
}

/** After the start, which has better things to do. */
const usualFirstCheckMs = 60_000;
const checkEveryMs = 24 * 60 * 60 * 1000;
const longestNotes = 20_000;
const pending = ['checking', 'downloading', 'ready'] as const satisfies UpdateState['status'][];

export function createUpdates(deps: UpdatesDeps): Updates {
  const { feed, clock, log, firstCheckMs = usualFirstCheckMs } = deps;
  let state: UpdateState = {
    status: 'unknown',
    version: null,
    notes: null,
    problem: null,
    checkedAtMs: null,
  };
  let updater: Promise<Updater> | undefined;
  let loaded: Updater | undefined;
  let timer: NodeJS.Timeout | undefined;

  function set(change: Partial<UpdateState>): void {
    state = { ...state, ...change };
    deps.onChange();
  }

  async function load(): Promise<Updater> {
    const found = await deps.loadUpdater();
    found.autoDownload = false;
    found.autoInstallOnAppQuit = true;
    found.disableWebInstaller = true;
    // Without this, each request carries an identifier of this installation.
    found.requestHeaders = { 'x-user-staging-id': '' };
    found.logger = null;
    loaded = found;
    return found;
  }

  async function findAndDownload({ url, publicKey }: UpdateFeed): Promise<void> {
    const found = await (updater ??= load());
    const result = await found.checkForUpdates();
    if (result?.isUpdateAvailable !== true) return set({ status: 'current', checkedAtMs: clock() });
    const { updateInfo } = result;
    const { version } = updateInfo;
    const metadataUrl = new URL(metadataName(deps.platform, deps.arch), url).href;
    const metadata = await deps.fetchText(metadataUrl);
    const signature = await deps.fetchText(`${metadataUrl}.sig`);
    assertSigned({ metadata, signature, publicKey, updateInfo });
    set({ status: 'downloading', version, notes: notesOf(updateInfo), checkedAtMs: clock() });
    await found.downloadUpdate();
    set({ status: 'ready' });
    log.info({ version }, 'An update is ready to be installed.');
  }

  async function check(): Promise<void> {
    if (feed === undefined || pending.some((status) => status === state.status)) return;
    set({ status: 'checking', problem: null });
    try {
      await findAndDownload(feed);
    } catch (error) {
      log.warn({ err: error }, 'The check for updates failed.');
      const problem = error instanceof AppError ? error : new AppError('update-failed', { cause: error });
      const { code, message } = inWindowWords(describeError(problem));
      set({ status: 'failed', version: null, notes: null, problem: { code, message }, checkedAtMs: clock() });
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
    installAndRestart: () => loaded?.quitAndInstall(true, true),
    skip() {
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
 * @param input.metadata what electron-updater has read from the feed, as text
 * @param input.signature Ed25519 over the metadata, base64
 * @throws AppError update-not-signed
 */
export function assertSigned(input: {
  metadata: string;
  signature: string;
  publicKey: string;
  updateInfo: UpdateInfo;
}): void {
  const { metadata, signature, publicKey, updateInfo } = input;
  const key = { key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' } as const;
  const isSigned = verify(null, Buffer.from(metadata), key, Buffer.from(signature, 'base64'));
  // The feed may have answered electron-updater with something else.
  const lines = new Set(metadata.split('\n').map((line) => line.replace(/^[\s-]+/u, '').trimEnd()));
  const isSame =
    lines.has(`version: ${updateInfo.version}`) &&
    updateInfo.files.length > 0 &&
    updateInfo.files.every(({ sha512 }) => lines.has(`sha512: ${sha512}`));
  if (!isSigned || !isSame) throw new AppError('update-not-signed');
}

function notesOf({ releaseNotes }: UpdateInfo): string | null {
  return typeof releaseNotes === 'string' ? releaseNotes.slice(0, longestNotes) : null;
}
