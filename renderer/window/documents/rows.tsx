// The rows of the Documents view: an item of the folder, with the lock that holds it.

import type { DocumentItem } from '../../../app/contract/results.ts';
import type { LockItem } from '../../../app/contract/state.ts';
import type { Column } from '../table/column.ts';
import { countOf, formatCount, formatSize, shownName } from '../../../app/contract/format.ts';
import { splitPath } from '../parts/format.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { extensionOf } from './names.ts';
import { holderOf } from '../locks/lock-words.ts';

export interface DocumentRow {
  /** The path: a document can lie at two, with one file id. */
  id: string;
  item: DocumentItem;
  lock: LockItem | undefined;
}

/** The same item with the same lock gives the same row, so that it is not drawn again. */
export function createRows(): (item: DocumentItem, locks: ReadonlyMap<string, LockItem>) => DocumentRow {
  const known = new WeakMap<DocumentItem, DocumentRow>();
  return (item, locks) => {
    const lock = item.kind === 'document' ? locks.get(item.fileId) : undefined;
    const before = known.get(item);
    if (before !== undefined && before.lock === lock) return before;
    const row = { id: item.path, item, lock };
    known.set(item, row);
    return row;
  };
}

const sheets = new Set(['.xlsx', '.xls', '.xlsm', '.ods', '.csv', '.tsv', '.numbers']);
const slides = new Set(['.pptx', '.ppt', '.pptm', '.ppsx', '.odp', '.key']);
const texts = new Set(['.docx', '.doc', '.docm', '.odt', '.rtf', '.txt', '.md', '.pages']);

export function iconOf(item: Pick<DocumentItem, 'kind' | 'name'>): IconName {
  if (item.kind === 'folder') return 'folder';
  const extension = extensionOf(item.name).toLowerCase();
  if (sheets.has(extension)) return 'sheet';
  if (slides.has(extension)) return 'slides';
  return texts.has(extension) ? 'documents' : 'file';
}

/** Who is editing it, next to the name: most documents are free, and a column would take room from all. */
function State(props: { lock: LockItem; onShowLock(path: string): void }) {
  const { lock, onShowLock } = props;
  if (lock.state === 'held') {
    const holder = holderOf(lock);
    return (
      <span className="documents-state tone-info" title={`Being edited by ${holder}`}>
        <Icon name="edit" size={14} />
        <span className="cut">
          <span className="documents-state-verb">Being edited by </span>
          {holder}
        </span>
      </span>
    );
  }
  const label = 'Stale lock: show it in Locks';
  return (
    <button
      type="button"
      tabIndex={-1}
      className="documents-state documents-stale tone-warn"
      aria-label={label}
      title={label}
      data-own-press=""
      onClick={() => onShowLock(lock.path)}
    >
      <Icon name="warning" size={14} />
      <span className="cut">Stale lock</span>
      <Icon name="chevron-right" size={12} />
    </button>
  );
}

/** `isSearch`: results of the whole folder, which say where they lie. `isNarrow`: the name is worth more than the versions. */
export function documentColumns(options: {
  isSearch: boolean;
  isNarrow: boolean;
  onShowLock(path: string): void;
}): Column<DocumentRow>[] {
  const { isSearch, isNarrow, onShowLock } = options;
  const name: Column<DocumentRow> = {
    id: 'name',
    title: 'Name',
    value: ({ item }) => item.name,
    render: ({ item, lock }) => (
      <span className={`documents-name documents-${item.kind}`}>
        <Icon name={iconOf(item)} />
        <span className="cut" title={shownName(item.name)}>
          {shownName(item.name)}
        </span>
        {lock !== undefined && <State lock={lock} onShowLock={onShowLock} />}
      </span>
    ),
    width: { min: 138, grow: 3 },
    isRowHeader: true,
  };
  const folder: Column<DocumentRow> = {
    id: 'folder',
    title: 'In folder',
    value: ({ item }) => splitPath(item.path).folder,
    render: ({ item }) => (
      <span className="cut muted" title={item.path}>
        {splitPath(item.path).folder || 'The top folder'}
      </span>
    ),
    width: { min: 72, grow: 2 },
  };
  const modified: Column<DocumentRow> = {
    id: 'modified',
    title: 'Modified',
    kind: 'time',
    value: ({ item }) => item.lastModifiedMs,
    width: { min: 120 },
  };
  const size: Column<DocumentRow> = {
    id: 'size',
    title: 'Size',
    kind: 'number',
    value: ({ item }) => (item.kind === 'document' ? item.size : null),
    render: ({ item }) => (item.kind === 'document' ? formatSize(item.size) : ''),
    width: { min: 76 },
  };
  const versions: Column<DocumentRow> = {
    id: 'versions',
    title: 'Versions',
    kind: 'number',
    value: ({ item }) => (item.kind === 'document' ? item.versionCount : null),
    render: ({ item }) =>
      item.kind === 'document' && item.versionCount > 0 ? (
        <span
          title={`${countOf(item.versionCount, 'earlier content')} kept, using ${formatSize(item.versionBytes)}`}
        >
          {formatCount(item.versionCount)}
        </span>
      ) : (
        ''
      ),
    width: { min: 62 },
    isSortable: false,
  };
  if (isSearch) return [name, folder, modified, size];
  return isNarrow ? [name, modified, size] : [name, modified, size, versions];
}
