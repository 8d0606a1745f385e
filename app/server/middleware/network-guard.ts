// What other computers may call. Editors must reach /wopi, where every call has its own token; the JSON API and the pages, where
// users sign in, are available only on this computer unless a setting opens them. Every other path counts as a page.

import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import type { RequestState } from '../request-state.ts';

export interface NetworkGuardDeps {
  /** Whether other computers may call the JSON API. */
  isApiOpen: () => boolean;
  /** Whether other computers may open the pages. */
  arePagesOpen: () => boolean;
}

/** For a listener that serves only pages. Runs after the host guard. @throws AppError network-closed */
export function createPagesGuard({
  arePagesOpen,
}: Pick<NetworkGuardDeps, 'arePagesOpen'>): Middleware<RequestState> {
  return ({ state }, next) => {
    if (!state.client.isThisComputer && !arePagesOpen()) throw new AppError('network-closed');
    return next();
  };
}

/** Runs after the host guard. @throws AppError network-closed */
export function createNetworkGuard(deps: NetworkGuardDeps): Middleware<RequestState> {
  return (context, next) => {
    const { path, state } = context;
    if (!path.startsWith('/wopi/') && !state.client.isThisComputer) {
      // The router's paths are case-insensitive.
      const isOpen = /^\/api(?:\/|$)/iu.test(path) ? deps.isApiOpen() : deps.arePagesOpen();
      if (!isOpen) throw new AppError('network-closed');
    }
    return next();
  };
}
