// Why a save was recovered. What is stored is the key of a message, so that it can be shown in any language.

import type { ErrorCode } from './errors.ts';
import { isMessageKey, t, type MessageKey } from './messages.ts';

export type RecoveredReason = Extract<MessageKey, `recovered.${string}`> | `error.${ErrorCode}`;

/** In the user's language. */
export function recoveredReason(stored: string): string {
  return isMessageKey(stored) ? t(stored) : stored;
}
