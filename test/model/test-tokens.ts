// The users of a sequence and their access tokens. A token is issued on first use, because most sequences use few of the eight; its
// lifetime counts from the start of the sequence.

import type { User } from '../../app/store/users.ts';
import type { TestHost } from '../server/test-host.ts';
import { fileKeys, tokenKinds } from './choices.ts';
import type { TokenKind } from './choices.ts';
import type { TokenState } from './model-state.ts';

export interface TestUsers {
  owner: User;
  editor: User;
  viewer: User;
}

export async function addUsers(test: TestHost): Promise<TestUsers> {
  const { users } = test.host.services;
  const password = 'correct horse battery';
  return {
    owner: users.byLogin(test.owner.login)!,
    editor: await users.add({ login: 'second', role: 'editor', password }),
    viewer: await users.add({ login: 'third', role: 'viewer', password }),
  };
}

export interface TestTokens {
  /** As the model sees them, by name: `long-a`, and `unknown`, which the host never issued. */
  states: Record<string, TokenState>;
  mint(name: string): { id: string; token: string };
}

const hour = 60 * 60_000;

export function createTestTokens(
  test: TestHost,
  users: TestUsers,
  ids: Readonly<Record<string, string>>,
): TestTokens {
  const nowMs = test.clock.now();
  const plans: Record<TokenKind, { user: User; mode: 'edit' | 'view'; lifeMs: number }> = {
    long: { user: users.owner, mode: 'edit', lifeMs: 1000 * hour + 31 },
    short: { user: users.editor, mode: 'edit', lifeMs: hour + 37 },
    view: { user: users.owner, mode: 'view', lifeMs: 1000 * hour + 31 },
    viewer: { user: users.viewer, mode: 'edit', lifeMs: 1000 * hour + 31 },
  };
  const states: Record<string, TokenState> = {
    unknown: { file: 'a', canWrite: true, expiresAtMs: Number.MAX_SAFE_INTEGER, revoked: true },
  };
  const plannedKind = new Map<string, TokenKind>();
  for (const key of fileKeys) {
    for (const kind of tokenKinds) {
      const canWrite = kind === 'long' || kind === 'short';
      states[`${kind}-${key}`] = {
        file: key,
        canWrite,
        expiresAtMs: nowMs + plans[kind].lifeMs,
        revoked: false,
      };
      plannedKind.set(`${kind}-${key}`, kind);
    }
  }
  const minted = new Map<string, { id: string; token: string }>();
  return {
    states,
    mint(name) {
      const known = minted.get(name);
      if (known !== undefined) return known;
      const kind = plannedKind.get(name);
      if (kind === undefined) return { id: '', token: 'A'.repeat(43) };
      const { file, expiresAtMs } = states[name]!;
      const { user, mode } = plans[kind];
      const issued = test.host.services.accessTokens.mint({ user, fileId: ids[file]!, mode, expiresAtMs });
      minted.set(name, issued);
      return issued;
    },
  };
}
