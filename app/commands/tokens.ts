// Sessions and tokens. Ending a session revokes its access token: the editor's next call is refused.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { maxApiTokenDays, type Outcome } from '../contract/results.ts';
import type { UserActionName } from '../contract/user-actions.ts';
import { AppError } from '../contract/errors.ts';
import type { Services } from '../host/services.ts';
import { command, ids, login, noArgs, type Contexts, journalAction } from './command.ts';
import { t } from '../contract/messages.ts';

export const tokenCommands = {
  'sessions.list': command({
    needs: 'services',
    from: 'terminal',
    args: noArgs,
    run: ({ services }) => services.sessions.list(),
  }),

  'sessions.end': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ids }),
    async run(context, args) {
      const { services } = context;
      const outcome = await revokeAll(services, args.ids, {
        // An access token that no editor has used isn't a session.
        revoke: (id) => services.sessions.find(id) !== undefined && services.accessTokens.revoke(id),
        pathOf: (id) => services.sessions.find(id)?.path ?? '',
        lateSentence: 'This session doesn’t exist. It may have expired.',
      });
      journalBatch(context, 'EndSession', outcome.done, 'sessions');
      return outcome;
    },
  }),

  'tokens.list': command({
    needs: 'services',
    from: 'terminal',
    args: noArgs,
    async run({ services }) {
      const apiTokens = services.apiTokens.list();
      const accessTokens = await Promise.all(
        services.accessTokens.list().map(async (token) => {
          const document = await services
            .folder()
            ?.find(token.fileId)
            .catch(() => undefined);
          return { ...token, path: document?.row.path ?? null };
        }),
      );
      return { apiTokens, accessTokens };
    },
  }),

  /** The result contains the token, which is never shown again. `days`: null for the setting's. */
  'tokens.createApiToken': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ login, days: z.int().min(1).max(maxApiTokenDays).nullable() }),
    confirm: ({ login }) => ({
      message: t('Create an API token for {login}?', { login }),
      detail: t('A program with this token can do everything that {login} can do through the API.', {
        login,
      }),
      button: t('Create token'),
    }),
    run(context, args) {
      const { users, apiTokens } = context.services;
      const user = users.byLogin(args.login);
      if (user === undefined) throw new AppError('user-unknown');
      const issued = apiTokens.issue(user, args.days ?? undefined);
      journalAction(context, 'CreateApiToken', user.login);
      return { ...issued, login: user.login };
    },
  }),

  'tokens.revoke': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ids }),
    async run(context, args) {
      const { services } = context;
      const { apiTokens, accessTokens, filesTable } = services;
      const fileIds = new Map(accessTokens.list().map(({ id, fileId }) => [id, fileId]));
      const outcome = await revokeAll(services, args.ids, {
        revoke: (id) => apiTokens.revoke(id) || accessTokens.revoke(id),
        pathOf: (id) => filesTable.byId(fileIds.get(id) ?? '')?.path ?? '',
        lateSentence: 'This token doesn’t exist. It may have expired.',
      });
      journalBatch(context, 'RevokeToken', outcome.done, 'tokens');
      return outcome;
    },
  }),

  'tokens.revokeOfUser': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ login }),
    run(context, args) {
      const { users, apiTokens, accessTokens } = context.services;
      const user = users.byLogin(args.login);
      if (user === undefined) throw new AppError('user-unknown');
      const count = inOneTransaction(context.services, () => {
        const ofUser = apiTokens.list().filter(({ userId }) => userId === user.id);
        return ofUser.filter(({ id }) => apiTokens.revoke(id)).length + accessTokens.revokeOfUser(user.id);
      });
      if (count > 0) journalAction(context, 'RevokeTokensOfUser', user.login);
      return { count };
    },
  }),
};

/** Adds one journal entry for all of them, so that they don't displace the requests. */
function journalBatch(
  context: Contexts['services'],
  operation: UserActionName,
  done: Outcome['done'],
  noun: string,
): void {
  const [first, second] = done;
  if (first !== undefined)
    journalAction(context, operation, second === undefined ? first.path : `${done.length} ${noun}`);
}

/** Each transaction waits for the disk once. Requests are answered between two transactions. */
const revokeBatchSize = 200;

async function revokeAll(
  services: Services,
  given: readonly string[],
  how: { revoke: (id: string) => boolean; pathOf: (id: string) => string; lateSentence: string },
): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [] };
  const wanted = [...new Set(given)];
  while (wanted.length > 0) {
    const some = wanted.splice(0, revokeBatchSize).map((id) => ({ id, path: how.pathOf(id) }));
    const isRevoked = inOneTransaction(services, () => some.map(({ id }) => how.revoke(id)));
    for (const [index, item] of some.entries()) {
      if (isRevoked[index] === true) outcome.done.push(item);
      else outcome.failed.push({ ...item, message: how.lateSentence, code: 'not-found' });
    }
    if (wanted.length > 0) await nextTurn();
  }
  return outcome;
}

function inOneTransaction<Result>({ store }: Services, work: () => Result): Result {
  return store.db.transaction(work).immediate();
}
