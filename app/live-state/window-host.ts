// The host for window and tray: one state, the commands of app/commands, and pushes. It outlives the hosts it shows, and depends on
// neither Electron nor Koa.

import type { WindowParts } from '../commands/command.ts';
import type { Desktop } from '../commands/desktop.ts';
import type { CommandSender } from '../contract/bridge.ts';
import type { Clock } from '../contract/clock.ts';
import { AppError, inWindowWords } from '../contract/errors.ts';
import type { PushListener, Pushes } from '../contract/pushes.ts';
import type { WindowState } from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { requireHost, type DefaultFolderPlace, type HostKeeper } from '../host/host-keeper.ts';
import { createActivityFeed } from './activity-feed.ts';
import { createFolderWatch } from './folder-watch.ts';
import { createLiveState } from './live-state.ts';
import { createWindowSettings } from './window-settings.ts';

export interface WindowHost {
  /** Always complete, even if no host is running; may lag behind while a large state is read. */
  state(): WindowState;
  /**
   * Validates name and arguments by the command table: the window may be compromised.
   * @throws AppError not-found, invalid-argument, what the command throws, internal
   */
  run(name: string, args: unknown, sender?: CommandSender): Promise<unknown>;
  /** Each name at most ten times a second. @returns a function that removes the listener */
  onPush(listener: PushListener): () => void;
  /** What `Desktop` reports has changed. */
  desktopChanged(): void;
  /** Makes the window show a view. */
  navigate(to: Pushes['navigate']): void;
  close(): void;
}

export function createWindowHost(deps: {
  keeper: HostKeeper;
  desktop: Desktop;
  log: Logger;
  clock: Clock;
  /** Undefined if the system has none. */
  defaultFolder?: DefaultFolderPlace;
}): WindowHost {
  const { keeper, desktop, log, defaultFolder } = deps;
  const listeners = new Set<PushListener>();
  const push: PushListener = (...pushed) => {
    for (const listener of listeners) {
      try {
        listener(...pushed);
      } catch (error) {
        log.error({ err: error, push: pushed[0] }, 'A push to the window failed.');
      }
    }
  };
  const settings = createWindowSettings({ keeper, onChange: () => live.refresh() });
  const live = createLiveState({ ...deps, settings, onChange: (change) => push('state-changed', change) });
  const feed = createActivityFeed({ keeper, push: (added) => push('activity-added', added) });
  const folderView = () => keeper.host()?.services.folderView;
  const folderWatch = createFolderWatch({
    jail: () => keeper.host()?.services.folder()?.jail,
    onDirty: () => folderView()?.forget(),
    onChange: (path) => push('folder-changed', { path }),
    // A large folder that keeps changing must not be read all the time.
    pauseMs: () => 4 * (folderView()?.lastCostMs() ?? 0),
  });
  const parts: WindowParts = {
    keeper,
    requireHost: () => requireHost(keeper),
    desktop,
    settings,
    live,
    feed,
    log,
    folderWatch,
    defaultFolder,
  };

  const endEvents = keeper.onEvent(({ event }) => {
    if (event === 'host-changed' && !keeper.isStarting()) void settings.refresh();
    if (event === 'host-changed' || event === 'listening' || event === 'folder-switched')
      void folderWatch.check();
  });
  void settings.refresh();

  return {
    state: live.state,
    async run(name, args, sender = 'page') {
      // Loaded after the window has started to draw.
      const { runCommand, windowCaller } = await import('../commands/commands.ts');
      try {
        return await runCommand(windowCaller(parts, sender), name, args);
      } catch (error) {
        if (error instanceof AppError) throw inWindowWords(error);
        log.error({ err: error, command: name }, 'A command of the window failed.');
        throw new AppError('internal', { cause: error });
      }
    },
    onPush(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    desktopChanged: live.refresh,
    navigate: (to) => push('navigate', to),
    close() {
      endEvents();
      folderWatch.close();
      feed.close();
      live.close();
      listeners.clear();
    },
  };
}
