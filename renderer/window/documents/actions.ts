// What can be done with the rows of the Documents view, and by which key.

import type { RowAction, RowChoice } from '../table/column.ts';
import type { DocumentRow } from './rows.tsx';
import type { Ability } from '../editors/words.ts';

export interface DocumentActionHandlers {
  openFolder(path: string): void;
  openDocument(path: string, mode: 'edit' | 'view', editorId?: string): void;
  /** The most a connected editor does with it; undefined: none opens it, or none is connected. */
  abilityFor(path: string): Ability | undefined;
  editorsFor(path: string): readonly RowChoice[];
  showAddress(path: string): void;
  showInFolder(path: string): void;
  showVersions(path: string): void;
  rename(row: DocumentRow): void;
  duplicate(path: string): void;
  copyLink(path: string): void;
  /** Undefined in a browser. */
  reveal: ((path: string) => void) | undefined;
  copyPaths(paths: string[]): void;
  trash(rows: DocumentRow[]): void;
}

const isDocument = ({ item }: DocumentRow) => item.kind === 'document';

export function documentActions(
  handlers: DocumentActionHandlers,
  isSearch: boolean,
): RowAction<DocumentRow>[] {
  const { reveal } = handlers;
  const one = (run: (row: DocumentRow) => void) => (rows: DocumentRow[]) => {
    const [row] = rows;
    if (row !== undefined) run(row);
  };
  const openTitle = ([row]: readonly DocumentRow[]) => {
    if (row?.item.kind === 'folder') return 'Open folder';
    const ability = row === undefined ? undefined : handlers.abilityFor(row.item.path);
    return ability === undefined || ability === 'edit' ? 'Edit' : 'Open';
  };
  const inFolder: RowAction<DocumentRow> = {
    id: 'show-in-folder',
    title: 'Show in its folder',
    icon: 'folder',
    takesMany: false,
    run: one(({ item }) => handlers.showInFolder(item.path)),
  };
  return [
    {
      id: 'open',
      title: openTitle,
      icon: 'edit',
      isPrimary: true,
      takesMany: false,
      run: one(({ item }) =>
        item.kind === 'folder' ? handlers.openFolder(item.path) : handlers.openDocument(item.path, 'edit'),
      ),
    },
    {
      id: 'view',
      title: 'View',
      icon: 'eye',
      takesMany: false,
      isFor: isDocument,
      run: one(({ item }) => handlers.openDocument(item.path, 'view')),
    },
    {
      id: 'open-with',
      title: 'Open with',
      takesMany: false,
      isFor: isDocument,
      choices: ([row]) => (row === undefined ? [] : handlers.editorsFor(row.item.path)),
      run: ([row], editorId) => {
        if (row !== undefined) handlers.openDocument(row.item.path, 'edit', editorId);
      },
    },
    {
      id: 'address',
      title: 'Show WOPI address…',
      takesMany: false,
      isFor: isDocument,
      run: one(({ item }) => handlers.showAddress(item.path)),
    },
    ...(isSearch ? [inFolder] : []),
    {
      id: 'versions',
      title: 'Versions…',
      icon: 'history',
      takesMany: false,
      isFor: isDocument,
      run: one(({ item }) => handlers.showVersions(item.path)),
    },
    {
      id: 'colleague-link',
      title: 'Copy link for a colleague',
      icon: 'copy',
      takesMany: false,
      isFor: isDocument,
      run: one(({ item }) => handlers.copyLink(item.path)),
    },
    {
      id: 'duplicate',
      title: 'Duplicate',
      takesMany: false,
      isFor: isDocument,
      run: one(({ item }) => handlers.duplicate(item.path)),
    },
    {
      id: 'rename',
      title: 'Rename…',
      keys: 'F2',
      takesMany: false,
      run: one(handlers.rename),
    },
    ...(reveal === undefined
      ? []
      : [
          {
            id: 'reveal',
            title: 'Show in the file manager',
            icon: 'external' as const,
            takesMany: false,
            run: one(({ item }) => reveal(item.path)),
          },
        ]),
    {
      id: 'copy-path',
      title: (rows) => (rows.length > 1 ? 'Copy paths' : 'Copy path'),
      icon: 'copy',
      run: (rows) => handlers.copyPaths(rows.map(({ item }) => item.path)),
    },
    {
      id: 'trash',
      title: 'Move to trash…',
      icon: 'trash',
      keys: 'Delete',
      isDanger: true,
      run: handlers.trash,
    },
  ];
}
