// What app/contract/format.ts leaves to the window: parts of paths, and the words of modes.

import { currentLocale, t } from '../../../app/contract/messages.ts';
import { safeText } from '../../../app/contract/names.ts';

export const locale = currentLocale();

/** `Budget.xlsx` and `Finance/2026` (empty at the top of the folder), to be shown. */
export function splitPath(path: string): { name: string; folder: string } {
  const shown = safeText(path);
  const cut = shown.lastIndexOf('/');
  return { name: shown.slice(cut + 1), folder: cut === -1 ? '' : shown.slice(0, cut) };
}

/** What an access token or a session may do. */
export const modeWords = { edit: t('common.edit'), view: t('window.view') } as const;

/** How well a title fits what was typed, the best first: it's the same, its words begin with it, it contains it, neither. */
export function matchRank(title: string, query: string): number {
  const lower = title.toLowerCase();
  const typed = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (lower === typed.join(' ')) return 0;
  const words = lower.split(/[^\p{L}\p{N}]+/u);
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return 1;
  return typed.every((part) => lower.includes(part)) ? 2 : 3;
}
