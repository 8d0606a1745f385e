// The text of a small body, bounded in size and time before anything looks at it: nobody has shown yet who they are, and a
// connection on which a byte comes now and then would be held for ever.

import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { AppError } from '../contract/errors.ts';

const maxBodyBytes = 64 * 1024;
/** As long as a request's head may take. */
const defaultLimitMs = 20_000;

/** @throws AppError body-too-large, body-incomplete */
export async function readBodyText(
  request: IncomingMessage,
  { limitMs = defaultLimitMs }: { limitMs?: number } = {},
): Promise<string> {
  const timer = setTimeout(() => request.destroy(), limitMs);
  try {
    return await getRawBody(request, {
      limit: maxBodyBytes,
      length: request.headers['content-length'] ?? null,
      encoding: 'utf-8',
    });
  } catch (error) {
    // What is left of the body is read past, so that the connection can go on.
    request.resume();
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    throw new AppError(type === 'entity.too.large' ? 'body-too-large' : 'body-incomplete', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
