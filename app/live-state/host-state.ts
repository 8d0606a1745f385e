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
  const running = host?.state();
  const problem = running === undefined ? keeper.problem() : running.problem;
  const ended = problem === undefined ? 'stopping' : 'error';
  const folder = host?.services.folder()?.root ?? settings.folder;
  const secrets = host?.services.secrets;
  return {
    status: running?.status ?? (keeper.isStarting() ? 'starting' : ended),
    problem: problem === undefined ? null : problemOf(problem),
    folder,
    folderName: folder === null ? null : basename(folder) || folder,
    warning: running?.folderWarning ?? null,
    isDiskLow: running?.isDiskLow ?? false,
    baseUrl: host?.baseUrl || null,
    fixedHost: host?.fixedHost ?? null,
    fixedPort: host?.fixedPort ?? null,
    publicUrl: host?.publicUrl() || null,
    pausedUntilMs: running?.pausedUntilMs ?? null,
    needsListenerRestart: running?.needsListenerRestart ?? false,
    startedAtMs: running?.startedAtMs ?? null,
    owner: host?.ownerLogin ?? null,
    secrets: secrets === undefined ? null : { kind: secrets.kind, description: secrets.description },
    tls: host?.tls.state() ?? null,
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

export function versionOfSqlite({ store }: Pick<Services, 'store'>): string | undefined {
  return store.db.prepare<[], string>('SELECT sqlite_version()').pluck().get();
}
