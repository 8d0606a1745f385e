// Tokens in every state, and a host that refuses commands.

import { createBasicAnswers } from '../basic-answers.ts';
import { FakeRefusal, type Scenario } from '../fake-host.ts';
import { day, hour, makeQuietState, makeSession, makeToken, minute } from '../rows.ts';
import { normal } from './common.ts';

function tokenLife(nowMs: number): Scenario {
  const base = { user: 'ana', userName: 'Ana Ruiz' };
  const access = {
    ...base,
    kind: 'access' as const,
    fileId: 'file1',
    mode: 'edit' as const,
    createdAtMs: nowMs - 12 * hour,
    lastUsedAtMs: nowMs - 3 * hour,
  };
  return {
    state: {
      ...makeQuietState(nowMs),
      tokens: [
        makeToken(1, nowMs, {
          ...access,
          id: 'good',
          path: 'Good.docx',
          expiresAtMs: nowMs + 3 * hour + minute,
        }),
        makeToken(2, nowMs, {
          ...access,
          id: 'late',
          path: 'Late.docx',
          expiresAtMs: nowMs - 3 * hour + minute,
        }),
        makeToken(3, nowMs, {
          ...access,
          id: 'seen',
          path: 'Seen.docx',
          mode: 'view',
          expiresAtMs: nowMs - 2 * hour - minute,
        }),
        makeToken(4, nowMs, { ...access, id: 'gone', path: null, expiresAtMs: nowMs + hour + minute }),
        makeToken(5, nowMs, {
          user: 'ben',
          userName: 'Ben Okafor',
          id: 'api',
          kind: 'api',
          name: 'Backup script',
          fileId: null,
          path: null,
          mode: null,
          createdAtMs: nowMs - 20 * day,
          expiresAtMs: nowMs + 10 * day + minute,
          lastUsedAtMs: null,
        }),
      ],
      sessions: [makeSession(1, nowMs, { id: 'good', path: 'Good.docx', user: 'ana', userName: 'Ana Ruiz' })],
    },
    answers: createBasicAnswers(),
  };
}

/** Commands that end or revoke something fail, completely or in part. */
function refusing(nowMs: number): Scenario {
  const scenario = normal(nowMs);
  const away = () => {
    throw new FakeRefusal(
      'host-away',
      'DocTray isn’t serving a folder. Wait until it’s running, then try again.',
    );
  };
  return {
    ...scenario,
    answers: {
      ...scenario.answers,
      'sessions.end': ({ ids }, host) => {
        const [first, ...others] = ids;
        host.remove('sessions', first === undefined ? [] : [first]);
        return {
          done: first === undefined ? [] : [{ id: first, path: 'A' }],
          failed: others.map((id) => ({ id, path: 'B', message: 'This session has ended already.' })),
        };
      },
      'tokens.revoke': away,
      'tokens.revokeOfUser': away,
      'activity.clear': away,
    },
  };
}

export const tokenScenarios = { 'token-life': tokenLife, refusing };
