// What Activity shows of groups and of single requests: columns, and facts in the side panel.

import { useCallback, useMemo, type ReactNode } from 'react';
import { formatRelative, formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { isError } from '../../../app/contract/request-errors.ts';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime, useTimedText } from '../../kit/time.tsx';
import { noFact, SessionFact, timeField, type Field } from '../lists/list.tsx';
import { CopyButton } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import { DocumentCell } from '../parts/view.tsx';
import { hostTime } from '../state/clock.ts';
import { useWindowState } from '../state/window-context.tsx';
import { textWidth, type Column } from '../table/model.ts';
import { canExpand, isGroup, resultWords, type ActivityRow, type Group } from './groups.ts';
import { mostEntries, type Entry } from './journal.ts';
import {
  bytesWords,
  clockWords,
  durationWords,
  holderAt,
  isAct,
  requestWords,
  statusWords,
} from './words.ts';

/** Who acts without a login. @see app/contract/errors.ts */
const callers: Record<string, string> = {
  window: t('window.doctray-window'),
  terminal: t('window.terminal'),
};

/** `Ben Okafor` of `ben`; the login itself of a user who was removed. */
type UserName = (login: string | null) => string | null;

export function useUserName(): UserName {
  const users = useWindowState((state) => state.users);
  return useMemo(() => {
    const names = new Map(users.map((user) => [user.login, user.displayName]));
    return (login) => (login === null ? null : (names.get(login) ?? callers[login] ?? login));
  }, [users]);
}

/** Px; longer with AM and PM. */
const clockWidth = (withSeconds: boolean) =>
  textWidth(clockWords(hostTime() - 24 * 60 * 60_000, hostTime(), withSeconds)) + 18;
/** A usual one of the longer ones. */
const longResult = `${t('window.operation-failed', { operation: requestWords('RefreshLock') })} ${t('window.count-requests', { count: 20 })}`;

/** One row for what a user did to a document; with its requests below it once it is expanded. */
export function groupColumns(
  userName: UserName,
  expanded: ReadonlySet<string>,
  onToggle: (group: Group) => void,
): Column<ActivityRow>[] {
  return [
    {
      id: 'document',
      title: t('common.document'),
      value: (row) => (isGroup(row) ? groupTitle(row, userName) : requestWords(row.operation)),
      render: (row) =>
        isGroup(row) ? (
          <span className="cell">
            {canExpand(row, expanded) ? (
              <button
                type="button"
                tabIndex={-1}
                className="row-button activity-toggle"
                data-own-press=""
                aria-expanded={expanded.has(row.id)}
                aria-label={t('window.show-requests')}
                onClick={() => onToggle(row)}
              >
                <Icon name={expanded.has(row.id) ? 'chevron-down' : 'chevron-right'} size={12} />
              </button>
            ) : (
              <span className="activity-toggle" />
            )}
            <GroupTitle group={row} userName={userName} />
          </span>
        ) : (
          <span className="activity-child cut muted">{requestWords(row.operation)}</span>
        ),
      width: { min: 136, grow: 2 },
      isRowHeader: true,
      isTree: true,
    },
    {
      id: 'result',
      title: t('window.status'),
      value: (row) => (isGroup(row) ? row.entries.length : row.status),
      // Errors first.
      sortBy: (row) => (isGroup(row) ? row.errorCount * mostEntries + row.entries.length : row.status),
      render: (row) => (
        <div className={isGroup(row) ? 'activity-summary' : 'activity-summary activity-child'}>
          {isGroup(row) ? <Result group={row} /> : <Status entry={row} />}
        </div>
      ),
      width: { min: textWidth(longResult) + 36, grow: 3 },
      priority: 5,
      fallsBelow: 4,
    },
    {
      id: 'user',
      title: t('window.user'),
      value: ({ user }) => userName(user),
      render: (row) =>
        isGroup(row) && (
          <span className="cut" title={userName(row.user) ?? ''} data-any-length="">
            {userName(row.user) ?? <span className="muted">–</span>}
          </span>
        ),
      width: { min: 108, grow: 1 },
      priority: 3,
      joinsBelow: true,
      isInPanel: true,
    },
    {
      id: 'time',
      title: t('window.time'),
      value: (row) => (isGroup(row) ? row.lastAtMs : row.atMs),
      // A group can cross midnight.
      render: (row) => <Clock atMs={isGroup(row) ? row.lastAtMs : row.atMs} isBrief />,
      kind: 'time',
      width: { min: clockWidth(false) },
      priority: 4,
      joinsBelow: true,
    },
  ];
}

/** In the side panel of a group. */
export const groupFields: Field<Group>[] = [
  {
    id: 'document',
    title: t('common.document'),
    value: () => null,
    fact: ({ entries: [newest] }) =>
      newest?.documentPath?.includes('/') === true ? newest.documentPath : undefined,
  },
  {
    id: 'session',
    title: t('window.session'),
    value: ({ sessionId }) => sessionId,
    fact: ({ sessionId }) =>
      sessionId === null ? undefined : <SessionFact id={sessionId} absent={t('window.ended')} />,
  },
  { id: 'errors', title: t('window.errors'), value: ({ errorCount }) => errorCount },
  { id: 'saves', title: t('window.saves'), value: ({ saveCount }) => saveCount },
  timeField('first', t('window.first-request'), ({ firstAtMs }) => firstAtMs),
  timeField('last', t('window.last-request'), ({ lastAtMs }) => lastAtMs),
];

/** Without a document: what it was, and where the requests came from or who or what the user did it to. */
export function groupTitle({ fileId, entries }: Group, userName: UserName): string {
  const [newest] = entries;
  if (newest === undefined || fileId !== null)
    return (newest && documentWords(newest)) ?? t('window.unknown-document');
  const target = userName(newest.address || newest.path) ?? '';
  const isSame = entries.every((entry) => entry.operation === newest.operation);
  return isSame
    ? t('window.operation-target', { operation: requestWords(newest.operation), target })
    : target;
}

/** `Version of Budget.xlsx`; null if the document isn't known. */
function documentWords({ documentPath, isVersion }: Entry): string | null {
  return documentPath !== null && isVersion
    ? t('window.version-of-name', { name: splitPath(documentPath).name })
    : documentPath;
}

function GroupTitle({ group, userName }: { group: Group; userName: UserName }) {
  const [newest] = group.entries;
  if (newest?.documentPath != null) return <EntryDocument entry={newest} userName={userName} />;
  const words = groupTitle(group, userName);
  return (
    <span className="cut" title={words} data-any-length="">
      {words}
    </span>
  );
}

/** What a request without a document is about: its path, or who or what the user did something to. */
function otherWords(entry: Entry, userName: UserName): string | null {
  return isAct(entry) ? userName(entry.path) : entry.path;
}

function EntryDocument({ entry, userName }: { entry: Entry; userName: UserName }) {
  const { documentPath, isVersion } = entry;
  if (documentPath !== null && !isVersion) return <DocumentCell path={documentPath} />;
  const isMuted = documentPath === null && !isAct(entry);
  return (
    <span className={isMuted ? 'cut muted' : 'cut'} title={documentPath ?? entry.path} data-any-length="">
      {documentWords(entry) ?? otherWords(entry, userName)}
    </span>
  );
}

/** Errors come first, in red; the number of requests is shortened first. */
function Result({ group }: { group: Group }) {
  const failed = group.entries.find(isError) ?? group.entries[0];
  const holder = useWindowState(({ locks }) => failed && holderAt(failed, locks));
  const { error, done, rest } = resultWords(group, holder);
  return (
    <span
      className="cell activity-result tone-bad"
      title={[error, done, rest].filter((words) => words !== undefined).join(', ')}
      data-any-length=""
    >
      {error !== undefined && <Icon name="error" size={14} />}
      {error !== undefined && <span className="cut cell-alert">{error}</span>}
      {done !== undefined && <span className="cut">{done}</span>}
      {rest !== undefined && <span className="cut muted">{rest}</span>}
    </span>
  );
}

export function Status({ entry }: { entry: ActivityItem }) {
  const words = statusWords(entry);
  const isBad = isError(entry);
  return (
    <span className={`activity-status ${isBad ? 'cell cell-alert tone-bad' : 'cut muted'}`} title={words}>
      {isBad && <Icon name="error" size={14} />}
      {isBad ? <span className="cut">{words}</span> : words}
    </span>
  );
}

function Clock({ atMs, isBrief = false }: { atMs: number; isBrief?: boolean }) {
  const words = useTimedText(
    useCallback((nowMs: number) => clockWords(atMs, nowMs, !isBrief), [atMs, isBrief]),
  );
  const title = `${formatTime('toMs', atMs)}, ${formatRelative(atMs, hostTime())}`;
  return (
    <time dateTime={new Date(atMs).toISOString()} title={title}>
      {words}
    </time>
  );
}

/** What only a request has, not what a user did in DocTray. */
function ofRequest(id: string, title: string, fact: (entry: Entry) => ReactNode): Field<Entry> {
  return { id, title, value: () => null, fact: (entry) => (isAct(entry) ? undefined : fact(entry)) };
}

/** One row per request. */
export function requestFields(userName: UserName): Field<Entry>[] {
  return [
    {
      id: 'operation',
      title: t('window.operation'),
      value: ({ operation }) => requestWords(operation),
      // For the filter: also the name that the specification has for it, and what only the side panel shows.
      filterText: ({ operation, address, correlationId }) =>
        `${requestWords(operation)} ${operation} ${address} ${correlationId}`,
      fact: noFact,
      // It and the status fit beside the details.
      width: { min: Math.max(134, textWidth(requestWords('Unlock')) + 26) },
      isRowHeader: true,
    },
    ofRequest('request', t('window.request'), ({ operation, method, path }) => (
      <>
        <div className="code">{operation}</div>
        <div className="code">
          {method} {path}
        </div>
      </>
    )),
    {
      ...ofRequest('status', t('window.status'), ({ status }) => status),
      value: ({ status }) => status,
      render: (entry) => <Status entry={entry} />,
      filterText: (entry) => `${entry.status} ${statusWords(entry)}`,
      width: { min: textWidth(t('status.401')) + 48 },
      priority: 8,
      fallsBelow: 5,
    },
    {
      id: 'document',
      title: t('window.document-or-path'),
      value: (entry) => documentWords(entry) ?? otherWords(entry, userName),
      render: (entry) => <EntryDocument entry={entry} userName={userName} />,
      // The path too: the name of a document may not be known yet when it is looked for.
      filterText: (entry) => `${documentWords(entry) ?? ''} ${entry.documentPath ?? ''} ${entry.path}`,
      fact: (entry) => entry.documentPath ?? (isAct(entry) ? userName(entry.path) : undefined),
      width: { min: textWidth(t('window.document-or-path')) + 22, grow: 2 },
      priority: 7,
      joinsBelow: true,
    },
    {
      id: 'user',
      title: t('window.user'),
      value: ({ user }) => userName(user),
      filterText: ({ user }) => `${userName(user) ?? ''} ${user ?? ''}`,
      width: { min: 104 },
      priority: 6,
    },
    {
      id: 'time',
      title: t('window.time'),
      // Within one millisecond the order of arrival.
      value: ({ atMs, sequence }) => atMs + (sequence % 4096) / 4096,
      render: ({ atMs }) => <Clock atMs={atMs} />,
      fact: ({ atMs }) => (
        <>
          <RelativeTime atMs={atMs} isStart />
          <div className="fact-exact">{formatTime('toMs', atMs)}</div>
        </>
      ),
      kind: 'time',
      width: { min: clockWidth(true) },
      priority: 9,
    },
    {
      ...ofRequest('duration', t('window.duration'), durationWords),
      value: (entry) => (isAct(entry) ? null : entry.durationMs),
      render: durationWords,
      kind: 'number',
      width: { min: 72 },
      priority: 5,
    },
    ofRequest('received', t('window.received'), ({ bytesIn }) => bytesWords(bytesIn)),
    ofRequest('sent', t('window.sent'), ({ bytesOut }) => bytesWords(bytesOut)),
    ofRequest('lock', t('window.lock'), ({ lock }) => lock),
    ofRequest('address', t('common.address'), ({ address }) => address),
    ofRequest('correlation-id', t('window.correlation-id'), ({ correlationId }) => (
      <>
        <span className="code">{correlationId}</span>
        <CopyButton text={correlationId} what={t('window.copied-correlation-id')} />
      </>
    )),
  ];
}
