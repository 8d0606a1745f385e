// The state of app and host for the window, complete even if no host is running or it couldn't start.

import { basename } from 'node:path';
import { inWindowWords, type AppError } from '../contract/errors.ts';
import type { AppState, HostState, Problem } from '../contract/state.ts';
import type { Desktop } from '../commands/desktop.ts';
import type { HostKeeper } from '../host/host-keeper.ts';
import type { RunningHost } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';

export function hostState(
  keeper: Pick<HostKeeper, 'isStarting' | 'problem'> & { host(): RunningHost | undefined },
  settings: Settings = defaultSettings,
): HostState {
  const host = keeper.host();
  if (host === undefined) {
    const problem = keeper.problem();
    const ended = problem === undefined ? 'stopping' : 'error';
    return {
      status: keeper.isStarting() ? 'starting' : ended,
      problem: problem === undefined ? null : problemOf(problem),
      ...folderNames(settings.folder),
      warning: null,
      baseUrl: null,
      fixedHost: null,
      fixedPort: null,
      publicUrl: null,
      pausedUntilMs: null,
      needsListenerRestart: false,
      startedAtMs: null,
      owner: null,
      secrets: null,
      tls: null,
    };
  }
  const { status, problem, folderWarning, pausedUntilMs, needsListenerRestart, startedAtMs } = host.state();
  const { kind, description } = host.services.secrets;
  return {
    status,
    problem: problem === undefined ? null : problemOf(problem),
    ...folderNames(host.services.folder()?.root ?? settings.folder),
    warning: folderWarning ?? null,
    baseUrl: host.baseUrl === '' ? null : host.baseUrl,
    fixedHost: host.fixedHost,
    fixedPort: host.fixedPort,
    publicUrl: host.publicUrl() === '' ? null : host.publicUrl(),
    pausedUntilMs,
    needsListenerRestart,
    startedAtMs,
    owner: host.ownerLogin,
    secrets: { kind, description },
    tls: host.tls.state(),
  };
}

export function appState(
  { keeper, desktop }: { keeper: Pick<HostKeeper, 'host' | 'dataDir'>; desktop: Desktop },
  settings: Settings | undefined,
  sqliteVersion: string | undefined,
): AppState {
  return {
    name: 'DocTray',
    version: desktop.appVersion,
    platform: process.platform,
    versions: { ...desktop.versions, ...(sqliteVersion !== undefined && { SQLite: sqliteVersion }) },
    dataDir: keeper.dataDir,
    isInBrowser: desktop.isBrowser,
    startsAtLogin: desktop.startsAtLogin(),
    hasTray: desktop.hasTray(),
    update: desktop.update(),
    hasCrashed: desktop.hasCrashed(),
    // Not before the settings are loaded, or the first run would flash up.
    // A browser shows a host that already serves a folder.
    isFirstRun: settings !== undefined && !settings.windowFirstRunDone && !desktop.isBrowser,
  };
}

/** The problem in the window's words. */
function problemOf(error: AppError): Problem {
  const { code, message } = inWindowWords(error);
  return { code, message };
}

function folderNames(folder: string | null): Pick<HostState, 'folder' | 'folderName'> {
  return { folder, folderName: folder === null ? null : basename(folder) || folder };
}

export function versionOfSqlite({ store }: Pick<Services, 'store'>): string | undefined {
  return store.db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
}
