// What can be done with the journal as a whole: forget it, or save it as a file.

import { Button } from '../parts/button.tsx';
import { useConfirm } from '../parts/dialog.tsx';
import { countOf, formatCount } from '../../../app/contract/format.ts';
import { MenuButton } from '../parts/menu.tsx';
import type { Column } from '../table/column.ts';
import { toCsv, toJson } from '../table/export.ts';
import { useAction } from '../state/use-action.ts';
import type { Entry } from './journal.ts';

export function ClearButton(props: { count: number; onCleared(): void }) {
  const confirm = useConfirm();
  const clear = useAction('activity.clear', { failure: 'Could not clear the activity' });
  const ask = async () => {
    const isSure = await confirm({
      title: 'Clear the activity?',
      body: (
        <p>
          {countOf(props.count, 'entry is', 'entries are')} forgotten, here and in DocTray itself. What
          editors do from now on is shown again. The log of DocTray is not touched.
        </p>
      ),
      confirm: 'Clear',
      isDanger: true,
    });
    if (isSure && (await clear.run({})) !== undefined) props.onCleared();
  };
  return (
    <Button
      icon="trash"
      isDisabled={props.count === 0}
      isPending={clear.isPending}
      onPress={() => void ask()}
    >
      Clear…
    </Button>
  );
}

export function ExportButton(props: {
  count: number;
  all(): readonly Entry[];
  columns: readonly Column<Entry>[];
}) {
  const save = useAction('app.saveText', {
    failure: 'Could not save the file',
    success: ({ savedTo }) => (savedTo === null ? 'Nothing was saved' : `Saved ${savedTo}`),
  });
  const { columns, all } = props;
  const title = props.count === 1 ? 'The one request' : `All ${formatCount(props.count)} requests`;
  return (
    <MenuButton
      label="Export"
      icon="download"
      isDisabled={props.count === 0}
      entries={[
        {
          id: 'csv',
          title: `${title} as CSV…`,
          run: () =>
            void save.run({ suggestedName: 'activity.csv', kind: 'csv', text: toCsv(columns, all()) }),
        },
        {
          id: 'json',
          title: `${title} as JSON…`,
          run: () =>
            void save.run({ suggestedName: 'activity.json', kind: 'json', text: toJson(columns, all()) }),
        },
      ]}
    />
  );
}
