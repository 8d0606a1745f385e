// The HTTP side of the host: the middleware in order, then the routes. Clients are untrusted; permissions are checked in the
// routes and services, not here.

import Koa from 'koa';
import { speaking } from '../languages.ts';
import type { Logger } from '../log/logger.ts';
import { createAuthenticationRoutes, type AuthenticationRoutesDeps } from './routes/authentication.ts';
import { createFilesRoutes, type FilesRoutesDeps } from './routes/files.ts';
import { createHelpRoutes, type HelpRoutesDeps } from './routes/help.ts';
import { createPagesRoutes, type PagesRoutesDeps } from './routes/pages.ts';
import { createPeopleRoutes } from './routes/people.ts';
import { createWopiRoutes, type HostedWopi, type WopiRoutesDeps } from './routes/wopi.ts';
import { createErrors } from './middleware/errors.ts';
import { createHostGuard, type HostGuardDeps } from './middleware/host-guard.ts';
import { createNetworkGuard, type NetworkGuardDeps } from './middleware/network-guard.ts';
import { createRequestJournal, type RequestJournalDeps } from './middleware/request-journal.ts';
import { requireImplementedMethod } from './middleware/methods.ts';
import type { RequestState } from './request-state.ts';

export interface AppDeps<Hosted extends HostedWopi = HostedWopi>
  extends HostGuardDeps, NetworkGuardDeps, RequestJournalDeps, HelpRoutesDeps {
  wopi: WopiRoutesDeps<Hosted>;
  authentication: AuthenticationRoutesDeps;
  files: FilesRoutesDeps;
  pages: PagesRoutesDeps;
  log: Logger;
}

export function createApp<Hosted extends HostedWopi>(deps: AppDeps<Hosted>): Koa<RequestState> {
  const app = new Koa<RequestState>();
  // Koa would log to the console; errors are logged where they are caught.
  app.silent = true;
  app.use((_context, next) => speaking(['en'], next));
  app.use(createRequestJournal(deps));
  app.use(createErrors(deps));
  app.use(createHostGuard(deps));
  app.use(createNetworkGuard(deps));
  app.use(requireImplementedMethod);
  // What editors call most comes first.
  app.use(createWopiRoutes(deps.wopi));
  for (const router of [
    createAuthenticationRoutes(deps.authentication),
    createPeopleRoutes(deps.authentication),
    createFilesRoutes(deps.files),
    createPagesRoutes(deps.pages),
    createHelpRoutes(deps),
  ]) {
    app.use(router.routes());
  }
  return app;
}
