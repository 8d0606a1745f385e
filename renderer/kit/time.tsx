// Times as text: `3 min ago` or `Yesterday 14:03`, and other texts that depend on the time, drawn again by one timer when they change.

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useReducer,
  useState,
  type ReactNode,
} from 'react';
import {
  capitalized,
  formatRelative,
  formatRelativeBriefly,
  formatTime,
  relativeChangesInMs,
} from '../../app/contract/format.ts';
import { t } from '../../app/contract/messages.ts';
import { createTicker, type Ticker } from './ticker.ts';

const TickerContext = createContext<{ ticker: Ticker; clock: () => number } | undefined>(undefined);

/** @param props.clock the host's time; that of this computer if left out */
export function TickerProvider({
  clock = Date.now,
  children,
}: {
  clock?: () => number;
  children: ReactNode;
}) {
  const [timing] = useState(() => ({ ticker: createTicker({ clock, page: document }), clock }));
  useEffect(() => () => timing.ticker.close(), [timing]);
  return <TickerContext value={timing}>{children}</TickerContext>;
}

function useTiming() {
  const timing = useContext(TickerContext);
  if (timing === undefined) throw new Error('Outside TickerProvider.');
  return timing;
}

/** The clock that times are shown by. */
export function useClock(): () => number {
  return useTiming().clock;
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
  const { ticker, clock } = useTiming();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => ticker.watch(changesInMs ?? everyMinute, redraw), [ticker, changesInMs]);
  return words(clock());
}

const everyMinute = () => 60_000;

/**
 * `atMs` null shows `never` (or `absent`). `isStart`: it begins a cell or a line, not in the middle of a sentence. `isBrief`: `Yesterday`
 * without its time.
 */
export function RelativeTime(props: {
  atMs: number | null;
  absent?: string;
  isStart?: boolean;
  isBrief?: boolean;
}) {
  return props.atMs === null ? (
    <span className="muted">
      {props.absent ?? (props.isStart === true ? t('kit.never') : t('kit.never-inline'))}
    </span>
  ) : (
    <KnownTime atMs={props.atMs} isStart={props.isStart === true} isBrief={props.isBrief === true} />
  );
}

function KnownTime({ atMs, isStart, isBrief }: { atMs: number; isStart: boolean; isBrief: boolean }) {
  const format = isBrief ? formatRelativeBriefly : formatRelative;
  const words = useTimedText(
    useCallback((nowMs: number) => format(atMs, nowMs), [format, atMs]),
    useCallback((nowMs: number) => relativeChangesInMs(atMs, nowMs), [atMs]),
  );
  const text = isStart ? capitalized(words) : words;
  const exact = formatTime('toSecond', atMs);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={exact} aria-label={`${text}, ${exact}`}>
      {text}
    </time>
  );
}

/** A sentence about something that ends then: `Paused until 14:05 (in 20 min).` */
export function UntilTime(props: { atMs: number; of(until: { time: string; when: string }): string }) {
  const { atMs } = props;
  const when = useTimedText(
    useCallback((nowMs: number) => formatRelative(atMs, nowMs), [atMs]),
    useCallback((nowMs: number) => relativeChangesInMs(atMs, nowMs), [atMs]),
  );
  return props.of({ time: formatTime('clock', atMs), when });
}
