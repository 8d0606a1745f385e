// The window's document commands over a room of real folders and a real database, as window-host.ts wires them over a host: in
// the room, the disk, the trash and desktop programs can be made to fail.

import { rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { User } from '../../../app/accounts/user.ts';
import type { WindowParts } from '../../../app/commands/command.ts';
import { runCommand, windowCaller, type CommandArgs } from '../../../app/commands/commands.ts';
import type { DocumentItem } from '../../../app/contract/results.ts';
import { AppError } from '../../../app/contract/errors.ts';
import type { HostEvent } from '../../../app/contract/events.ts';
import type { Choice } from '../../../app/editors/action-choice.ts';
import type { DesktopLock } from '../../../app/files/desktop-lock.ts';
import { pruneVersions } from '../../../app/files/version-history.ts';
import type { OpenDocument, OpenInEditor } from '../../../app/server/document-access.ts';
import { createConflictsTable } from '../../../app/store/conflicts.ts';
import { createFilesTable } from '../../../app/store/files.ts';
import { createImportFoldersTable } from '../../../app/store/import-folders.ts';
import { createRecentTable } from '../../../app/store/recent.ts';
import { createVersionUsageTable } from '../../../app/store/version-usage.ts';
import { createConflicts } from '../../../app/window/conflicts.ts';
import { createDocumentDesk } from '../../../app/window/document-desk.ts';
import type { DocumentServices } from '../../../app/window/document-services.ts';
import { createJobs } from '../../../app/window/jobs.ts';
import { createRecent } from '../../../app/window/recent.ts';
import { minute, nothing, openRoom, present, type Room, type RoomOptions } from '../files/files-fixture.ts';
import { fakeDesktop, type Run } from './window-fixture.ts';

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
  const listeners = new Set<(event: HostEvent) => void>();
  const pushes: string[] = [];
  const marks: string[] = [];
  const desktop = fakeDesktop();
  const failures: unknown[] = [];
  const settings: { desktopLocks: 'block' | 'warn' | 'ignore' } = { desktopLocks: 'block' };
  const faults: {
    isAway: boolean;
    problem: AppError | undefined;
    desktopLock: DesktopLock | undefined;
    trash: ((absolute: string) => Promise<void>) | undefined;
    editsWord: boolean;
  } = { editsWord: false, isAway: false, problem: undefined, desktopLock: undefined, trash: undefined };

  const tell = (event: HostEvent): void => {
    // As compose-services does.
    if (event.event === 'conflict-copy-made')
      createConflictsTable(room.db).insert({ ...event, madeAtMs: room.time.nowMs });
    for (const listener of listeners) listener(event);
  };
  // The room keeps its events in a list; a host's are heard as they come.
  const push = (...events: HostEvent[]): number => {
    for (const event of events) {
      room.events[room.events.length] = event;
      tell(event);
    }
    return room.events.length;
  };
  Object.defineProperty(room.events, 'push', { value: push });

  /** Looks everything up in the room each time: `room.restart` replaces it. */
  const services: DocumentServices = {
    dataDir: room.dataDir,
    emit: (event) => void room.events.push(event),
    settings: { current: () => settings },
    users: { list: () => [owner], byId: (id) => (id === owner.id ? owner : undefined) },
    editors: {
      choose() {
        if (!faults.editsWord) throw new AppError('no-editor');
        return { canEdit: true } as Choice;
      },
    },
    locks: { isHeld: (fileId) => (room.locks.get(fileId)?.expiresAtMs ?? 0) > room.time.nowMs },
    versions: {
      list: (fileId) => room.versions.list(fileId),
      restore: (fileId, version) => room.versions.restore(fileId, version),
      prune: (watch) =>
        pruneVersions(
          {
            table: room.versionsTable,
            versionFiles: room.versionFiles,
            mutex: room.mutex,
            clock: () => room.time.nowMs,
          },
          { days: 30, count: 1 },
          watch,
        ),
    },
    get store() {
      return { db: room.db };
    },
    transaction: (work) => room.db.transaction(work).immediate(),
    get filesTable() {
      return createFilesTable(room.db);
    },
    get conflicts() {
      return createConflictsTable(room.db);
    },
    get importFolders() {
      return createImportFoldersTable(room.db);
    },
    get recentTable() {
      return createRecentTable(room.db);
    },
    get versionUsage() {
      return createVersionUsageTable(room.db);
    },
    get recoveredSaves() {
      return room.recoveredSaves;
    },
    get mutex() {
      return room.mutex;
    },
    get tempNames() {
      return room.tempNames;
    },
    get diskSpace() {
      return room.diskSpace;
    },
    folders: {
      active: () => (faults.problem === undefined ? hosting() : undefined),
      require() {
        if (faults.problem !== undefined) throw faults.problem;
        return hosting();
      },
    },
  };
  const hosting = () => ({ folder: room.folder, documents: room.documents });
  let isPaused = false;
  const host = {
    services,
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
  const keeper = {
    host: () => (faults.isAway ? undefined : host),
    onEvent(listener: (event: HostEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const parts = {
    services: () => keeper.host()?.services,
    clock: () => room.time.nowMs,
  };
  const changed: string[] = [];
  const jobs = createJobs({
    onChange: nothing,
    clock: () => performance.now(),
    onError: (error) => void failures.push(error),
  });
  const recent = createRecent({ ...parts, onChange: () => void changed.push('recent') });
  const conflicts = createConflicts({ ...parts, onChange: () => void changed.push('conflicts') });
  const desk = createDocumentDesk({
    keeper,
    clock: parts.clock,
    log: { warn: (fields) => void failures.push(fields) },
    jobs,
    recent,
    conflicts,
    loadTemplates: async () => ({
      templates: [
        { id: 'word', title: 'Word document', extension: 'docx' },
        { id: 'empty', title: 'Nothing', extension: 'txt' },
      ],
      blankDocument: (id) => Buffer.from(id === 'empty' ? '' : `blank ${id}`),
      samples: () => [
        { name: 'Welcome.md', bytes: Buffer.from('welcome') },
        { name: 'Welcome.docx', bytes: Buffer.from('welcome to Word') },
      ],
    }),
    pushFolderChanged: ({ path }) => void pushes.push(path),
    mark: (what) => void marks.push(what),
    moveToTrash: (absolute) => (faults.trash ?? ((path) => moveAside(room, path)))(absolute),
    findDesktopLock: async () => faults.desktopLock,
  });
  /** What the document commands ask for. */
  const window = {
    keeper,
    requireHost() {
      const running = keeper.host();
      if (running === undefined) throw new AppError('host-away');
      return running;
    },
    desktop,
    clock: parts.clock,
    live: { mark: (what: string) => void marks.push(what) },
    jobs,
    conflicts,
    documents: desk,
  } as unknown as WindowParts;
  const run = ((name, args) => runCommand(windowCaller(window), name, args)) as Run;
  t.after(async () => {
    desk.close();
    await jobs.close();
    await room.mutex.idle();
  });

  return {
    room,
    services,
    jobs,
    recent,
    conflicts,
    pushes,
    marks,
    changed,
    desktop,
    failures,
    settings,
    faults,
    tell,
    listeners,
    close: desk.close,
    pause: () => void (isPaused = true),

    run,
    async list(path = '', change: Partial<CommandArgs<'documents.list'>> = {}) {
      const args = {
        path,
        startIndex: 0,
        count: 1000,
        sort: 'name',
        isDescending: false,
        ...change,
      } as const;
      return run('documents.list', args);
    },
    /** Waits for the job to end. */
    async ended(jobId: string) {
      for (;;) {
        const job = present(jobs.items().find(({ id }) => id === jobId));
        if (job.state !== 'running') return job;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  };
}

export function namesOf({ items }: { items: DocumentItem[] }): string[] {
  return items.map(({ name }) => name);
}

/** Waits until it holds; the test's own limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

function moveAside(room: Room, absolute: string): Promise<void> {
  return rename(absolute, join(room.trash, basename(absolute)));
}
