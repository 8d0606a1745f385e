// The side panel of Activity: all fields of one request, or everything that was done to one document, with a timeline. And the last
// requests about one document, for side panels of other views: read when the panel opens and whenever its row changes.

import { useMemo } from 'react';
import { formatDuration, formatTime, isSameDay } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { CopyButton, useAction, useCommandResult } from '../parts/action.tsx';
import { Button } from '../parts/button.tsx';
import { DetailPanel, DetailSection, TimeFact, type DetailPanelFrame, Skeleton } from '../parts/view.tsx';
import { TextLink } from '../parts/document-cell.tsx';
import { splitPath } from '../parts/format.ts';
import { RelativeTime } from '../parts/time.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation, useWindowState } from '../state/window-context.tsx';
import { toJson, type Column } from '../table/row-source.ts';
import { Status } from './columns.tsx';
import {
  bytesWords,
  clockWords,
  durationWords,
  isAct,
  isFailed,
  isSave,
  statusTone,
  statusWords,
  type Entry,
  type Group,
} from './journal.ts';

export function EntryDetail(props: {
  entry: Entry;
  /** Undefined if unknown. */
  document: string | undefined;
  user: string | null;
  frame: DetailPanelFrame;
  exportColumns: readonly Column<Entry>[];
}) {
  const { entry, document: path } = props;
  const { go } = useNavigation();
  const copy = useAction('app.copyText', {
    failure: t('Can’t copy the request'),
    success: t('Request copied'),
  });
  const act = isAct(entry);
  return (
    <DetailPanel
      {...props.frame}
      title={operationWords(entry.operation)}
      subtitle={<Status entry={entry} />}
      facts={[
        {
          name: t('Time'),
          value: (
            <>
              <RelativeTime atMs={entry.atMs} isStart />
              <div className="fact-exact">{formatTime('toMs', entry.atMs)}</div>
            </>
          ),
        },
        path !== undefined && { name: t('Document'), value: path },
        act
          ? path === undefined && { name: t('Applied to'), value: entry.path }
          : {
              name: t('Request'),
              value: (
                <span className="code">
                  {entry.method} {entry.path}
                </span>
              ),
            },
        { name: t('User'), value: props.user },
        !act && { name: t('Duration'), value: durationWords(entry) },
        !act && { name: t('Received'), value: bytesWords(entry.bytesIn) },
        !act && { name: t('Sent'), value: bytesWords(entry.bytesOut) },
        !act && {
          name: t('Lock'),
          value: entry.lock === null ? null : <span className="code">{entry.lock}</span>,
        },
        !act && { name: t('Address'), value: <span className="code">{entry.address}</span> },
        !act && {
          name: t('Correlation ID'),
          value: (
            <>
              <span className="code">{entry.correlationId}</span>
              <CopyButton text={entry.correlationId} what={t('correlation ID')} />
            </>
          ),
        },
      ]}
      actions={
        <>
          <Button
            icon="copy"
            isPending={copy.isPending}
            onPress={() => void copy.run({ text: toJson(props.exportColumns, [entry]) })}
          >
            {t('Copy as JSON')}
          </Button>
          {path !== undefined && (
            <Button onPress={() => go('documents', path)}>{t('Show in Documents')}</Button>
          )}
        </>
      }
    >
      {act && <p className="muted">{t('The owner did this in the window or the terminal.')}</p>}
    </DetailPanel>
  );
}

const listedCount = 20;

export function GroupDetail(props: {
  group: Group;
  title: string;
  document: string | undefined;
  user: string | null;
  /** All requests, for the timeline of the document. */
  entries: readonly Entry[];
  frame: DetailPanelFrame;
}) {
  const { group, document: path, entries } = props;
  const { fileId } = group;
  const { go } = useNavigation();
  const isLocked = useWindowState((state) => state.locks.some(({ id }) => id === fileId));
  const session = useWindowState((state) => state.sessions.find(({ id }) => id === group.sessionId));
  const ofDocument = useMemo(
    () => (fileId === null ? group.entries : entries.filter((entry) => entry.fileId === fileId)),
    [entries, fileId, group.entries],
  );
  return (
    <DetailPanel
      {...props.frame}
      title={path === undefined ? props.title : splitPath(path).name}
      subtitle={
        props.user === null
          ? t('{count, plural, one {# request} other {# requests}}', { count: group.entries.length })
          : t('{count, plural, one {# request by {user}} other {# requests by {user}}}', {
              count: group.entries.length,
              user: props.user,
            })
      }
      facts={[
        path !== undefined && splitPath(path).name !== path && { name: t('Document'), value: path },
        group.sessionId !== null && {
          name: t('Session'),
          value:
            session === undefined ? (
              t('Ended')
            ) : (
              <TextLink onPress={() => go('sessions', session.path, session.id)}>
                {session.editor ?? t('Show session')}
              </TextLink>
            ),
        },
        { name: t('Errors'), value: group.errorCount },
        { name: t('Saves'), value: group.saveCount },
        { name: t('First request'), value: <TimeFact atMs={group.firstAtMs} /> },
        { name: t('Last request'), value: <TimeFact atMs={group.lastAtMs} /> },
      ]}
      actions={
        path !== undefined && (
          <>
            <Button onPress={() => go('documents', path)}>{t('Show in Documents')}</Button>
            {isLocked && <Button onPress={() => go('locks', path)}>{t('Show lock')}</Button>}
          </>
        )
      }
    >
      <DetailSection title={t('Timeline')}>
        <Timeline entries={ofDocument} />
      </DetailSection>
      <DetailSection title={t('Recent requests')}>
        <RequestList items={group.entries.slice(0, listedCount)} />
      </DetailSection>
    </DetailPanel>
  );
}

/** Three rows of marks over the time from the first to the last request. Its text says the same. */
function Timeline({ entries }: { entries: readonly Entry[] }) {
  const lanes = useMemo(() => {
    const errors = entries.filter(isFailed);
    const saves = entries.filter(isSave);
    const others = entries.filter((entry) => !isFailed(entry) && !isSave(entry));
    return [
      { id: 'saves', title: t('Saves'), entries: saves },
      { id: 'others', title: t('Other'), entries: others },
      { id: 'errors', title: t('Errors'), entries: errors },
    ];
  }, [entries]);
  const times = entries.map(({ atMs }) => atMs);
  const startMs = Math.min(...times);
  const endMs = Math.max(...times);
  const clock = (atMs: number) =>
    isSameDay(atMs, endMs) ? formatTime('clockToSecond', atMs) : clockWords(atMs, endMs);
  const summary = t(
    '{requests, plural, one {# request} other {# requests}} in {duration}: {saves, plural, one {# save} other {# saves}}, {errors, plural, one {# error} other {# errors}}',
    {
      requests: entries.length,
      duration: formatDuration(endMs - startMs),
      saves: lanes[0]?.entries.length ?? 0,
      errors: lanes[2]?.entries.length ?? 0,
    },
  );
  return (
    <figure className="timeline">
      {endMs > startMs && (
        <div role="img" aria-label={summary} className="timeline-lanes">
          {lanes.map((lane) => (
            <div key={lane.id} className="timeline-lane">
              <span className="timeline-title">{lane.title}</span>
              <svg className={`timeline-marks timeline-${lane.id}`} width="100%" height="16">
                <line x1="0" x2="100%" y1="8" y2="8" />
                {marksOf(lane.entries, startMs, endMs).map((percent) => (
                  <rect key={percent} x={`${percent}%`} y="2" width="3" height="12" rx="1" />
                ))}
              </svg>
            </div>
          ))}
          <div className="timeline-axis">
            <span>{clock(startMs)}</span>
            <span>{clock(endMs)}</span>
          </div>
        </div>
      )}
      <figcaption className="muted">{summary}</figcaption>
    </figure>
  );
}

/** Marks at the same place are one. The last ones stay inside the drawing. */
function marksOf(entries: readonly Entry[], startMs: number, endMs: number): number[] {
  const span = Math.max(1, endMs - startMs);
  const places = new Set(entries.map(({ atMs }) => Math.round(((atMs - startMs) / span) * 196) / 2));
  return [...places];
}

const shownCount = 8;

/** @param changed another value whenever there may be newer requests */
export function DocumentRequests(props: { fileId: string; path: string; changed: unknown }) {
  const { fileId, changed } = props;
  const { go } = useNavigation();
  const { answer, problem } = useCommandResult(
    'activity.ofDocument',
    { fileId, count: shownCount },
    { reloadKey: changed },
  );
  const items = answer?.items;

  return (
    <DetailSection title={t('Recent requests')}>
      {problem !== null && <p className="muted">{problem.message}</p>}
      {problem === null && items === undefined && <Skeleton rows={3} />}
      {items?.length === 0 && <p className="muted">{t('No requests yet.')}</p>}
      {items !== undefined && items.length > 0 && (
        <>
          <RequestList items={items} />
          <TextLink onPress={() => go('activity', props.path, fileId)}>{t('Show all in Activity')}</TextLink>
        </>
      )}
    </DetailSection>
  );
}

/** Newest first: what, when, and what came of it. */
function RequestList(props: { items: readonly ActivityItem[] }) {
  const nowMs = hostTime();
  return (
    <ul className="request-list">
      {props.items.map((item) => (
        <li key={item.sequence}>
          <span className="cut">{operationWords(item.operation)}</span>
          <span
            className={
              isFailed(item) ? `request-status cell-alert tone-${statusTone(item)}` : 'request-status muted'
            }
          >
            {statusWords(item)}
          </span>
          <time className="muted" dateTime={new Date(item.atMs).toISOString()}>
            {isSameDay(item.atMs, nowMs)
              ? formatTime('clockToSecond', item.atMs)
              : clockWords(item.atMs, nowMs)}
          </time>
        </li>
      ))}
    </ul>
  );
}
