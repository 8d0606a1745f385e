// The last requests about one document, for side panels of other views: read when the panel opens and whenever its row changes.

import { useEffect, useState } from 'react';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { t } from '../../../app/contract/messages.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { DetailSection } from '../parts/detail-panel.tsx';
import { TextLink } from '../parts/document-cell.tsx';
import { formatTimeOfDay } from '../parts/format.ts';
import { Skeleton } from '../parts/view.tsx';
import { sentenceOf } from '../state/call.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useCall } from '../state/window-context.tsx';
import { clockWords, isFailed, isSameDay, statusTone, statusWords } from './words.ts';
import { hostTime } from '../state/host-clock.ts';

const shownCount = 8;

/** @param changed another value whenever there may be newer requests */
export function DocumentRequests(props: { fileId: string; path: string; changed: unknown }) {
  const { fileId, changed } = props;
  const call = useCall();
  const { go } = useNavigation();
  const [items, setItems] = useState<ActivityItem[]>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    call('activity.ofDocument', { fileId, count: shownCount }).then(
      (result) => {
        if (!isCurrent) return;
        setItems(result.items);
        setProblem(undefined);
      },
      (error: unknown) => {
        if (isCurrent) setProblem(sentenceOf(error));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [call, fileId, changed]);

  return (
    <DetailSection title={t('Recent requests')}>
      {problem !== undefined && <p className="muted">{problem}</p>}
      {problem === undefined && items === undefined && <Skeleton rows={3} />}
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
export function RequestList(props: { items: readonly ActivityItem[] }) {
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
            {isSameDay(item.atMs, nowMs) ? formatTimeOfDay(item.atMs) : clockWords(item.atMs, nowMs)}
          </time>
        </li>
      ))}
    </ul>
  );
}
