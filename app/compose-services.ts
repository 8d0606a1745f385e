// Builds every service over a data folder, without listening: what the host stands on, and what the terminal opens by itself
// where no host runs.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Clock } from './contract/clock.ts';
import { AppError } from './contract/errors.ts';
import type { EmitEvent } from './contract/events.ts';
import { wayBackLifeMs } from './accounts/tickets.ts';
import { createAccounts, type Accounts } from './compose-accounts.ts';
import { createTouches, type Touches } from './contract/touch.ts';
import { createHostedFolders, type HostedFolders } from './compose-folders.ts';
import { createHosting } from './compose-hosting.ts';
import { createEditors, type Editors } from './editors/editors.ts';
import { hasModeInAddress } from './editors/product.ts';
import { createBackground } from './files/background.ts';
import { createContentRecord } from './files/content-record.ts';
import type { Folder } from './files/folder.ts';
import { createKeptVersions } from './files/kept-versions.ts';
import { createKeyedMutex, type KeyedMutex } from './files/keyed-mutex.ts';
import { createRescuedSaves, type RescuedSaves } from './files/rescued-saves.ts';
import { createTempNames, type TempNames } from './files/temp-names.ts';
import { pruneVersions, type Versions } from './files/versions.ts';
import { createJournal, type Journal } from './log/journal.ts';
import type { Logger } from './log/logger.ts';
import { readDataFolderRecord } from './secrets/data-folder.ts';
import { openSecretStore, type SecretStore } from './secrets/secret-store.ts';
import { loadTokenKey } from './secrets/token-key.ts';
import { loadSettings, type SettingsStore } from './settings/load-settings.ts';
import { createTariffCache, encodeTariffCacheItem, type TariffCache } from './settings/tariff-cache.ts';
import { createConflictsTable } from './store/conflicts.ts';
import { createFilesTable } from './store/files.ts';
import { createGroupCommit } from './store/group-commit.ts';
import { createLocksTable } from './store/locks.ts';
import { openStore, type Store } from './store/open-store.ts';
import { createTenantsTable } from './store/tenants.ts';
import { createRescuedTable, createVersionsTable } from './store/versions.ts';
import { certificateNames } from './tls/certificate-names.ts';
import { createTls, type TlsService } from './tls/tls-service.ts';
import { createLockBook, type LockBook } from './wopi/lock-book.ts';
import { candidateNames, rescuedName } from './wopi/name-targets.ts';
import { createUploads } from './wopi/upload.ts';

export interface ServiceOptions {
  /** Where database, secrets, settings and kept versions lie; made with mode 0700. */
  dataDir: string;
  /** Folder to host instead of the one in the settings. */
  folder?: string;
  /** Address under which editors reach this host, instead of the setting. */
  publicUrl?: string;
  clock?: Clock;
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
  /** What the network's side of the listener serves by. */
  tls: TlsService;
  tariffs: TariffCache;
  /** Those that are hosted: the active one, and those that are still saved into after a switch. */
  folders: HostedFolders;
  /** The active one. Undefined until one is chosen, and while the chosen one cannot be opened. */
  folder(): Folder | undefined;
  /** Held by whoever changes a document, under its id. */
  mutex: KeyedMutex;
  tempNames: TempNames;
  versions: Pick<Versions, 'list' | 'restore'> & {
    /** Removes the versions that the settings keep no longer; answers how many. */
    prune(watch?: Parameters<typeof pruneVersions>[2]): Promise<number>;
  };
  rescued: RescuedSaves;
  locks: LockBook;
  /** The machine was asleep until now: nobody is blamed for not having called. */
  noteWake(): void;
  /** Clears away what a killed predecessor left. */
  recover(): Promise<void>;
  /** Ends what is over: old tokens, old locks, old versions; writes the sessions' counts. */
  sweep(): Promise<void>;
  /** Versions that are still to be cleared away can wait for the next start. */
  endLongWork(): void;
  /** Waits for what runs, then closes the database. */
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Opens a data folder and all services over it; nothing listens.
 * @throws AppError data-folder-busy, data-folder-invalid, database-newer, settings-invalid, secret-store-unreachable
 */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { dataDir, log, clock = () => Date.now(), emit = () => undefined } = options;
  await makePrivate(dataDir);
  const store = openStore({
    dataDir,
    clock,
    onNotice: (sentence) => {
      log.error({}, sentence);
      emit({ event: 'database-rebuilt', sentence });
    },
  });
  try {
    return await build({ ...options, clock, emit }, store);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function build(
  {
    dataDir,
    folder: chosen,
    publicUrl,
    log,
    clock,
    emit: tell,
  }: ServiceOptions & { clock: Clock; emit: EmitEvent },
  store: Store,
): Promise<Services> {
  const { db } = store;
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
  const warn = (text: string): void => log.warn({}, text);
  const transaction = <T>(work: () => T): T => db.transaction(work).immediate();
  const commit = createGroupCommit(db);
  const touches = createTouches();
  const settings = await loadSettings({ dataDir });
  const secrets = await openSecretStore({ dataDir, warn });
  const tokenKey = await loadTokenKey(secrets);
  const dataFolder = await readDataFolderRecord(dataDir);

  const accounts = createAccounts({ db, secrets, tokenKey, settings, clock, emit, touches });
  const { users, accessTokens, sessions, tickets, pageCopies, apiTokens, pageSessions } = accounts;
  const editors = createEditors({
    db,
    clock,
    emit,
    log,
    newId: () => randomBytes(4).toString('hex'),
    // Nothing is fetched to start.
    fetchDiscovery: async (url, signal) =>
      (await import('./editors/discovery-fetch.ts')).createDiscoveryFetch()(url, signal),
  });
  const tls = createTls({
    dataDir,
    settings,
    secrets,
    clock,
    log,
    names: () =>
      certificateNames({
        hostname: hostname(),
        interfaces: networkInterfaces(),
        baseUrls: [
          publicUrl ?? settings.current().publicUrl,
          ...editors.list().map((one) => one.publicUrl),
        ].filter((url) => url !== null),
        allowedHosts: settings.current().allowedHosts,
      }),
  });

  const filesTable = createFilesTable(db);
  const locksTable = createLocksTable(db);
  const versionsTable = createVersionsTable(db);
  const mutex = createKeyedMutex();
  const background = createBackground({
    onError: (error) => log.warn({ err: error }, 'Work in the background failed.'),
  });
  const tempNames = createTempNames({
    dataFolderId: dataFolder?.id ?? '',
    randomText: () => randomBytes(6).toString('hex'),
  });
  const incomingDirectory = join(dataDir, 'rescued');
  await mkdir(incomingDirectory, { recursive: true, mode: 0o700 });
  const kept = createKeptVersions({
    directory: join(dataDir, 'versions'),
    randomText: () => randomBytes(3).toString('hex'),
  });
  const record = createContentRecord({
    files: filesTable,
    locks: locksTable,
    versions: versionsTable,
    kept,
    clock,
    transaction,
  });

  const startedAtMs = clock();
  let awakeSinceMs = startedAtMs;
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
    onError: (error) => log.error({ err: error }, 'What an editor has read could not be recorded.'),
  });
  const rescued = createRescuedSaves({
    table: createRescuedTable(db),
    directory: incomingDirectory,
    clock,
    emit,
    newId: () => randomBytes(4).toString('hex'),
    tempName: tempNames.next,
    absoluteFolder: (fileId, path) => folders.require(fileId).folder.jail.absolute(path),
    hasFolder: (fileId, path) =>
      folders
        .require(fileId)
        .folder.jail.requireFolder(path)
        .then(
          () => true,
          () => false,
        ),
    createDocument: async (fileId, { folderPath, name, incoming }) => {
      const origin = { savedAtMs: clock(), savedBy: null, savedHow: 'rescued' };
      const { documents } = folders.require(fileId);
      const made = await documents.create({ folderPath, names: candidateNames(name), incoming, origin });
      if (made === undefined) throw new AppError('disk-refused', { detail: 'No name is free for it.' });
      return made.row.path;
    },
    rescuedName,
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
          kept,
          record,
          mutex,
          background,
          tempNames,
          incomingDirectory,
          uploads: createUploads({
            tempName: tempNames.next,
            incomingDirectory,
            rescued,
            clock,
            isUser: (id) => users.byId(id) !== undefined,
          }),
          locks,
          accessTokens,
          users,
          newId: newFileId,
          transaction,
          commit,
          clock,
          log,
          emit,
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
  await folders.open(chosen ?? settings.current().folder);

  await rescued.adoptStrays((fileId) => filesTable.byId(fileId)?.path);

  const tariffs = createTariffCache({
    readLimits: () => ({ maxUploadBytes: settings.current().maxUploadMiB * 1024 * 1024 }),
  });
  settings.onChange((_, keys) => {
    for (const { folder } of folders.all()) {
      tariffs.invalidate(encodeTariffCacheItem({ tenantId: folder.tenantId }));
    }
    emit({ event: 'settings-changed', keys });
  });
  const ending = new AbortController();
  const pruneByLimits = (watch: Parameters<typeof pruneVersions>[2] = {}): Promise<number> => {
    const { versionDays: days, versionCount: count } = settings.current();
    const signal = AbortSignal.any([ending.signal, ...(watch.signal === undefined ? [] : [watch.signal])]);
    return pruneVersions({ table: versionsTable, kept, mutex, clock }, { days, count }, { ...watch, signal });
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
    tls,
    tariffs,
    folders,
    folder: () => folders.active()?.folder,
    mutex,
    tempNames,
    versions: {
      list: (fileId) => folders.of(fileId)?.versions.list(fileId) ?? [],
      restore: async (fileId, version) => folders.require(fileId).versions.restore(fileId, version),
      prune: pruneByLimits,
    },
    rescued,
    locks,
    noteWake() {
      awakeSinceMs = clock();
    },

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
      await pruneByLimits();
    },

    endLongWork() {
      ending.abort();
      editors.close();
    },

    async close() {
      ending.abort();
      editors.close();
      await background.close();
      await mutex.idle();
      await locks.flush();
      try {
        sessions.flush();
      } catch (error) {
        // Counts alone are lost by it, while a database that stays open keeps the next start from it.
        log.error({ err: error }, 'The counts of the last calls could not be written.');
      }
      store.close();
    },
  };
}

/** 22 characters of base64url. One that begins with a dash would be taken for an option in the terminal. */
function newFileId(): string {
  const id = randomBytes(16).toString('base64url');
  return id.startsWith('-') ? newFileId() : id;
}

async function makePrivate(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await chmod(dataDir, 0o700);
  } catch (error) {
    throw new AppError('data-folder-invalid', { cause: error, detail: `It cannot be made at ${dataDir}.` });
  }
}
