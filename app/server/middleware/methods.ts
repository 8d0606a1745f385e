// Methods that nothing here has: 501, before any address is looked at.

import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import type { RequestState } from '../request-state.ts';

const known = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

export const requireImplementedMethod: Middleware<RequestState> = (context, next) => {
  const isWopiDelete = context.method === 'DELETE' && context.req.url?.startsWith('/wopi/');
  if (!known.has(context.method) || isWopiDelete) throw new AppError('method-not-implemented');
  return next();
};
