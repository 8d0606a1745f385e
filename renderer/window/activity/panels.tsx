// Below the facts of a side panel: a document's requests over time, and the latest ones.

import { formatDuration } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { isError } from '../../../app/contract/request-errors.ts';
import { Skeleton, TextLink } from '../../kit/blocks.tsx';
import { DetailSection } from '../../kit/detail-panel.tsx';
import { useCommandResult } from '../parts/action.tsx';
import { hostTime } from '../state/clock.ts';
import { useNavigation } from '../state/window-context.tsx';
import { Status } from './fields.tsx';
import type { Entry } from './journal.ts';
import { clockWords, isSave, requestWords } from './words.ts';

/** Three rows of marks over the time from the first to the last request. Its text says the same. */
export function Timeline({ entries }: { entries: readonly Entry[] }) {
  const times = entries.map(({ atMs }) => atMs);
  const startMs = Math.min(...times);
  const endMs = Math.max(...times);
  const errors = entries.filter(isError);
  const saves = entries.filter((entry) => isSave(entry));
  const others = entries.filter((entry) => !isError(entry) && !isSave(entry));
  const lanes = [
    ['saves', t('window.saves'), saves],
    ['others', t('window.other'), others],
    ['errors', t('window.errors'), errors],
  ] as const;
  const summary = t('window.requests-in-duration-saves-errors', {
    requests: entries.length,
    duration: formatDuration(endMs - startMs),
    saves: saves.length,
    errors: errors.length,
  });
  // Marks at the same place are one. The last ones stay inside the drawing.
  const placesOf = (lane: readonly Entry[]) => [
    ...new Set(lane.map(({ atMs }) => Math.round(((atMs - startMs) / (endMs - startMs)) * 196) / 2)),
  ];
  return (
    <figure className="timeline">
      {endMs > startMs && (
        <div role="img" aria-label={summary} className="timeline-lanes muted">
          {lanes.map(([id, title, lane]) => (
            <div key={id} className={`timeline-lane timeline-${id}`}>
              {title}
              <svg width="100%" height="16">
                <line x1="0" x2="100%" y1="8" y2="8" />
                {placesOf(lane).map((percent) => (
                  <rect key={percent} x={`${percent}%`} y="2" width="3" height="12" rx="1" />
                ))}
              </svg>
            </div>
          ))}
          <div className="line spread timeline-axis">
            <span>{clockWords(startMs, hostTime(), false)}</span>
            <span>{clockWords(endMs, hostTime(), false)}</span>
          </div>
        </div>
      )}
      <figcaption className="muted">{summary}</figcaption>
    </figure>
  );
}

/** @param props.changed another value whenever there may be newer requests */
export function DocumentRequests(props: { fileId: string; path: string; changed: unknown }) {
  const { fileId, changed } = props;
  const { go } = useNavigation();
  const { answer, problem } = useCommandResult(
    'activity.ofDocument',
    { fileId, count: 8 },
    { reloadKey: changed },
  );
  const items = answer?.items;
  return (
    <DetailSection title={t('window.recent-requests')}>
      {problem !== null && <p className="muted">{problem.message}</p>}
      {problem === null && items === undefined && <Skeleton rows={3} />}
      {items?.length === 0 && <p className="muted">{t('window.no-requests-yet')}</p>}
      {items !== undefined && items.length > 0 && (
        <>
          <RequestList items={items} />
          <TextLink onPress={() => go('activity', props.path, fileId)}>
            {t('window.show-all-in-activity')}
          </TextLink>
        </>
      )}
    </DetailSection>
  );
}

/** Newest first: what, when, and what came of it. */
export function RequestList(props: { items: readonly ActivityItem[] }) {
  const nowMs = hostTime();
  return (
    <ul className="request-list">
      {props.items.map((item) => (
        <li key={item.sequence}>
          <span className="cut">{requestWords(item.operation)}</span>
          <Status entry={item} />
          <time dateTime={new Date(item.atMs).toISOString()}>{clockWords(item.atMs, nowMs, true)}</time>
        </li>
      ))}
    </ul>
  );
}
