// Builds every service over a data folder, without listening: what the host stands on, and what the terminal opens by itself
// where no host runs.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from './contract/clock.ts';
import { AppError } from './contract/errors.ts';
import type { EmitEvent } from './contract/events.ts';
import { wayBackLifeMs } from './accounts/tickets.ts';
import { createAccounts, type Accounts } from './compose-accounts.ts';
import { createDocumentServers, type DocumentServers } from './containers/document-servers.ts';
import type { Detection } from './contract/document-servers.ts';
import { createTouches, type Touches } from './contract/touch.ts';
import { createHostedFolders, type HostedFolders } from './compose-folders.ts';
import { createHosting } from './compose-hosting.ts';
import type { FetchDiscovery } from './editors/discovery-fetch.ts';
import { createEditors, type Editors } from './editors/editors.ts';
import { hasModeInAddress } from './editors/product.ts';
import { createIdleQueue } from './files/idle-queue.ts';
import { createReconcile } from './files/reconcile.ts';
import { createDiskSpace, type DiskSpace } from './files/disk-space.ts';
import type { DocumentIndex } from './files/document-index.ts';
import { newFileId } from './files/file-id.ts';
import { createVersionFiles } from './files/version-files.ts';
import { createKeyedMutex, type KeyedMutex } from './files/keyed-mutex.ts';
import { createRecoveredSaves, type RecoveredSaves } from './files/recovered-saves.ts';
import { createTempNames, type TempNames } from './files/temp-names.ts';
import { pruneOrphanedVersions } from './files/orphaned-versions.ts';
import { pruneVersions, type VersionHistory } from './files/version-history.ts';
import { createJournal, type Journal } from './log/journal.ts';
import type { Logger } from './log/logger.ts';
import { ownHosts } from './network/own-hosts.ts';
import { readDataFolderRecord } from './secrets/data-folder.ts';
import { openSecretStore, type SecretStore } from './secrets/secret-store.ts';
import { loadTokenKey } from './secrets/token-key.ts';
import { loadSettings, type SettingsStore } from './settings/load-settings.ts';
import { createTariffCache, encodeTariffCacheItem, type TariffCache } from './settings/tariff-cache.ts';
import { createConflictsTable, type ConflictsTable } from './store/conflicts.ts';
import { createFilesTable } from './store/files.ts';
import { createGroupCommit } from './store/group-commit.ts';
import { createLocksTable } from './store/locks.ts';
import { createMoments } from './store/moments.ts';
import { openStore, type Store } from './store/open-store.ts';
import { createTenantsTable } from './store/tenants.ts';
import { createRescuedTable, createVersionsTable } from './store/versions.ts';
import { systemTime, type TimeSource } from './time/host-clock.ts';
import { keepTime } from './time/keep-time.ts';
import { certificateNames } from './tls/certificate-names.ts';
import { createTls, type TlsService } from './tls/tls-service.ts';
import { createAbandonedLocks, type AbandonedLocks } from './wopi/abandoned-locks.ts';
import { createLockBook, type LockBook } from './wopi/lock-book.ts';
import { candidateNames, recoveredName } from './wopi/name-targets.ts';
import { createAwayOperations } from './wopi/operations/save-away.ts';
import type { AdmissionDeps, WopiOperations } from './wopi/operations.ts';
import { createUploads } from './wopi/upload.ts';

export interface ServiceOptions {
  /** Where database, secrets, settings and kept versions lie; made with mode 0700. */
  dataDir: string;
  /** Folder to host instead of the one in the settings. */
  folder?: string;
  /** Creates the folder to host while none is chosen, and answers its path; without it none is hosted then. */
  defaultFolder?: () => Promise<string>;
  /** Start also while no folder is chosen, or the chosen one is not there: a window can choose one. */
  isFolderOptional?: boolean;
  /** Address under which editors reach this host, instead of the setting. */
  publicUrl?: string;
  /** The computer's clock. */
  clock?: Clock;
  /** Real time that no setting of the clock changes; by itself a clock that is given is never set. */
  uptimeMs?: () => number;
  log: Logger;
  emit?: EmitEvent;
}

export interface Services extends Accounts {
  dataDir: string;
  clock: Clock;
  log: Logger;
  emit: EmitEvent;
  touches: Touches;
  journal: Journal;
  settings: SettingsStore;
  secrets: SecretStore;
  store: Store;
  /** Connected document servers. */
  editors: Editors;
  /** Those that run in a container. */
  documentServers: DocumentServers;
  /** Document servers on this computer that answer at the usual ports. */
  detectEditors(): Promise<Detection>;
  /** What the network's side of the listener serves by. */
  tls: TlsService;
  tariffs: TariffCache;
  /** Those that are hosted: the active one, and those that are still saved into after a switch. */
  folders: HostedFolders;
  /** Opens the chosen folder, else the default one and remembers it. Never throws for a folder: see `folders.problem`. */
  openChosenFolder(): Promise<void>;
  /** What editors are answered about documents of a folder that is not hosted. */
  away: AdmissionDeps & { operations: WopiOperations };
  /** The active one. Undefined until one is chosen, and while the chosen one cannot be opened. */
  folder(): DocumentIndex | undefined;
  /** Held by whoever changes a document, under its id. */
  mutex: KeyedMutex;
  tempNames: TempNames;
  diskSpace: DiskSpace;
  versions: Pick<VersionHistory, 'list' | 'restore'> & {
    /** Removes the versions that the settings keep no longer; answers how many. */
    prune(watch?: Parameters<typeof pruneVersions>[2]): Promise<number>;
  };
  recoveredSaves: RecoveredSaves;
  /** Conflict copies that nobody has dealt with yet. */
  conflicts: ConflictsTable;
  locks: LockBook;
  abandonedLocks: AbandonedLocks;
  /** The machine was asleep until now: nobody is blamed for not having called. */
  noteWake(): void;
  /** Notes that the host runs, for the start after this one. */
  noteSeen(): void;
  /** Clears away what a killed predecessor left. */
  recover(): Promise<void>;
  /** Ends what is over: old tokens, old locks, old recovered saves, old versions; writes the sessions' counts. */
  sweep(): Promise<void>;
  /** Versions that are still to be cleared away can wait for the next start. */
  endLongWork(): void;
  /** Waits for what runs, then closes the database. */
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
const mebibyte = 1024 * 1024;

/**
 * Opens a data folder and all services over it; nothing listens.
 * @throws AppError data-folder-busy, data-folder-invalid, database-newer, database-not-upgraded, settings-invalid, secret-store-unreachable
 */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { dataDir, log, clock, emit = () => undefined } = options;
  const source = clock === undefined ? systemTime : timeBy(clock, options.uptimeMs ?? clock);
  await makePrivate(dataDir);
  const store = openStore({
    dataDir,
    clock: source.wallMs,
    onNotice: (sentence) => {
      log.error({}, sentence);
      emit({ event: 'database-rebuilt', sentence });
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

/** A database that cannot take its last write is closed all the same, and is no reason to hide why the host stops. */
function closeStore(store: Store, log: Logger): void {
  try {
    store.close();
  } catch (error) {
    log.error({ err: error }, 'The last write to the database failed. The next start checks it.');
  }
}

async function build(
  {
    dataDir,
    folder: given,
    defaultFolder,
    isFolderOptional = false,
    publicUrl,
    log,
    source,
    emit: tell,
  }: ServiceOptions & { source: TimeSource; emit: EmitEvent },
  store: Store,
): Promise<Services> {
  const { db } = store;
  const warn = (text: string): void => log.warn({}, text);
  const settings = await loadSettings({ dataDir });
  const secrets = await openSecretStore({ dataDir, warn });
  const tokenKey = await loadTokenKey(secrets);
  const dataFolder = await readDataFolderRecord(dataDir);
  const time = keepTime({
    source,
    moments: createMoments(store),
    log,
    flush: () => sessions.flush(),
    onShifted(stepMs) {
      awakeSinceMs += stepMs;
      accessTokens.forgetCached();
      emit({ event: 'host-changed' });
    },
  });
  const clock = time.now;
  let awakeSinceMs = clock();
  const conflicts = createConflictsTable(db);
  const emit: EmitEvent = (event) => {
    // Kept until somebody has looked at it, also where no window is open just now.
    if (event.event === 'conflict-copy-made') {
      try {
        conflicts.insert({ ...event, madeAtMs: clock() });
      } catch (error) {
        // The save of which it tells is done, and stays so.
        log.error({ err: error }, 'A conflict copy could not be noted.');
      }
    }
    tell(event);
  };
  const onError = (error: unknown, text: string): void => log.error({ err: error }, text);
  const transaction = <T>(work: () => T): T => db.transaction(work).immediate();
  const commit = createGroupCommit(db);
  const touches = createTouches();

  const accounts = createAccounts({
    db,
    secrets,
    tokenKey,
    settings,
    clock,
    elapsed: time.elapsed,
    emit,
    touches,
  });
  const { users, accessTokens, sessions, tickets, pageCopies, apiTokens, pageSessions } = accounts;
  // Nothing is fetched to start.
  const fetchDiscovery: FetchDiscovery = async (url, signal) =>
    (await import('./editors/discovery-fetch.ts')).createDiscoveryFetch()(url, signal);
  const editors = createEditors({
    db,
    clock,
    emit,
    log,
    newId: newShortId,
    switchOffBuiltIn: () => settings.update({ textEditor: false }),
    fetchDiscovery,
  });
  const documentServers = createDocumentServers({
    editors,
    secrets,
    fetchDiscovery,
    clock,
    log,
    newId: newShortId,
  });
  if (!settings.current().textEditor) editors.unregisterBuiltIn();
  const tls = createTls({
    dataDir,
    settings,
    secrets,
    clock,
    log,
    names: () =>
      certificateNames({
        ownHosts: ownHosts(),
        baseUrls: [
          publicUrl ?? settings.current().publicUrl,
          ...editors.list().map((one) => one.publicUrl),
        ].filter((url) => url !== null),
        allowedHosts: settings.current().allowedHosts,
      }),
  });

  const filesTable = createFilesTable(db);
  const locksTable = createLocksTable(db);
  const versionsTable = createVersionsTable(db, time.livedMs);
  const mutex = createKeyedMutex();
  const idleQueue = createIdleQueue({
    onError: (error) => log.warn({ err: error }, 'Work in the background failed.'),
  });
  const diskSpace = createDiskSpace({ dataDir, minFreeMiB: () => settings.current().minFreeMiB });
  const tempNames = createTempNames({
    dataFolderId: dataFolder?.id ?? '',
    randomText: () => randomBytes(6).toString('hex'),
  });
  const incomingDirectory = join(dataDir, 'rescued');
  await mkdir(incomingDirectory, { recursive: true, mode: 0o700 });
  const versionsDirectory = join(dataDir, 'versions');
  const versionFiles = createVersionFiles({
    directory: versionsDirectory,
    randomText: () => randomBytes(3).toString('hex'),
  });
  const reconcile = createReconcile({
    files: filesTable,
    locks: locksTable,
    versions: versionsTable,
    versionFiles,
    clock,
    transaction,
    onError,
  });

  const locks = createLockBook({
    table: locksTable,
    files: filesTable,
    mutex,
    commit,
    clock,
    emit,
    unwrittenCallAtMs: sessions.unwrittenCallAtMs,
    tokensAfterMs: () => clock() - dayMs,
    awakeSinceMs: () => awakeSinceMs,
    onError: (error) => log.error({ err: error }, 'Which version an editor read could not be recorded.'),
  });
  const recoveredSaves = createRecoveredSaves({
    table: createRescuedTable(db, time.livedMs),
    prunedBefore: versionsTable.prunedBefore,
    directory: incomingDirectory,
    clock,
    emit,
    log,
    quota: () => {
      const { recoveredMiB, recoveredTokenMiB } = settings.current();
      return { totalBytes: recoveredMiB * mebibyte, tokenBytes: recoveredTokenMiB * mebibyte };
    },
    newId: newShortId,
    tempName: tempNames.next,
    openFolder: (fileId, path) => folders.require(fileId).folder.jail.openFolder(path),
    createDocument: async (fileId, { folderPath, name, incoming }) => {
      const origin = { savedAtMs: clock(), savedBy: null, savedHow: 'rescued' };
      const { documents } = folders.require(fileId);
      const made = await documents.create({ folderPath, names: candidateNames(name), incoming, origin });
      if (made === undefined) throw new AppError('disk-refused', { detail: 'No name is free for it.' });
      return made.row.path;
    },
    recoveredName,
  });
  const uploads = createUploads({
    tempName: tempNames.next,
    incomingDirectory,
    recoveredSaves,
    clock,
    isUser: (id) => users.byId(id) !== undefined,
    onError,
  });
  const folders = createHostedFolders({
    dataDir,
    tenants: createTenantsTable(db),
    files: filesTable,
    clock,
    emit,
    log,
    open: (jail, tenantId) =>
      createHosting(
        {
          files: filesTable,
          versionsTable,
          versionFiles,
          reconcile,
          mutex,
          idleQueue,
          diskSpace,
          tempNames,
          incomingDirectory,
          recoveredSaves,
          uploads,
          locks,
          accessTokens,
          users,
          newId: newFileId,
          transaction,
          commit,
          clock,
          elapsed: time.elapsed,
          log,
          emit,
          versionCount: () => settings.current().versionCount,
          desktopLocks: () => settings.current().desktopLocks,
          hasModeInAddress(editorId) {
            const kind = editorId === null ? undefined : editors.byId(editorId)?.kind;
            return kind !== undefined && hasModeInAddress(kind);
          },
          ticketFor: ({ userId, mode, editorId, pageSessionId }, fileId) =>
            tickets.issue({ userId, fileId, mode, editorId }, pageSessionId, wayBackLifeMs),
          onCopied({ pageSessionId }, copy) {
            if (pageSessionId !== null) pageCopies.note(pageSessionId, copy);
          },
        },
        jail,
        tenantId,
      ),
  });
  const openChosenFolder = async (): Promise<void> => {
    const chosen = given ?? settings.current().folder;
    // The window's first run asks before it creates one.
    const isAsked = isFolderOptional && !settings.current().windowFirstRunDone;
    await folders.open(chosen ?? (isAsked ? null : (defaultFolder ?? null)));
    const opened = folders.active()?.folder.root;
    if (chosen !== null || opened === undefined) return;
    try {
      // From now on a default folder that is gone is a mistake, not a reason to create it again.
      await settings.update({ folder: opened });
    } catch (error) {
      log.warn({ err: error }, 'The folder could not be remembered for the next start.');
    }
  };
  await openChosenFolder();

  await recoveredSaves.adoptOrphans((fileId) => filesTable.byId(fileId)?.path);

  const tariffs = createTariffCache({
    readLimits: () => ({ maxUploadBytes: settings.current().maxUploadMiB * mebibyte }),
  });
  settings.onChange((_, keys) => {
    for (const { folder } of folders.all()) {
      tariffs.invalidate(encodeTariffCacheItem({ tenantId: folder.tenantId }));
    }
    emit({ event: 'settings-changed', keys });
  });
  const ending = new AbortController();
  let containersClosed: Promise<void> | undefined;
  const pruneByLimits = (watch: Parameters<typeof pruneVersions>[2] = {}): Promise<number> => {
    const { versionDays: days, versionCount: count } = settings.current();
    const signal = AbortSignal.any([ending.signal, ...(watch.signal === undefined ? [] : [watch.signal])]);
    return pruneVersions(
      { table: versionsTable, versionFiles, mutex, clock },
      { days, count },
      { ...watch, signal },
    );
  };

  return {
    dataDir,
    clock,
    log,
    emit,
    touches,
    journal: createJournal({ capacity: 10_000 }),
    settings,
    secrets,
    store,
    ...accounts,
    editors,
    documentServers,
    async detectEditors() {
      const { detectEditors } = await import('./editors/detect.ts');
      const { createEditorRequest } = await import('./editors/editor-request.ts');
      return detectEditors({
        editors,
        fetchDiscovery,
        request: createEditorRequest(),
        publishedPorts: documentServers.publishedPorts,
      });
    },
    tls,
    tariffs,
    folders,
    openChosenFolder,
    away: {
      accessTokens,
      locks,
      clock,
      folder: () => ({ find: async () => undefined }),
      drift: { isGraced: async () => true },
      operations: createAwayOperations({
        uploads,
        pathOf: (fileId) => filesTable.byId(fileId)?.path ?? 'document',
      }),
    },
    folder: () => folders.active()?.folder,
    mutex,
    tempNames,
    diskSpace,
    versions: {
      list: (fileId) => folders.of(fileId)?.versions.list(fileId) ?? [],
      restore: async (fileId, version) => folders.require(fileId).versions.restore(fileId, version),
      prune: pruneByLimits,
    },
    recoveredSaves,
    conflicts,
    locks,
    abandonedLocks: createAbandonedLocks({ locks, accessTokens, sessions, clock: time.elapsed }),
    noteWake() {
      awakeSinceMs = clock();
    },
    noteSeen: time.noteSeen,

    async recover() {
      for (const hosting of folders.all()) await hosting.recover();
    },

    async sweep() {
      sessions.flush();
      apiTokens.sweep();
      accessTokens.sweep();
      pageSessions.sweep();
      locksTable.sweep(clock() - 2 * dayMs);
      folders.sweep();
      await recoveredSaves.expire(settings.current().recoveredDays * dayMs);
      await pruneByLimits();
      await pruneOrphanedVersions(
        { directory: versionsDirectory, table: versionsTable, versionFiles, mutex, clock, log },
        settings.current().versionDays * dayMs,
        ending.signal,
      );
      for (const hosting of folders.all()) await hosting.purgeMissing(ending.signal);
    },

    endLongWork() {
      ending.abort();
      containersClosed = documentServers.close();
      editors.close();
    },

    async close() {
      ending.abort();
      // It removes its editor again, so before the database is closed.
      await (containersClosed ?? documentServers.close());
      editors.close();
      await idleQueue.close();
      await mutex.idle();
      await locks.flush();
      time.close();
      try {
        sessions.flush();
        time.noteSeen();
      } catch (error) {
        // Counts alone are lost by it, while a database that stays open keeps the next start from it.
        log.error({ err: error }, 'The counts of the last calls could not be written.');
      }
      closeStore(store, log);
    },
  };
}

/** Short enough to be typed in the terminal: of editors and recovered saves. */
function newShortId(): string {
  return randomBytes(4).toString('hex');
}

async function makePrivate(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await chmod(dataDir, 0o700);
  } catch (error) {
    throw new AppError('data-folder-invalid', { cause: error, detail: `It cannot be made at ${dataDir}.` });
  }
}
