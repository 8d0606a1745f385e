// The hosted folder: browse, search, open, create, import, versions, rename, move, trash. One table shows a folder, or a search in all of
// them.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../app/contract/messages.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { ConnectEditor } from '../editors/connection.tsx';
import { officeEditors } from '../editors/words.ts';
import { ProblemActions } from '../frame.tsx';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { focusHeading } from '../parts/kept-focus.ts';
import { useToasts } from '../../kit/toast.tsx';
import { Empty, Failure, TableSkeleton } from '../../kit/blocks.tsx';
import { View } from '../parts/view.tsx';
import { useCall, useNavigation, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import type { RowAction } from '../table/model.ts';
import { VersionsPanel } from '../versions/versions.tsx';
import { DocumentJobs, FailuresDialog, useDocumentChanges } from './changes.tsx';
import { FolderPath, HeaderActions, NewDocumentDialog, NewDocumentMenu, type NewThing } from './header.tsx';
import { DropArea, MoveDialog, useImport, useRowDrag } from './move.tsx';
import { useColleagueLink, useOpening, type Opening } from './opening.tsx';
import { maxResults, useDocumentsPlace } from './place.ts';
import { documentColumns, useDocumentRows, type DocumentRow } from './rows.tsx';
import { searchStatus } from './search.ts';
import './documents.css';

export function DocumentsView() {
  const status = useWindowState((state) => state.host.status);
  const folder = useWindowState((state) => state.host.folder);
  const problem = useWindowState((state) => state.host.problem);
  const choose = useAction('host.chooseFolder', { failure: t('window.cant-serve-that-folder') });

  if ((status === 'serving' || status === 'paused') && folder !== null) {
    // Another hosted folder has other paths, so nothing of this view is kept.
    return <DocumentsFolder key={folder} />;
  }
  const chooseButton = (
    <Button look="primary" icon="folder" isPending={choose.isPending} onPress={() => void choose.run({})}>
      {folder === null ? t('window.choose-folder') : t('window.change-folder')}
    </Button>
  );
  return (
    <View title={t('common.documents')}>
      {status === 'starting' ? (
        <div className="stack" aria-busy="true">
          <TableSkeleton words={t('window.doctray-is-starting')} />
        </div>
      ) : status === 'stopping' ? (
        <Empty
          icon="stop"
          title={t('window.doctray-is-stopping')}
          sentence={t('window.running-saves-finish-first')}
        />
      ) : status === 'error' ? (
        <Failure
          title={t('common.not-serving')}
          sentence={problem?.message ?? t('window.doctray-cant-serve-the-folder')}
          action={<ProblemActions problem={problem} />}
        />
      ) : (
        <Empty
          icon="folder"
          title={t('shared.no-folder-is-chosen-yet')}
          sentence={t('window.choose-the-one-whose-documents')}
          action={chooseButton}
        />
      )}
    </View>
  );
}

const isFolder = ({ item }: DocumentRow) => item.kind === 'folder';
const isDocument = ({ item }: DocumentRow) => item.kind === 'document';
const none: readonly DocumentItem[] = [];

function DocumentsFolder() {
  const root = useWindowState((state) => state.host.folder) ?? '';
  const rootName = useWindowState((state) => state.host.folderName) ?? t('window.folder');
  const call = useCall();
  const { go } = useNavigation();
  const toasts = useToasts();
  const area = useRef<HTMLDivElement>(null);
  const place = useDocumentsPlace(root);
  const { shown, search, isSearch, sort, refresh, select, selected } = place;
  const { folder } = shown;
  const nameOf = (path: string) => (path === '' ? rootName : splitPath(path).name);
  const folderName = nameOf(folder);
  const rows = useDocumentRows(isSearch ? (search.result?.items ?? none) : shown.items);
  // The first rows are known in the host's order only.
  const isInHostOrder = sort.column === 'name' && !sort.isDescending;
  const isListed =
    isSearch || (shown.status === 'ready' && (isInHostOrder || !shown.isPartial || !shown.isReading));

  const [versionsOf, setVersionsOf] = useState<{ path: string; fileId: string; step: number }>();
  const [moved, setMoved] = useState<readonly string[]>();
  const [newThing, setNewThing] = useState<NewThing>();
  const hasServer = useWindowState(({ editors }) => officeEditors(editors).length > 0);
  const isPaused = useWindowState(({ host }) => host.status === 'paused');
  const opening = useOpening();
  const { jobIds, importFiles } = useImport(folder);
  const colleagueLink = useColleagueLink();
  const changes = useDocumentChanges(
    useCallback(() => {
      select(new Set());
      refresh();
    }, [select, refresh]),
  );
  const open = (item: DocumentItem) => {
    if (item.kind === 'folder') place.openFolder(item.path);
    else void opening.open(item.path, 'edit');
  };
  const drag = useRowDrag({
    selected,
    isFolder: (path) => rows.some((row) => row.id === path && isFolder(row)),
    onMove: (paths, to) => void changes.move(paths, to, nameOf(to)),
  });
  /** Once the row has its name again. */
  const focusRow = () =>
    requestAnimationFrame(() =>
      area.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus(),
    );

  /** `in` is null for a result of a search. */
  const shownIn = isSearch ? null : folder;
  const [renamed, setRenamed] = useState<{ path: string; in: string | null; isSent?: boolean }>();
  const renamedPath = renamed?.in === shownIn ? renamed.path : undefined;
  // Another list doesn't have the row, so the renaming ends without a message.
  if (renamed !== undefined && renamedPath === undefined) setRenamed(undefined);
  const isRenamedGone =
    renamed?.isSent !== true &&
    renamed?.path === renamedPath &&
    isListed &&
    !rows.some(({ id }) => id === renamedPath);
  useEffect(() => {
    if (renamedPath === undefined || !isRenamedGone) return;
    setRenamed(undefined);
    toasts.show({
      tone: 'warn',
      title: t('window.name-is-no-longer-here', { name: splitPath(renamedPath).name }),
      detail: t('window.another-program-moved-renamed-or'),
    });
    // Not to the next row: keys that are still meant for the name would act on it.
    requestAnimationFrame(() => focusHeading(area.current));
  }, [isRenamedGone]);

  const names = () => shown.items.map(({ name }) => name);
  const latest = useRef({ open, names, place });
  latest.current = { open, names, place };
  const query = isSearch ? place.typed : '';
  const columns = useMemo(
    () =>
      documentColumns({
        isSearch,
        query,
        handlers: { ...drag.rows, open: (item) => latest.current.open(item) },
        onShowLock: (path) => go('locks', path),
        renaming:
          renamedPath === undefined
            ? undefined
            : {
                path: renamedPath,
                taken: isSearch ? [] : latest.current.names(),
                async rename({ path }, name) {
                  setRenamed((before) => before && { ...before, isSent: true });
                  try {
                    const now = await call('documents.rename', { path, name });
                    setRenamed(undefined);
                    latest.current.place.showNew(now.path);
                  } catch (error) {
                    setRenamed((before) => before && { ...before, isSent: false });
                    throw error;
                  }
                },
                onClose(isBack) {
                  setRenamed(undefined);
                  if (isBack) focusRow();
                },
              },
      }),
    [isSearch, query, renamedPath, drag.rows, call, go],
  );

  const actions = useDocumentActions({
    isSearch,
    open: ({ item }) => open(item),
    opening,
    colleagueLink,
    showNew: place.showNew,
    showInFolder: (path) => void place.leadTo(path),
    showVersions: (path, fileId) =>
      setVersionsOf((before) => ({ path, fileId, step: (before?.step ?? 0) + 1 })),
    rename: ({ id }) => setRenamed({ path: id, in: shownIn }),
    move: setMoved,
    trash: (paths) => void changes.trash(paths),
  });
  // The panel follows the selection.
  const selectedRow = selected.size === 1 ? rows.find(({ id }) => selected.has(id))?.item : undefined;
  if (
    versionsOf !== undefined &&
    !isSearch &&
    selectedRow?.kind === 'document' &&
    selectedRow.fileId !== versionsOf.fileId
  )
    setVersionsOf({ path: selectedRow.path, fileId: selectedRow.fileId, step: 0 });

  const tryAgain = (
    <Button icon="refresh" onPress={refresh}>
      {t('common.try-again')}
    </Button>
  );
  const problem = isSearch ? search.problem : shown.status === 'failed' ? shown.problem?.message : null;
  const isGone = !isSearch && shown.problem?.code === 'folder-unknown' && folder !== '';
  const searched = searchStatus(search, maxResults);
  return (
    <DropArea
      folderName={folderName}
      isDisabled={shown.status === 'failed'}
      onDropped={(files) => void importFiles(files)}
    >
      <div ref={area} className="fill" {...drag.area}>
        <View
          title={t('common.documents')}
          isFilled
          // As high as before the search, so that the field stays in place.
          {...(folder !== '' && {
            subtitle: isSearch ? (
              <div className="documents-results">{t('window.results-in-folder', { folder: rootName })}</div>
            ) : (
              <FolderPath folder={folder} rootName={rootName} onGo={place.openFolder} />
            ),
          })}
          actions={
            <HeaderActions
              onLeadTo={(path) => void place.leadTo(path)}
              onNew={setNewThing}
              onRefresh={refresh}
            />
          }
        >
          <DocumentJobs ids={jobIds} onEnd={refresh} />
          {!isSearch && shown.status === 'ready' && shown.problem !== null && (
            <div className="documents-notice">
              <Notice tone="warn">
                <div className="row">
                  <span className="grow">
                    {t('window.this-list-may-be-out', { problem: shown.problem.message })}
                  </span>
                  {tryAgain}
                </div>
              </Notice>
            </div>
          )}
          <DataTable<DocumentRow>
            label={
              isSearch ? t('window.search-results') : t('window.documents-in-folder', { folder: folderName })
            }
            count={(count) => t(isSearch ? 'window.count-results' : 'window.items', { count })}
            filterLabel={t('window.search-by-name')}
            filter={{ value: place.typed, onChange: place.type }}
            columns={columns}
            rows={isListed ? rows : undefined}
            isPartial={!isSearch && shown.isPartial}
            sort={{ value: sort, onChange: place.sortBy }}
            {...(!isSearch && { isFirst: isFolder })}
            {...(problem != null && {
              failure: {
                sentence: problem,
                action: isGone ? (
                  <Button onPress={() => place.openFolder('')}>{t('window.go-to-the-top-folder')}</Button>
                ) : (
                  tryAgain
                ),
              },
            })}
            empty={{
              icon: 'documents',
              title: t('window.this-folder-is-empty'),
              sentence: t(
                hasServer ? 'window.drop-documents-here-to-copy' : 'window.drop-documents-here-word',
              ),
              action: (
                <div className="row">
                  <NewDocumentMenu label={t('window.new-document')} onChoose={setNewThing} />
                  {!hasServer && <ConnectEditor look="plain" />}
                </div>
              ),
            }}
            toolbar={
              searched === '' ? undefined : <span className="documents-searched muted">{searched}</span>
            }
            actions={actions}
            // No document can be opened while DocTray is paused.
            rowTone={(row) => (isPaused && isDocument(row) ? 'muted' : undefined)}
            reveal={place.reveal}
            selection={{ ids: selected, onChange: select }}
            panel={
              versionsOf !== undefined && (
                <VersionsPanel
                  key={versionsOf.fileId}
                  path={versionsOf.path}
                  fileId={versionsOf.fileId}
                  focusStep={versionsOf.step}
                  onChanged={refresh}
                  onCreated={place.showNew}
                  onClose={() => {
                    setVersionsOf(undefined);
                    focusRow();
                  }}
                />
              )
            }
          />
        </View>
      </div>
      {opening.dialogs}
      {colleagueLink.dialog}
      {newThing !== undefined && (
        <NewDocumentDialog
          thing={newThing}
          folder={folder}
          folderName={folderName}
          taken={names()}
          onCreated={(path) => {
            setNewThing(undefined);
            place.showNew(path);
          }}
          onClose={() => setNewThing(undefined)}
        />
      )}
      {moved !== undefined && (
        <MoveDialog
          paths={moved}
          rootName={rootName}
          onMove={(to, toName) => {
            setMoved(undefined);
            void changes.move(moved, to, toName);
          }}
          onClose={() => setMoved(undefined)}
        />
      )}
      <FailuresDialog failures={changes.failures} onClose={changes.closeFailures} />
    </DropArea>
  );
}

/** Actions on the rows, and their keys. */
function useDocumentActions(view: {
  isSearch: boolean;
  open(row: DocumentRow): void;
  opening: Opening;
  colleagueLink: ReturnType<typeof useColleagueLink>;
  showNew(path: string): void;
  showInFolder(path: string): void;
  showVersions(path: string, fileId: string): void;
  rename(row: DocumentRow): void;
  move(paths: string[]): void;
  trash(paths: string[]): void;
}): RowAction<DocumentRow>[] {
  const { opening, colleagueLink } = view;
  const root = useWindowState((state) => state.host.folder) ?? '';
  const { platform, isInBrowser } = useWindowState((state) => state.app);
  const duplicating = useAction('documents.duplicate', { failure: t('window.cant-duplicate-the-document') });
  const reveal = useAction('documents.reveal', { failure: t('window.cant-show-it-in-the') });
  const copy = useAction('app.copyText', {
    failure: t('window.cant-copy-the-path'),
    success: t('window.path-copied'),
  });
  const duplicate = async (path: string) => {
    const created = await duplicating.run({ path });
    if (created !== undefined) view.showNew(created.path);
  };
  const absolute = (path: string) =>
    platform === 'win32' ? `${root}\\${path.replaceAll('/', '\\')}` : `${root}/${path}`;
  const one = (run: (row: DocumentRow) => void) => ({
    takesMany: false,
    run: ([row]: DocumentRow[]) => {
      if (row !== undefined) run(row);
    },
  });
  const many = (run: (paths: string[]) => void) => ({
    run: (rows: DocumentRow[]) => run(rows.map(({ id }) => id)),
  });
  const showVersions = ({ item }: DocumentRow) => {
    if (item.kind === 'document') view.showVersions(item.path, item.fileId);
  };
  const actions: (RowAction<DocumentRow> | false)[] = [
    {
      id: 'open',
      title: t('common.open'),
      icon: 'external',
      isPrimary: true,
      isInToolbar: true,
      ...one(view.open),
    },
    {
      id: 'open-with',
      title: t('window.open-with'),
      icon: 'share',
      isFor: isDocument,
      takesMany: false,
      choices: ([row]) => (row === undefined ? [] : opening.editorsFor(row.id)),
      run: ([row], editorId) => {
        if (row !== undefined) void opening.open(row.id, 'edit', editorId);
      },
    },
    {
      id: 'view',
      title: t('common.open-read-only'),
      icon: 'eye',
      isFor: isDocument,
      ...one(({ id }) => void opening.open(id, 'view')),
    },
    { id: 'versions', title: t('common.versions'), icon: 'history', isFor: isDocument, ...one(showVersions) },
    {
      id: 'colleague-link',
      title: colleagueLink.opensDialog
        ? t('window.copy-link-for-a-colleague-ask')
        : t('window.copy-link-for-a-colleague'),
      icon: 'link',
      startsGroup: true,
      isFor: isDocument,
      ...one(({ id }) => void colleagueLink.copy(id)),
    },
    view.isSearch && {
      id: 'show-in-folder',
      title: t('window.show-in-its-folder'),
      icon: 'documents',
      ...one(({ id }) => view.showInFolder(id)),
    },
    !isInBrowser && {
      id: 'reveal',
      title: t('window.show-in-file-manager'),
      icon: 'folder',
      ...one(({ id }) => void reveal.run({ path: id })),
    },
    {
      id: 'move',
      title: t('window.move-to'),
      icon: 'move',
      startsGroup: true,
      isInToolbar: true,
      ...many(view.move),
    },
    { id: 'rename', title: t('common.rename'), icon: 'edit', keys: 'F2', ...one(view.rename) },
    {
      id: 'duplicate',
      title: t('window.duplicate'),
      icon: 'copy',
      isFor: isDocument,
      ...one(({ id }) => void duplicate(id)),
    },
    {
      id: 'trash',
      title: t('window.move-to-trash'),
      icon: 'trash',
      keys: 'Delete',
      isDanger: true,
      startsGroup: true,
      isInToolbar: true,
      ...many(view.trash),
    },
    {
      id: 'advanced',
      title: t('window.advanced'),
      icon: 'settings',
      startsGroup: true,
      choices: (rows) => [
        { id: 'path', title: t('window.copy-paths', { count: rows.length }) },
        ...(rows.length === 1 && rows.every(isDocument)
          ? [{ id: 'address', title: t('window.show-wopi-address') }]
          : []),
      ],
      run: (rows, choice) => {
        const paths = rows.map(({ id }) => id);
        if (choice === 'address') void opening.showAddress(paths[0] ?? '');
        else void copy.run({ text: paths.map(absolute).join('\n') });
      },
    },
  ];
  return actions.filter((action) => action !== false);
}
