// The ways a table's rows leave it: to the clipboard or into a file, as CSV or JSON.

import { useMemo } from 'react';
import { useAction } from '../state/use-action.ts';
import { countOf } from '../../../app/contract/format.ts';
import type { MenuEntry } from '../parts/menu.tsx';
import type { Column } from './column.ts';
import { toCsv, toJson } from './export.ts';

export function useTableCopies<Row>(input: {
  columns: readonly Column<Row>[];
  exportName: string | undefined;
  selected: readonly Row[];
  all(): readonly Row[];
}) {
  const { columns, exportName, selected, all } = input;
  const { run: copy } = useAction('app.copyText', { failure: 'Could not copy', success: 'Copied' });
  const { run: save } = useAction('app.saveText', {
    failure: 'Could not save the file',
    success: ({ savedTo }) => (savedTo === null ? 'Nothing was saved' : `Saved ${savedTo}`),
  });
  return useMemo(() => {
    const asCsv = (rows: readonly Row[]) => void copy({ text: toCsv(columns, rows) });
    const asJson = (rows: readonly Row[]) => void copy({ text: toJson(columns, rows) });
    const what = selected.length === 0 ? 'selected rows' : countOf(selected.length, 'row');
    const isDisabled = selected.length === 0;
    const selectedEntries: MenuEntry[] = [
      {
        id: 'copy-selected-csv',
        title: `Copy ${what} as CSV`,
        icon: 'copy',
        keys: 'Ctrl+C',
        startsGroup: true,
        isDisabled,
        run: () => asCsv(selected),
      },
      { id: 'copy-selected-json', title: `Copy ${what} as JSON`, isDisabled, run: () => asJson(selected) },
    ];
    const allEntries: MenuEntry[] = [
      { id: 'copy-all-csv', title: 'Copy all as CSV', startsGroup: true, run: () => asCsv(all()) },
      { id: 'copy-all-json', title: 'Copy all as JSON', run: () => asJson(all()) },
    ];
    if (exportName !== undefined) {
      allEntries.push(
        {
          id: 'save-csv',
          title: 'Save all as CSV…',
          icon: 'download',
          startsGroup: true,
          run: () =>
            void save({ suggestedName: `${exportName}.csv`, kind: 'csv', text: toCsv(columns, all()) }),
        },
        {
          id: 'save-json',
          title: 'Save all as JSON…',
          run: () =>
            void save({ suggestedName: `${exportName}.json`, kind: 'json', text: toJson(columns, all()) }),
        },
      );
    }
    return { copySelected: () => asCsv(selected), selectedEntries, allEntries };
  }, [columns, exportName, selected, all, copy, save]);
}
