// The shapes of the JSON API's bodies and queries. Loaded with the first call that needs one: zod is slow to load.

import { z } from 'zod';

const text = z.string().min(1).max(1024);

export const signInBody = z.object({ userName: text, password: z.string().min(1).max(4096) });

export const accessBody = z.object({
  path: z.string().min(1).max(4096),
  mode: z.enum(['edit', 'view']).default('edit'),
});

const whole = z.coerce.number().int().min(0);

export const listQuery = z.object({
  path: z.string().max(4096).default(''),
  startIndex: whole.default(0),
  count: whole.min(1).max(1000).default(100),
});
