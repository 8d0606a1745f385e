// Searches the names in the whole hosted folder after a pause in typing. Earlier results stay until newer ones arrive.

import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { SearchResult } from '../../../app/contract/results.ts';
import { sentenceOf } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';

export type DocumentSearch = ReturnType<typeof useDocumentSearch>;

/** @param typed '' searches for nothing */
export function useDocumentSearch(typed: string, { count, pauseMs }: { count: number; pauseMs: number }) {
  const call = useCall();
  const text = typed.trim().slice(0, 256);
  const [found, setFound] = useState<{ text: string; result?: SearchResult; problem: string | null }>();
  const [round, setRound] = useState(0);
  const nextRound = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (text === '') {
      setFound(undefined);
      return undefined;
    }
    let isOver = false;
    const timer = setTimeout(() => {
      call('documents.search', { text, count }).then(
        (result) => {
          if (!isOver) setFound({ text, result, problem: null });
        },
        (error: unknown) => {
          if (!isOver) setFound({ text, problem: sentenceOf(error) });
        },
      );
    }, pauseMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [call, text, round, count, pauseMs]);

  /** Something was changed: what was found is looked for again, at the latest in that time. */
  const again = useCallback((inMs: number) => {
    if (nextRound.current !== undefined && inMs > 0) return;
    clearTimeout(nextRound.current);
    nextRound.current = setTimeout(() => {
      nextRound.current = undefined;
      setRound((before) => before + 1);
    }, inMs);
  }, []);
  const isSearching = text !== '' && found?.text !== text;
  return {
    /** Trimmed; '' while nothing is searched for. */
    text,
    isSearching,
    /** Perhaps of a text before this one, while `isSearching`. */
    result: text === '' ? undefined : found?.result,
    problem: isSearching || text === '' ? null : (found?.problem ?? null),
    again,
  };
}

/** While nothing is found yet, and if the results aren't everything. */
export function searchStatus({ result, isSearching }: DocumentSearch, most: number): string {
  if (result === undefined) return isSearching ? t('window.searching') : '';
  const { items, searched, isComplete } = result;
  if (isComplete) return '';
  return items.length >= most
    ? t('window.the-first-count-results-type', { count: items.length })
    : t('window.searched-names-before-time-ran', { count: searched });
}
