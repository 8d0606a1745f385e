// `3 min ago`, with the exact time on hover and for screen readers.

import { useCallback } from 'react';
import { formatRelative, relativeChangesInMs } from '../../../app/contract/format.ts';
import { formatExact } from './format.ts';
import { useTimedText } from './ticker.tsx';

/** `atMs` null shows `never` (or `absent`). */
export function RelativeTime(props: { atMs: number | null; absent?: string }) {
  return props.atMs === null ? (
    <span className="muted">{props.absent ?? 'never'}</span>
  ) : (
    <KnownTime atMs={props.atMs} />
  );
}

function KnownTime({ atMs }: { atMs: number }) {
  const text = useTimedText(
    useCallback((nowMs: number) => formatRelative(atMs, nowMs), [atMs]),
    useCallback((nowMs: number) => relativeChangesInMs(atMs, nowMs), [atMs]),
  );
  const exact = formatExact(atMs);
  return (
    <time
      className="time"
      dateTime={new Date(atMs).toISOString()}
      title={exact}
      aria-label={`${text}, ${exact}`}
    >
      {text}
    </time>
  );
}
