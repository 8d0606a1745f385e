// Search by name in the whole folder, some keystrokes at a time. Until a newer answer is there the older one stays.

import { useCallback, useEffect, useRef, useState } from 'react';
import type { SearchResult } from '../../../app/contract/results.ts';
import { t } from '../../../app/contract/messages.ts';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

export interface DocumentSearch {
  /** Trimmed; '' while nothing is searched for. */
  text: string;
  isSearching: boolean;
  /** Perhaps of a text before this one, while `isSearching`. */
  result: SearchResult | undefined;
  problem: string | null;
  /** Something was changed: what was found is looked for again, at the latest in that time. */
  again(inMs: number): void;
}

/** More than anybody reads; the sentence above them asks for more letters. */
const maxResults = 500;
const quietMs = 200;

export function useDocumentSearch(typed: string): DocumentSearch {
  const call = useCall();
  const text = typed.trim().slice(0, 256);
  const [found, setFound] = useState<{ result?: SearchResult; problem: string | null }>();
  const [isSearching, setIsSearching] = useState(false);
  const round = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wanted = useRef('');

  const run = useCallback(async () => {
    timer.current = undefined;
    round.current += 1;
    const mine = round.current;
    let next: typeof found;
    try {
      next = {
        result: await call('documents.search', { text: wanted.current, count: maxResults }),
        problem: null,
      };
    } catch (error) {
      next = { problem: sentenceOf(error) };
    }
    if (mine !== round.current) return;
    setFound(next);
    setIsSearching(false);
  }, [call]);

  useEffect(() => {
    wanted.current = text;
    // what is under way answers another question
    round.current += 1;
    if (text === '') {
      setFound(undefined);
      setIsSearching(false);
      return undefined;
    }
    setIsSearching(true);
    timer.current = setTimeout(() => void run(), quietMs);
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      round.current += 1;
    };
  }, [text, run]);

  const again = useCallback(
    (inMs: number) => {
      if (wanted.current === '' || (timer.current !== undefined && inMs > 0)) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void run(), inMs);
    },
    [run],
  );

  return {
    text,
    isSearching,
    result: text === '' ? undefined : found?.result,
    problem: isSearching || text === '' ? null : (found?.problem ?? null),
    again,
  };
}

/** How much was searched, and whether that is everything. */
export function searchStatus(search: Pick<DocumentSearch, 'result' | 'isSearching'>): string {
  const { result } = search;
  if (result === undefined) return search.isSearching ? t('Searching…') : '';
  const { items, searched, isComplete } = result;
  if (isComplete)
    return t('{count, plural, one {Searched # name} other {Searched all # names}}', { count: searched });
  return items.length >= maxResults
    ? t('The first {count, number} results. Type more of the name.', { count: items.length })
    : t(
        '{count, plural, one {Searched # name} other {Searched # names}} before time ran out. There may be more.',
        {
          count: searched,
        },
      );
}
