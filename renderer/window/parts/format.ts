// What app/contract/format.ts leaves to the window: capital letters and parts of paths.

import { currentLocale, t } from '../../../app/contract/messages.ts';
import { safeText } from '../../../app/contract/names.ts';

export const locale = currentLocale();

/** For what begins a cell or a line. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toLocaleUpperCase(locale)}${text.slice(1)}`;
}

/** `Budget.xlsx` and `Finance/2026` (empty at the top of the folder), to be shown. */
export function splitPath(path: string): { name: string; folder: string } {
  const shown = safeText(path);
  const cut = shown.lastIndexOf('/');
  return { name: shown.slice(cut + 1), folder: cut === -1 ? '' : shown.slice(0, cut) };
}

/** Of a long name, the last word of the stem stays in view too: copies and versions differ there. */
const lastWord = /(?<=[\s_.-])[^\s_.-]{1,12}$/u;
const endLength = 8;
const longName = 20;
const graphemes = new Intl.Segmenter(locale);

/** What is cut off in a narrow place, and what stays: the extension, and of a long name the end before it. */
export function splitName(name: string): [start: string, end: string] {
  const dot = name.lastIndexOf('.');
  const end = dot > 0 && name.length - dot <= 6 ? dot : name.length;
  if (name.length <= longName) return [name.slice(0, end), name.slice(end)];
  const tail = lastWord.exec(name.slice(0, end))?.[0].length ?? endLength;
  // Never inside a character, such as an emoji or a letter with its accent.
  const cut = graphemes.segment(name).containing(end - tail)?.index ?? end - tail;
  return [name.slice(0, cut), name.slice(cut)];
}

/** What an access token or a session may do. */
export const modeWords = { edit: t('Edit'), view: t('View') } as const;

/** How well a title fits what was typed, the best first: it's the same, its words begin with it, it contains it, neither. */
export function matchRank(title: string, query: string): number {
  const lower = title.toLowerCase();
  const typed = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (lower === typed.join(' ')) return 0;
  const words = lower.split(/[^\p{L}\p{N}]+/u);
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return 1;
  return typed.every((part) => lower.includes(part)) ? 2 : 3;
}
