// Who calls the JSON API. An API token opens no document, and an access token opens no API: they are looked up separately.

import type { Context } from 'koa';
import type { ApiTokens } from '../accounts/api-tokens.ts';
import type { User } from '../store/users.ts';
import { AppError } from '../contract/errors.ts';
import { bearerToken } from './bearer-token.ts';

export interface CallerDeps {
  apiTokens: ApiTokens;
}

/** @throws AppError not-authenticated */
export function requireCaller({ apiTokens }: CallerDeps, context: Context): { user: User; tokenId: string } {
  const token = bearerToken(context.req.headers.authorization);
  const caller = token === undefined ? undefined : apiTokens.authenticate(token);
  if (caller === undefined) {
    context.set('WWW-Authenticate', 'Bearer');
    throw new AppError('not-authenticated');
  }
  context.state['user'] = caller.user.login;
  return caller;
}
