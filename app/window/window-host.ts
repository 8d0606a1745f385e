// The host as the window and the tray see it: one state, the commands of app/commands, and what is told without being asked.
// It outlives the hosts it shows, and knows neither Electron nor Koa.

import type { WindowParts } from '../commands/command.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError } from '../contract/errors.ts';
import type { PushName, Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { createActivityFeed } from './activity-feed.ts';
import { createAddressSearch } from './address-search.ts';
import { createConflicts } from './conflicts.ts';
import type { Desktop } from './desktop.ts';
import { createDocumentDesk } from './document-desk.ts';
import { requireHost, type DefaultFolderPlace, type HostKeeper } from './kept-host.ts';
import { createJobs } from './jobs.ts';
import { createWindowSettings } from './live-state-settings.ts';
import { createLiveState } from './live-state.ts';
import { createPushHub } from './pushes.ts';
import { createRecent } from './recent.ts';
import { loadTemplates } from './window-host-templates.ts';
import { inWindowWords } from './window-host-words.ts';

export interface WindowHost {
  /** Always whole, also while no host runs; up to date to a tenth of a second. */
  state(): WindowState;
  /**
   * Checks name and arguments by the command table, since the window may have been broken into.
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
  const documents = createDocumentDesk({
    keeper,
    clock,
    log,
    jobs,
    recent,
    conflicts,
    loadTemplates,
    pushFolderChanged: (push) => hub.push('folder-changed', push),
    mark: live.mark,
  });
  const parts: WindowParts = {
    keeper,
    requireHost: () => requireHost(keeper),
    desktop,
    settings,
    live,
    jobs,
    conflicts,
    feed,
    documents,
    addressSearch: createAddressSearch(),
    defaultFolder,
  };

  const endChanges = live.onChange((change) => hub.push('state-changed', change));
  const endEvents = keeper.onEvent(({ event }) => {
    if (event === 'host-changed' && !keeper.isStarting()) void settings.refresh();
  });
  void settings.refresh();

  return {
    state: live.state,
    async run(name, args) {
      // Not needed before the window has begun to draw.
      const { runCommand, windowCaller } = await import('../commands/commands.ts');
      try {
        return await runCommand(windowCaller(parts), name, args);
      } catch (error) {
        if (error instanceof AppError) throw inWindowWords(error);
        log.error({ err: error, command: name }, 'A command of the window failed.');
        throw new AppError('internal', { cause: error });
      }
    },
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
