// The log, below the findings and on the page of a start that failed.

import { useEffect, useMemo, useRef, useState } from 'react';
import { formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { Skeleton } from '../../kit/blocks.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { SearchField, Switch } from '../../kit/fields.tsx';
import { useCommandResult } from '../parts/action.tsx';

const refreshEveryMs = 2000;

const levelTones: Readonly<Record<string, string>> = { warn: ' tone-warn', error: ' tone-bad' };

interface Line {
  atMs: number;
  level: string;
  text: string;
}

/** A line that isn't JSON was cut. `text`: the message, then each field as `name=value`. */
function parsed(line: string): Line[] {
  try {
    const { level, time, msg, ...rest } = JSON.parse(line) as Record<string, unknown> &
      Record<'level' | 'time' | 'msg', string>;
    const values = Object.entries(rest).map(([name, value]) => `${name}=${wordsOf(value)}`);
    return [{ atMs: Date.parse(time) || 0, level, text: [msg, ...values].join('  ') }];
  } catch {
    return [];
  }
}

/** An error's stack is for the copied diagnostics. */
function wordsOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value && 'type' in value)
    return `${String(value.type)}: ${String(value.message)}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The latest lines, which DocTray has even when its state can't be read. */
export function Log() {
  const { answer, problem } = useCommandResult('app.log', {}, { everyMs: refreshEveryMs });
  const lines = useMemo(() => {
    const counts = new Map<string, number>();
    return answer?.lines.flatMap((raw) => {
      counts.set(raw, (counts.get(raw) ?? 0) + 1);
      // Stays the same when older lines go, so that what is read doesn't move.
      return parsed(raw).map((line) => ({ ...line, key: `${counts.get(raw)} ${raw}` }));
    });
  }, [answer]);
  const [filter, setFilter] = useState('');
  const [isProblemsOnly, setIsProblemsOnly] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return lines?.filter(
      ({ level, text }) =>
        (!isProblemsOnly || level === 'warn' || level === 'error') && text.toLowerCase().includes(wanted),
    );
  }, [lines, filter, isProblemsOnly]);
  // Follows the end, unless the user scrolled up.
  const follows = useRef(true);
  useEffect(() => {
    if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [shown]);
  return (
    <div className="log stack">
      <div className="row spread">
        <SearchField label={t('window.filter-the-log')} value={filter} onChange={setFilter} />
        <Switch label={t('window.problems-only')} isOn={isProblemsOnly} onChange={setIsProblemsOnly} />
      </div>
      {problem !== null && <Notice tone="bad">{problem.message}</Notice>}
      {shown === undefined ? (
        problem === null && <Skeleton rows={4} />
      ) : (
        <div
          className="log-lines code"
          role="log"
          aria-label={t('window.log')}
          tabIndex={0}
          ref={list}
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
            follows.current = scrollTop + clientHeight >= scrollHeight - 8;
          }}
        >
          {shown.length === 0 && <div className="muted">{t('window.no-lines')}</div>}
          {shown.map((line) => (
            <div key={line.key} className={`log-line${levelTones[line.level] ?? ''}`}>
              <time dateTime={new Date(line.atMs).toISOString()} title={formatTime('toSecond', line.atMs)}>
                {formatTime('clockToSecond', line.atMs)}
              </time>{' '}
              <span className="log-level">{line.level}</span> <span className="selectable">{line.text}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
