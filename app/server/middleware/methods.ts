// Answers unsupported methods with 501, before the address is checked.

import type { Middleware } from 'koa';
import { AppError } from '../../contract/errors.ts';
import type { RequestState } from '../request-state.ts';

const known = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

export const requireImplementedMethod: Middleware<RequestState> = (context, next) => {
  const isWopiDelete = context.method === 'DELETE' && context.req.url?.startsWith('/wopi/');
  if (!known.has(context.method) || isWopiDelete) throw new AppError('method-not-implemented');
  return next();
};
