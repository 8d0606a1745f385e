// The top of the view: the path to the shown folder, recent documents, new documents, and a menu with the rest.

import { Button as AriaButton } from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
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
  const openRoot = useAction('host.openFolder', { failure: t('Can’t open the folder') });
  return (
    <>
      {recent.length > 0 && (
        <MenuButton
          label={t('Recent')}
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
      <NewDocumentMenu label={t('New')} onChoose={props.onNew} />
      <MenuButton
        label={t('More')}
        icon="more"
        isIconOnly
        look="quiet"
        entries={[
          ...(isInBrowser
            ? []
            : [
                {
                  id: 'open-root',
                  title: t('Open the folder in the file manager'),
                  icon: 'external' as const,
                  run: () => void openRoot.run({}),
                },
              ]),
          { id: 'usage', title: t('Disk used by versions…'), icon: 'history', run: props.onShowUsage },
          { id: 'refresh', title: t('Refresh'), icon: 'refresh', run: props.onRefresh },
        ]}
      />
    </>
  );
}

/** Beyond these, the ones in the middle are in a menu. */
const maxParts = 4;

export function FolderPath(props: { folder: string; rootName: string; onGo(folder: string): void }) {
  const { folder, rootName, onGo } = props;
  const names = folder === '' ? [] : folder.split('/');
  const parts = [
    { path: '', name: rootName },
    ...names.map((name, index) => ({ path: names.slice(0, index + 1).join('/'), name })),
  ];
  const hidden = parts.length > maxParts ? parts.slice(1, -2) : [];
  const shown = parts.filter((part) => !hidden.includes(part));
  return (
    <nav aria-label={t('Folder')} className="documents-path">
      <ol>
        {shown.map((part, index) => {
          const isLast = index === shown.length - 1;
          return (
            <li key={part.path}>
              {index > 0 && <Icon name="chevron-right" size={12} />}
              {index === 1 && hidden.length > 0 && (
                <>
                  <MenuButton
                    label={t('Folders in between')}
                    icon="more"
                    isIconOnly
                    look="quiet"
                    entries={hidden.map(({ path, name }) => ({
                      id: path,
                      title: name,
                      icon: 'folder',
                      run: () => onGo(path),
                    }))}
                  />
                  <Icon name="chevron-right" size={12} />
                </>
              )}
              {isLast ? (
                <span aria-current="page" className="documents-path-here cut" title={part.name}>
                  {part.name}
                </span>
              ) : (
                <AriaButton
                  className="documents-path-part cut"
                  data-folder={part.path}
                  onPress={() => onGo(part.path)}
                >
                  {part.name}
                </AriaButton>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
