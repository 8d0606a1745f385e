// The scenarios for every view: no data, an ordinary day, far too much data, and failures.

import type { ActivityItem } from '../../../../app/contract/pushes.ts';
import type { LockItem, SessionItem } from '../../../../app/contract/state.ts';
import { t } from '../../../../app/contract/messages.ts';
import { changed, never, refuse, type FakeHost, type Scenario } from '../fake-host.ts';
import { summaryOf, makeActivities, quiet } from '../basic-answers.ts';
import { makeCollabora, makeEditor } from '../editors.ts';
import { createFolderOfRows } from './documents.ts';
import {
  hour,
  makeActivity,
  makeJob,
  makeLock,
  makeOrphanLock,
  makeSession,
  makeSessionOf,
  makeSilentLock,
  makeToken,
  makeTokenOf,
  minute,
  pathOf,
  person,
} from '../rows.ts';

function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export const empty = (nowMs: number): Scenario => quiet(nowMs);

/** Requests that end when the sessions and locks had their last call, with the errors that `summaryOf` counts. */
function activitiesOf(locks: LockItem[], sessions: SessionItem[], nowMs: number): ActivityItem[] {
  const lastCalls = new Map([
    ...sessions.map(({ fileId, lastCallAtMs }) => [fileId, lastCallAtMs] as const),
    ...locks.map(({ id, lastCallAtMs }) => [id, lastCallAtMs] as const),
  ]);
  const counts = new Map<string, number>();
  const good = makeActivities(180, nowMs, 9)
    .toReversed()
    .flatMap((item) => {
      const fileId = item.fileId ?? '';
      const count = counts.get(fileId) ?? 0;
      counts.set(fileId, count + 1);
      const lastCallAtMs = lastCalls.get(fileId);
      return lastCallAtMs === undefined ? [] : [{ ...item, status: 200, atMs: lastCallAtMs - count * 9000 }];
    });
  const errors = [
    { hoursAgo: 9, operation: 'GetFile', status: 404, file: 4 },
    { hoursAgo: 9, operation: 'Lock', status: 409, file: 1 },
    { hoursAgo: 1, operation: 'PutFile', status: 409, file: 2 },
  ].map(({ hoursAgo, operation, status, file }) => ({
    ...makeActivity(1, nowMs - (nowMs % hour) - hoursAgo * hour + 5 * minute),
    operation,
    status,
    fileId: `file${file}`,
    documentPath: pathOf(file),
    user: person(file).login,
  }));
  return [...errors, ...good]
    .toSorted((a, b) => a.atMs - b.atMs)
    .map((item, index) => ({ ...item, sequence: index + 1 }));
}

/** An ordinary day: some users editing, two stale locks, a recovered save, a conflict copy, a job. */
export function normal(nowMs: number): Scenario {
  const editing = many(6, (index) => makeLock(index, nowMs));
  const silent = makeSilentLock(6, nowMs);
  const sessions = [
    ...editing.map((lock, index) => makeSessionOf(lock, index, nowMs)),
    makeSessionOf(silent, 6, nowMs),
    ...[8, 9].map((index) => makeSession(index, nowMs, { mode: 'view', saves: 0, bytesWritten: 0 })),
  ];
  const orphan = makeOrphanLock(7, nowMs);
  const activities = activitiesOf([...editing, silent, orphan], sessions, nowMs);
  return quiet(
    nowMs,
    {
      editors: [makeEditor(nowMs), makeCollabora(nowMs)],
      recent: many(5, (index) => ({
        path: makeLock(index * 3, nowMs).path,
        openedAtMs: nowMs - index * 37 * minute - 40_000,
      })),
      // the token of the last one was revoked, and its session with it
      locks: [...editing, silent, orphan],
      sessions,
      tokens: [
        ...sessions.map((session, index) => makeTokenOf(session, index, nowMs)),
        ...many(5, (index) => makeToken(9 + index * 3, nowMs)),
      ],
      recovered: [
        {
          id: 'recovered1',
          path: 'Finance/2026/Budget 9.xlsx',
          size: 48_213,
          reason: 'recovered.not-locked',
          receivedAtMs: nowMs - 14 * minute,
          isUnreadable: false,
        },
      ],
      conflicts: [
        {
          id: 'Letters/Offer 3 (conflict 2026-07-27).odt',
          path: 'Letters/Offer 3.odt',
          copy: 'Letters/Offer 3 (conflict 2026-07-27).odt',
          madeAtMs: nowMs - 3 * hour,
        },
      ],
      jobs: [
        makeJob({
          id: 'job1',
          title: t('host.copying-items-into-folder', { count: 3, name: '', folder: 'Projects' }),
          done: 431,
          total: 1240,
        }),
      ],
    },
    {
      ...createFolderOfRows(28, nowMs),
      'activity.list': () => ({ items: activities }),
      'activity.summary': () => summaryOf(8),
    },
  );
}

/** One row in each view. */
function one(nowMs: number): Scenario {
  const lock = makeLock(0, nowMs);
  const session = makeSessionOf(lock, 0, nowMs);
  return quiet(
    nowMs,
    {
      editors: [makeEditor(nowMs)],
      locks: [lock],
      sessions: [session],
      tokens: [makeTokenOf(session, 0, nowMs)],
    },
    {
      ...createFolderOfRows(1, nowMs),
      'activity.list': () => ({ items: makeActivities(1, nowMs, 1) }),
    },
  );
}

/** More data than any user has; every view must stay fast. */
export function huge(nowMs: number): Scenario {
  const activities = makeActivities(10_000, nowMs);
  const locks = many(10_000, (index) =>
    index % 50 === 49 ? makeSilentLock(index, nowMs) : makeLock(index, nowMs),
  );
  const sessions = locks.map((lock, index) => makeSessionOf(lock, index, nowMs));
  return quiet(
    nowMs,
    {
      editors: [makeEditor(nowMs), makeCollabora(nowMs)],
      locks,
      sessions,
      tokens: sessions.map((session, index) =>
        index % 3 === 0 ? makeToken(index, nowMs) : makeTokenOf(session, index, nowMs),
      ),
    },
    {
      ...createFolderOfRows(5000, nowMs),
      'activity.list': () => ({ items: activities }),
      'activity.summary': () => summaryOf(8),
    },
  );
}

/** `huge`, with ten pushes a second: locks are refreshed, taken and released. */
function busy(nowMs: number): Scenario {
  return {
    ...huge(nowMs),
    live: (host: FakeHost) => {
      let step = 0;
      setInterval(() => {
        step += 1;
        const now = Date.now();
        const touched = host.state.locks.slice((step * 20) % 4000, ((step * 20) % 4000) + 20);
        const refreshed = touched.map((lock) => ({ ...lock, refreshedAtMs: now, lastCallAtMs: now }));
        host.upsert('locks', [...refreshed, makeLock(10_000 + step, now)]);
        if (step > 5) host.remove('locks', [`file${10_000 + step - 5}`]);
        host.push('activity-added', {
          items: many(50, (index) => makeActivity(10_001 + step * 50 + index, now)),
          dropped: 0,
        });
      }, 100);
    },
  };
}

const paused = (nowMs: number): Scenario =>
  changed(normal(nowMs), { host: { status: 'paused', pausedUntilMs: nowMs + 24 * minute } });

const idle = (nowMs: number): Scenario =>
  quiet(nowMs, { host: { status: 'idle', folder: null, folderName: null } });

/** The hosted folder is on a drive that isn't connected. */
export const folderMissing = {
  code: 'folder-missing',
  message: 'The hosted folder is missing. Connect its drive, or choose another folder.',
};

function broken(nowMs: number): Scenario {
  const fail = refuse(folderMissing.code, folderMissing.message);
  return quiet(
    nowMs,
    {
      host: { status: 'error', problem: folderMissing, needsListenerRestart: true },
      tokens: many(3, (index) => makeToken(index, nowMs)),
    },
    {
      'host.restart': fail,
      'documents.list': fail,
      'documents.search': fail,
      'documents.open': fail,
      'activity.list': fail,
      'versions.usage': fail,
    },
  );
}

/** The main process doesn't respond. */
const stuck = (nowMs: number): Scenario => quiet(nowMs, {}, { 'state.get': never });

/** The state is there; what the views ask for isn't. */
function waiting(nowMs: number): Scenario {
  return changed(
    normal(nowMs),
    {},
    {
      'activity.list': never,
      'activity.summary': never,
      'documents.list': never,
      'versions.usage': never,
    },
  );
}

export const internalError = refuse('internal', 'Something went wrong in DocTray. See its log for details.');

const failing = (nowMs: number): Scenario => quiet(nowMs, {}, { 'state.get': internalError });

export const commonScenarios = {
  empty,
  normal,
  one,
  huge,
  busy,
  paused,
  idle,
  broken,
  stuck,
  waiting,
  failing,
};
