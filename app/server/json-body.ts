// The body of a JSON API call: limited, decoded and validated.

import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { AppError } from '../contract/errors.ts';
import { readJsonText } from './body-text.ts';

/**
 * Requires a content type: what a web page can send to another origin without preflight has none, or a different one.
 * @throws AppError body-too-large, body-incomplete, unsupported-media-type, malformed-json, invalid-argument
 */
export async function readJson<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(await readJsonText(request));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  throw new AppError('invalid-argument', { detail: `${where}: ${issue?.message ?? 'is invalid'}` });
}
