// What answers others than this machine. Editors must reach /wopi, where every call brings a token of its own; the JSON API and
// the pages, where people sign in, stay with this machine until somebody opens them. Whatever is not known to be WOPI is
// taken for one of those.

import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import type { RequestState } from '../request-state.ts';

export interface NetworkGuardDeps {
  /** Whether the JSON API answers others than this machine. */
  isApiOpen: () => boolean;
  /** Whether the pages do. */
  arePagesOpen: () => boolean;
}

/** For a listener that serves only pages. Comes after the host guard. @throws AppError network-closed */
export function createPagesGuard({
  arePagesOpen,
}: Pick<NetworkGuardDeps, 'arePagesOpen'>): Middleware<RequestState> {
  return ({ state }, next) => {
    if (!state.client.isThisMachine && !arePagesOpen()) throw new AppError('network-closed');
    return next();
  };
}

/** Stands behind the host guard. @throws AppError network-closed */
export function createNetworkGuard(deps: NetworkGuardDeps): Middleware<RequestState> {
  return (context, next) => {
    const { path, state } = context;
    if (!path.startsWith('/wopi/') && !state.client.isThisMachine) {
      // The router takes an address in any letters.
      const isOpen = /^\/api(?:\/|$)/iu.test(path) ? deps.isApiOpen() : deps.arePagesOpen();
      if (!isOpen) throw new AppError('network-closed');
    }
    return next();
  };
}
