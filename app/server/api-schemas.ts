// Schemas of the JSON API's bodies and queries. Imported with the first call that needs one: zod is slow to load.

import { z } from 'zod';

const text = z.string().min(1).max(1024);

export const signInBody = z.object({ userName: text, password: z.string().min(1).max(4096) });

export const accessBody = z.object({
  path: z.string().min(1).max(4096),
  mode: z.enum(['edit', 'view']).default('edit'),
});

const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int({ error: 'must be a whole number' })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` });

export const listQuery = z.object({
  path: z.string().max(4096).default(''),
  startIndex: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  count: wholeNumber(1, 1000).default(100),
});
