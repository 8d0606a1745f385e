// The columns of the Activity table, and those of its export, which leave nothing out.

import { formatRelative } from '../../../app/contract/format.ts';
import { operationWords } from '../../../app/contract/user-actions.ts';
import { Icon } from '../parts/icon.tsx';
import type { Column } from '../table/column.ts';
import type { Entry } from './journal.ts';
import type { DocumentNames } from './names.tsx';
import {
  bytesWords,
  clockWords,
  durationWords,
  exactWords,
  isAct,
  isFailed,
  statusTone,
  statusWords,
} from './words.ts';
import { DocumentCell } from '../parts/document-cell.tsx';
import { hostTime } from '../state/host-clock.ts';

/** What an act was done to is its path; a request's document is known by its id. */
export function documentOf(entry: Entry, names: DocumentNames): string | undefined {
  return names.of(entry.fileId) ?? (isAct(entry) && entry.fileId !== null ? entry.path : undefined);
}

export function createActivityColumns(names: DocumentNames): Column<Entry>[] {
  return [
    {
      id: 'time',
      title: 'Time',
      // within one millisecond the order of arrival; a part of it is lost in no export
      value: ({ atMs, sequence }) => atMs + (sequence % 4096) / 4096,
      render: ({ atMs }) => <Clock atMs={atMs} />,
      kind: 'time',
      width: { min: 130 },
    },
    {
      id: 'operation',
      title: 'Operation',
      value: ({ operation }) => operationWords(operation),
      width: { min: 128, grow: 1 },
      isRowHeader: true,
    },
    {
      id: 'status',
      title: 'Status',
      value: ({ status }) => status,
      render: (entry) => <Status entry={entry} />,
      filterText: statusWords,
      width: { min: 148 },
    },
    {
      id: 'document',
      title: 'Document or path',
      value: (entry) => documentOf(entry, names) ?? entry.path,
      render: (entry) => <What entry={entry} names={names} />,
      // the path too: the name of a document may not be known yet when it is looked for
      filterText: (entry) => `${documentOf(entry, names) ?? ''} ${entry.path}`,
      width: { min: 160, grow: 3 },
    },
    { id: 'user', title: 'User', value: ({ user }) => user, width: { min: 72, grow: 1 } },
    {
      id: 'duration',
      title: 'Took',
      value: (entry) => (isAct(entry) ? null : entry.durationMs),
      render: durationWords,
      kind: 'number',
      width: { min: 72 },
    },
    { id: 'lock', title: 'Lock', value: ({ lock }) => lock, width: { min: 84 } },
    {
      id: 'in',
      title: 'In',
      value: ({ bytesIn }) => bytesIn,
      render: ({ bytesIn }) => bytesWords(bytesIn),
      kind: 'number',
      width: { min: 84 },
    },
    {
      id: 'out',
      title: 'Out',
      value: ({ bytesOut }) => bytesOut,
      render: ({ bytesOut }) => bytesWords(bytesOut),
      kind: 'number',
      width: { min: 84 },
    },
    { id: 'address', title: 'Address', value: ({ address }) => orNull(address), width: { min: 108 } },
    {
      id: 'correlation',
      title: 'Correlation id',
      value: ({ correlationId }) => orNull(correlationId),
      width: { min: 116 },
    },
  ];
}

/** For files: every field by its own name, `atMs` as ISO 8601. */
export function createExportColumns(names: DocumentNames): Column<Entry>[] {
  const column = (id: string, value: Column<Entry>['value'], kind?: 'time'): Column<Entry> => ({
    id,
    title: id,
    value,
    width: { min: 0 },
    ...(kind === undefined ? {} : { kind }),
  });
  return [
    column('sequence', ({ sequence }) => sequence),
    column('time', ({ atMs }) => atMs, 'time'),
    column('operation', ({ operation }) => operation),
    column('method', ({ method }) => orNull(method)),
    column('path', ({ path }) => path),
    column('document', (entry) => documentOf(entry, names) ?? null),
    column('fileId', ({ fileId }) => fileId),
    column('user', ({ user }) => user),
    column('status', ({ status }) => status),
    column('durationMs', ({ durationMs }) => durationMs),
    column('lock', ({ lock }) => lock),
    column('correlationId', ({ correlationId }) => orNull(correlationId)),
    column('address', ({ address }) => orNull(address)),
    column('bytesIn', ({ bytesIn }) => bytesIn),
    column('bytesOut', ({ bytesOut }) => bytesOut),
  ];
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

function Clock({ atMs }: { atMs: number }) {
  const nowMs = hostTime();
  return (
    <time
      dateTime={new Date(atMs).toISOString()}
      title={`${exactWords(atMs)}, ${formatRelative(atMs, nowMs)}`}
    >
      {clockWords(atMs, nowMs)}
    </time>
  );
}

function What({ entry, names }: { entry: Entry; names: DocumentNames }) {
  const path = documentOf(entry, names);
  if (path !== undefined) return <DocumentCell path={path} />;
  return (
    <span className={isAct(entry) ? 'cut' : 'cut muted'} title={entry.path}>
      {entry.path}
    </span>
  );
}

export function Status({ entry }: { entry: Entry }) {
  const words = statusWords(entry);
  if (!isFailed(entry)) return <span className="cell activity-status">{words}</span>;
  const tone = statusTone(entry);
  return (
    <span className={`cell activity-status cell-alert tone-${tone}`} title={words}>
      <Icon name={tone === 'bad' ? 'error' : 'warning'} size={14} />
      <span className="cut">{words}</span>
    </span>
  );
}
