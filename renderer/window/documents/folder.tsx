// The Documents view of a folder that is served: one table, of a folder or of a search in all of them, and what can be done
// from it.

import { useCallback, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { Notice } from '../parts/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { View } from '../parts/view.tsx';
import { useAction } from '../state/use-action.ts';
import { useWindowState } from '../state/window-context.tsx';
import { documentActions } from './actions.ts';
import { DropArea } from './drop.tsx';
import { HeaderActions } from './header.tsx';
import { useImport } from './import.ts';
import { useColleagueLink } from './link.ts';
import { DocumentJobs } from './jobs.tsx';
import { NewDocumentDialog, NewDocumentMenu, type NewThing } from './new.tsx';
import { useOpening } from './opening.tsx';
import { FolderPath } from './path.tsx';
import { useDocumentsPlace } from './place.ts';
import { RenameDialog } from './rename.tsx';
import type { DocumentRow } from './rows.tsx';
import { searchWords } from './search.ts';
import { useDocumentsTable } from './table.ts';
import { TrashFailures, useTrash } from './trash.tsx';
import { UsageDialog, VersionsDialog } from '../versions/versions.tsx';

export function DocumentsFolder() {
  const root = useWindowState((state) => state.host.folder) ?? '';
  const rootName = useWindowState((state) => state.host.folderName) ?? 'The folder';
  const isWindows = useWindowState((state) => state.app.platform === 'win32');
  const area = useRef<HTMLDivElement>(null);
  const place = useDocumentsPlace(root, area);
  const { listing, shown, search, isSearch, refresh, select } = place;
  const { folder } = shown.query;
  const folderName = folder === '' ? rootName : splitPath(folder).name;
  const { remote, columns } = useDocumentsTable(place);

  const [versionsOf, setVersionsOf] = useState<string>();
  const [renaming, setRenaming] = useState<DocumentRow>();
  const [newThing, setNewThing] = useState<NewThing>();
  const duplicating = useAction('documents.duplicate', { failure: 'Could not duplicate the document' });
  const [isUsageShown, setIsUsageShown] = useState(false);

  const opening = useOpening();
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const reveal = useAction('documents.reveal', { failure: 'Could not show it in the file manager' });
  const copy = useAction('app.copyText', { failure: 'Could not copy the path', success: 'Path copied' });
  const { jobIds, importFiles } = useImport(folder);
  const trashing = useTrash(
    useCallback(() => {
      select(new Set());
      refresh();
    }, [select, refresh]),
  );
  const absolute = (path: string) =>
    isWindows ? `${root}\\${path.replaceAll('/', '\\')}` : `${root}/${path}`;
  const copyLink = useColleagueLink();
  const duplicate = async (path: string) => {
    const created = await duplicating.run({ path });
    if (created !== undefined) place.showNew(created.path);
  };
  const actions = documentActions(
    {
      openFolder: place.openFolder,
      openDocument: (path, mode, editorId) => void opening.open(path, mode, editorId),
      abilityFor: opening.ability,
      editorsFor: opening.editorsFor,
      showAddress: (path) => void opening.showAddress(path),
      showInFolder: (path) => void place.leadTo(path),
      showVersions: setVersionsOf,
      rename: setRenaming,
      duplicate: (path) => void duplicate(path),
      copyLink: (path) => void copyLink(path),
      reveal: isInBrowser ? undefined : (path) => void reveal.run({ path }),
      copyPaths: (paths) => void copy.run({ text: paths.map(absolute).join('\n') }),
      trash: (rows) => void trashing.trash(rows),
    },
    isSearch,
  );

  const tryAgain = (
    <Button icon="refresh" onPress={refresh}>
      Try again
    </Button>
  );
  return (
    <DropArea
      label={`Drop to copy into “${folderName}”`}
      isDisabled={shown.status === 'failed'}
      onDropped={(files) => void importFiles(files)}
    >
      <div ref={area} className="documents">
        <View
          title="Documents"
          isFilled
          subtitle={<FolderPath folder={folder} rootName={rootName} onGo={place.openFolder} />}
          actions={
            <HeaderActions
              onLeadTo={(path) => void place.leadTo(path)}
              onNew={setNewThing}
              onShowUsage={() => setIsUsageShown(true)}
              onRefresh={refresh}
            />
          }
        >
          <DocumentJobs ids={jobIds} onEnd={refresh} />
          {!isSearch && shown.status === 'ready' && shown.problem !== null && (
            <div className="documents-notice">
              <Notice tone="warn">
                <div className="row">
                  <span className="grow">What is shown may be old. {shown.problem.message}</span>
                  {tryAgain}
                </div>
              </Notice>
            </div>
          )}
          <DataTable<DocumentRow>
            label={isSearch ? 'Search results' : `Documents in ${folderName}`}
            count={(count) => t('{count, plural, one {# item} other {# items}}', { count })}
            filterLabel="Search by name"
            columns={columns}
            {...(!isSearch && shown.status === 'loading' ? { rows: undefined } : { remote })}
            error={
              isSearch ? search.problem : shown.status === 'failed' ? (shown.problem?.message ?? null) : null
            }
            errorAction={
              !isSearch && shown.problem?.code === 'folder-unknown' && folder !== '' ? (
                <Button onPress={() => place.openFolder('')}>Go to the top folder</Button>
              ) : (
                tryAgain
              )
            }
            empty={{
              icon: 'documents',
              sentence:
                'Nothing is in this folder yet. Drop documents here to copy them in, or make a new one.',
              action: <NewDocumentMenu label="New document" onChoose={setNewThing} />,
            }}
            toolbar={
              search.text === '' ? undefined : (
                <span className="documents-searched muted">{searchWords(search)}</span>
              )
            }
            actions={actions}
            rowTone={({ lock }) => (lock?.state === 'stale' ? 'warn' : undefined)}
            reveal={place.reveal}
            selection={{ ids: place.selected, onChange: select }}
          />
        </View>
      </div>
      {opening.dialogs}
      {versionsOf !== undefined && (
        <VersionsDialog path={versionsOf} onRestored={refresh} onClose={() => setVersionsOf(undefined)} />
      )}
      {isUsageShown && <UsageDialog onClose={() => setIsUsageShown(false)} />}
      {newThing !== undefined && (
        <NewDocumentDialog
          thing={newThing}
          folder={folder}
          folderName={folderName}
          taken={listing.knownNames()}
          onMade={(path) => {
            setNewThing(undefined);
            place.showNew(path);
          }}
          onClose={() => setNewThing(undefined)}
        />
      )}
      {renaming !== undefined && (
        <RenameDialog
          item={renaming.item}
          taken={isSearch ? [] : listing.knownNames()}
          onRenamed={(path) => {
            setRenaming(undefined);
            place.showNew(path);
          }}
          onClose={() => setRenaming(undefined)}
        />
      )}
      <TrashFailures failures={trashing.failures} onClose={trashing.closeFailures} />
    </DropArea>
  );
}
