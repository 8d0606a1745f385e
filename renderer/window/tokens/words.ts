// Tokens in words: what they open, and when they expire. An expired access token can still save what is open for a day, so that expiry
// never loses work; it opens nothing new.

import { accessTokenGraceMs } from '../../../app/contract/age.ts';
import type { TokenItem } from '../../../app/contract/state.ts';
import { formatDay, formatRelative, formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { modeWords } from '../parts/format.ts';

/** `All documents`, or `Finance/Budget.xlsx (Edit)`. A deleted document has no name. */
export function scopeWords(token: TokenItem): string {
  if (token.kind === 'api') return t('window.all-documents');
  const document = token.path ?? t('window.deleted-document');
  return token.mode === null
    ? document
    : t('window.document-mode', { document, mode: modeWords[token.mode] });
}

const dayMs = 24 * 60 * 60 * 1000;

type TokenState = 'valid' | 'can-save' | 'expired';

export function stateOf(token: TokenItem, nowMs: number): TokenState {
  if (nowMs < token.expiresAtMs) return 'valid';
  const canSave = token.kind === 'access' && token.mode === 'edit';
  return canSave && nowMs < token.expiresAtMs + accessTokenGraceMs ? 'can-save' : 'expired';
}

/** `Backup script`; tokens of a sign-in have no name. */
export function apiTokenName({ name }: Pick<TokenItem, 'name'>): string {
  return name ?? t('window.sign-in-of-a-program');
}

/** What it is good for. Within a day of its expiry, one for editing can still save. */
export function modeOf(token: TokenItem, nowMs: number): string | null {
  if (stateOf(token, nowMs) === 'can-save') return t('window.save-only');
  return token.mode && modeWords[token.mode];
}

/** `in 3 h`, `27 Jul`, `Expired 2 h ago`. */
export function expiryWords({ expiresAtMs }: TokenItem, nowMs: number): string {
  if (nowMs >= expiresAtMs) return t('window.expired-when', { when: formatRelative(expiresAtMs, nowMs) });
  return expiresAtMs - nowMs > 2 * dayMs ? formatDay(expiresAtMs, nowMs) : formatRelative(expiresAtMs, nowMs);
}

/** The exact time, and what an expired token can still do. */
export function expirySentence(token: TokenItem, nowMs: number): string {
  const at = formatTime('toSecond', token.expiresAtMs);
  if (stateOf(token, nowMs) !== 'can-save') return at;
  return t('window.expired-on-at-it-can', {
    at,
    until: formatTime('toSecond', token.expiresAtMs + accessTokenGraceMs),
  });
}
