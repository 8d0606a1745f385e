// The state that window and tray show. Events mark what may have changed; at most ten times a second, the marked rows are read again
// and the differences are published. What only time changes (a lock becomes stale, a session expires) is read at that moment.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Desktop } from '../commands/desktop.ts';
import { editorItems } from '../editors/editor-item.ts';
import type { HostKeeper } from '../host/host-keeper.ts';
import type { Host } from '../host/running-host.ts';
import type { Clock } from '../contract/clock.ts';
import { shownEditorName } from '../contract/editors.ts';
import type { HostEvent } from '../contract/events.ts';
import type {
  SessionItem,
  StateChange,
  StateTables,
  StateValues,
  TableName,
  WindowState,
} from '../contract/state.ts';
import type { Logger } from '../log/logger.ts';
import { defaultSettings } from '../settings/settings.ts';
import { appState, hostState, versionOfSqlite } from './host-state.ts';
import { createLiveTable, isSame, type LiveTable } from './live-table.ts';
import { markChanged, type Marks } from './marks.ts';
import { createRowSources, userItems, type RowSources } from './state-rows.ts';
import { createThrottle } from './throttle.ts';
import { settingsState, type WindowSettings } from './window-settings.ts';

export interface LiveState {
  /** The whole state, as last published. */
  state(): WindowState;
  /** Marks something that changed without an event. */
  mark(name: keyof StateValues): void;
  onChange(listener: (change: StateChange) => void): () => void;
  close(): void;
}

export interface LiveStateDeps {
  keeper: HostKeeper;
  desktop: Desktop;
  settings: Pick<WindowSettings, 'current'>;
  clock: Clock;
  log: Logger;
}

/** In this order: locks read their editor from sessions, and a token or session that changed marks the lock of its document. */
const foldOrder = [
  'sessions',
  'tokens',
  'locks',
  'recovered',
  'conflicts',
  'jobs',
] as const satisfies TableName[];
const valueNames = [
  'app',
  'host',
  'settings',
  'recent',
  'users',
  'editors',
  'documentServers',
] as const satisfies (keyof StateValues)[];
const minWaitMs = 1000;
/** A clock that was set, or a computer that slept, is detected within this time. */
const maxWaitMs = 60_000;

export function createLiveState(deps: LiveStateDeps): LiveState {
  const { keeper, clock, log } = deps;
  const listeners = new Set<(change: StateChange) => void>();
  const sessionsOf = new Map<string, Set<string>>();
  const nothing = { all: () => [], one: () => undefined };
  let host: Host | undefined;
  let sources: RowSources | undefined;
  let sqliteVersion: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  const latestSession = (fileId: string): SessionItem | undefined => {
    let latest: SessionItem | undefined;
    for (const id of sessionsOf.get(fileId) ?? []) {
      const session = tables.sessions.find(id);
      if (session && (latest === undefined || session.lastCallAtMs >= latest.lastCallAtMs)) latest = session;
    }
    return latest;
  };

  const noteSession = (before: SessionItem | undefined, after: SessionItem | undefined): void => {
    const session = after ?? before;
    if (session === undefined) return;
    const { id, fileId } = session;
    const ids = sessionsOf.get(fileId) ?? new Set();
    if (after === undefined) ids.delete(id);
    else ids.add(id);
    if (ids.size === 0) sessionsOf.delete(fileId);
    else sessionsOf.set(fileId, ids);
    tables.tokens.mark(id);
    tables.locks.mark(fileId);
  };

  const tables: { [Name in TableName]: LiveTable<StateTables[Name]> } = {
    sessions: createLiveTable({ source: () => sources?.sessions ?? nothing, onRow: noteSession }),
    tokens: createLiveTable({
      source: () => sources?.tokens ?? nothing,
      onRow(before, after) {
        if (before?.fileId != null && after === undefined) tables.locks.mark(before.fileId);
      },
    }),
    locks: createLiveTable({ source: () => sources?.locks ?? nothing }),
    recovered: createLiveTable({ source: () => sources?.recovered ?? nothing }),
    conflicts: createLiveTable({ source: () => sources?.conflicts ?? nothing }),
    jobs: createLiveTable({ source: () => sources?.jobs ?? nothing }),
  };

  const readValue: { [Name in keyof StateValues]: () => StateValues[Name] } = {
    app: () => appState(deps, deps.settings.current(), sqliteVersion),
    host: () => hostState(keeper, deps.settings.current()),
    settings: () => settingsState(deps.settings.current() ?? defaultSettings),
    recent: () => host?.services.recent.list() ?? [],
    users: () => (host === undefined ? [] : userItems(host.services)),
    editors: () =>
      host === undefined
        ? []
        : editorItems(host.services, host).map((item) => ({ ...item, name: shownEditorName(item.name) })),
    documentServers: () =>
      host?.services.documentServers.state() ?? { engines: null, servers: [], downloaded: [], start: null },
  };
  const markedValues = new Set<keyof StateValues>();
  const values: StateValues = {
    app: readValue.app(),
    host: readValue.host(),
    settings: readValue.settings(),
    recent: readValue.recent(),
    users: readValue.users(),
    editors: readValue.editors(),
    documentServers: readValue.documentServers(),
  };
  let revision = 0;
  let whole: WindowState | undefined;

  const foldValue = (name: keyof StateValues, change: StateChange): void => {
    const value = { [name]: readValue[name]() };
    if (isSame(values[name], value[name])) return;
    Object.assign(values, value);
    Object.assign(change.values, value);
  };

  const foldTable = (name: TableName, change: StateChange): void => {
    if (!tables[name].isMarked()) return;
    const folded = tables[name].fold();
    if (folded !== undefined) Object.assign(change.tables, { [name]: folded });
  };

  /** One part that can't be read must not freeze the others. It stays marked, and is read after the next event. */
  const attempt = (part: keyof WindowState, read: () => void): void => {
    try {
      read();
    } catch (error) {
      if (host?.state().status === 'stopping') return;
      log.error({ err: error, part }, 'The window’s state couldn’t be updated.');
    }
  };

  const fold = (): void => {
    const change: StateChange = { revision: revision + 1, values: {}, tables: {} };
    for (const name of foldOrder) tables[name].markDue(clock());
    for (const name of markedValues) {
      attempt(name, () => {
        foldValue(name, change);
        markedValues.delete(name);
      });
    }
    for (const name of foldOrder) attempt(name, () => foldTable(name, change));
    waitForTime();
    if (Object.keys(change.values).length === 0 && Object.keys(change.tables).length === 0) return;
    revision = change.revision;
    whole = undefined;
    for (const listener of listeners) {
      try {
        listener(change);
      } catch (error) {
        log.error({ err: error }, 'A change couldn’t be published to the window.');
      }
    }
  };

  const throttle = createThrottle(AsyncLocalStorage.bind(fold));

  const nextDueAtMs = (): number => Math.min(...foldOrder.map((name) => tables[name].nextDueAtMs()));

  const waitForTime = (): void => {
    clearTimeout(timer);
    const dueAtMs = nextDueAtMs();
    if (dueAtMs === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(Math.max(dueAtMs - clock(), minWaitMs), maxWaitMs);
    timer = setTimeout(() => {
      if (clock() >= dueAtMs) throttle.request();
      else waitForTime();
    }, waitMs);
    timer.unref();
  };

  const markAll = (): void => {
    for (const name of valueNames) markedValues.add(name);
    for (const name of foldOrder) tables[name].markAll();
  };

  /** The host may have been replaced. */
  const attach = (): void => {
    const running = keeper.host();
    if (running === host) return;
    host = running;
    sources = host && createRowSources({ services: host.services, latestSession });
    sqliteVersion ??= host && versionOfSqlite(host.services);
  };

  const marks: Marks = {
    row: (table, id) => tables[table].mark(id),
    table: (name) => tables[name].markAll(),
    value: (name) => void markedValues.add(name),
    all: markAll,
    rowsOfFile(table, wanted) {
      for (const { id, fileId } of tables[table].items()) if (fileId === wanted) tables[table].mark(id);
    },
  };

  const note = (event: HostEvent): void => {
    attach();
    markChanged(marks, event);
    throttle.request();
  };

  const endEvents = keeper.onEvent(note);
  attach();
  for (const name of valueNames) markedValues.add(name);
  fold();

  return {
    state() {
      if (clock() >= nextDueAtMs()) throttle.request();
      return (whole ??= {
        revision,
        ...values,
        locks: tables.locks.items(),
        sessions: tables.sessions.items(),
        tokens: tables.tokens.items(),
        recovered: tables.recovered.items(),
        conflicts: tables.conflicts.items(),
        jobs: tables.jobs.items(),
      });
    },

    mark(name) {
      markedValues.add(name);
      throttle.request();
    },

    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    close() {
      endEvents();
      throttle.close();
      clearTimeout(timer);
    },
  };
}
