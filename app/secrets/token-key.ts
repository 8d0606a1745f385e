// The key for the HMACs of stored tokens. Created once per data folder; a new one would invalidate every token.

import { randomBytes } from 'node:crypto';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { Secrets } from './secrets.ts';

export const tokenKeySecret = 'token-key';
const keyBytes = 32;

/** 32 bytes. @throws AppError data-folder-invalid if the stored one is damaged, and what the store throws */
export async function loadTokenKey(secrets: Secrets): Promise<Buffer> {
  const stored = await secrets.get(tokenKeySecret);
  if (stored !== undefined) return decodeKey(stored);
  const key = randomBytes(keyBytes);
  await secrets.set(tokenKeySecret, key.toString('base64url'));
  return key;
}

function decodeKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64url');
  if (key.length === keyBytes && key.toString('base64url') === text) return key;
  throw new AppError('data-folder-invalid', {
    detail: () => t('host.token-key-damaged'),
  });
}
