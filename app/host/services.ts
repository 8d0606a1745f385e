// The services of one data folder: the shared ones and the hosted folders, without a listener. The host uses them, and the
// terminal opens them itself if no host is running.

import { chmod } from 'node:fs/promises';
import type { PasswordCost } from '../accounts/password.ts';
import type { Clock } from '../contract/clock.ts';
import type { Detection } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import type { EmitEvent } from '../contract/events.ts';
import { megabyte } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { createConflictCopies } from '../documents/conflict-copies.ts';
import { createDocumentChanges } from '../documents/document-changes.ts';
import { createFolderView } from '../documents/folder-view.ts';
import { createImports } from '../documents/import.ts';
import { createJobs } from '../documents/jobs.ts';
import { createNewDocuments } from '../documents/new-document.ts';
import { createRecent } from '../documents/recent.ts';
import { createSearch } from '../documents/search.ts';
import { createAddressSearch } from '../editors/address-search.ts';
import { createFolders } from '../files/create-folders.ts';
import { diskRefusal } from '../files/disk-error.ts';
import { createRecoveredSaves } from '../files/recovered-saves.ts';
import { pruneVersions } from '../files/version-history.ts';
import type { Logger } from '../log/logger.ts';
import { encodeTariffCacheItem } from '../settings/tenant-limits.ts';
import { checkSecretsVariable } from '../secrets/secret-store.ts';
import type { FileRow } from '../store/files.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { createTenantsTable } from '../store/tenants.ts';
import { createRecoveredTable } from '../store/versions.ts';
import { systemTime, type TimeSource } from '../time/host-clock.ts';
import { isWriteProtected } from '../wopi/permissions.ts';
import { candidateNames, recoveredName } from '../wopi/target-names.ts';
import { createUnhostedOperations } from '../wopi/operations/unhosted-folder.ts';
import { createUploads } from '../wopi/upload.ts';
import { createHostedFolder } from './hosted-folder.ts';
import { createHostedFolders } from './hosted-folders.ts';
import { createSharedServices, newShortId } from './shared.ts';

export interface ServiceOptions {
  /** Where database, secrets, settings and kept versions are; created with mode 0700. */
  dataDir: string;
  /** Folder to host instead of the one in the settings. */
  folder?: string;
  /** Creates the folder to host if none is chosen, and returns its path. */
  defaultFolder?: () => Promise<string>;
  /** Starts even if no folder is chosen, or the chosen one is missing: the window can choose one. */
  isFolderOptional?: boolean;
  /** The base address for editors, instead of the setting. */
  publicUrl?: string;
  /** The computer's clock. */
  clock?: Clock;
  /** Real time that doesn't change when the clock is set; without it, a given clock counts as never set. */
  uptimeMs?: () => number;
  /** For tests that start many hosts: a hash takes a tenth of a second of a processor by default. */
  passwordCost?: PasswordCost;
  /** A person may be there to unlock the keychain. */
  isAttended?: boolean;
  onKeychainWaiting?: (isWaiting: boolean) => void;
  log: Logger;
  emit?: EmitEvent;
}

export type Services = Awaited<ReturnType<typeof build>>;

/**
 * Opens a data folder and all its services, without listening.
 * @throws AppError data-folder-busy, data-folder-invalid, database-newer, database-not-upgraded, settings-invalid,
 * secret-store-unreachable, invalid-argument
 */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { dataDir, log, clock, emit = () => undefined } = options;
  const source = clock === undefined ? systemTime : timeBy(clock, options.uptimeMs ?? clock);
  checkSecretsVariable();
  await makePrivate(dataDir);
  const store = openStore({
    dataDir,
    clock: source.wallMs,
    onNotice: (sentence, renamedTo) => {
      log.error({}, sentence);
      emit({ event: 'database-rebuilt', sentence, renamedTo });
    },
  });
  try {
    return await build({ ...options, source, emit }, store);
  } catch (error) {
    closeStore(store, log);
    throw error;
  }
}

function timeBy(wallMs: Clock, uptimeMs: () => number): TimeSource {
  return { wallMs, uptimeMs, awakeMs: uptimeMs };
}

/** A database that can't take its last write is closed anyway, and doesn't hide why the host stops. */
function closeStore(store: Store, log: Logger): void {
  try {
    store.close();
  } catch (error) {
    log.error({ err: error }, 'The last write to the database failed. The next start checks it.');
  }
}

async function build(options: ServiceOptions & { source: TimeSource; emit: EmitEvent }, store: Store) {
  const { dataDir, log, source } = options;
  const shared = await createSharedServices({
    dataDir,
    store,
    publicUrl: options.publicUrl,
    passwordCost: options.passwordCost,
    isAttended: options.isAttended,
    onKeychainWaiting: options.onKeychainWaiting,
    log,
    source,
  });
  const { events } = shared;
  const { clock, emit, settings, filesTable, versionsTable, versionFiles, mutex, tempNames, onError } =
    shared;

  const recoveredSaves = createRecoveredSaves({
    table: createRecoveredTable(store.db, shared.time.livedMs),
    prunedBefore: versionsTable.prunedBefore,
    directory: shared.recoveredDirectory,
    clock,
    emit,
    log,
    quota() {
      const { recoveredMB, recoveredTokenMB } = settings.current();
      return { totalBytes: recoveredMB * megabyte, tokenBytes: recoveredTokenMB * megabyte };
    },
    newId: newShortId,
    tempName: tempNames.next,
    openFolder: (fileId, path) => folders.require(fileId).folder.jail.openFolder(path),
    async createDocument(fileId, { folderPath, name, incoming }) {
      const origin = { savedAtMs: clock(), savedBy: null, savedHow: 'recovered' };
      const { documents } = folders.require(fileId);
      const created = await documents.create({ folderPath, names: candidateNames(name), incoming, origin });
      if (created === undefined) throw new AppError('no-free-name');
      return created.row.path;
    },
    async replaceDocument(fileId, { recoveredId, incoming, savedBy, tokenId }) {
      const { folder, content } = folders.require(fileId);
      return mutex.run(fileId, async () => {
        const found = await folder.findHeld(fileId);
        if (found === undefined) throw new AppError('file-missing');
        if (shared.missedSaves.get(fileId)?.keptId !== recoveredId) throw new AppError('save-outdated');
        const held = shared.locks.state(fileId);
        const isOwn =
          held.kind === 'locked' &&
          tokenId !== null &&
          shared.locks.isOwn(held.lock, { id: tokenId, pageSessionId: null });
        if (held.kind === 'locked' && !isOwn) throw new AppError('file-locked');
        if (isWriteProtected(found))
          throw new AppError('disk-refused', { detail: () => t('host.document-is-write-protected') });
        const origin = { savedAtMs: clock(), savedBy, savedHow: 'recovered' };
        // The session that sent it continues from it.
        const record = (row: FileRow): void => {
          if (tokenId !== null) shared.locks.recordSave(row, undefined, { id: tokenId });
        };
        const saved = await content.replace({ found, incoming, origin, record });
        if (saved === undefined) throw new AppError('file-changed');
        return saved.row.path;
      });
    },
    recoveredName,
  });
  const uploads = createUploads({
    tempName: tempNames.next,
    incomingDirectory: shared.recoveredDirectory,
    recoveredSaves,
    clock,
    isUser: (id) => shared.users.byId(id) !== undefined,
    onError,
  });
  const folders = createHostedFolders({
    dataDir,
    tenants: createTenantsTable(store.db),
    files: filesTable,
    clock,
    emit,
    log,
    open: (jail, tenantId) => createHostedFolder({ ...shared, recoveredSaves, uploads }, jail, tenantId),
  });

  const openChosenFolder = async (): Promise<void> => {
    const chosen = options.folder ?? settings.current().folder;
    // The window's first run asks before creating one.
    const isAsked = options.isFolderOptional === true && !settings.current().windowFirstRunDone;
    const isRemembered = (options.folder ?? null) === null;
    await folders.open(chosen ?? (isAsked ? null : (options.defaultFolder ?? null)), isRemembered);
    const opened = folders.active()?.folder.root;
    if (chosen !== null || opened === undefined) return;
    try {
      // From now on a missing default folder is an error, not a reason to create it again.
      await settings.update({ folder: opened });
    } catch (error) {
      log.warn({ err: error }, 'The folder couldn’t be saved for the next start.');
    }
  };
  await openChosenFolder();
  for (const { id, fileId, receivedAtMs } of await recoveredSaves.adoptOrphans(filesTable.shownPath))
    shared.missedSaves.set(fileId, { kind: 'recovered', keptId: id, atMs: receivedAtMs });

  events.on('settings-changed', () => {
    for (const { folder } of folders.all()) {
      shared.tenantLimits.invalidate(encodeTariffCacheItem({ tenantId: folder.tenantId }));
    }
  });
  const ending = new AbortController();
  const jobs = createJobs({
    onChange: () => emit({ event: 'row-changed', table: 'jobs' }),
    onError: (error) => onError(error, 'A job failed.'),
  });
  const conflictCopies = createConflictCopies({ ...shared, folders });
  // The last listener: what it reads after an event is up to date.
  events.onAny(options.emit);

  let containersClosed: Promise<void> | undefined;
  return {
    ...shared,
    recoveredSaves,
    jobs,
    conflictCopies,
    recent: createRecent({ ...shared, folders }),
    folderView: createFolderView(),
    search: createSearch({ ending: ending.signal }),
    newDocuments: createNewDocuments(shared),
    documentChanges: createDocumentChanges(shared),
    imports: createImports({ ...shared, jobs }),
    addressSearch: createAddressSearch(),
    /** The active one, and those with documents that can still be saved after a switch. */
    folders,
    /** Opens the chosen folder, else the default one and saves it as the chosen one. Never throws for a folder: see `folders.problem`. */
    openChosenFolder,
    /** The active one. Undefined until one is chosen, and while the chosen one can't be opened. */
    folder: () => folders.active()?.folder,
    /** Answers calls for documents of a folder that isn't hosted. */
    unhosted: {
      accessTokens: shared.accessTokens,
      locks: shared.locks,
      clock,
      folder: { find: async () => undefined },
      externalChanges: { canResume: async () => true },
      operations: createUnhostedOperations({
        uploads,
        pathOf: (fileId) => filesTable.byId(fileId)?.path ?? 'document',
      }),
    },
    versions: {
      list: (fileId: string) => folders.forFile(fileId)?.versions.list(fileId) ?? [],
      restore: async (fileId: string, version: string, by: string) =>
        folders.require(fileId).versions.restore(fileId, version, by),
      /** Removes the versions that the settings no longer keep. @returns how many */
      prune(watch: Parameters<typeof pruneVersions>[2] = {}): Promise<number> {
        const { versionDays: days, versionCount: count } = settings.current();
        const signal = AbortSignal.any([
          ending.signal,
          ...(watch.signal === undefined ? [] : [watch.signal]),
        ]);
        const deps = { table: versionsTable, versionFiles, mutex, clock };
        return pruneVersions(deps, { days, count }, { ...watch, signal });
      },
    },
    /** Finds document servers on this computer at the usual ports and in containers. */
    async detectEditors(): Promise<Detection> {
      const { detectEditors } = await import('../editors/detect.ts');
      const { createEditorRequest } = await import('../editors/editor-request.ts');
      const { publishedPorts } = await import('../containers/engines.ts');
      const { editors, fetchDiscovery } = shared;
      return detectEditors({
        editors,
        fetchDiscovery,
        request: createEditorRequest(),
        publishedPorts: (signal) => publishedPorts(process, signal),
      });
    },

    /** Aborted when the host stops: clean-up can wait for the next start. */
    ending: ending.signal,
    endLongWork() {
      ending.abort();
      void jobs.close();
      containersClosed = shared.documentServers.close();
      shared.editors.close();
    },

    /** Waits for running work, then closes the database. */
    async close(): Promise<void> {
      ending.abort();
      await jobs.close();
      // It removes its editor, so before the database is closed.
      await (containersClosed ?? shared.documentServers.close());
      shared.editors.close();
      await shared.idleQueue.close();
      await mutex.idle();
      await shared.locks.flush();
      shared.time.close();
      try {
        shared.sessions.flush();
        shared.time.noteSeen();
      } catch (error) {
        // Only counts are lost, while a database that stays open would block the next start.
        onError(error, 'The latest session counts couldn’t be written.');
      }
      closeStore(store, log);
    },
  };
}

async function makePrivate(dataDir: string): Promise<void> {
  try {
    await createFolders(dataDir, 0o700);
    await chmod(dataDir, 0o700);
  } catch (error) {
    throw new AppError('data-folder-invalid', { cause: error, detail: `${dataDir}: ${diskRefusal(error)}` });
  }
}
