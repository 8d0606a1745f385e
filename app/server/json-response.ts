// The format of all JSON API responses. @see docs/protocol.md, “JSON API”

import type { Context } from 'koa';
import type { AppError } from '../contract/errors.ts';

const jsonType = 'application/json; charset=utf-8';

export function sendEnvelope(context: Context, statusCode: number, response: object, counted = 1): void {
  send(context, statusCode, { count: counted, response, status: 0, statusCode });
}

export function sendFailure(context: Context, error: AppError): void {
  const { status: statusCode, message, code } = error;
  send(context, statusCode, { count: 0, status: 1, statusCode, error: { message, type: code } });
  if (error.retryAfterSeconds !== undefined) context.set('Retry-After', String(error.retryAfterSeconds));
}

function send(context: Context, statusCode: number, body: object): void {
  context.status = statusCode;
  context.set('Cache-Control', 'private');
  context.body = JSON.stringify(body);
  context.set('Content-Type', jsonType);
}
