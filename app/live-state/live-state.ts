// The state that window and tray show. After any event, everything is read again, at most ten times a second, and the parts that differ
// are published. What only time changes (a lock becomes stale, a session expires) is read at that moment.

import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { Desktop } from '../commands/desktop.ts';
import type { Clock } from '../contract/clock.ts';
import { shownEditorName } from '../contract/editors.ts';
import type { SessionItem, WindowState } from '../contract/state.ts';
import { editorItems } from '../editors/editor-item.ts';
import type { HostKeeper } from '../host/host-keeper.ts';
import type { Host } from '../host/running-host.ts';
import type { Services } from '../host/services.ts';
import type { Logger } from '../log/logger.ts';
import { defaultSettings } from '../settings/settings.ts';
import { appState, hostState, versionOfSqlite } from './host-state.ts';
import {
  createTabNumbers,
  lockItems,
  recoveredItems,
  sessionItems,
  tokenItems,
  userItems,
  type NoteDue,
} from './state-rows.ts';
import { createThrottle } from './throttle.ts';
import { settingsState, type WindowSettings } from './window-settings.ts';

export interface LiveState {
  /** The whole state, as last published; the same object until something changes. */
  state(): WindowState;
  /** Something changed without an event. */
  refresh(): void;
  close(): void;
}

export interface LiveStateDeps {
  keeper: HostKeeper;
  desktop: Desktop;
  settings: Pick<WindowSettings, 'current'>;
  clock: Clock;
  log: Logger;
  /** Receives the parts that changed. */
  onChange(change: Partial<WindowState>): void;
}

type Readers = { [Name in keyof WindowState]: () => WindowState[Name] };

const minWaitMs = 1000;
/** A clock that was set, or a computer that slept, is detected within this time. */
const maxWaitMs = 60_000;
/** From one reading to the next, in multiples of what the last one took: thousands of rows must not slow down editors. */
const pauseFactor = 5;

export function createLiveState(deps: LiveStateDeps): LiveState {
  const { keeper, clock, log, onChange } = deps;
  const numberTabs = createTabNumbers();
  let sqliteVersion: string | undefined;
  let dueAtMs = Number.POSITIVE_INFINITY;
  let readingMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const noteDue: NoteDue = (...momentsMs) => {
    dueAtMs = Math.min(dueAtMs, ...momentsMs.filter((atMs) => atMs > clock()));
  };

  const readersOf = (host: Host | undefined): Readers => {
    const ifRunning =
      <Item>(list: (services: Services) => Item[]): (() => Item[]) =>
      () =>
        host === undefined ? [] : list(host.services);
    let sessions: SessionItem[] = [];
    return {
      app: () =>
        appState(deps, deps.settings.current(), (sqliteVersion ??= host && versionOfSqlite(host.services))),
      host: () => hostState(keeper, deps.settings.current()),
      settings: () => settingsState(deps.settings.current() ?? defaultSettings),
      recent: ifRunning(({ recent }) => recent.list()),
      users: ifRunning(userItems),
      editors: ifRunning((services) =>
        editorItems(services, host).map((item) => ({ ...item, name: shownEditorName(item.name) })),
      ),
      documentServers: () =>
        host?.services.documentServers.state() ?? { engines: null, servers: [], downloaded: [], start: null },
      // Before the locks, which show the editors of their sessions.
      sessions: ifRunning((services) => (sessions = sessionItems(services, numberTabs, noteDue))),
      locks: ifRunning((services) => lockItems(services, sessions, noteDue)),
      tokens: ifRunning((services) => tokenItems(services, noteDue)),
      recovered: ifRunning(recoveredItems),
      conflicts: ifRunning(({ conflictCopies }) => conflictCopies.list()),
      jobs: ifRunning(({ jobs }) => jobs.items('window')),
    };
  };

  let state = Object.fromEntries(
    Object.entries(readersOf(undefined)).map(([name, read]) => [name, read()]),
  ) as unknown as WindowState;

  const update = (): void => {
    const startedAtMs = performance.now();
    const host = keeper.host();
    dueAtMs = Number.POSITIVE_INFINITY;
    const change: Partial<WindowState> = {};
    for (const [name, read] of Object.entries(readersOf(host))) {
      try {
        const part = read();
        if (!isDeepStrictEqual(part, state[name as keyof WindowState]))
          Object.assign(change, { [name]: part });
      } catch (error) {
        // One part that can't be read must not freeze the others.
        if (host?.state().status !== 'stopping')
          log.error({ err: error, part: name }, 'The window’s state couldn’t be updated.');
      }
    }
    waitForTime();
    readingMs = performance.now() - startedAtMs;
    if (Object.keys(change).length === 0) return;
    state = { ...state, ...change };
    onChange(change);
  };

  const throttle = createThrottle(AsyncLocalStorage.bind(update), () => pauseFactor * readingMs);

  const waitForTime = (): void => {
    clearTimeout(timer);
    if (dueAtMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(Math.max(dueAtMs - clock(), minWaitMs), maxWaitMs);
    timer = setTimeout(throttle.request, waitMs).unref();
  };

  const stopEvents = keeper.onEvent(throttle.request);
  update();

  return {
    state() {
      if (clock() >= dueAtMs) throttle.request();
      return state;
    },
    refresh: throttle.request,
    close() {
      stopEvents();
      throttle.close();
      clearTimeout(timer);
    },
  };
}
