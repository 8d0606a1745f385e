// The host as the window and the tray see it: one state, the commands of the contract, and what is told without being asked.
// It outlives the hosts it shows, and knows neither Electron nor Koa.

import type { Clock } from '../contract/clock.ts';
import type { PushName, Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { createAccountHandlers } from './account-handlers.ts';
import { createAddressSearchHandlers } from './address-search.ts';
import { createActivityFeed } from './activity-feed.ts';
import { createAppHandlers } from './app-handlers.ts';
import { createConflicts } from './conflicts.ts';
import type { Desktop } from './desktop.ts';
import { createDocumentHandlers } from './document-handlers.ts';
import { createDocumentServerHandlers } from './document-server-handlers.ts';
import { createEditorHandlers } from './editor-handlers.ts';
import { requireHost, type Handlers } from './handlers.ts';
import { createHostHandlers, type DefaultFolderPlace } from './host-handlers.ts';
import type { HostKeeper } from './host-keeper.ts';
import { createJobs } from './jobs.ts';
import { createWindowSettings } from './live-state-settings.ts';
import { createLiveState } from './live-state.ts';
import { createLockHandlers } from './lock-handlers.ts';
import { createPushHub } from './pushes.ts';
import { createRecent } from './recent.ts';
import { createSettingsHandlers, createUseFolder } from './settings-handlers.ts';
import { createTlsHandlers } from './tls-handlers.ts';
import { createCommandRunner } from './window-host-run.ts';
import { loadTemplates } from './window-host-templates.ts';

export interface WindowHost {
  /** Always whole, also while no host runs; up to date to a tenth of a second. */
  state(): WindowState;
  /**
   * Checks name and arguments by the contract's table, since the window may have been broken into.
   * @throws AppError not-found, invalid-argument, what the command throws, internal
   */
  run(name: string, args: unknown): Promise<unknown>;
  /** Each name at most ten times a second. The function returned ends the listening. */
  onPush<Name extends PushName>(name: Name, listener: (push: Pushes[Name]) => void): () => void;
  /** Leads the window to a place. */
  navigate(to: Pushes['navigate']): void;
  close(): void;
}

export function createWindowHost(deps: {
  keeper: HostKeeper;
  desktop: Desktop;
  log: Logger;
  clock: Clock;
  /** Absent where the system has no place for one. */
  defaultFolder?: DefaultFolderPlace;
}): WindowHost {
  const { keeper, desktop, log, clock, defaultFolder } = deps;
  const hub = createPushHub({ log });
  const settings = createWindowSettings({
    keeper,
    onChange() {
      for (const name of ['settings', 'app', 'host'] as const) live.mark(name);
    },
  });
  const services = () => keeper.host()?.services;
  const jobs = createJobs({
    clock,
    onChange: () => live.mark('jobs'),
    onError: (error) => log.error({ err: error }, 'A job of the window failed.'),
  });
  const recent = createRecent({ services, clock, onChange: () => live.mark('recent') });
  const conflicts = createConflicts({ services, onChange: () => live.mark('conflicts') });
  const live = createLiveState({
    ...deps,
    settings,
    others: { recent: recent.list, conflicts: conflicts.list, jobs: jobs.items },
  });
  const feed = createActivityFeed({ keeper, push: (added) => hub.push('activity-added', added) });
  const documents = createDocumentHandlers({
    keeper,
    requireHost: () => requireHost(keeper),
    desktop,
    clock,
    log,
    jobs,
    recent,
    conflicts,
    loadTemplates,
    pushFolderChanged: (push) => hub.push('folder-changed', push),
    mark: live.mark,
  });
  const useFolder = createUseFolder({ keeper, settings });
  const handlers: Handlers = {
    ...createAppHandlers({ desktop, dataDir: keeper.dataDir, live, settings }),
    ...createHostHandlers({
      keeper,
      desktop,
      clock,
      useFolder,
      folder: () => live.state().host.folder,
      defaultFolder,
    }),
    ...createLockHandlers({ keeper, live, clock, log }),
    ...createAccountHandlers({ keeper, live }),
    ...createSettingsHandlers({ settings }),
    ...createEditorHandlers({ requireHost: () => requireHost(keeper), mark: live.mark }),
    ...createAddressSearchHandlers({ requireHost: () => requireHost(keeper), mark: live.mark }),
    ...createDocumentServerHandlers({ requireHost: () => requireHost(keeper), desktop }),
    ...createTlsHandlers({ requireHost: () => requireHost(keeper), desktop }),
    ...documents.handlers,
    'activity.list': () => ({ items: feed.list() }),
    'activity.watch'({ isWatching }) {
      feed.watch(isWatching);
      return null;
    },
    'activity.clear'() {
      feed.clear();
      return null;
    },
  };
  const { run } = createCommandRunner({ handlers, log });

  const endChanges = live.onChange((change) => hub.push('state-changed', change));
  const endEvents = keeper.onEvent(({ event }) => {
    if (event === 'host-changed' && !keeper.isStarting()) void settings.refresh();
  });
  void settings.refresh();

  return {
    state: live.state,
    run,
    onPush: hub.on,
    navigate: (to) => hub.push('navigate', to),
    close() {
      endEvents();
      endChanges();
      documents.close();
      feed.close();
      live.close();
      hub.close();
      void jobs.close();
    },
  };
}
