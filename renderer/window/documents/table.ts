// What the table draws: the folder page by page, or the results of a search, each with the lock that holds it.

import { useMemo, useState } from 'react';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { splitPath } from '../parts/format.ts';
import { useMediaQuery } from '../parts/media-query.ts';
import type { Column, Remote, Sort } from '../table/column.ts';
import { useNavigation } from '../state/navigation.tsx';
import { useWindowState } from '../state/window-context.tsx';
import type { DocumentsPlace } from './place.ts';
import { createRows, documentColumns, type DocumentRow } from './rows.tsx';

const bestFirst: Sort = { column: '', isDescending: false };
const none: readonly DocumentItem[] = [];

export function useDocumentsTable(place: DocumentsPlace): {
  remote: Remote<DocumentRow>;
  columns: Column<DocumentRow>[];
} {
  const { listing, shown, search, isSearch } = place;
  const { go } = useNavigation();
  const lockItems = useWindowState((state) => state.locks);
  const isNarrow = useMediaQuery('(max-width: 860px)');
  const [searchSort, setSearchSort] = useState(bestFirst);
  const [rowOf] = useState(createRows);

  const locks = useMemo(() => new Map(lockItems.map((lock) => [lock.id, lock])), [lockItems]);
  const found = search.result?.items ?? none;
  const results = useMemo(() => ordered(found, searchSort), [found, searchSort]);
  const revision = useMemo(
    () => ({ isSearch, results, locks, listing: shown.revision }),
    [isSearch, results, locks, shown.revision],
  );
  const columns = useMemo(
    () => documentColumns({ isSearch, isNarrow, onShowLock: (path) => go('locks', path) }),
    [isSearch, isNarrow, go],
  );
  const remote: Remote<DocumentRow> = {
    total: isSearch ? results.length : shown.total,
    rowAt: (index) => {
      const item = isSearch ? results[index] : listing.itemAt(index);
      return item === undefined ? undefined : rowOf(item, locks);
    },
    need: (start, end) => {
      if (!isSearch) listing.need(start, end);
    },
    sort: isSearch ? searchSort : { column: shown.query.sort, isDescending: shown.query.isDescending },
    onSort: (sort) => {
      const { column, isDescending } = sort;
      if (isSearch) setSearchSort(sort);
      else if (column === 'name' || column === 'modified' || column === 'size') {
        place.sortBy(column, isDescending);
      }
    },
    filter: {
      value: place.typed,
      onChange: (text) => {
        setSearchSort(bestFirst);
        place.type(text);
      },
    },
    revision,
  };
  return { remote, columns };
}

/** As the host found them, best first, until a column is asked for. */
function ordered(items: readonly DocumentItem[], { column, isDescending }: Sort): readonly DocumentItem[] {
  const key = (item: DocumentItem): string | number => {
    if (column === 'modified') return item.lastModifiedMs;
    if (column === 'size') return item.kind === 'document' ? item.size : -1;
    return (column === 'folder' ? splitPath(item.path).folder : item.name).toLowerCase();
  };
  if (column === '') return items;
  const sign = isDescending ? -1 : 1;
  return items.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    return left < right ? -sign : left > right ? sign : 0;
  });
}
