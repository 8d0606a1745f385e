// GET /api/2.0/people/@self(.json): who the token belongs to. @see docs/protocol.md, “JSON API”

import Router from '@koa/router';
import { requireCaller, type CallerDeps } from '../require-api-token.ts';
import { sendEnvelope } from '../json-response.ts';
import type { RequestState } from '../request-state.ts';

export function createPeopleRoutes(deps: CallerDeps): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get(['/api/2.0/people/@self.json', '/api/2.0/people/@self'], (context) => {
    context.state.operation = 'ReadProfile';
    const { user } = requireCaller(deps, context);
    const { id, login: userName, displayName, role } = user;
    sendEnvelope(context, 200, { id, userName, displayName, role, isOwner: role === 'owner' });
  });
  return router;
}
