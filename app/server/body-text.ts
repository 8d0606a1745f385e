// The text of a small body, bounded before anything looks at it.

import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { AppError } from '../contract/errors.ts';

const maxBodyBytes = 64 * 1024;

/** @throws AppError body-too-large, body-incomplete */
export async function readBodyText(request: IncomingMessage): Promise<string> {
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
  }
}
