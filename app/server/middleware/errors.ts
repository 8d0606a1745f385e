// The only place that turns a thrown error into a response. An AppError is reported as it is; anything else is logged with its
// stack and reported as "internal": without stack, path or unreviewed text. A client can cause any expected refusal as often as
// it likes, so those are logged only with their request.

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
      context.state.code = error.code;
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
    // A truncated response must not look complete.
    context.res.destroy();
    return;
  }
  // Koa responds again, if an operation had taken over the response and failed.
  context.respond = true;
  context.remove('Content-Length');
  if (context.req.url?.startsWith('/wopi/') !== true) {
    sendFailure(context, error);
    return;
  }
  // WOPI has one status for a full disk.
  context.status = error.status === 507 ? 500 : error.status;
  context.body = '';
  context.remove('Content-Type');
  context.set('Cache-Control', 'no-store');
  if (error.status === 401) context.set('WWW-Authenticate', 'Bearer');
  if (error.status >= 500) context.set('X-WOPI-ServerError', headerText(error.message));
}
