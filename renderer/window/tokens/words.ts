// Tokens in words: what they allow, and when they expire. For a day after it expires, an access token can still save a document whose
// lock its editor holds, so that no work is lost; it opens nothing new.

import { accessTokenGraceMs } from '../../../app/contract/age.ts';
import type { TokenItem } from '../../../app/contract/state.ts';
import { formatDay, formatRelative, formatTime, formatTimeLeft } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { modeWords } from '../parts/format.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** In the order in which they are counted. */
export const states = {
  valid: { counted: 'window.count-valid' },
  'can-save': { counted: 'window.count-can-still-save' },
  expired: { counted: 'window.count-expired' },
  'no-document': { counted: 'window.count-of-deleted-documents' },
} as const;
type TokenState = keyof typeof states;

export function stateOf(token: TokenItem, nowMs: number): TokenState {
  if (token.kind === 'access' && token.path === null) return 'no-document';
  if (nowMs < token.expiresAtMs) return 'valid';
  const canSave = token.kind === 'access' && token.mode === 'edit';
  return canSave && nowMs < token.expiresAtMs + accessTokenGraceMs ? 'can-save' : 'expired';
}

/** `Backup script`; tokens of a sign-in have no name. */
export function apiTokenName({ name }: Pick<TokenItem, 'name'>): string {
  return name ?? t('window.sign-in-of-a-program');
}

/** What it allows: `Edit`, `Can save for 21 h`, `Expired`; a dash if its document was deleted. */
export function accessWords(token: TokenItem, nowMs: number): string {
  const state = stateOf(token, nowMs);
  if (state === 'no-document') return '–';
  if (state === 'expired') return t('window.expired');
  const allowed = token.mode === null ? t('window.all-documents') : modeWords[token.mode];
  return graceWords(token, nowMs)?.short ?? allowed;
}

/** `in 3 h`, `27 Jul`, `Expired 2 h ago`; short: `2 h ago`. */
export function expiryWords({ expiresAtMs }: TokenItem, nowMs: number, isShort = false): string {
  const when = formatRelative(expiresAtMs, nowMs);
  if (nowMs >= expiresAtMs) return isShort ? when : t('window.expired-when', { when });
  return expiresAtMs - nowMs > 2 * dayMs ? formatDay(expiresAtMs, nowMs) : when;
}

/** `Can save for 21 h`, and why an expired token can; undefined: it can't, or hasn't expired. */
export function graceWords(token: TokenItem, nowMs: number): { short: string; sentence: string } | undefined {
  if (stateOf(token, nowMs) !== 'can-save') return undefined;
  const untilMs = token.expiresAtMs + accessTokenGraceMs;
  return {
    short: t('window.can-save-for-duration', { duration: formatTimeLeft(untilMs - nowMs) }),
    sentence: t('window.so-that-no-work-is', { until: formatTime('toMinute', untilMs) }),
  };
}
