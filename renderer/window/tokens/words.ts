// Tokens in words: what they open, and when they end. An expired access token still carries what is open for a day, so that
// expiry never eats work; it opens nothing new.

import type { TokenItem } from '../../../app/contract/state.ts';
import { formatDuration, formatRelative } from '../../../app/contract/format.ts';
import { formatExact } from '../parts/format.ts';
import { modeWords } from '../sessions/words.ts';

/** As long as app/accounts/access-tokens.ts has it. */
export const afterlifeMs = 24 * 60 * 60 * 1000;

/** `API`, or `Edit Finance/Budget.xlsx`. A deleted document has no name. */
export function scopeWords(token: TokenItem): string {
  if (token.kind === 'api') return 'API';
  return `${token.mode === null ? 'Open' : modeWords[token.mode]} ${token.path ?? goneWords}`;
}

export const goneWords = 'a document that is gone';
export const kindWords = { api: 'API', access: 'Access' } as const;

export type Standing = 'good' | 'afterlife' | 'expired';

export function standingOf(token: TokenItem, nowMs: number): Standing {
  if (nowMs < token.expiresAtMs) return 'good';
  const canSave = token.kind === 'access' && token.mode === 'edit';
  return canSave && nowMs < token.expiresAtMs + afterlifeMs ? 'afterlife' : 'expired';
}

/** `in 3 h`, `Expired, saves for 21 h`, `Expired 2 h ago`, `Expired yesterday 14:03`. */
export function endWords(token: TokenItem, nowMs: number): string {
  const standing = standingOf(token, nowMs);
  if (standing === 'good') return formatRelative(token.expiresAtMs, nowMs);
  if (standing === 'expired') return `Expired ${formatRelative(token.expiresAtMs, nowMs)}`;
  return `Expired, saves for ${formatDuration(token.expiresAtMs + afterlifeMs - nowMs)}`;
}

/** On hover: the exact time, and what an expired token is still good for. */
export function endSentence(token: TokenItem, nowMs: number): string {
  const at = formatExact(token.expiresAtMs);
  if (standingOf(token, nowMs) !== 'afterlife') return at;
  const until = formatExact(token.expiresAtMs + afterlifeMs);
  return `Expired on ${at}. It no longer opens documents. Open ones can be saved until ${until}.`;
}
