// The scenarios for every view: no data, an ordinary day, far too much data, and failures.

import { t } from '../../../../app/contract/messages.ts';
import { changed, never, refuse, type Scenario } from '../fake-host.ts';
import { summaryOf, makeActivities, quiet } from '../basic-answers.ts';
import { makeCollabora, makeEditor } from '../editors.ts';
import { createFolderOfRows } from './documents.ts';
import {
  atLastCalls,
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
} from '../rows.ts';

function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export const empty = (nowMs: number): Scenario => quiet(nowMs);

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
  const locks = [...editing, silent, orphan];
  const conflictAtMs = nowMs - 3 * hour;
  const conflictCopy = `Letters/Offer 3 (conflict ${new Date(conflictAtMs).toISOString().slice(0, 10)}).odt`;
  return quiet(
    nowMs,
    {
      editors: [makeEditor(nowMs), makeCollabora(nowMs)],
      recent: many(5, (index) => ({
        path: makeLock(index * 3, nowMs).path,
        openedAtMs: nowMs - index * 37 * minute - 40_000,
      })),
      // the token of the last one was revoked, and its session with it
      locks,
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
        { id: conflictCopy, path: 'Letters/Offer 3.odt', copy: conflictCopy, madeAtMs: conflictAtMs },
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
      'activity.list': () => ({ items: atLastCalls(makeActivities(180, nowMs, 9), { locks, sessions }) }),
      'activity.summary': () => summaryOf(8),
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

const paused = (nowMs: number): Scenario =>
  changed(normal(nowMs), {
    host: { status: 'paused', pausedUntilMs: nowMs + 24 * minute, isDiskLow: true },
    jobs: [],
  });

const idle = (nowMs: number): Scenario =>
  quiet(nowMs, { host: { status: 'idle', folder: null, folderName: null } });

/** The hosted folder is on a drive that isn't connected. */
export const folderMissing = {
  code: 'folder-missing',
  message: 'The folder is missing. Connect its drive, or choose another folder.',
};

function broken(nowMs: number): Scenario {
  const fail = refuse(folderMissing.code, folderMissing.message);
  return quiet(
    nowMs,
    {
      host: {
        status: 'error',
        problem: folderMissing,
        folder: '/media/robin/Stick/Documents',
        needsListenerRestart: true,
      },
      tokens: many(3, (index) => makeToken(index, nowMs)),
    },
    {
      'host.restart': fail,
      'documents.list': fail,
      'documents.search': fail,
      'documents.open': fail,
      // What happened until then.
      'activity.list': () => ({
        items: many(40, (index) => makeActivity(index + 1, nowMs - (50 - index) * minute, 9)),
      }),
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
  huge,
  paused,
  idle,
  broken,
  stuck,
  waiting,
  failing,
};
