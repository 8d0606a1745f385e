// Activity: an ordinary day with named documents, a flood of requests, and a journal that can't be read.

import type { ActivityItem } from '../../../../app/contract/pushes.ts';
import { createBasicAnswers } from '../basic-answers.ts';
import { FakeRefusal, type FakeHost, type Scenario } from '../fake-host.ts';
import { makeActivity, makeQuietState, minute, pathOf, person } from '../rows.ts';
import { huge, normal } from './common.ts';

/** An entry for a document that sessions and locks also have. */
function namedActivity(sequence: number, atMs: number): ActivityItem {
  const item = makeActivity(sequence, atMs);
  const file = sequence % 9;
  const fileId = `file${file}`;
  const { login } = person(file);
  return {
    ...item,
    fileId,
    documentPath: pathOf(file),
    user: login,
    sessionId: `${fileId} ${login}`,
    path: item.path.replace(/file\d+/u, fileId),
    correlationId: `6f1c2b7e-${String(sequence).padStart(4, '0')}-4c1d-9a55-0d6a4e8f2b31`,
  };
}

function activityDay(nowMs: number): Scenario {
  const scenario = normal(nowMs);
  const count = 120;
  const items = Array.from({ length: count }, (_, index) =>
    namedActivity(index + 1, nowMs - (count - index) * 7300),
  );
  const plain = {
    correlationId: '',
    address: '',
    bytesIn: 0,
    bytesOut: 0,
    method: '',
    durationMs: 0,
    lock: null,
  };
  const failedSave = makeActivity(count + 3, nowMs - 4000);
  items.push(
    {
      ...makeActivity(count + 1, nowMs - 6000),
      operation: 'SignIn',
      method: 'POST',
      path: '/api/2.0/authentication.json',
      status: 401,
      fileId: null,
      documentPath: null,
      user: null,
      sessionId: null,
      lock: null,
    },
    {
      ...makeActivity(count + 2, nowMs - 5000),
      ...plain,
      operation: 'SetRole',
      path: 'ben',
      status: 200,
      fileId: null,
      documentPath: null,
      sessionId: null,
    },
    {
      ...failedSave,
      operation: 'PutFile',
      status: 500,
      fileId: 'file2',
      documentPath: pathOf(2),
      user: 'ben',
      sessionId: 'file2 ben',
      durationMs: 2310,
    },
  );
  let shown = items;
  return {
    ...scenario,
    answers: {
      ...scenario.answers,
      'activity.list': () => ({ items: shown }),
      'activity.clear': () => {
        shown = [];
        return null;
      },
    },
  };
}

/** What a host under maximum load pushes: 500 entries, ten times a second. */
const flood = { pushes: 10, items: 500 };

function activityFlood(nowMs: number): Scenario {
  const scenario = huge(nowMs);
  let sequence = 10_000;
  let pushed = 0;
  let items = Array.from({ length: 10_000 }, (_, index) => makeActivity(index + 1, nowMs - (10_000 - index)));
  return {
    ...scenario,
    answers: { ...scenario.answers, 'activity.list': () => ({ items }) },
    live: (host: FakeHost) => {
      setInterval(() => {
        const atMs = Date.now();
        const added = Array.from({ length: flood.items }, (_, index) =>
          makeActivity(sequence + 1 + index, atMs),
        );
        sequence += flood.items;
        items = [...items.slice(flood.items), ...added];
        host.push('activity-added', { items: added, dropped: 0 });
        pushed += flood.items;
      }, 1000 / flood.pushes);
      const { harness } = globalThis as unknown as { harness: Record<string, unknown> };
      harness.pushed = () => pushed;
    },
  };
}

function activityBroken(nowMs: number): Scenario {
  const items = [makeActivity(1, nowMs - minute)];
  let count = 0;
  return {
    state: makeQuietState(nowMs),
    answers: {
      ...createBasicAnswers(),
      'activity.list': () => {
        count += 1;
        if (count === 1)
          throw new FakeRefusal('internal', 'Something went wrong in DocTray. See its log for details.');
        return { items };
      },
    },
  };
}

export const activityScenarios = {
  'activity-day': activityDay,
  'activity-flood': activityFlood,
  'activity-broken': activityBroken,
};
