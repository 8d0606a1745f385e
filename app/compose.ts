// The host: services, listener and control socket, started in this order and stopped in reverse. Both entries, the terminal's
// and the desktop app's, get theirs here.

import { join } from 'node:path';
import { startChores } from './compose-chores.ts';
import { createGuardLists } from './compose-guard.ts';
import { createListening } from './compose-listening.ts';
import { openServices, type ServiceOptions, type Services } from './compose-services.ts';
import { AppError } from './contract/errors.ts';
import { createControlServer } from './control/control-server.ts';
import { createApp } from './server/create-app.ts';
import { createOpenDocument, type OpenDocument } from './server/document-access.ts';
import { createRunningSaves } from './server/running-saves.ts';

export interface HostOptions extends ServiceOptions {
  /** Address or name of this machine to listen on, instead of the setting. */
  host?: string;
  /** Port instead of the setting; 0 takes any free one. */
  port?: number;
  /** Address under which editors reach this host, instead of the setting. */
  publicUrl?: string;
  /** Login of the owner that a first run makes. */
  ownerLogin?: string;
  ownerPassword?: string;
  /** Where the texts of the help pages lie, when they are not beside the sources. */
  helpFolder?: string;
  /** Start also while no folder is chosen, or the chosen one is not there: a window can choose one. */
  isFolderOptional?: boolean;
}

export interface Standing {
  status: 'idle' | 'serving' | 'paused' | 'error' | 'stopping';
  problem: AppError | undefined;
  /** Null while not paused, and while paused until somebody resumes it. */
  pausedUntilMs: number | null;
  /** The settings name another address than the one that is listened on. */
  needsListenerRestart: boolean;
  startedAtMs: number;
}

export interface Host {
  services: Services;
  /** Where it listens. */
  readonly baseUrl: string;
  /** The address editors are given. */
  publicUrl(): string;
  ownerLogin: string;
  /** Only on the first run, and only when it was not given. */
  generatedOwnerPassword?: string;
  openDocument: OpenDocument;
  standing(): Standing;
  /**
   * Serves another folder; documents open in the one before still save. Remembered in the settings.
   * @throws AppError folder-invalid, settings-invalid with nothing changed
   */
  useFolder(path: string): Promise<void>;
  /** Refuses new opens, not saves; null: until resumed. */
  pause(untilMs: number | null): void;
  resume(): void;
  /** Opens the port by the settings of now. @throws AppError port-taken, address-unavailable, port-forbidden */
  reopen(): Promise<void>;
  /** The machine was asleep: staleness counts from now, and listener, folder and lapsed locks are looked at. */
  noteWake(): Promise<void>;
  /** Saves that are being received or written. */
  runningSaves(): number;
  /** Finishes running requests for at most that long, writes the database and closes. A later call can shorten the wait. */
  stop(options?: { limitMs: number }): Promise<void>;
}

/** Running requests get this long to end when the host stops. */
const stopLimitMs = 4000;
/** A pause whose end was moved by a clock that was set is noticed this long after at the latest. */
const lookAtPauseMs = 60_000;

/** @throws AppError of `openServices`; folder-not-chosen, port-taken, address-unavailable, login-invalid, password-weak */
export async function startHost(options: HostOptions): Promise<Host> {
  const services = await openServices(options);
  try {
    return await start(services, options);
  } catch (error) {
    await services.close();
    throw error;
  }
}

async function start(services: Services, options: HostOptions): Promise<Host> {
  const { settings, users, emit, log, folders, clock } = services;
  if (options.isFolderOptional !== true) folders.require();
  const startedAtMs = clock();
  /** Undefined while not paused. */
  let pausedUntilMs: number | null | undefined;
  let pauseTimer: NodeJS.Timeout | undefined;
  let folderProblem = folders.problem();
  let isStopping = false;
  const changed = (): void => emit({ event: 'host-changed' });

  const listening = createListening({
    address: () => ({
      host: options.host ?? settings.current().host,
      port: options.port ?? settings.current().port,
    }),
    onChange: changed,
  });
  const publicUrl = (): string => {
    const url = options.publicUrl ?? settings.current().publicUrl ?? listening.baseUrl();
    return url.replace(/\/+$/u, '');
  };
  const mint = createOpenDocument({
    folder: services.folder,
    accessTokens: services.accessTokens,
    publicUrl,
  });
  const openDocument: OpenDocument = async (input) => {
    if (pausedUntilMs !== undefined) throw new AppError('paused');
    if (services.folder() === undefined) folders.require();
    return mint(input);
  };
  const guard = createGuardLists({ settings, host: listening.host, publicUrl });
  const saves = createRunningSaves();
  const app = createApp({
    clock,
    journal: services.journal,
    log,
    ...guard,
    wopi: {
      hostingOf: folders.of,
      isAway: folders.isAway,
      sessions: services.sessions,
      refusalOfOpens(hosting) {
        if (pausedUntilMs !== undefined) return new AppError('paused');
        return folders.isActive(hosting) ? undefined : new AppError('file-missing');
      },
      saves,
      publicUrl,
      maxUploadBytes: (hosting) => services.tariffs.limits(hosting.folder.tenantId).maxUploadBytes,
    },
    authentication: { signIn: services.signIn, apiTokens: services.apiTokens },
    files: { apiTokens: services.apiTokens, folder: services.folder, openDocument },
    helpFolder: options.helpFolder ?? join(import.meta.dirname, '..', 'docs', 'help'),
  });
  await listening.open(app.callback());
  let control: { close(): Promise<void> } | undefined;
  let made: Awaited<ReturnType<Services['users']['ensureOwner']>>;
  try {
    const running = {
      get baseUrl() {
        return listening.baseUrl();
      },
      publicUrl,
      openDocument,
    };
    control = await createControlServer({ dataDir: services.dataDir, services, host: running, log });
    // Last of all that can fail: a password that was generated is told, or was not made.
    made = await users.ensureOwner({
      ...(options.ownerLogin !== undefined && { login: options.ownerLogin }),
      ...(options.ownerPassword !== undefined && { password: options.ownerPassword }),
    });
  } catch (error) {
    await control?.close();
    await listening.close(0);
    throw error;
  }
  const { user: owner, generatedPassword } = made;

  /** Whether the folder is there: a drive may be unplugged, and plugged in again. */
  const lookAtFolder = async (): Promise<void> => {
    const chosen = options.folder ?? settings.current().folder;
    if (services.folder() === undefined && chosen !== null) await folders.open(chosen);
    else await folders.openOthers();
    const folder = services.folder();
    let problem = folders.problem();
    try {
      await folder?.jail.requireRoot();
    } catch (error) {
      problem = error instanceof AppError ? error : new AppError('folder-missing', { cause: error });
    }
    // Of a network that is down the answer comes late, and another folder may have been chosen meanwhile.
    if (services.folder() !== folder || folderProblem?.message === problem?.message) return;
    folderProblem = problem;
    changed();
  };
  const look = async (): Promise<void> => {
    await lookAtFolder();
    await listening.look();
  };
  const chores = startChores(services, look);
  log.info({ secrets: services.secrets.description, baseUrl: listening.baseUrl() }, 'DocTray listens.');
  emit({
    event: 'listening',
    pid: process.pid,
    baseUrl: listening.baseUrl(),
    folder: services.folder()?.root ?? null,
    owner: owner.login,
  });

  const resume = (): void => {
    clearTimeout(pauseTimer);
    if (pausedUntilMs === undefined) return;
    pausedUntilMs = undefined;
    changed();
  };
  /** A timer stands still while the machine sleeps, does not follow a clock that is set, and cannot be set for a month. */
  const endPauseWhenOver = (): void => {
    clearTimeout(pauseTimer);
    if (isStopping || pausedUntilMs === undefined || pausedUntilMs === null) return;
    const leftMs = pausedUntilMs - clock();
    if (leftMs <= 0) resume();
    else pauseTimer = setTimeout(endPauseWhenOver, Math.min(leftMs, lookAtPauseMs)).unref();
  };

  let stopping: Promise<void> | undefined;
  const stop = async (limitMs: number): Promise<void> => {
    isStopping = true;
    clearTimeout(pauseTimer);
    emit({ event: 'stopping' });
    services.endLongWork();
    await Promise.all([
      listening.close(limitMs),
      // A socket that cannot be taken away is no reason to leave the database open.
      control
        .close()
        .catch((error: unknown) => log.warn({ err: error }, 'The control socket is left behind.')),
    ]);
    await chores.stop();
    await services.close();
    emit({ event: 'stopped' });
  };

  return {
    services,
    get baseUrl() {
      return listening.baseUrl();
    },
    publicUrl,
    ownerLogin: owner.login,
    ...(generatedPassword !== undefined && { generatedOwnerPassword: generatedPassword }),
    openDocument,

    standing() {
      const problem = listening.problem() ?? folderProblem;
      const serving = services.folder() === undefined ? 'idle' : 'serving';
      const open = pausedUntilMs === undefined ? serving : 'paused';
      return {
        status: isStopping ? 'stopping' : problem === undefined ? open : 'error',
        problem,
        pausedUntilMs: pausedUntilMs ?? null,
        needsListenerRestart: listening.isElsewhere(),
        startedAtMs,
      };
    },

    async useFolder(path) {
      await folders.use(path, async (folder) => {
        if (settings.current().folder !== folder) await settings.update({ folder });
      });
      folderProblem = undefined;
      changed();
      void folders.active()?.recover();
    },

    pause(untilMs) {
      pausedUntilMs = untilMs;
      endPauseWhenOver();
      changed();
    },
    resume,

    async reopen() {
      await listening.reopen();
      guard.forget();
      await lookAtFolder();
      changed();
    },

    async noteWake() {
      services.noteWake();
      endPauseWhenOver();
      await look();
      guard.forget();
      await chores.noteLapses();
      changed();
    },

    runningSaves: saves.count,

    stop({ limitMs } = { limitMs: stopLimitMs }) {
      if (stopping !== undefined) listening.cutWithin(limitMs);
      return (stopping ??= stop(limitMs));
    },
  };
}
