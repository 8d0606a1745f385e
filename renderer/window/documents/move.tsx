// Asks for the folder that documents are moved to: one folder's subfolders at a time, with the path to it and New folder.

import { useCallback, useEffect, useMemo, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Skeleton } from '../parts/view.tsx';
import { sentenceOf, type Call } from '../state/call.ts';
import { useCall } from '../state/window-context.tsx';
import { FolderPath } from './header.tsx';
import { parentOf } from './names.ts';
import { NameDialog } from './new.tsx';

const pageSize = 1000;

export function MoveDialog(props: {
  paths: readonly string[];
  rootName: string;
  onMove(folderPath: string, folderName: string): void;
  onClose(): void;
}) {
  const { paths, rootName } = props;
  const call = useCall();
  const [folder, setFolder] = useState(() => parentOf(paths[0] ?? ''));
  const [folders, setFolders] = useState<readonly string[]>();
  const [problem, setProblem] = useState<string | null>(null);
  const [isNaming, setIsNaming] = useState(false);
  const moved = useMemo(() => new Set(paths), [paths]);

  const load = useCallback(
    async (path: string, isWanted: () => boolean) => {
      try {
        const found = await foldersIn(call, path);
        if (!isWanted()) return;
        setFolders(found);
        setProblem(null);
      } catch (error) {
        if (!isWanted()) return;
        setFolders([]);
        setProblem(sentenceOf(error));
      }
    },
    [call],
  );
  useEffect(() => {
    let isWanted = true;
    setFolders(undefined);
    void load(folder, () => isWanted);
    return () => {
      isWanted = false;
    };
  }, [folder, load]);

  // A folder can't be moved into itself.
  const shown = folders?.filter((path) => !moved.has(path));
  const isHere = paths.every((path) => parentOf(path) === folder);
  const folderName = folder === '' ? rootName : splitPath(folder).name;
  const [first = ''] = paths;
  return (
    <>
      <Dialog
        title={t('{count, plural, one {Move “{name}” to…} other {Move # items to…}}', {
          count: paths.length,
          name: splitPath(first).name,
        })}
        isOpen
        onClose={props.onClose}
        footer={
          <>
            <Button icon="plus" className="documents-move-new" onPress={() => setIsNaming(true)}>
              {t('New folder')}
            </Button>
            <Button onPress={props.onClose}>{t('Cancel')}</Button>
            <Button
              look="primary"
              isDisabled={isHere || problem !== null}
              onPress={() => props.onMove(folder, folderName)}
            >
              {t('Move here')}
            </Button>
          </>
        }
      >
        <FolderPath folder={folder} rootName={rootName} onGo={setFolder} />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        <div className="documents-folders">
          {shown === undefined ? (
            <Skeleton rows={4} />
          ) : (
            <ListBox
              key={folder}
              aria-label={t('Folders in {folder}', { folder: folderName })}
              className="documents-folder-list"
              items={shown.map((path) => ({ id: path, name: splitPath(path).name }))}
              onAction={(key) => setFolder(String(key))}
              autoFocus="first"
              renderEmptyState={() => <p className="muted">{t('No folders in here.')}</p>}
            >
              {({ id, name }) => (
                <ListBoxItem id={id} textValue={name} className="documents-folder-item">
                  <Icon name="folder" />
                  <span className="cut grow" title={name}>
                    {name}
                  </span>
                  <Icon name="chevron-right" size={12} />
                </ListBoxItem>
              )}
            </ListBox>
          )}
        </div>
        {isHere && problem === null && (
          <p className="field-hint">
            {t(
              '{count, plural, one {It is in this folder now. Choose another one.} other {They are in this folder now. Choose another one.}}',
              {
                count: paths.length,
              },
            )}
          </p>
        )}
      </Dialog>
      {isNaming && (
        <NameDialog
          title={t('New folder')}
          stem={t('New folder')}
          extension=""
          hint={t('Created in “{folder}”.', { folder: folderName })}
          taken={(folders ?? []).map((path) => splitPath(path).name)}
          onConfirm={async (name) => {
            const { path } = await call('documents.createFolder', { folderPath: folder, name });
            setIsNaming(false);
            setFolder(path);
          }}
          onClose={() => setIsNaming(false)}
        />
      )}
    </>
  );
}

/** Folders come first in a listing. */
async function foldersIn(call: Call, path: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const { items, total } = await call('documents.list', {
      path,
      startIndex: found.length,
      count: pageSize,
      sort: 'name',
      isDescending: false,
    });
    const folders = items.filter(({ kind }) => kind === 'folder').map((item) => item.path);
    found.push(...folders);
    if (folders.length < items.length || items.length === 0 || found.length >= total) return found;
  }
}
