// Next to the title: recent documents, new documents, and a menu with the rest.

import { splitPath } from '../parts/format.ts';
import { MenuButton } from '../parts/menu.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { NewDocumentMenu, type NewThing } from './new.tsx';
import { iconOf } from './rows.tsx';

const maxRecent = 10;

export function HeaderActions(props: {
  onLeadTo(path: string): void;
  onNew(thing: NewThing): void;
  onShowUsage(): void;
  onRefresh(): void;
}) {
  const recent = useWindowState((state) => state.recent);
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const openRoot = useAction('host.openFolder', { failure: 'Could not open the folder' });
  return (
    <>
      {recent.length > 0 && (
        <MenuButton
          label="Recent"
          icon="clock"
          look="quiet"
          entries={recent.slice(0, maxRecent).map(({ path }) => ({
            id: path,
            title: splitPath(path).name,
            icon: iconOf({ kind: 'document', name: splitPath(path).name }),
            run: () => props.onLeadTo(path),
          }))}
        />
      )}
      <NewDocumentMenu label="New" onChoose={props.onNew} />
      <MenuButton
        label="More"
        icon="more"
        isIconOnly
        look="quiet"
        entries={[
          ...(isInBrowser
            ? []
            : [
                {
                  id: 'open-root',
                  title: 'Open the folder in the file manager',
                  icon: 'external' as const,
                  run: () => void openRoot.run({}),
                },
              ]),
          { id: 'usage', title: 'Disk used by versions…', icon: 'history', run: props.onShowUsage },
          { id: 'refresh', title: 'Look again', icon: 'refresh', run: props.onRefresh },
        ]}
      />
    </>
  );
}
