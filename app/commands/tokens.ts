// Sessions and tokens. Ending a session revokes its access token: the editor's next call is refused.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { isSafeText } from '../contract/names.ts';
import { maxApiTokenDays, maxTokenNameLength, type Outcome } from '../contract/results.ts';
import type { UserActionName } from '../contract/user-actions.ts';
import { AppError } from '../contract/errors.ts';
import type { Services } from '../host/services.ts';
import {
  cantBeEmpty,
  command,
  ids,
  isTooLong,
  login,
  name,
  type Contexts,
  journalAction,
} from './command.ts';
import { t } from '../contract/messages.ts';

export const tokenCommands = {
  'sessions.list': command({
    needs: 'services',
    from: 'terminal',
    run: ({ services }) => services.sessions.list(),
  }),

  'sessions.end': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ids }),
    run: (context, args) => {
      const { services } = context;
      return revokeAll(context, args.ids, {
        // An access token that no editor has used isn't a session.
        revoke: (id) => services.sessions.find(id) !== undefined && services.accessTokens.revoke(id),
        fileIdOf: (id) => services.sessions.find(id)?.fileId,
        lateSentence: t('host.session-unknown'),
        operation: 'EndSession',
        noun: 'sessions',
      });
    },
  }),

  'tokens.list': command({
    needs: 'services',
    from: 'terminal',
    run({ services }) {
      const accessTokens = services.accessTokens
        .list()
        .map((token) => ({ ...token, path: services.filesTable.shownPath(token.fileId) ?? null }));
      return { apiTokens: services.apiTokens.list(), accessTokens };
    },
  }),

  /** The result contains the token, which is never shown again. `name`: what it is for. `days`: null for the setting's. */
  'tokens.createApiToken': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({
      login,
      name: name
        .trim()
        .min(1, { error: cantBeEmpty })
        .max(maxTokenNameLength, { error: isTooLong })
        .refine(isSafeText, { error: () => t('host.argument-has-invisible-characters') })
        .nullable(),
      days: z.int().min(1).max(maxApiTokenDays).nullable(),
    }),
    confirm: ({ login }) => ({
      message: t('host.create-an-api-token-for', { login }),
      detail: t('host.a-program-with-this-token', {
        login,
      }),
      button: t('common.create-token'),
    }),
    run(context, args) {
      const { users, apiTokens } = context.services;
      const user = users.byLogin(args.login);
      if (user === undefined) throw new AppError('user-unknown');
      const issued = apiTokens.issue(user, {
        ...(args.name !== null && { name: args.name }),
        ...(args.days !== null && { days: args.days }),
      });
      journalAction(context, 'CreateApiToken', user.login);
      return { ...issued, login: user.login };
    },
  }),

  'tokens.revoke': command({
    needs: 'services',
    from: 'both',
    args: z.strictObject({ ids }),
    run: (context, args) => {
      const { apiTokens, accessTokens } = context.services;
      const fileIds = new Map(accessTokens.list().map(({ id, fileId }) => [id, fileId]));
      return revokeAll(context, args.ids, {
        revoke: (id) => apiTokens.revoke(id) || accessTokens.revoke(id),
        fileIdOf: (id) => fileIds.get(id),
        lateSentence: t('host.token-unknown'),
        operation: 'RevokeToken',
        noun: 'tokens',
      });
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

/** Each transaction waits for the disk once. Requests are answered between two transactions. */
const revokeBatchSize = 200;

interface Revoking {
  revoke(id: string): boolean;
  /** Undefined for an API token, which opens all documents. */
  fileIdOf(id: string): string | undefined;
  lateSentence: string;
  operation: UserActionName;
  /** Of several. */
  noun: string;
}

async function revokeAll(
  context: Contexts['services'],
  given: readonly string[],
  how: Revoking,
): Promise<Outcome> {
  const { services } = context;
  const outcome: Outcome = { done: [], failed: [] };
  const wanted = [...new Set(given)];
  /** Of the last one that was revoked, for the case that it is the only one. */
  let fileId: string | undefined;
  while (wanted.length > 0) {
    const some = wanted.splice(0, revokeBatchSize).map((id) => ({ id, fileId: how.fileIdOf(id) }));
    const isRevoked = inOneTransaction(services, () => some.map(({ id }) => how.revoke(id)));
    for (const [index, item] of some.entries()) {
      const path = services.filesTable.shownPath(item.fileId ?? '') ?? '';
      if (isRevoked[index] === true) {
        outcome.done.push({ id: item.id, path });
        ({ fileId } = item);
      } else outcome.failed.push({ id: item.id, path, message: how.lateSentence, code: 'not-found' });
    }
    if (wanted.length > 0) await nextTurn();
  }
  // One journal entry for all of them, so that they don't displace the requests.
  const [first, second] = outcome.done;
  if (first !== undefined && second === undefined) journalAction(context, how.operation, first.path, fileId);
  else if (first !== undefined) journalAction(context, how.operation, `${outcome.done.length} ${how.noun}`);
  return outcome;
}

function inOneTransaction<Result>({ store }: Services, work: () => Result): Result {
  return store.db.transaction(work).immediate();
}
