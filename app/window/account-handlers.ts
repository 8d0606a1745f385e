// The commands about sessions, tokens and users. Ending a session is revoking its token: the editor's next call is refused.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Services } from '../host/services.ts';
import type { Outcome } from '../contract/commands.ts';
import { AppError } from '../contract/errors.ts';
import { requireHost, type Handlers } from './handlers.ts';
import type { HostKeeper } from './host-keeper.ts';
import type { LiveState } from './live-state.ts';

export type AccountHandlers = Pick<
  Handlers,
  'sessions.end' | Extract<keyof Handlers, `tokens.${string}` | `users.${string}`>
>;

export interface AccountHandlerDeps {
  keeper: HostKeeper;
  live: Pick<LiveState, 'find'>;
}

/** Each transaction waits for the disk once, and requests are answered between two of them. */
const revokedAtOnce = 200;

export function createAccountHandlers(deps: AccountHandlerDeps): AccountHandlers {
  const { keeper, live } = deps;
  const services = (): Services => requireHost(keeper).services;

  const note = (operation: string, path: string): void => {
    const { journal, clock } = services();
    journal.addAct({ atMs: clock(), operation, path, user: 'window' });
  };

  /** One entry, however many: the journal is for the requests. */
  const noteAll = (operation: string, done: Outcome['done'], noun: string): void => {
    const [first, second] = done;
    if (first !== undefined) note(operation, second === undefined ? first.path : `${done.length} ${noun}`);
  };

  const revokeAll = async (
    ids: readonly string[],
    revoke: (id: string) => boolean,
    pathOf: (id: string) => string,
    lateSentence: string,
  ): Promise<Outcome> => {
    const outcome: Outcome = { done: [], failed: [] };
    const wanted = [...new Set(ids)];
    while (wanted.length > 0) {
      const some = wanted.splice(0, revokedAtOnce).map((id) => ({ id, path: pathOf(id) }));
      const isRevoked = inOneTransaction(services(), () => some.map(({ id }) => revoke(id)));
      for (const [index, item] of some.entries()) {
        if (isRevoked[index] === true) outcome.done.push(item);
        else outcome.failed.push({ ...item, message: lateSentence });
      }
      if (wanted.length > 0) await nextTurn();
    }
    return outcome;
  };

  return {
    async 'sessions.end'({ ids }) {
      const { accessTokens } = services();
      const pathOf = (id: string): string => live.find('sessions', id)?.path ?? '';
      const outcome = await revokeAll(ids, accessTokens.revoke, pathOf, 'This session has ended already.');
      noteAll('EndSession', outcome.done, 'sessions');
      return outcome;
    },

    async 'tokens.revoke'({ ids }) {
      const { apiTokens, accessTokens } = services();
      const revoke = (id: string): boolean => apiTokens.revoke(id) || accessTokens.revoke(id);
      const pathOf = (id: string): string => live.find('tokens', id)?.path ?? '';
      const outcome = await revokeAll(ids, revoke, pathOf, 'This token has ended already.');
      noteAll('RevokeToken', outcome.done, 'tokens');
      return outcome;
    },

    'tokens.revokeOfUser'({ login }) {
      const { users, apiTokens, accessTokens } = services();
      const user = users.byLogin(login);
      if (user === undefined) throw new AppError('user-unknown');
      const count = inOneTransaction(services(), () => {
        const ofUser = apiTokens.list().filter(({ userId }) => userId === user.id);
        return ofUser.filter(({ id }) => apiTokens.revoke(id)).length + accessTokens.revokeOfUser(user.id);
      });
      if (count > 0) note('RevokeTokensOfUser', user.login);
      return { count };
    },

    async 'users.add'(input) {
      await services().users.add(input);
      note('AddUser', input.login);
      return null;
    },

    'users.remove'({ login }) {
      services().users.remove(login);
      note('RemoveUser', login);
      return null;
    },

    async 'users.setPassword'({ login, password }) {
      await services().users.setPassword(login, password);
      note('SetPassword', login);
      return null;
    },

    'users.setRole'({ login, role }) {
      services().users.setRole(login, role);
      note('SetRole', login);
      return null;
    },
  };
}

function inOneTransaction<Result>({ store }: Services, work: () => Result): Result {
  return store.db.transaction(work).immediate();
}
