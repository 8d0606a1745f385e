// Above a table: filter, what the view adds, how many rows, what can be done with the selected ones, copying.

import type { ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { MenuButton, type MenuEntry } from '../parts/menu.tsx';
import { rowsFor, titleOf, type RowAction } from './column.ts';
import { SearchField } from '../parts/text-field.tsx';

interface TableBarProps<Row> {
  /** Undefined: no filter box. */
  filter: { label: string; value: string; onChange(value: string): void } | undefined;
  toolbar: ReactNode;
  status: ReactNode;
  actions: readonly RowAction<Row>[];
  selected: readonly Row[];
  copies: readonly MenuEntry[];
  hasRows: boolean;
}

export function TableBar<Row>(props: TableBarProps<Row>) {
  const { filter, selected } = props;
  return (
    <div className="table-bar">
      {filter !== undefined && (
        <SearchField label={filter.label} value={filter.value} onChange={filter.onChange} takesSlash />
      )}
      {props.toolbar}
      <div className="table-bar-end">
        {props.status}
        {props.actions
          .filter((action) => action.isInToolbar === true)
          .map((action) => {
            const fit = rowsFor(action, selected);
            return (
              <Button
                key={action.id}
                {...(action.icon === undefined ? {} : { icon: action.icon })}
                isDisabled={fit.length === 0}
                onPress={() => action.run(fit)}
              >
                {titleOf(action, fit)}
              </Button>
            );
          })}
        <MenuButton
          label="Copy or save the table"
          icon="copy"
          isIconOnly
          look="quiet"
          isDisabled={!props.hasRows}
          entries={props.copies}
        />
      </div>
    </div>
  );
}

/** The actions as entries of a menu, for those rows they fit. */
export function menuEntriesOf<Row>(
  actions: readonly RowAction<Row>[],
  selected: readonly Row[],
): MenuEntry[] {
  return actions.map((action) => {
    const fit = rowsFor(action, selected);
    const keys = action.isPrimary === true ? 'Enter' : action.keys === 'Delete' ? 'Del' : action.keys;
    return {
      id: action.id,
      title: titleOf(action, fit),
      ...(action.icon === undefined ? {} : { icon: action.icon }),
      ...(keys === undefined ? {} : { keys }),
      isDanger: action.isDanger ?? false,
      isDisabled: fit.length === 0,
      ...(action.choices !== undefined && {
        entries: action.choices(fit).map((choice) => ({ ...choice, run: () => action.run(fit, choice.id) })),
      }),
      run: () => action.run(fit),
    };
  });
}
