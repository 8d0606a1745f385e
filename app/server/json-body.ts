// The body of a JSON API call: bounded, decoded and checked before anything looks at it.

import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { z } from 'zod';
import { AppError } from '../contract/errors.ts';

const maxBodyBytes = 64 * 1024;

/**
 * A type is required: what a web page can send elsewhere without asking has none, or another.
 * @throws AppError body-too-large, unsupported-media-type, malformed-json, invalid-argument
 */
export async function readJson<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new AppError('unsupported-media-type');
  const value = parse(await readText(request));
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  throw new AppError('invalid-argument', { detail: `${where}: ${issue?.message ?? 'not valid'}` });
}

async function readText(request: IncomingMessage): Promise<string> {
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
    if (type === 'entity.too.large') throw new AppError('body-too-large', { cause: error });
    throw new AppError('malformed-json', { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('malformed-json', { cause: error });
  }
}
