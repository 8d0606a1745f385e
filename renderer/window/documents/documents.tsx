// The hosted folder: browse, search, open, create, import, versions, rename, move, trash. One table shows a folder, or a search in all of
// them.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../app/contract/format.ts';
import { t } from '../../../app/contract/messages.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { ProblemActions } from '../frame.tsx';
import { useAction } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { focusHeading } from '../parts/kept-focus.ts';
import { useToasts } from '../../kit/toast.tsx';
import { Empty, Failure, Skeleton } from '../../kit/blocks.tsx';
import { View } from '../parts/view.tsx';
import { useCall, useWindowState } from '../state/window-context.tsx';
import { DataTable } from '../table/data-table.tsx';
import type { Remote, RowAction, RowChoice } from '../table/model.ts';
import { UsageDialog, VersionsPanel } from '../versions/versions.tsx';
import { DocumentJobs, FailuresDialog, useDocumentChanges } from './changes.tsx';
import { FolderPath, HeaderActions, NewDocumentDialog, NewDocumentMenu, type NewThing } from './header.tsx';
import { DropArea, MoveDialog, useImport, useRowDrag } from './move.tsx';
import { useColleagueLink, useOpening } from './opening.tsx';
import { searchStatus, useDocumentsPlace } from './place.ts';
import { useDocumentsTable, type DocumentRow, type Renaming } from './rows.tsx';
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
        <div aria-busy="true">
          <p className="visually-hidden" role="status">
            {t('window.doctray-is-starting')}
          </p>
          <Skeleton rows={8} />
        </div>
      ) : status === 'stopping' ? (
        <Empty icon="stop" sentence={t('window.doctray-is-stopping-running-saves')} />
      ) : status === 'error' ? (
        <Failure
          sentence={problem?.message ?? t('window.doctray-cant-serve-the-folder')}
          action={<ProblemActions problem={problem} />}
        />
      ) : (
        <Empty icon="folder" sentence={t('window.no-folder-is-chosen-yet-choose')} action={chooseButton} />
      )}
    </View>
  );
}

function DocumentsFolder() {
  const root = useWindowState((state) => state.host.folder) ?? '';
  const rootName = useWindowState((state) => state.host.folderName) ?? t('window.folder');
  const isWindows = useWindowState((state) => state.app.platform === 'win32');
  const isInBrowser = useWindowState((state) => state.app.isInBrowser);
  const call = useCall();
  const area = useRef<HTMLDivElement>(null);
  const place = useDocumentsPlace(root);
  const { listing, shown, search, isSearch, refresh, select, selected } = place;
  const { folder } = shown.query;
  const folderName = folder === '' ? rootName : splitPath(folder).name;

  const [versionsOf, setVersionsOf] = useState<{ path: string; fileId: string; step: number }>();
  /** `folder` is null for a result of a search. */
  const [renamedIn, setRenamedIn] = useState<{ path: string; folder: string | null }>();
  const shownFolder = isSearch ? null : folder;
  const renamed = renamedIn?.folder === shownFolder ? renamedIn.path : undefined;
  // Another list doesn't have the row, so the renaming ends without a message.
  if (renamedIn !== undefined && renamed === undefined) setRenamedIn(undefined);
  const [isRenaming, setIsRenaming] = useState(false);
  const toasts = useToasts();
  const [moved, setMoved] = useState<readonly string[]>();
  const [newThing, setNewThing] = useState<NewThing>();
  const [isUsageShown, setIsUsageShown] = useState(false);

  const opening = useOpening();
  const duplicating = useAction('documents.duplicate', { failure: t('window.cant-duplicate-the-document') });
  const reveal = useAction('documents.reveal', { failure: t('window.cant-show-it-in-the') });
  const copy = useAction('app.copyText', {
    failure: t('window.cant-copy-the-path'),
    success: t('window.path-copied'),
  });
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
    isFolder: (path) =>
      isSearch
        ? search.result?.items.some((item) => item.path === path && item.kind === 'folder') === true
        : listing.itemAt(listing.indexOf(path))?.kind === 'folder',
    onMove: (paths, to) => void changes.move(paths, to, to === '' ? rootName : splitPath(to).name),
  });
  const latestOpen = useRef(open);
  latestOpen.current = open;
  const latestPlace = useRef(place);
  latestPlace.current = place;
  const handlers = useMemo(
    () => ({ ...drag.rows, open: (item: DocumentItem) => latestOpen.current(item) }),
    [drag.rows],
  );
  const renaming = useMemo((): Renaming | undefined => {
    if (renamed === undefined) return undefined;
    return {
      path: renamed,
      taken: latestPlace.current.isSearch ? [] : listing.knownNames(),
      async rename(item, name) {
        setIsRenaming(true);
        try {
          const { path } = await call('documents.rename', { path: item.path, name });
          setRenamedIn(undefined);
          latestPlace.current.showNew(path);
        } finally {
          setIsRenaming(false);
        }
      },
      onClose(isBack) {
        setRenamedIn(undefined);
        // Once the row has its name again.
        if (isBack) focusStop(area.current);
      },
    };
  }, [renamed, call, listing]);
  const { remote, columns } = useDocumentsTable(place, renaming, handlers);
  const searched = searchStatus(search);
  const isListed = isSearch || shown.status === 'ready';
  const isRenamedGone = useGoneRow(isRenaming || !isListed ? undefined : renamed, remote);
  useEffect(() => {
    if (renamed === undefined || !isRenamedGone) return;
    setRenamedIn(undefined);
    toasts.show({
      tone: 'warn',
      title: t('window.name-is-no-longer-here', { name: splitPath(renamed).name }),
      detail: t('window.another-program-moved-renamed-or'),
    });
    // Not to the next row: keys that are still meant for the name would act on it.
    requestAnimationFrame(() => focusHeading(area.current));
  }, [isRenamedGone]);

  const absolute = (path: string) =>
    isWindows ? `${root}\\${path.replaceAll('/', '\\')}` : `${root}/${path}`;
  const duplicate = async (path: string) => {
    const created = await duplicating.run({ path });
    if (created !== undefined) place.showNew(created.path);
  };
  const actions = documentActions(
    {
      open: ({ item }) => open(item),
      openDocument: (path, mode, editorId) => void opening.open(path, mode, editorId),
      editorsFor: opening.editorsFor,
      showAddress: (path) => void opening.showAddress(path),
      showInFolder: (path) => void place.leadTo(path),
      showVersions: (path, fileId) =>
        setVersionsOf((before) => ({ path, fileId, step: (before?.step ?? 0) + 1 })),
      rename: ({ item }) => setRenamedIn({ path: item.path, folder: shownFolder }),
      duplicate: (path) => void duplicate(path),
      move: setMoved,
      copyLink: (path) => void colleagueLink.copy(path),
      linkOpensDialog: colleagueLink.opensDialog,
      reveal: isInBrowser ? undefined : (path) => void reveal.run({ path }),
      copyPaths: (paths) => void copy.run({ text: paths.map(absolute).join('\n') }),
      trash: (paths) => void changes.trash(paths),
    },
    isSearch,
  );
  // The panel follows the selection.
  const [selectedPath] = selected.size === 1 ? selected : [];
  const selectedRow = selectedPath === undefined ? undefined : listing.itemAt(listing.indexOf(selectedPath));
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
  const problem = isSearch ? search.problem : shown.status === 'failed' ? shown.problem?.message : undefined;
  const isGone = !isSearch && shown.problem?.code === 'folder-unknown' && folder !== '';
  const failure =
    problem == null
      ? undefined
      : {
          sentence: problem,
          action: isGone ? (
            <Button onPress={() => place.openFolder('')}>{t('window.go-to-the-top-folder')}</Button>
          ) : (
            tryAgain
          ),
        };
  return (
    <DropArea
      folderName={folderName}
      isDisabled={shown.status === 'failed'}
      onDropped={(files) => void importFiles(files)}
    >
      <div ref={area} className="documents" {...drag.area}>
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
                  <span className="grow">
                    {t('window.this-list-may-be-out', { problem: shown.problem.message })}
                  </span>
                  {tryAgain}
                </div>
              </Notice>
            </div>
          )}
          <div className="documents-main">
            <DataTable<DocumentRow>
              label={
                isSearch
                  ? t('window.search-results')
                  : t('window.documents-in-folder', { folder: folderName })
              }
              count={(count) =>
                search.result?.isComplete === true
                  ? t('window.shown-of-all', {
                      shown: formatCount(count),
                      all: formatCount(search.result.searched),
                    })
                  : t('window.items', { count })
              }
              filterLabel={t('window.search-by-name')}
              columns={columns}
              {...(!isSearch && shown.status === 'loading' ? { rows: undefined } : { remote })}
              {...(failure !== undefined && { failure })}
              empty={{
                icon: 'documents',
                sentence: t('window.this-folder-is-empty-drop'),
                action: <NewDocumentMenu label={t('window.new-document')} onChoose={setNewThing} />,
              }}
              toolbar={
                searched === '' ? undefined : <span className="documents-searched muted">{searched}</span>
              }
              actions={actions}
              rowTone={({ lock }) => (lock?.state === 'stale' ? 'warn' : undefined)}
              reveal={place.reveal}
              selection={{ ids: selected, onChange: select }}
            />
            {versionsOf !== undefined && (
              <VersionsPanel
                key={versionsOf.fileId}
                path={versionsOf.path}
                fileId={versionsOf.fileId}
                focusStep={versionsOf.step}
                onChanged={refresh}
                onCreated={(path) => place.showNew(path)}
                onClose={() => {
                  setVersionsOf(undefined);
                  area.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus();
                }}
              />
            )}
          </div>
        </View>
      </div>
      {opening.dialogs}
      {colleagueLink.dialog}
      {isUsageShown && <UsageDialog onClose={() => setIsUsageShown(false)} />}
      {newThing !== undefined && (
        <NewDocumentDialog
          thing={newThing}
          folder={folder}
          folderName={folderName}
          taken={listing.knownNames()}
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

/** Once the row has its name again. */
function focusStop(area: HTMLElement | null) {
  requestAnimationFrame(() => area?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus());
}

/** Whether a row was in the list and left it. */
function useGoneRow(path: string | undefined, remote: Remote<DocumentRow>): boolean {
  const last = useRef<{ path: string; index: number }>(undefined);
  if (path === undefined) return false;
  const known = last.current?.path === path ? last.current.index : 0;
  for (let step = 0; step < Math.max(known + 1, remote.total - known); step += 1) {
    for (const index of [known - step, known + step]) {
      if (index < 0 || remote.rowAt(index)?.id !== path) continue;
      last.current = { path, index };
      return false;
    }
  }
  return last.current?.path === path;
}

interface DocumentActionHandlers {
  open(row: DocumentRow): void;
  openDocument(path: string, mode: 'edit' | 'view', editorId?: string): void;
  /** The default one is marked. */
  editorsFor(path: string): readonly RowChoice[];
  showAddress(path: string): void;
  showInFolder(path: string): void;
  showVersions(path: string, fileId: string): void;
  rename(row: DocumentRow): void;
  duplicate(path: string): void;
  move(paths: string[]): void;
  copyLink(path: string): void;
  linkOpensDialog: boolean;
  /** Undefined in a browser. */
  reveal: ((path: string) => void) | undefined;
  copyPaths(paths: string[]): void;
  trash(paths: string[]): void;
}

const isDocument = ({ item }: DocumentRow) => item.kind === 'document';

/** Actions on the rows, and their keys. */
function documentActions(handlers: DocumentActionHandlers, isSearch: boolean): RowAction<DocumentRow>[] {
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
      title: t('common.open'),
      icon: 'external',
      isPrimary: true,
      isInToolbar: true,
      takesMany: false,
      run: ([row]) => {
        if (row !== undefined) handlers.open(row);
      },
    },
    {
      id: 'open-with',
      title: t('window.open-with'),
      ...forDocument,
      choices: ([row]) => (row === undefined ? [] : handlers.editorsFor(row.item.path)),
      run: ([row], editorId) => {
        if (row !== undefined) handlers.openDocument(row.item.path, 'edit', editorId);
      },
    },
    {
      id: 'view',
      title: t('common.open-read-only'),
      icon: 'eye',
      ...forDocument,
      run: one((path) => handlers.openDocument(path, 'view')),
    },
    {
      id: 'versions',
      title: t('common.versions'),
      icon: 'history',
      ...forDocument,
      run: ([row]) => {
        if (row?.item.kind === 'document') handlers.showVersions(row.item.path, row.item.fileId);
      },
    },
    {
      id: 'colleague-link',
      title: handlers.linkOpensDialog
        ? t('window.copy-link-for-a-colleague-ask')
        : t('window.copy-link-for-a-colleague'),
      icon: 'copy',
      startsGroup: true,
      ...forDocument,
      run: one(handlers.copyLink),
    },
    ...(isSearch
      ? [
          {
            id: 'show-in-folder',
            title: t('window.show-in-its-folder'),
            icon: 'folder' as const,
            takesMany: false,
            run: one(handlers.showInFolder),
          },
        ]
      : []),
    ...(reveal === undefined
      ? []
      : [{ id: 'reveal', title: t('window.show-in-file-manager'), takesMany: false, run: one(reveal) }]),
    {
      id: 'move',
      title: t('window.move-to'),
      icon: 'folder',
      startsGroup: true,
      isInToolbar: true,
      run: many(handlers.move),
    },
    {
      id: 'rename',
      title: t('common.rename'),
      icon: 'edit',
      keys: 'F2',
      takesMany: false,
      run: ([row]) => {
        if (row !== undefined) handlers.rename(row);
      },
    },
    { id: 'duplicate', title: t('window.duplicate'), ...forDocument, run: one(handlers.duplicate) },
    {
      id: 'trash',
      title: t('window.move-to-trash'),
      icon: 'trash',
      keys: 'Delete',
      isDanger: true,
      startsGroup: true,
      isInToolbar: true,
      run: many(handlers.trash),
    },
    {
      id: 'advanced',
      title: t('window.advanced'),
      startsGroup: true,
      choices: (rows) => [
        {
          id: 'path',
          title: t('window.copy-paths', { count: rows.length }),
        },
        ...(rows.length === 1 && rows.every(isDocument)
          ? [{ id: 'address', title: t('window.show-wopi-address') }]
          : []),
      ],
      run: (rows, choice) => {
        if (choice === 'address') one(handlers.showAddress)(rows);
        else many(handlers.copyPaths)(rows);
      },
    },
  ];
}
