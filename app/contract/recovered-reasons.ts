// Why a save was recovered. What is stored is the key of a message, so that it can be shown in any language: one of these, or of an
// error of the disk or of DocTray.

import { isMessageKey, t, type MessageKey } from './messages.ts';

export type RecoveredReason = Extract<MessageKey, `recovered.${string}`>;

/** In the user's language. */
export function recoveredReason(stored: string): string {
  return isMessageKey(stored) ? t(stored) : stored;
}
