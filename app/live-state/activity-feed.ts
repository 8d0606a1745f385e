// The journal for the Activity view: the whole list on request, and new entries in at most ten pushes a second while the view is
// open. Otherwise it costs a request nothing.

import type { ActivityItem, Pushes } from '../contract/pushes.ts';
import type { JournalEntry } from '../log/journal.ts';
import type { Services } from '../host/services.ts';
import type { HostKeeper } from '../host/host-keeper.ts';
import { createThrottle } from './throttle.ts';

/** A push must be small enough to draw within a frame; the window fetches the rest. */
const maxItemsPerPush = 500;
const maxLockCharacters = 40;

type JournalServices = Pick<Services, 'journal' | 'filesTable' | 'store'>;

export interface ActivityFeed {
  /** Oldest first. */
  list(): ActivityItem[];
  watch(isWatching: boolean): void;
  close(): void;
}

export interface ActivityFeedDeps {
  keeper: Pick<HostKeeper, 'host' | 'onEvent'>;
  push: (added: Pushes['activity-added']) => void;
}

export function createActivityFeed(deps: ActivityFeedDeps): ActivityFeed {
  const { keeper, push } = deps;
  let services: JournalServices | undefined;
  /** How many entries the journals of previous hosts had: a new host's journal is empty, but the numbers continue. */
  let numbersBefore = 0;
  let isWatching = false;
  let pushedUntil = 0;
  let stopListening: (() => void) | undefined;

  const throttle = createThrottle(() => {
    if (services === undefined || !isWatching) return;
    const last = services.journal.lastSequence();
    const count = last - pushedUntil;
    pushedUntil = last;
    const items = activityItems(services, Math.min(count, maxItemsPerPush), numbersBefore);
    // There is nothing new, or it was cleared in the meantime.
    if (items.length > 0) push({ items, dropped: count - items.length });
  });

  const listen = (): void => {
    stopListening?.();
    stopListening = isWatching ? services?.journal.onAdd(throttle.request) : undefined;
  };

  const attach = (): void => {
    const running = keeper.host()?.services;
    if (running === undefined || running.journal === services?.journal) return;
    numbersBefore += services?.journal.lastSequence() ?? 0;
    services = running;
    pushedUntil = 0;
    listen();
    // Entries that were added before the listener.
    throttle.request();
  };

  const stopEvents = keeper.onEvent(attach);
  attach();

  return {
    list: () => (services === undefined ? [] : activityItems(services, Infinity, numbersBefore)),
    watch(isOn) {
      if (isOn === isWatching) return;
      isWatching = isOn;
      pushedUntil = services?.journal.lastSequence() ?? 0;
      listen();
    },
    close() {
      stopEvents();
      stopListening?.();
      throttle.close();
    },
  };
}

/** The newest `count` entries, oldest first. */
export function activityItems(
  { journal, filesTable, store }: JournalServices,
  count: number,
  numbersBefore = 0,
): ActivityItem[] {
  const entries = journal.newest(count);
  const first = numbersBefore + journal.lastSequence() - entries.length + 1;
  const paths = new Map<string, string | null>();
  const pathOf = (fileId: string): string | null => {
    const known = paths.get(fileId);
    if (known !== undefined) return known;
    // The journal of a host that has stopped is still shown.
    const path = (store.db.open ? filesTable.shownPath(fileId) : undefined) ?? null;
    paths.set(fileId, path);
    return path;
  };
  return entries.map(({ lock, lockHeaders, ...entry }, index) => ({
    ...entry,
    sequence: first + index,
    code: entry.code ?? null,
    fileId: entry.fileId ?? null,
    isVersion: entry.isVersion ?? false,
    documentPath: entry.fileId === undefined ? null : (pathOf(entry.fileId) ?? pathOfAction(entry)),
    user: entry.user ?? null,
    sessionId: entry.sessionId ?? null,
    lock: shortened([lockHeaders, lock].filter((text) => text !== undefined).join(' · ')),
  }));
}

function pathOfAction({ method, path }: Pick<JournalEntry, 'method' | 'path'>): string | null {
  return method === '' ? path : null;
}

function shortened(lock: string): string | null {
  if (lock === '') return null;
  return lock.length > maxLockCharacters ? `${lock.slice(0, maxLockCharacters)}…` : lock;
}
