// The rows of the Documents view: items of a folder, or the results of a search, each with the lock that holds it. A name is edited in its
// row.

import { useEffect, useId, useMemo, useRef, useState, type DragEvent } from 'react';
import { Popover } from 'react-aria-components';
import { formatCount, formatSize } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import { safeText, extensionOf } from '../../../app/contract/names.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import type { LockItem } from '../../../app/contract/state.ts';
import { holderOf, lockWords } from '../locks/words.ts';
import { useTask } from '../parts/action.tsx';
import { splitPath } from '../parts/format.ts';
import type { IconName } from '../../kit/icon-shapes.ts';
import { Icon } from '../../kit/icon.tsx';
import { FileName, FolderName } from '../../kit/file-name.tsx';
import { useWindowState } from '../state/window-context.tsx';
import { textWidth, type Column } from '../table/model.ts';
import { fullName, nameProblem } from './names.ts';

export interface DocumentRow {
  /** The path: one document can be at two paths, with one file id. */
  id: string;
  item: DocumentItem;
  lock: LockItem | undefined;
}

/** A name that is being edited in its row. */
export interface Renaming {
  path: string;
  taken: readonly string[];
  /** What it throws is shown next to the field, which stays open. */
  rename(item: DocumentItem, name: string): Promise<void>;
  /** `isBack`: the focus returns to the row. */
  onClose(isBack: boolean): void;
}

interface RowHandlers {
  open(item: DocumentItem): void;
  startDrag(event: DragEvent, path: string): void;
  endDrag(): void;
}

/** The same item with the same lock is the same row, so that it isn't drawn again. */
export function useDocumentRows(items: readonly DocumentItem[]): DocumentRow[] {
  const locks = useWindowState((state) => state.locks);
  const [known] = useState(() => new WeakMap<DocumentItem, DocumentRow>());
  return useMemo(() => {
    const lockOf = new Map(locks.map((lock) => [lock.id, lock]));
    return items.map((item) => {
      const lock = item.kind === 'document' ? lockOf.get(item.fileId) : undefined;
      const before = known.get(item);
      if (before !== undefined && before.lock === lock) return before;
      const row = { id: item.path, item, lock };
      known.set(item, row);
      return row;
    });
  }, [items, locks, known]);
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
    const words = t('window.being-edited-by-user', { user: holder });
    return (
      <span className="cell documents-state tone-info" title={words}>
        <Icon name="edit" size={14} />
        <span className="visually-hidden">{words}</span>
        <span className="cut" aria-hidden="true">
          {holder}
        </span>
      </span>
    );
  }
  const state = t('window.stale-lock');
  return (
    <button
      type="button"
      tabIndex={-1}
      className="cell cell-alert row-button documents-state tone-warn"
      aria-label={t('window.state-show-the-lock-on', { state, file: splitPath(lock.path).name })}
      title={lockWords(lock)}
      data-own-press=""
      onClick={() => onShowLock(lock.path)}
    >
      <Icon name="warning" size={14} />
      <span className="cut">{state}</span>
    </button>
  );
}

export function documentColumns(options: {
  /** Results of the whole folder, which show where they are. */
  isSearch: boolean;
  /** Marked in the names. */
  query: string;
  renaming: Renaming | undefined;
  handlers: RowHandlers;
  onShowLock(path: string): void;
}): Column<DocumentRow>[] {
  const { isSearch, query, renaming, handlers, onShowLock } = options;
  const name: Column<DocumentRow> = {
    id: 'name',
    title: t('window.name'),
    value: ({ item }) => item.name,
    render: ({ item, lock }) =>
      renaming?.path === item.path ? (
        <RenameField item={item} renaming={renaming} />
      ) : (
        <span
          // To Chromium, something draggable is a group, and the row's name leaves out the text of a group.
          role="presentation"
          className={`cell documents-name tone-${item.kind === 'folder' ? 'info' : 'muted'}`}
          draggable
          onDragStart={(event) => handlers.startDrag(event, item.path)}
          onDragEnd={handlers.endDrag}
        >
          <Icon name={iconOf(item)} />
          <span className="documents-name-text" title={safeText(item.name)}>
            <FileName name={safeText(item.name)} query={query} />
          </span>
          {lock !== undefined && <State lock={lock} onShowLock={onShowLock} />}
          {/* For the pointer; Enter on the row does the same. As text it would be part of the row's name. */}
          <span
            aria-hidden="true"
            className="button button-plain row-action documents-open"
            data-label={t('common.open')}
            data-own-press=""
            onClick={() => handlers.open(item)}
          />
        </span>
      ),
    width: isSearch ? { min: 220, grow: 1 } : { min: 260, grow: 3 },
    isRowHeader: true,
  };
  const folder: Column<DocumentRow> = {
    id: 'folder',
    title: t('window.folder'),
    value: ({ item }) => splitPath(item.path).folder,
    render: ({ item }) => (
      <span className="muted" title={item.path} data-any-length="">
        <FolderName folder={splitPath(item.path).folder || t('window.top-folder')} />
      </span>
    ),
    width: { min: 150, grow: 3 },
    priority: 3,
    fallsBelow: 2,
  };
  const modified: Column<DocumentRow> = {
    id: 'modified',
    title: t('window.modified'),
    kind: 'time',
    value: ({ item }) => item.lastModifiedMs,
    width: { min: 120 },
    priority: 2,
  };
  const size: Column<DocumentRow> = {
    id: 'size',
    title: t('kit.size'),
    kind: 'number',
    value: ({ item }) => (item.kind === 'document' ? item.size : null),
    render: ({ item }) => (item.kind === 'document' ? formatSize(item.size) : ''),
    width: { min: 88 },
    priority: 1,
  };
  const versions: Column<DocumentRow> = {
    id: 'versions',
    title: t('common.versions'),
    kind: 'number',
    value: ({ item }) => (item.kind === 'document' ? item.versionCount : null),
    render: ({ item }) =>
      item.kind === 'document' && item.versionCount > 0 ? (
        <span title={t('window.earlier-versions-use-size', { size: formatSize(item.versionBytes) })}>
          {formatCount(item.versionCount)}
        </span>
      ) : (
        ''
      ),
    width: { min: Math.max(70, textWidth(t('common.versions')) + 20) },
    priority: 0,
    isSortable: false,
  };
  return isSearch ? [name, folder, modified, size] : [name, modified, size, versions];
}

/** Enter and leaving the field rename, Escape doesn't. The extension stays, so that the document opens in the same editor. */
function RenameField({ item, renaming }: { item: DocumentItem; renaming: Renaming }) {
  const extension = item.kind === 'folder' ? '' : extensionOf(item.name);
  const oldStem = item.name.slice(0, item.name.length - extension.length);
  const [stem, setStem] = useState(oldStem);
  const {
    run,
    isPending,
    problem: refusal,
    forget,
  } = useTask(async (_call, name: string) => {
    await renaming.rename(item, name);
    isClosed.current = true;
    return true;
  });
  const input = useRef<HTMLInputElement>(null);
  const isClosed = useRef(false);
  const errorId = useId();
  useEffect(() => {
    // After the menu that asked for it has given the focus back.
    const frame = requestAnimationFrame(() => input.current?.select());
    input.current?.focus();
    return () => cancelAnimationFrame(frame);
  }, []);

  const taken = renaming.taken.filter((name) => name !== item.name);
  const problem = refusal?.message ?? (stem === oldStem ? null : nameProblem(stem, extension, taken));
  const close = (isBack: boolean) => {
    isClosed.current = true;
    renaming.onClose(isBack);
  };
  const commit = async (isLeaving: boolean) => {
    if (isPending || isClosed.current) return;
    const name = fullName(stem, extension);
    if (stem === oldStem || name === item.name || (isLeaving && problem !== null)) return close(!isLeaving);
    if (problem !== null && refusal === null) return undefined;
    if ((await run(name)) === undefined) input.current?.focus();
  };
  return (
    <span
      className={`cell documents-name tone-${item.kind === 'folder' ? 'info' : 'muted'}`}
      data-own-press=""
    >
      <Icon name={iconOf(item)} />
      <input
        ref={input}
        className="input documents-rename"
        aria-label={t('common.new-name')}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : errorId}
        value={stem}
        readOnly={isPending}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setStem(event.target.value);
          forget();
        }}
        onKeyDown={(event) => {
          // The row's own keys are for the row.
          event.stopPropagation();
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) void commit(false);
          else if (event.key === 'Escape') close(true);
        }}
        onDoubleClick={(event) => event.stopPropagation()}
        onBlur={() => void commit(true)}
      />
      {extension !== '' && <span className="muted">{extension}</span>}
      <Popover
        className="popover documents-rename-problem tone-bad"
        triggerRef={input}
        isOpen={problem !== null}
        isNonModal
        placement="bottom start"
        offset={4}
      >
        <section aria-label={t('window.problem-with-the-name')}>
          <span id={errorId} role="alert">
            {problem}
          </span>
        </section>
      </Popover>
    </span>
  );
}
