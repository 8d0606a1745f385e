// Activity: an ordinary day with named documents, a flood of requests, and a journal that can't be read.

import type { ActivityItem } from '../../../../app/contract/pushes.ts';
import { quiet } from '../basic-answers.ts';
import { changed, refuse, type Scenario } from '../fake-host.ts';
import { atLastCalls, makeActivity, minute, pathOf, person } from '../rows.ts';
import { normal } from './common.ts';

/** An entry for a document that sessions and locks also have. */
function namedActivity(sequence: number, atMs: number): ActivityItem {
  const item = makeActivity(sequence, atMs);
  const file = sequence % 9;
  const fileId = `file${file}`;
  const isRefused = item.code === 'file-locked';
  return {
    ...item,
    fileId,
    documentPath: pathOf(file),
    user: person(isRefused ? file + 1 : file).login,
    sessionId: isRefused ? null : `session${file}`,
    path: item.path.replace(/file\d+/u, fileId),
    correlationId: `6f1c2b7e-${String(sequence).padStart(4, '0')}-4c1d-9a55-0d6a4e8f2b31`,
  };
}

function activityDay(nowMs: number): Scenario {
  const count = 120;
  const items = Array.from({ length: count }, (_, index) =>
    namedActivity(index + 1, nowMs - (count - index) * 7300),
  );
  const noDocument = { fileId: null, documentPath: null, sessionId: null, lock: null };
  const signIn: Partial<ActivityItem> = {
    ...noDocument,
    operation: 'SignIn',
    method: 'POST',
    path: '/api/2.0/authentication.json',
    status: 401,
    user: null,
  };
  const setRole: Partial<ActivityItem> = {
    ...noDocument,
    operation: 'SetRole',
    path: 'ben',
    status: 200,
    method: '',
    correlationId: '',
    address: '',
  };
  const failedSave: Partial<ActivityItem> = {
    operation: 'PutFile',
    status: 500,
    code: 'disk-refused',
    fileId: 'file2',
    documentPath: pathOf(2),
    user: 'ben',
    sessionId: 'session2',
    durationMs: 2310,
  };
  const last = [signIn, setRole, failedSave].map((over, index) => ({
    ...makeActivity(count + 1 + index, nowMs - (6 - index) * 1000),
    ...over,
  }));
  const day = normal(nowMs);
  const keptAs = { id: 'kept', path: pathOf(2), reason: 'host.disk-returned-an-error', receivedAtMs: nowMs };
  const called = { lastCallAtMs: nowMs - 4000 };
  const locks = day.state.locks.map((lock) => (lock.id === 'file2' ? { ...lock, ...called } : lock));
  const sessions = day.state.sessions.map((one) => (one.id === 'session2' ? { ...one, ...called } : one));
  return changed(
    day,
    { locks, sessions, recovered: day.state.recovered.flatMap((one) => [one, { ...one, ...keptAs }]) },
    { 'activity.list': () => ({ items: atLastCalls([...items, ...last], { locks, sessions }) }) },
  );
}

const diskFull = refuse(
  'data-disk-full',
  'The disk with DocTray’s data folder is full. Free some space on it, then try again.',
);

/** It can be read at the second try. */
function activityBroken(nowMs: number): Scenario {
  let isRead = false;
  return quiet(
    nowMs,
    { host: { isDiskLow: true } },
    {
      'activity.list': () => {
        if (!isRead) {
          isRead = true;
          diskFull();
        }
        return { items: [makeActivity(1, nowMs - minute)] };
      },
    },
  );
}

export const activityScenarios = { 'activity-day': activityDay, 'activity-broken': activityBroken };
