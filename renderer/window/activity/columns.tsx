// The columns of Activity: grouped, and as single requests; and the names of users in them.

import { useMemo } from 'react';
import { formatRelative, formatTime } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { isError } from '../../../app/contract/request-errors.ts';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { RelativeTime } from '../../kit/time.tsx';
import { DocumentCell } from '../parts/view.tsx';
import { hostTime } from '../state/clock.ts';
import { useWindowState } from '../state/window-context.tsx';
import { textWidth, type Column } from '../table/model.ts';
import {
  clockWords,
  durationWords,
  isAct,
  canExpand,
  isGroup,
  mostEntries,
  requestSearchText,
  requestWords,
  resultWords,
  statusTone,
  statusWords,
  type ActivityRow,
  type Entry,
  type Group,
} from './journal.ts';

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

/** One row for what a user did to a document; with its requests below it once it is expanded. */
export function createGroupColumns(input: {
  userName: UserName;
  expanded: ReadonlySet<string>;
  onToggle(group: Group): void;
}): Column<ActivityRow>[] {
  const { userName, expanded, onToggle } = input;
  return [
    {
      id: 'document',
      title: t('common.document'),
      value: (row) => (isGroup(row) ? groupTitle(row) : requestWords(row.operation)),
      render: (row) =>
        isGroup(row) ? (
          <span className="activity-group">
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
            <GroupTitle group={row} />
          </span>
        ) : (
          <span className="activity-child cut muted">{requestWords(row.operation)}</span>
        ),
      width: { min: 160, grow: 2 },
      isRowHeader: true,
    },
    {
      id: 'result',
      title: t('window.result'),
      value: (row) => (isGroup(row) ? row.entries.length : row.status),
      // Errors first.
      sortBy: (row) => (isGroup(row) ? row.errorCount * mostEntries + row.entries.length : row.status),
      render: (row) => (
        <div className={isGroup(row) ? 'activity-summary' : 'activity-summary activity-child'}>
          {isGroup(row) ? <Result group={row} /> : <Status entry={row} />}
        </div>
      ),
      width: { min: textWidth(longResult()) + 36, grow: 2 },
      priority: 5,
      fallsBelow: 4,
    },
    {
      id: 'user',
      title: t('window.user'),
      value: ({ user }) => userName(user),
      render: (row) =>
        isGroup(row) ? (
          <span className="cut" title={userName(row.user) ?? ''} data-any-length="">
            {userName(row.user) ?? <span className="muted">–</span>}
          </span>
        ) : null,
      width: { min: 108, grow: 1 },
      priority: 3,
      joinsBelow: true,
    },
    {
      id: 'time',
      title: t('window.time'),
      value: (row) => (isGroup(row) ? row.lastAtMs : row.atMs),
      render: (row) =>
        isGroup(row) ? <RelativeTime atMs={row.lastAtMs} isStart isBrief /> : <Clock atMs={row.atMs} />,
      kind: 'time',
      width: { min: clockWidth() },
      priority: 4,
      joinsBelow: true,
    },
  ];
}

export function groupTitle(group: Group): string {
  const [newest] = group.entries;
  if (newest === undefined) return t('window.other-requests');
  if (group.fileId === null)
    return group.entries.length > 1 ? t('window.other-requests') : requestWords(newest.operation);
  return documentWords(newest) ?? t('window.unknown-document');
}

/** `Version of Budget.xlsx`; null if the document isn't known. */
function documentWords({ documentPath, isVersion }: Entry): string | null {
  return documentPath !== null && isVersion
    ? t('window.version-of-name', { name: splitPath(documentPath).name })
    : documentPath;
}

function GroupTitle({ group }: { group: Group }) {
  const [newest] = group.entries;
  if (group.fileId !== null && newest?.documentPath != null) return <EntryDocument entry={newest} />;
  return <span className="cut muted">{groupTitle(group)}</span>;
}

function EntryDocument({ entry }: { entry: Entry }) {
  const { documentPath: path, isVersion } = entry;
  if (path === null) return null;
  if (!isVersion) return <DocumentCell path={path} />;
  return (
    <span className="cut" title={path} data-any-length="">
      {documentWords(entry)}
    </span>
  );
}

/** A usual one of the longer ones. */
function longResult(): string {
  const count = t('window.requests-2', { count: 20 });
  return `${t('window.operation-failed', { operation: requestWords('RefreshLock') })} ${count}`;
}

/** Errors come first, in red; the number of requests is shortened first. */
function Result({ group }: { group: Group }) {
  const { entries } = group;
  const [newest] = entries;
  // The title shows its operation.
  if (entries.length === 1 && newest !== undefined && group.fileId === null)
    return newest.status < 400 ? t('window.done-2') : <Status entry={newest} />;
  const { error, done, rest } = resultWords(group);
  return (
    <span
      className="cell activity-result tone-bad"
      title={[error, done, rest].filter((words) => words !== undefined).join(', ')}
      data-any-length=""
    >
      {error !== undefined && (
        <>
          <Icon name="error" size={14} />
          <span className="cut cell-alert">{error}</span>
        </>
      )}
      {done !== undefined && <span className="cut">{done}</span>}
      {rest !== undefined && <span className="cut muted">{rest}</span>}
    </span>
  );
}

/** One row per request. */
export function createRequestColumns(userName: UserName): Column<Entry>[] {
  return [
    {
      id: 'operation',
      title: t('window.operation'),
      value: ({ operation }) => requestWords(operation),
      filterText: requestSearchText,
      // It and the status fit beside the details.
      width: { min: 124, grow: 1 },
      isRowHeader: true,
    },
    {
      id: 'status',
      title: t('window.status'),
      value: ({ status }) => status,
      render: (entry) => <Status entry={entry} />,
      filterText: (entry) => `${entry.status} ${statusWords(entry)}`,
      width: { min: textWidth(t('window.not-authorized')) + 47 },
      priority: 8,
      fallsBelow: 6,
    },
    {
      id: 'document',
      title: t('window.document-or-path'),
      value: (entry) => documentWords(entry) ?? entry.path,
      render: (entry) => <What entry={entry} />,
      // the path too: the name of a document may not be known yet when it is looked for
      filterText: (entry) => `${documentWords(entry) ?? ''} ${entry.documentPath ?? ''} ${entry.path}`,
      width: { min: 150, grow: 2 },
      priority: 7,
      joinsBelow: true,
    },
    {
      id: 'user',
      title: t('window.user'),
      value: ({ user }) => userName(user),
      filterText: ({ user }) => `${userName(user) ?? ''} ${user ?? ''}`,
      width: { min: 112, grow: 1 },
      priority: 6,
    },
    {
      id: 'time',
      title: t('window.time'),
      // within one millisecond the order of arrival
      value: ({ atMs, sequence }) => atMs + (sequence % 4096) / 4096,
      render: ({ atMs }) => <Clock atMs={atMs} />,
      kind: 'time',
      width: { min: clockWidth() },
      priority: 9,
    },
    {
      id: 'duration',
      title: t('window.duration'),
      value: (entry) => (isAct(entry) ? null : entry.durationMs),
      render: durationWords,
      kind: 'number',
      width: { min: 72 },
      priority: 5,
    },
  ];
}

/** Px; longer with AM and PM. Digits are wider than most letters. */
function clockWidth(): number {
  return Math.round(formatTime('clockToMs', 0).length * 7.6) + 18;
}

function Clock({ atMs }: { atMs: number }) {
  const nowMs = hostTime();
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={`${formatTime('toMs', atMs)}, ${formatRelative(atMs, nowMs)}`}
    >
      {clockWords(atMs, nowMs)}
    </time>
  );
}

function What({ entry }: { entry: Entry }) {
  if (entry.documentPath !== null) return <EntryDocument entry={entry} />;
  return (
    <span className={isAct(entry) ? 'cut' : 'cut muted'} title={entry.path} data-any-length="">
      {entry.path}
    </span>
  );
}

export function Status({ entry }: { entry: Entry }) {
  const words = statusWords(entry);
  if (!isError(entry)) return <span className="cell activity-status">{words}</span>;
  const tone = statusTone(entry);
  return (
    <span className={`cell activity-status cell-alert tone-${tone}`} title={words} data-any-length="">
      <Icon name="error" size={14} />
      <span className="cut">{words}</span>
    </span>
  );
}
