// The scenarios for every view: no data, an ordinary day, far too much data, and failures.

import { FakeRefusal, type FakeHost, type Scenario } from '../fake-host.ts';
import { busyDay, createBasicAnswers, makeActivities } from '../basic-answers.ts';
import { makeCollabora, makeEditor } from '../editors.ts';
import {
  hour,
  makeActivity,
  makeLock,
  makeOrphanLock,
  makeQuietState,
  makeSession,
  makeSilentLock,
  makeToken,
  minute,
} from '../rows.ts';

function many<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function empty(nowMs: number): Scenario {
  return { state: makeQuietState(nowMs), answers: createBasicAnswers() };
}

/** An ordinary day: some users editing, two stale locks, a recovered save, a conflict copy, a job. */
export function normal(nowMs: number): Scenario {
  const activities = makeActivities(180, nowMs);
  return {
    state: {
      ...makeQuietState(nowMs),
      editors: [makeEditor(nowMs), makeCollabora(nowMs)],
      recent: many(5, (index) => ({
        path: makeLock(index * 3, nowMs).path,
        openedAtMs: nowMs - index * 37 * minute - 40_000,
      })),
      locks: [
        ...many(6, (index) => makeLock(index, nowMs)),
        makeSilentLock(6, nowMs),
        makeOrphanLock(7, nowMs),
      ],
      sessions: many(9, (index) => makeSession(index, nowMs)),
      tokens: many(14, (index) => makeToken(index, nowMs)),
      recovered: [
        {
          id: 'recovered1',
          path: 'Finance/2026/Budget 9.xlsx',
          size: 48_213,
          reason: 'Its lock was force-cleared before this save arrived.',
          receivedAtMs: nowMs - 14 * minute,
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
        {
          id: 'job1',
          title: 'Copying 1,240 files into Projects',
          done: 431,
          total: 1240,
          unit: 'files',
          canCancel: true,
          state: 'running',
          sentence: null,
        },
      ],
    },
    answers: {
      ...createBasicAnswers(),
      'activity.list': () => ({ items: activities }),
      'activity.summary': () => ({ hours: busyDay(Date.now()) }),
    },
  };
}

/** More data than any user has; every view must stay fast. */
export function huge(nowMs: number): Scenario {
  const activities = makeActivities(10_000, nowMs);
  return {
    state: {
      ...makeQuietState(nowMs),
      locks: many(5000, (index) =>
        index % 50 === 49 ? makeSilentLock(index, nowMs) : makeLock(index, nowMs),
      ),
      sessions: many(5000, (index) => makeSession(index, nowMs)),
      tokens: many(5000, (index) => makeToken(index, nowMs)),
    },
    answers: { ...createBasicAnswers(), 'activity.list': () => ({ items: activities }) },
  };
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
        host.change({
          values: {},
          tables: {
            locks: {
              upsert: [
                ...touched.map((lock) => ({ ...lock, refreshedAtMs: now, lastCallAtMs: now })),
                makeLock(10_000 + step, now),
              ],
              remove: step > 5 ? [`file${10_000 + step - 5}`] : [],
            },
          },
        });
        const atMs = now;
        host.push('activity-added', {
          items: many(50, (index) => makeActivity(10_001 + step * 50 + index, atMs)),
          dropped: 0,
        });
      }, 100);
    },
  };
}

function paused(nowMs: number): Scenario {
  const scenario = normal(nowMs);
  const host = { ...scenario.state.host, status: 'paused' as const, pausedUntilMs: nowMs + 24 * minute };
  return { ...scenario, state: { ...scenario.state, host } };
}

function idle(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  const host = { ...state.host, status: 'idle' as const, folder: null, folderName: null };
  return { state: { ...state, host }, answers: createBasicAnswers() };
}

function broken(nowMs: number): Scenario {
  const state = makeQuietState(nowMs);
  const problem = {
    code: 'folder-missing',
    message:
      'The hosted folder is missing. Connect its drive, or choose another folder. Nothing in it was changed.',
  };
  const host = { ...state.host, status: 'error' as const, problem, needsListenerRestart: true };
  const refuse = () => {
    throw new FakeRefusal(problem.code, problem.message);
  };
  return {
    state: { ...state, host, tokens: many(3, (index) => makeToken(index, nowMs)) },
    answers: {
      ...createBasicAnswers(),
      'host.restart': refuse,
      'documents.list': refuse,
      'documents.search': refuse,
      'documents.open': refuse,
      'activity.list': refuse,
      'versions.usage': refuse,
    },
  };
}

/** The main process doesn't respond. */
function stuck(nowMs: number): Scenario {
  return { ...empty(nowMs), answers: { 'state.get': async () => new Promise(() => undefined) } };
}

function failing(nowMs: number): Scenario {
  return {
    ...empty(nowMs),
    answers: {
      'state.get': () => {
        throw new FakeRefusal('internal', 'Something went wrong in DocTray. See its log for details.');
      },
    },
  };
}

function firstRun(nowMs: number): Scenario {
  const scenario = idle(nowMs);
  return { ...scenario, state: { ...scenario.state, app: { ...scenario.state.app, isFirstRun: true } } };
}

export const commonScenarios = {
  empty,
  normal,
  huge,
  busy,
  paused,
  idle,
  broken,
  stuck,
  failing,
  'first-run': firstRun,
};
