// `3 min ago` or `Yesterday 14:03`, with the exact time on hover and for screen readers.

import { useCallback } from 'react';
import { formatRelative, relativeChangesInMs } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { capitalized, formatExact } from './format.ts';
import { useTimedText } from './ticker.tsx';

/** `atMs` null shows `never` (or `absent`). `isStart`: it begins a cell or a line, not in the middle of a sentence. */
export function RelativeTime(props: { atMs: number | null; absent?: string; isStart?: boolean }) {
  return props.atMs === null ? (
    <span className="muted">{props.absent ?? (props.isStart === true ? t('Never') : t('never'))}</span>
  ) : (
    <KnownTime atMs={props.atMs} isStart={props.isStart === true} />
  );
}

function KnownTime({ atMs, isStart }: { atMs: number; isStart: boolean }) {
  const words = useTimedText(
    useCallback((nowMs: number) => formatRelative(atMs, nowMs), [atMs]),
    useCallback((nowMs: number) => relativeChangesInMs(atMs, nowMs), [atMs]),
  );
  const text = isStart ? capitalized(words) : words;
  const exact = formatExact(atMs);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={exact} aria-label={`${text}, ${exact}`}>
      {text}
    </time>
  );
}
