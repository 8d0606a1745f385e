// The host as the window and the tray see it: one state, the commands of app/commands, and pushes. It outlives the hosts it shows, and
// knows neither Electron nor Koa.

import type { WindowParts } from '../commands/command.ts';
import type { Desktop } from '../commands/desktop.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError, inWindowWords } from '../contract/errors.ts';
import type { PushName, Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { requireHost, type DefaultFolderPlace, type HostKeeper } from '../host/host-keeper.ts';
import { createActivityFeed } from './activity-feed.ts';
import { createFolderWatch } from './folder-watch.ts';
import { createLiveState } from './live-state.ts';
import { createPushHub } from './push-hub.ts';
import { createWindowSettings } from './window-settings.ts';

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
  const { keeper, desktop, log, defaultFolder } = deps;
  const hub = createPushHub({ log });
  const settings = createWindowSettings({
    keeper,
    onChange() {
      for (const name of ['settings', 'app', 'host'] as const) live.mark(name);
    },
  });
  const live = createLiveState({ ...deps, settings });
  const feed = createActivityFeed({ keeper, push: (added) => hub.push('activity-added', added) });
  const folderView = () => keeper.host()?.services.folderView;
  const folderWatch = createFolderWatch({
    jail: () => keeper.host()?.services.folder()?.jail,
    onDirty: () => folderView()?.forget(),
    onChange: (path) => hub.push('folder-changed', { path }),
    // A long folder that changes all the time must not be read all the time.
    pauseMs: () => 4 * (folderView()?.lastCostMs() ?? 0),
  });
  const parts: WindowParts = {
    keeper,
    requireHost: () => requireHost(keeper),
    desktop,
    settings,
    live,
    feed,
    folderWatch,
    defaultFolder,
  };

  const endChanges = live.onChange((change) => hub.push('state-changed', change));
  const endEvents = keeper.onEvent(({ event }) => {
    if (event === 'host-changed' && !keeper.isStarting()) void settings.refresh();
    if (event === 'host-changed' || event === 'listening' || event === 'folder-switched') folderWatch.check();
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
      folderWatch.close();
      feed.close();
      live.close();
      hub.close();
    },
  };
}
