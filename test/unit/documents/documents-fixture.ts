// The document commands over real folders and a real database, with the services that services.ts would construct. The disk, the
// trash and desktop programs can be made to fail.

import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { User } from '../../../app/store/users.ts';
import type { WindowParts } from '../../../app/commands/command.ts';
import { runCommand, windowCaller, type CommandArgs } from '../../../app/commands/commands.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { AppError } from '../../../app/contract/errors.ts';
import { createEvents, type HostEvent } from '../../../app/contract/events.ts';
import { createConflictCopies } from '../../../app/documents/conflict-copies.ts';
import { createDocumentChanges } from '../../../app/documents/document-changes.ts';
import { createFolderView } from '../../../app/documents/folder-view.ts';
import { createImports } from '../../../app/documents/import.ts';
import { createJobs } from '../../../app/documents/jobs.ts';
import { createNewDocuments } from '../../../app/documents/new-document.ts';
import { createRecent } from '../../../app/documents/recent.ts';
import { createSearch } from '../../../app/documents/search.ts';
import type { Choice } from '../../../app/editors/action-choice.ts';
import type { DesktopLock } from '../../../app/files/desktop-lock.ts';
import type { TrashedPlace } from '../../../app/files/trash.ts';
import { pruneVersions } from '../../../app/files/version-history.ts';
import type { HostedFolders } from '../../../app/host/hosted-folders.ts';
import type { Services } from '../../../app/host/services.ts';
import type { SharedServices } from '../../../app/host/shared.ts';
import { createJournal } from '../../../app/log/journal.ts';
import { createFolderWatch } from '../../../app/live-state/folder-watch.ts';
import type { OpenDocument, OpenInEditor } from '../../../app/server/document-access.ts';
import { createConflictsTable } from '../../../app/store/conflicts.ts';
import { createFilesTable } from '../../../app/store/files.ts';
import { createImportFoldersTable } from '../../../app/store/import-folders.ts';
import { createRecentTable } from '../../../app/store/recent.ts';
import { createVersionUsageTable } from '../../../app/store/version-usage.ts';
import { minute, openRoom, present, type Room, type RoomOptions } from '../files/files-fixture.ts';
import { fakeDesktop, type Run } from '../live-state/window-fixture.ts';

export const owner: User = {
  id: 'owner1',
  login: 'owner',
  displayName: 'Olga Owner',
  role: 'owner',
  createdAtMs: 0,
};

export type DocumentRoom = Awaited<ReturnType<typeof openDocumentRoom>>;

export async function openDocumentRoom(t: TestContext, options: RoomOptions = {}) {
  const room = await openRoom(t, options);
  const pushes: string[] = [];
  /** The tables of the `row-changed` events. */
  const changed: string[] = [];
  const desktop = fakeDesktop();
  const failures: unknown[] = [];
  const settings: { desktopLocks: 'block' | 'warn' | 'ignore' } = { desktopLocks: 'block' };
  const faults: {
    isAway: boolean;
    problem: AppError | undefined;
    desktopLock: DesktopLock | undefined;
    trash: ((absolute: string) => Promise<TrashedPlace[] | void>) | undefined;
    editsWord: boolean;
  } = { editsWord: false, isAway: false, problem: undefined, desktopLock: undefined, trash: undefined };

  const events = createEvents((error) => void failures.push(error));
  events.on('row-changed', ({ table }) => void changed.push(table));
  // The room only collects events in a list; listeners must get them, too.
  const push = (...added: HostEvent[]): number => {
    for (const event of added) {
      room.events[room.events.length] = event;
      events.emit(event);
    }
    return room.events.length;
  };
  Object.defineProperty(room.events, 'push', { value: push });

  const clock = (): number => room.time.nowMs;
  const hosted = () => ({ folder: room.folder, documents: room.documents });
  const folders = {
    active: () => (faults.problem === undefined ? hosted() : undefined),
    require() {
      if (faults.problem !== undefined) throw faults.problem;
      return hosted();
    },
  } as unknown as HostedFolders;
  const open = () => {
    const ending = new AbortController();
    const conflicts = createConflictsTable(room.db);
    events.on('conflict-copy-made', (event) => {
      if (room.db.open) createConflictsTable(room.db).insert({ ...event, madeAtMs: clock() });
    });
    const shared = {
      dataDir: room.dataDir,
      clock,
      events,
      emit: (event: HostEvent) => void (event.event === 'row-changed' ? events.emit(event) : push(event)),
      settings: { current: () => settings },
      users: {
        list: () => [owner],
        ownerId: () => owner.id,
        byId: (id: string) => (id === owner.id ? owner : undefined),
      },
      editors: {
        choose() {
          if (!faults.editsWord) throw new AppError('no-editor');
          return { canEdit: true } as Choice;
        },
      },
      locks: {
        isHeld: (fileId: string) => (room.locks.get(fileId)?.expiresAtMs ?? 0) > clock(),
        find: () => ({ user: 'anna', userName: 'Anna' }),
      },
      store: { db: room.db },
      transaction: <T>(work: () => T): T => room.db.transaction(work).immediate(),
      filesTable: createFilesTable(room.db),
      conflicts,
      importFolders: createImportFoldersTable(room.db),
      recentTable: createRecentTable(room.db),
      versionUsage: createVersionUsageTable(room.db),
      mutex: room.mutex,
      journal: createJournal({ capacity: 100 }),
      tempNames: room.tempNames,
      diskSpace: room.diskSpace,
    } as unknown as SharedServices;
    const jobs = createJobs({
      onChange: () => events.emit({ event: 'row-changed', table: 'jobs' }),
      clock: () => performance.now(),
      onError: (error) => void failures.push(error),
    });
    return {
      ...shared,
      folders,
      versions: {
        list: (fileId: string) => room.versions.list(fileId),
        restore: (fileId: string, version: string, by: string) => room.versions.restore(fileId, version, by),
        prune: (watch: Parameters<typeof pruneVersions>[2]) =>
          pruneVersions(
            { table: room.versionsTable, versionFiles: room.versionFiles, mutex: room.mutex, clock },
            { days: 30, count: 1 },
            watch,
          ),
      },
      recoveredSaves: room.recoveredSaves,
      endLongWork: () => ending.abort(),
      jobs,
      conflictCopies: createConflictCopies({ ...shared, folders }),
      recent: createRecent({ ...shared, folders }),
      folderView: createFolderView(),
      search: createSearch({ ending: ending.signal }),
      newDocuments: createNewDocuments({
        ...shared,
        loadTemplates: async () => ({
          templates: [{ id: 'word', title: 'Word document', extension: 'docx' }],
          blankDocument: (id) => Buffer.from(`blank ${id}`),
          samples: () => [
            { name: 'Welcome.md', bytes: Buffer.from('welcome') },
            { name: 'Welcome.docx', bytes: Buffer.from('welcome to Word') },
          ],
        }),
      }),
      documentChanges: createDocumentChanges({
        ...shared,
        moveToTrash: (absolute) => (faults.trash ?? ((path) => moveAside(room, path)))(absolute),
        findDesktopLock: async () => faults.desktopLock,
      }),
      imports: createImports({ ...shared, jobs, ending: ending.signal }),
    } as unknown as Services;
  };
  let services = open();
  const { restart } = room;
  room.restart = async () => {
    await restart();
    services = open();
  };
  let isPaused = false;
  const host = {
    get services() {
      return services;
    },
    async openDocument({ path, mode }: Parameters<OpenDocument>[0]) {
      if (isPaused) throw new AppError('paused');
      const { id } = await room.folder.openPath(path);
      return {
        fileId: id,
        wopiSrc: `http://127.0.0.1/wopi/files/${id}`,
        accessToken: `token-${mode}`,
        accessTokenTtl: room.time.nowMs + minute,
        hostEditUrl: '',
        hostViewUrl: '',
      };
    },
    async openInEditor({ user, path, mode, editorId }: Parameters<OpenInEditor>[0]) {
      if (isPaused) throw new AppError('paused');
      if (!path.endsWith('.docx')) throw new AppError('no-editor');
      const file = await room.folder.openPath(path);
      return {
        fileId: file.id,
        path: file.path,
        editorId: editorId ?? 'default',
        editorName: 'Office',
        url: `http://127.0.0.1/${mode}/${file.id}?ticket=of-${user.login}`,
      };
    },
  };
  const keeper = { host: () => (faults.isAway ? undefined : host) };
  const folderWatch = createFolderWatch({
    jail: () => room.jail,
    onDirty: () => services.folderView.forget(),
    onChange: (path) => void pushes.push(path),
    pauseMs: () => 0,
  });
  /** The parts of the window that the document commands use. */
  const window = {
    keeper,
    requireHost() {
      const running = keeper.host();
      if (running === undefined) throw new AppError('host-away');
      return running;
    },
    desktop,
    folderWatch,
  } as unknown as WindowParts;
  const run = ((name, args) => runCommand(windowCaller(window, 'app'), name, args)) as Run;
  t.after(async () => {
    folderWatch.close();
    await services.jobs.close();
    await room.mutex.idle();
  });

  return {
    room,
    services: () => services,
    jobs: () => services.jobs.items('window'),
    recent: () => services.recent.list(),
    conflicts: () => services.conflictCopies.list(),
    pushes,
    folderWatch,
    changed,
    desktop,
    failures,
    settings,
    faults,
    emit: events.emit,
    pause: () => void (isPaused = true),

    run,
    async list(path = '', change: Partial<CommandArgs<'documents.list'>> = {}) {
      const args = {
        path,
        startIndex: 0,
        count: 1000,
        ...change,
      } as const;
      return run('documents.list', args);
    },
    /** Waits for the job to end. */
    async ended(jobId: string) {
      for (;;) {
        const job = present(services.jobs.items('window').find(({ id }) => id === jobId));
        if (job.state !== 'running') return job;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  };
}

export function namesOf({ items }: { items: DocumentItem[] }): string[] {
  return items.map(({ name }) => name);
}

async function moveAside(room: Room, absolute: string): Promise<TrashedPlace[]> {
  const place = { absolute: join(room.trash, basename(absolute)) };
  await rename(absolute, place.absolute);
  return [place];
}
