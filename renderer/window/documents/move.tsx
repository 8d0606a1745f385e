// Moving and copying into folders. Drops onto the view: files from elsewhere are copied into the shown folder, and rows are moved to the
// folder they are dropped on. While the view is shown, a file that misses it is dropped nowhere: a browser would open it and leave the window.
// Without a pointer: the dialog that asks for the folder, one folder's subfolders at a time, with the path to it and New folder.

import { useEffect, useMemo, useRef, useState, type DragEvent, type ReactNode } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { t } from '../../../app/contract/messages.ts';
import { parentOf } from '../../../app/contract/names.ts';
import { useLoad, useTask } from '../parts/action.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog, Notice } from '../../kit/dialog.tsx';
import { splitPath } from '../parts/format.ts';
import { Icon } from '../../kit/icon.tsx';
import { useToasts } from '../../kit/toast.tsx';
import { Skeleton } from '../../kit/blocks.tsx';
import { CallError, type Call } from '../state/call.ts';
import { useImportFiles } from '../state/window-context.tsx';
import { FolderPath, NewDocumentDialog } from './header.tsx';
import { pagesOf } from './listing.ts';

/** Only for this window: other programs get nothing of a dragged row. */
const rowsType = 'application/x-doctray-rows';

export function DropArea(props: {
  folderName: string;
  isDisabled: boolean;
  onDropped(files: File[]): void;
  children: ReactNode;
}) {
  const area = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    const keepHere = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', keepHere);
    window.addEventListener('drop', keepHere);
    return () => {
      window.removeEventListener('dragover', keepHere);
      window.removeEventListener('drop', keepHere);
    };
  }, []);

  const isMeant = (event: DragEvent) => !props.isDisabled && event.dataTransfer.types.includes('Files');
  return (
    <div
      ref={area}
      className="documents-drop-area fill"
      onDragEnter={(event) => {
        if (isMeant(event)) setIsOver(true);
      }}
      onDragOver={(event) => {
        if (!isMeant(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        const to = event.relatedTarget;
        if (!(to instanceof Node) || area.current?.contains(to) !== true) setIsOver(false);
      }}
      onDrop={(event) => {
        setIsOver(false);
        if (!isMeant(event)) return;
        event.preventDefault();
        props.onDropped([...event.dataTransfer.files]);
      }}
    >
      {props.children}
      {isOver && (
        <div className="documents-drop" role="status">
          <Icon name="download" size={28} />
          {t('window.drop-to-copy-into-folder', { folder: props.folderName })}
        </div>
      )}
    </div>
  );
}

/** Copies files of this computer into the shown folder, as jobs of the host. */
export function useImport(folderPath: string): {
  jobIds: readonly string[];
  importFiles(files: readonly File[]): Promise<void>;
} {
  const send = useImportFiles();
  const toasts = useToasts();
  const [jobIds, setJobIds] = useState<readonly string[]>([]);
  const { run } = useTask(
    async (_call, files: readonly File[]) => {
      const imported = await send(folderPath, files);
      setJobIds((before) => [...before, ...imported.jobIds]);
      if (imported.withoutPath > 0) {
        toasts.show({
          tone: 'warn',
          title: t('window.items-cant-be-copied', { count: imported.withoutPath }),
          detail: t('window.only-files-and-folders-on'),
        });
      }
      if (imported.failure !== null) throw new CallError(imported.failure.code, imported.failure.message);
    },
    { failure: t('window.cant-copy-the-files'), canOverlap: true },
  );
  return { jobIds, importFiles: run };
}

/**
 * Drags rows by their names onto folders: rows of the table (`data-row`) and parts of the path (`data-folder`). The elements under the
 * pointer are marked directly, since drawing the table again with each move would be too slow.
 */
export function useRowDrag(input: {
  selected: ReadonlySet<string>;
  isFolder(path: string): boolean;
  onMove(paths: readonly string[], folderPath: string): void;
}) {
  const latest = useRef(input);
  latest.current = input;
  const dragged = useRef<readonly string[]>([]);
  const marked = useRef<HTMLElement>(undefined);

  const mark = (element: HTMLElement | undefined) => {
    if (marked.current === element) return;
    marked.current?.removeAttribute('data-drop');
    element?.setAttribute('data-drop', '');
    marked.current = element;
  };
  /** The folder under the pointer, if the rows can be moved there. */
  const targetOf = (event: DragEvent): { element: HTMLElement; folder: string } | undefined => {
    if (!event.dataTransfer.types.includes(rowsType) || dragged.current.length === 0) return undefined;
    const { target } = event;
    const element =
      target instanceof Element ? target.closest<HTMLElement>('[data-row], [data-folder]') : null;
    const folder = element?.dataset.folder ?? element?.dataset.row;
    if (element === null || folder === undefined) return undefined;
    if (element.dataset.folder === undefined && !latest.current.isFolder(folder)) return undefined;
    const isPointless = dragged.current.every((path) => parentOf(path) === folder);
    const isInside = dragged.current.some((path) => folder === path || folder.startsWith(`${path}/`));
    return isPointless || isInside ? undefined : { element, folder };
  };

  const rows = useMemo(
    () => ({
      startDrag(event: DragEvent, path: string) {
        const { selected } = latest.current;
        dragged.current = selected.has(path) ? [...selected] : [path];
        event.dataTransfer.setData(rowsType, '');
        event.dataTransfer.effectAllowed = 'move';
        const image = document.createElement('div');
        image.className = 'documents-drag cut';
        image.textContent = t('window.name-or-items', {
          count: dragged.current.length,
          name: splitPath(path).name,
        });
        document.body.append(image);
        event.dataTransfer.setDragImage(image, -12, -8);
        // The browser takes its picture of the element after this event.
        setTimeout(() => image.remove());
      },
      endDrag() {
        dragged.current = [];
        mark(undefined);
      },
    }),
    [],
  );
  const area = {
    onDragOver(event: DragEvent) {
      const target = targetOf(event);
      mark(target?.element);
      if (target === undefined) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    onDragLeave(event: DragEvent) {
      const to = event.relatedTarget;
      if (!(to instanceof Node) || !event.currentTarget.contains(to)) mark(undefined);
    },
    onDrop(event: DragEvent) {
      const target = targetOf(event);
      mark(undefined);
      if (target === undefined) return;
      event.preventDefault();
      latest.current.onMove(dragged.current, target.folder);
    },
  };
  return { rows, area };
}

export function MoveDialog(props: {
  paths: readonly string[];
  rootName: string;
  onMove(folderPath: string, folderName: string): void;
  onClose(): void;
}) {
  const { paths, rootName } = props;
  const [folder, setFolder] = useState(() => parentOf(paths[0] ?? ''));
  const [isNaming, setIsNaming] = useState(false);
  const moved = useMemo(() => new Set(paths), [paths]);
  const { answer, problem } = useLoad(folder, async (caller) => foldersIn(caller, folder));
  const folders = problem === null ? answer : [];
  // A folder can't be moved into itself.
  const shown = folders?.filter((path) => !moved.has(path));
  const isHere = paths.every((path) => parentOf(path) === folder);
  const folderName = folder === '' ? rootName : splitPath(folder).name;
  const [first = ''] = paths;
  return (
    <>
      <Dialog
        title={t('window.move-items-to', { count: paths.length, name: splitPath(first).name })}
        onClose={props.onClose}
        buttons={
          <Button icon="plus" className="documents-move-new" onPress={() => setIsNaming(true)}>
            {t('window.new-folder')}
          </Button>
        }
        confirm={{
          label: t('window.move-here'),
          isDisabled: isHere || problem !== null,
          onPress: () => props.onMove(folder, folderName),
        }}
      >
        <FolderPath folder={folder} rootName={rootName} onGo={setFolder} />
        {problem !== null && <Notice tone="bad">{problem.message}</Notice>}
        <div className="section-body documents-folders">
          {shown === undefined ? (
            <Skeleton rows={4} />
          ) : shown.length === 0 ? (
            // Not an empty ListBox: with its autofocus, Tab would never leave it.
            <p key={folder} className="stack empty" tabIndex={-1} ref={focusOnce}>
              {t('window.no-folders-in-here')}
            </p>
          ) : (
            <ListBox
              key={folder}
              aria-label={t('window.folders-in-folder', { folder: folderName })}
              className="menu"
              items={shown.map((path) => ({ id: path, name: splitPath(path).name }))}
              onAction={(key) => setFolder(String(key))}
              autoFocus="first"
              shouldFocusOnHover
            >
              {({ id, name }) => (
                <ListBoxItem id={id} textValue={name} className="line menu-item">
                  <span className="cell tone-info">
                    <Icon name="folder" />
                  </span>
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
            {t('window.already-in-folder', { count: paths.length, folder: folderName })}
          </p>
        )}
      </Dialog>
      {isNaming && (
        <NewDocumentDialog
          thing="folder"
          folder={folder}
          folderName={folderName}
          taken={(folders ?? []).map((path) => splitPath(path).name)}
          onCreated={(path) => {
            setIsNaming(false);
            setFolder(path);
          }}
          onClose={() => setIsNaming(false)}
        />
      )}
    </>
  );
}

function focusOnce(element: HTMLElement | null) {
  element?.focus();
}

/** Up to the first document. */
async function foldersIn(call: Call, path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const items of pagesOf(call, path)) {
    const folders = items.filter(({ kind }) => kind === 'folder');
    found.push(...folders.map((item) => item.path));
    if (folders.length < items.length) break;
  }
  return found;
}
