// The shared timer in React: one for the window, and texts that follow it.

import { createContext, useContext, useEffect, useReducer, useState, type ReactNode } from 'react';
import { createTicker, type Ticker } from './create-ticker.ts';
import { hostTime } from '../state/host-clock.ts';

const TickerContext = createContext<Ticker | undefined>(undefined);

export function TickerProvider(props: { children: ReactNode }) {
  const [ticker] = useState(() => createTicker({ clock: hostTime, page: document }));
  useEffect(() => () => ticker.close(), [ticker]);
  return <TickerContext value={ticker}>{props.children}</TickerContext>;
}

/**
 * Words that depend on the time: drawn again when they change, by the one timer.
 * @param words must be cheap and stable (useCallback): called often.
 * @param changesInMs when `words` may next say something else; 60_000 when left out.
 * @example const text = useTimedText(useCallback((now) => lockWords(lock, now), [lock]));
 */
export function useTimedText(
  words: (nowMs: number) => string,
  changesInMs?: (nowMs: number) => number,
): string {
  const ticker = useContext(TickerContext);
  if (ticker === undefined) throw new Error('Outside TickerProvider.');
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => ticker.watch(changesInMs ?? everyMinute, redraw), [ticker, changesInMs]);
  return words(hostTime());
}

const everyMinute = () => 60_000;
