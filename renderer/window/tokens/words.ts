// Tokens in words: what they open, and when they expire. An expired access token can still save what is open for a day, so that expiry
// never loses work; it opens nothing new.

import { accessTokenGraceMs } from '../../../app/contract/age.ts';
import type { TokenItem } from '../../../app/contract/state.ts';
import { formatDay, formatRelative, formatTime, formatTimeLeft } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { modeWords } from '../parts/format.ts';

/** `All documents`, or `Finance/Budget.xlsx (Edit)`. A deleted document has no name. */
export function scopeWords(token: TokenItem): string {
  if (token.kind === 'api') return t('All documents');
  const document = token.path ?? t('Deleted document');
  return token.mode === null ? document : t('{document} ({mode})', { document, mode: modeWords[token.mode] });
}

const dayMs = 24 * 60 * 60 * 1000;

type TokenState = 'valid' | 'saves-only' | 'expired';

export function stateOf(token: TokenItem, nowMs: number): TokenState {
  if (nowMs < token.expiresAtMs) return 'valid';
  const canSave = token.kind === 'access' && token.mode === 'edit';
  return canSave && nowMs < token.expiresAtMs + accessTokenGraceMs ? 'saves-only' : 'expired';
}

/** `Backup script`; tokens of a sign-in have no name. */
export function apiTokenName({ name }: Pick<TokenItem, 'name'>): string {
  return name ?? t('Sign-in of a program');
}

/** `in 3 h`, `27 Jul`, `Saves only, 21 h`, `Expired 2 h ago`. */
export function expiryWords(token: TokenItem, nowMs: number): string {
  const state = stateOf(token, nowMs);
  if (state === 'valid')
    return token.expiresAtMs - nowMs > 2 * dayMs
      ? formatDay(token.expiresAtMs, nowMs)
      : formatRelative(token.expiresAtMs, nowMs);
  if (state === 'expired') return t('Expired {when}', { when: formatRelative(token.expiresAtMs, nowMs) });
  return t('Saves only, {duration}', {
    duration: formatTimeLeft(token.expiresAtMs + accessTokenGraceMs - nowMs),
  });
}

/** The exact time, and what an expired token can still do. */
export function expirySentence(token: TokenItem, nowMs: number): string {
  const at = formatTime('toSecond', token.expiresAtMs);
  if (stateOf(token, nowMs) !== 'saves-only') return at;
  return t('Expired on {at}. It can no longer open documents. Open ones can be saved until {until}.', {
    at,
    until: formatTime('toSecond', token.expiresAtMs + accessTokenGraceMs),
  });
}
