// POST and DELETE /api/2.0/authentication(.json): signing in and out. @see docs/protocol.md, “JSON API”

import Router from '@koa/router';
import type { ApiTokens } from '../../accounts/api-tokens.ts';
import type { SignIn } from '../../accounts/sign-in.ts';
import { requireCaller, type CallerDeps } from '../require-api-token.ts';
import { sendEnvelope } from '../json-response.ts';
import { readJson } from '../json-body.ts';
import type { RequestState } from '../request-state.ts';

export interface AuthenticationRoutesDeps extends CallerDeps {
  signIn: SignIn;
  apiTokens: ApiTokens;
}

const paths = ['/api/2.0/authentication.json', '/api/2.0/authentication'];

export function createAuthenticationRoutes(deps: AuthenticationRoutesDeps): Router<RequestState> {
  const router = new Router<RequestState>();

  router.post(paths, async (context) => {
    context.state.operation = 'SignIn';
    const { signInBody } = await import('../api-schemas.ts');
    const { userName, password } = await readJson(context.req, signInBody);
    const { clientAddress: address, isThisComputer: isLocal } = context.state.client;
    const user = await deps.signIn.verify({ login: userName, password, address, isLocal });
    context.state.user = user.login;
    const { token, expiresAtMs } = deps.apiTokens.issue(user);
    sendEnvelope(context, 201, { expires: offsetTime(expiresAtMs), token });
  });

  router.delete(paths, (context) => {
    context.state.operation = 'SignOut';
    const { tokenId } = requireCaller(deps, context);
    deps.apiTokens.revoke(tokenId);
    sendEnvelope(context, 200, {});
  });
  return router;
}

/** `2026-11-21T02:00:00.0000000+00:00` */
function offsetTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '0000+00:00');
}
