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

/** What it allows now: `Edit`, `Edit, all documents`, `Save only, 21 h left`, `No access`. */
export function accessWords(token: TokenItem, nowMs: number): string {
  const mode = modeWords[token.mode];
  if (stateOf(token, nowMs) === 'valid')
    return token.kind === 'api' ? t('window.mode-all-documents', { mode }) : mode;
  return graceWords(token, nowMs)?.short ?? t('window.no-access');
}

/** `in 3 h`, `27 Jul`, `2 h ago` */
export function expiryWords({ expiresAtMs }: TokenItem, nowMs: number): string {
  const isFar = expiresAtMs - nowMs > 2 * dayMs;
  return isFar ? formatDay(expiresAtMs, nowMs) : formatRelative(expiresAtMs, nowMs);
}

/** `Save only, 21 h left`, and why an expired token can; undefined: it can't, or hasn't expired. */
export function graceWords(token: TokenItem, nowMs: number): { short: string; sentence: string } | undefined {
  if (stateOf(token, nowMs) !== 'can-save') return undefined;
  const untilMs = token.expiresAtMs + accessTokenGraceMs;
  return {
    short: t('window.save-only-for-duration', { duration: formatTimeLeft(untilMs - nowMs) }),
    sentence: t('window.so-that-no-work-is', { until: formatTime('toMinute', untilMs) }),
  };
}
