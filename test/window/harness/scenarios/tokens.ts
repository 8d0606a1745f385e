// Tokens in every state.

import type { TokenItem } from '../../../../app/contract/state.ts';
import { quiet } from '../basic-answers.ts';
import { day, hour, makeSession, makeToken, minute } from '../rows.ts';

const ana = { user: 'ana', userName: 'Ana Ruiz' };

function tokenLife(nowMs: number) {
  const access = (id: string, path: string | null, expiresInMs: number, over: Partial<TokenItem> = {}) =>
    makeToken(1, nowMs, {
      ...ana,
      id,
      path,
      fileId: 'file1',
      mode: 'edit',
      createdAtMs: nowMs - 12 * hour,
      lastUsedAtMs: nowMs - 3 * hour,
      expiresAtMs: nowMs + expiresInMs,
      ...over,
    });
  const api = makeToken(3, nowMs, {
    user: 'ben',
    userName: 'Ben Okafor',
    id: 'api',
    name: 'Backup script',
    mode: 'edit',
    createdAtMs: nowMs - 20 * day,
    expiresAtMs: nowMs + 10 * day + minute,
    lastUsedAtMs: null,
  });
  return quiet(nowMs, {
    tokens: [
      access('good', 'Good.docx', 3 * hour + minute),
      access('late', 'Late.docx', minute - 3 * hour),
      access('seen', 'Seen.docx', -2 * hour - minute, { mode: 'view' }),
      access('gone', null, hour + minute),
      api,
    ],
    sessions: [makeSession(1, nowMs, { ...ana, id: 'good', path: 'Good.docx' })],
  });
}

export const tokenScenarios = { 'token-life': tokenLife };
