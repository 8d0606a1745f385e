// How many rows are there, for the eye at once and for the ear once it has settled.

import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';

const settlesAfterMs = 700;

export function TableStatus(props: {
  shown: number;
  total: number;
  selected: number;
  count(count: number): string;
  /** Told aloud when this changed or the last row went: rows that come and go by themselves would never be quiet. */
  filter: string;
}) {
  const { shown, total, selected, count, filter } = props;
  const isNothing = shown === 0;
  const counted =
    shown === total ? count(total) : t('{shown} of {all}', { shown: formatCount(shown), all: count(total) });
  const [spoken, setSpoken] = useState('');
  const latest = useRef(counted);
  latest.current = counted;
  const isFirst = useRef(true);
  useEffect(() => {
    const isOpening = isFirst.current;
    isFirst.current = false;
    if (isOpening) return undefined;
    const timer = setTimeout(() => setSpoken(latest.current), settlesAfterMs);
    return () => clearTimeout(timer);
  }, [filter, isNothing]);
  return (
    <>
      <span className="table-count">
        {selected > 0 ? t('{count, number} selected · {rows}', { count: selected, rows: counted }) : counted}
      </span>
      <span className="visually-hidden" role="status">
        {spoken}
      </span>
    </>
  );
}
