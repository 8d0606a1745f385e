// Reads a small text body, limited in size and time: the client isn't authenticated yet, and one that sends a byte now and then
// would keep the connection open forever.

import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { AppError } from '../contract/errors.ts';

const defaultMaxBytes = 64 * 1024;
/** The same time as for a request's head. */
const defaultLimitMs = 20_000;

/** @throws AppError body-too-large, body-incomplete */
export async function readBodyText(
  request: IncomingMessage,
  { limitMs = defaultLimitMs, maxBytes = defaultMaxBytes }: { limitMs?: number; maxBytes?: number } = {},
): Promise<string> {
  const timer = setTimeout(() => request.destroy(), limitMs);
  try {
    return await getRawBody(request, {
      limit: maxBytes,
      length: request.headers['content-length'] ?? null,
      encoding: 'utf-8',
    });
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    throw new AppError(type === 'entity.too.large' ? 'body-too-large' : 'body-incomplete', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** @throws AppError unsupported-media-type */
export function requireType(request: IncomingMessage, wanted: string): void {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === wanted) return;
  throw new AppError('unsupported-media-type', { detail: `Expected: ${wanted}.` });
}

/** @throws AppError body-too-large, body-incomplete, unsupported-media-type, malformed-json */
export async function readJsonText(request: IncomingMessage): Promise<unknown> {
  requireType(request, 'application/json');
  const text = await readBodyText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('malformed-json', { cause: error });
  }
}
