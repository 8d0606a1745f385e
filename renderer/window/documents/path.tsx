// Where in the hosted folder the view is, part by part; what is too much for one line is behind a menu.

import { Button as AriaButton } from 'react-aria-components';
import { Icon } from '../parts/icon.tsx';
import { MenuButton } from '../parts/menu.tsx';

/** More than these and the ones in the middle go into the menu. */
const maxParts = 4;

export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '' : path.slice(0, cut);
}

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
    <nav aria-label="Folder" className="documents-path">
      <ol>
        {shown.map((part, index) => {
          const isLast = index === shown.length - 1;
          return (
            <li key={part.path}>
              {index > 0 && <Icon name="chevron-right" size={12} />}
              {index === 1 && hidden.length > 0 && (
                <>
                  <MenuButton
                    label="Folders between"
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
                <AriaButton className="documents-path-part cut" onPress={() => onGo(part.path)}>
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
