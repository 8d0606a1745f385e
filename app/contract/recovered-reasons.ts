// Why a save was recovered. What is stored is the key of a message, so that it can be shown in any language.

import { isMessageKey, t, type MessageKey } from './messages.ts';

export type RecoveredReason = MessageKey;

/** In the user's language. */
export function recoveredReason(stored: string): string {
  return isMessageKey(stored) ? t(stored) : stored;
}
