// The one place where what was thrown becomes an answer. An AppError is told as it is; anything else is logged with its stack
// and told as "internal": no stack, no path, no text that was not written for a stranger. A client can bring about any expected
// refusal as often as it likes, so those are in the log with their request alone.

import type { Context, Middleware } from 'koa';
import { AppError, describeError } from '../../contract/errors.ts';
import type { Logger } from '../../log/logger.ts';
import { headerText } from '../../wopi/wopi-headers.ts';
import { sendFailure } from '../json-response.ts';
import type { RequestState } from '../request-state.ts';

export function createErrors(deps: { log: Pick<Logger, 'error' | 'warn'> }): Middleware<RequestState> {
  return async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = describeError(thrown);
      const { correlationId } = context.state;
      const fields = { code: error.code, correlationId };
      if (error.status >= 500 && error.cause !== undefined) {
        deps.log.error({ err: error.cause, ...fields }, error.message);
      } else if (error.status === 500) deps.log.warn(fields, error.message);
      answer(context, error);
    }
    if (context.respond !== false && context.status === 404 && context.body == null) {
      answer(context, new AppError('not-found'));
    }
  };
}

function answer(context: Context & { state: RequestState }, error: AppError): void {
  if (context.res.headersSent) {
    // Half an answer must not look like a whole one.
    context.res.destroy();
    return;
  }
  // Koa answers again, where an operation had taken that on itself and come to nothing.
  context.respond = true;
  context.remove('Content-Length');
  if (context.req.url?.startsWith('/wopi/') !== true) {
    sendFailure(context, error);
    return;
  }
  // WOPI has one status for every disk that is full. @see behaviour page section 2
  context.status = error.status === 507 ? 500 : error.status;
  context.body = '';
  context.remove('Content-Type');
  context.set('Cache-Control', 'no-store');
  if (error.status === 401) context.set('WWW-Authenticate', 'Bearer');
  if (error.status >= 500) context.set('X-WOPI-ServerError', headerText(error.message));
}
