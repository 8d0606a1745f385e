// What all hosted folders share: one of each service of the data folder, constructed once, in dependency order. Nothing here
// knows which folders are hosted.

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccounts } from '../accounts/accounts.ts';
import type { PasswordCost } from '../accounts/password.ts';
import { createDocumentServers } from '../containers/document-servers.ts';
import { createEvents } from '../contract/events.ts';
import { megabyte } from '../contract/format.ts';
import type { FetchDiscovery } from '../editors/discovery-fetch.ts';
import { createEditors } from '../editors/editors.ts';
import { createDiskSpace } from '../files/disk-space.ts';
import { createIdleQueue } from '../files/idle-queue.ts';
import { createKeyedMutex } from '../files/keyed-mutex.ts';
import { createReconcile } from '../files/reconcile.ts';
import { createTempNames } from '../files/temp-names.ts';
import { createVersionFiles } from '../files/version-files.ts';
import { createJournal } from '../log/journal.ts';
import type { Logger } from '../log/logger.ts';
import { ownHosts } from '../network/own-hosts.ts';
import { readDataFolderRecord } from '../secrets/data-folder.ts';
import { openSecretStore } from '../secrets/secret-store.ts';
import { loadTokenKey } from '../secrets/token-key.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { createTenantLimits } from '../settings/tenant-limits.ts';
import { createConflictsTable } from '../store/conflicts.ts';
import { createFilesTable } from '../store/files.ts';
import { createGroupCommit } from '../store/group-commit.ts';
import { createImportFoldersTable } from '../store/import-folders.ts';
import { createLocksTable } from '../store/locks.ts';
import { createMissedSavesTable } from '../store/missed-saves.ts';
import { createStoredTimes } from '../store/stored-times.ts';
import type { Store } from '../store/open-store.ts';
import { createRecentTable } from '../store/recent.ts';
import { createVersionUsageTable } from '../store/version-usage.ts';
import { createVersionsTable } from '../store/versions.ts';
import { textEditorDiscovery } from '../text-editor/discovery.ts';
import type { TimeSource } from '../time/host-clock.ts';
import { keepTime } from '../time/keep-time.ts';
import { certificateNames } from '../tls/certificate-names.ts';
import { createTls } from '../tls/tls-service.ts';
import { createClosedPages } from '../wopi/closed-pages.ts';
import { createLocks } from '../wopi/locks.ts';

export type SharedServices = Awaited<ReturnType<typeof createSharedServices>>;

export interface SharedServicesDeps {
  dataDir: string;
  store: Store;
  /** The base address for editors, instead of the setting. */
  publicUrl: string | undefined;
  passwordCost: PasswordCost | undefined;
  /** A person may be there to unlock the keychain. */
  isAttended: boolean | undefined;
  onKeychainWaiting: ((isWaiting: boolean) => void) | undefined;
  log: Logger;
  source: TimeSource;
}

const dayMs = 24 * 60 * 60 * 1000;
const journalCapacity = 10_000;

/** @throws AppError settings-invalid, secret-store-unreachable */
export async function createSharedServices(deps: SharedServicesDeps) {
  const { dataDir, store, log, source, passwordCost } = deps;
  const { db } = store;
  const onError = (error: unknown, text: string): void => log.error({ err: error }, text);
  const events = createEvents((error, { event }) =>
    onError(error, `A listener failed on the event ${event}.`),
  );
  const { emit } = events;
  const settings = await loadSettings({
    dataDir,
    onChange: (keys) => emit({ event: 'settings-changed', keys }),
  });
  const secrets = await openSecretStore({
    dataDir,
    warn: (text) => log.warn({}, text),
    isAttended: deps.isAttended,
    onKeychainWaiting: deps.onKeychainWaiting,
  });
  const tokenKey = await loadTokenKey(secrets);
  const dataFolder = await readDataFolderRecord(dataDir);
  const recoveredDirectory = join(dataDir, 'rescued');
  await mkdir(recoveredDirectory, { recursive: true, mode: 0o700 });
  const versionsDirectory = join(dataDir, 'versions');

  const time = keepTime({
    source,
    storedTimes: createStoredTimes(store),
    log,
    flush: () => sessions.flush(),
    onShifted(stepMs) {
      awakeSinceMs += stepMs;
      accessTokens.forgetCached();
      emit({ event: 'host-changed' });
    },
  });
  const { now: clock, elapsed } = time;
  let awakeSinceMs = clock();

  const conflicts = createConflictsTable(db);
  const filesTable = createFilesTable(db);
  const locksTable = createLocksTable(db);
  const versionsTable = createVersionsTable(db, time.livedMs);
  const missedSaves = createMissedSavesTable(db, () => emit({ event: 'row-changed', table: 'locks' }));
  const transaction = <T>(work: () => T): T => db.transaction(work).immediate();
  const commit = createGroupCommit(db);
  // Kept until the user deals with it, also if no window is open.
  events.on('recovered-save-ended', ({ recoveredId }) => missedSaves.clearKept(recoveredId));
  events.on('file-restored', ({ fileId }) => missedSaves.clear(fileId));
  // A new editor starts from the file, so an earlier editor's save without changes no longer matters.
  events.on('lock-taken', ({ fileId }) => {
    if (missedSaves.get(fileId)?.kind === 'version') missedSaves.clear(fileId);
  });
  events.on('conflict-copy-made', (event) => conflicts.insert({ ...event, madeAtMs: clock() }));

  const accounts = createAccounts({
    db,
    meta: store,
    secrets,
    tokenKey,
    settings,
    clock,
    elapsed,
    emit,
    passwordCost,
  });
  const { accessTokens, sessions } = accounts;

  // Imported with the first fetch: a start needs none.
  const fetchDiscovery: FetchDiscovery = async (url, signal) =>
    (await import('../editors/discovery-fetch.ts')).createDiscoveryFetch()(url, signal);
  const editors = createEditors({
    db,
    clock,
    emit,
    log,
    newId: newShortId,
    switchOffBuiltIn: () => settings.update({ textEditor: false }),
    switchedOffBuiltIn: () =>
      settings.current().textEditor ? undefined : textEditorDiscovery('http://localhost', null),
    fetchDiscovery,
  });
  if (!settings.current().textEditor) editors.unregisterBuiltIn();
  const documentServers = createDocumentServers({
    editors,
    fetchDiscovery,
    clock,
    log,
    newId: newShortId,
    onChange: () => emit({ event: 'row-changed', table: 'documentServers' }),
  });
  const tls = createTls({
    dataDir,
    settings,
    events,
    secrets,
    clock,
    log,
    names() {
      const baseUrls = [
        deps.publicUrl ?? settings.current().publicUrl,
        ...editors.list().map((one) => one.publicUrl),
      ];
      return certificateNames({
        ownHosts: ownHosts(),
        baseUrls: baseUrls.filter((url) => url !== null),
        allowedHosts: settings.current().allowedHosts,
      });
    },
  });

  const mutex = createKeyedMutex();
  const idleQueue = createIdleQueue({
    onError: (error) => log.warn({ err: error }, 'Background work failed.'),
  });
  const versionFiles = createVersionFiles({
    directory: versionsDirectory,
    // Node caches the random bytes of UUIDs, so this is several times faster than `randomBytes`. Their last 12 digits are random.
    randomText: () => randomUUID().slice(-6),
  });
  const locks = createLocks({
    table: locksTable,
    files: filesTable,
    mutex,
    commit,
    clock,
    emit,
    unwritten: sessions.unwritten,
    tokensAfterMs: () => clock() - dayMs,
    awakeSinceMs: () => awakeSinceMs,
    onError: (error) => onError(error, 'DocTray couldn’t record which version an editor read.'),
  });

  return {
    dataDir,
    recoveredDirectory,
    versionsDirectory,
    clock,
    /** Never set: for ages kept in memory. */
    elapsed,
    log,
    onError,
    emit,
    events,
    journal: createJournal({ capacity: journalCapacity }),
    settings,
    secrets,
    store,
    filesTable,
    locksTable,
    versionsTable,
    /** Documents whose newest save isn't in their file. */
    missedSaves,
    time,
    transaction,
    commit,
    ...accounts,
    /** Connected document servers. */
    editors,
    /** Those that run in a container. */
    documentServers,
    fetchDiscovery,
    tls,
    tenantLimits: createTenantLimits({
      readLimits: () => ({ maxUploadBytes: settings.current().maxUploadMB * megabyte }),
    }),
    /** Held while a document is changed, by its id. */
    mutex,
    idleQueue,
    tempNames: createTempNames({
      dataFolderId: dataFolder?.id ?? '',
      randomText: () => randomUUID().slice(-12),
    }),
    diskSpace: createDiskSpace({ dataDir, minFreeMB: () => settings.current().minFreeMB }),
    versionFiles,
    reconcile: createReconcile({
      files: filesTable,
      locks: locksTable,
      versions: versionsTable,
      versionFiles,
      clock,
      transaction,
      onError,
    }),
    locks,
    closedPages: createClosedPages({ locks, accessTokens, sessions, clock: elapsed }),
    /** Conflict copies that the user hasn't dealt with. */
    conflicts,
    /** Folders that an import is copying into. */
    importFolders: createImportFoldersTable(db),
    /** Documents that were recently opened in the window. */
    recentTable: createRecentTable(db),
    versionUsage: createVersionUsageTable(db),
    /** The computer was asleep until now: no editor could call. */
    noteWake() {
      awakeSinceMs = clock();
    },
  };
}

/** Short enough to type: for editors and recovered saves. */
export function newShortId(): string {
  return randomBytes(4).toString('hex');
}
