// Actions on the rows of the Documents view, and their keys.

import { t } from '../../../app/contract/messages.ts';
import type { RowAction, RowChoice } from '../table/column.ts';
import type { DocumentRow } from './rows.tsx';

interface DocumentActionHandlers {
  open(row: DocumentRow): void;
  openDocument(path: string, mode: 'edit' | 'view', editorId?: string): void;
  /** The default one is marked. */
  editorsFor(path: string): readonly RowChoice[];
  showAddress(path: string): void;
  showInFolder(path: string): void;
  showVersions(path: string): void;
  rename(row: DocumentRow): void;
  duplicate(path: string): void;
  move(paths: string[]): void;
  copyLink(path: string): void;
  /** Undefined in a browser. */
  reveal: ((path: string) => void) | undefined;
  copyPaths(paths: string[]): void;
  trash(paths: string[]): void;
}

const isDocument = ({ item }: DocumentRow) => item.kind === 'document';

export function documentActions(
  handlers: DocumentActionHandlers,
  isSearch: boolean,
): RowAction<DocumentRow>[] {
  const { reveal } = handlers;
  const one =
    (run: (path: string) => void) =>
    ([row]: DocumentRow[]) => {
      if (row !== undefined) run(row.item.path);
    };
  const many = (run: (paths: string[]) => void) => (rows: DocumentRow[]) =>
    run(rows.map(({ item }) => item.path));
  const forDocument = { takesMany: false, isFor: isDocument };
  return [
    {
      id: 'open',
      title: t('Open'),
      icon: 'external',
      isPrimary: true,
      takesMany: false,
      run: ([row]) => {
        if (row !== undefined) handlers.open(row);
      },
    },
    {
      id: 'open-with',
      title: t('Open with'),
      ...forDocument,
      choices: ([row]) => (row === undefined ? [] : handlers.editorsFor(row.item.path)),
      run: ([row], editorId) => {
        if (row !== undefined) handlers.openDocument(row.item.path, 'edit', editorId);
      },
    },
    {
      id: 'view',
      title: t('Open read-only'),
      icon: 'eye',
      ...forDocument,
      run: one((path) => handlers.openDocument(path, 'view')),
    },
    {
      id: 'versions',
      title: t('Versions'),
      icon: 'history',
      ...forDocument,
      run: one(handlers.showVersions),
    },
    {
      id: 'colleague-link',
      title: t('Copy link for a colleague'),
      icon: 'copy',
      ...forDocument,
      run: one(handlers.copyLink),
    },
    ...(isSearch
      ? [
          {
            id: 'show-in-folder',
            title: t('Show in its folder'),
            icon: 'folder' as const,
            takesMany: false,
            run: one(handlers.showInFolder),
          },
        ]
      : []),
    { id: 'move', title: t('Move to…'), icon: 'folder', run: many(handlers.move) },
    {
      id: 'rename',
      title: t('Rename'),
      icon: 'edit',
      keys: 'F2',
      takesMany: false,
      run: ([row]) => {
        if (row !== undefined) handlers.rename(row);
      },
    },
    { id: 'duplicate', title: t('Duplicate'), ...forDocument, run: one(handlers.duplicate) },
    ...(reveal === undefined
      ? []
      : [{ id: 'reveal', title: t('Show in the file manager'), takesMany: false, run: one(reveal) }]),
    {
      id: 'trash',
      title: t('Move to trash'),
      icon: 'trash',
      keys: 'Delete',
      isDanger: true,
      run: many(handlers.trash),
    },
    {
      id: 'advanced',
      title: t('Advanced'),
      choices: (rows) => [
        {
          id: 'path',
          title: t('{count, plural, one {Copy path} other {Copy # paths}}', { count: rows.length }),
        },
        ...(rows.length === 1 && rows.every(isDocument)
          ? [{ id: 'address', title: t('Show WOPI address…') }]
          : []),
      ],
      run: (rows, choice) => {
        if (choice === 'address') one(handlers.showAddress)(rows);
        else many(handlers.copyPaths)(rows);
      },
    },
  ];
}
