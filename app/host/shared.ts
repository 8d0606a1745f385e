// What all hosted folders share: one of each service over the data folder, constructed once, in the order in which they need each
// other. Nothing here knows which folders are hosted.

import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccounts } from '../accounts/accounts.ts';
import { createDocumentServers } from '../containers/document-servers.ts';
import type { EmitEvent } from '../contract/events.ts';
import { createTouches } from '../contract/touch.ts';
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
import { createTariffCache } from '../settings/tariff-cache.ts';
import { createConflictsTable } from '../store/conflicts.ts';
import { createFilesTable } from '../store/files.ts';
import { createGroupCommit } from '../store/group-commit.ts';
import { createLocksTable } from '../store/locks.ts';
import { createMoments } from '../store/moments.ts';
import type { Store } from '../store/open-store.ts';
import { createVersionsTable } from '../store/versions.ts';
import { textEditorDiscovery } from '../text-editor/discovery.ts';
import type { TimeSource } from '../time/host-clock.ts';
import { keepTime } from '../time/keep-time.ts';
import { certificateNames } from '../tls/certificate-names.ts';
import { createTls } from '../tls/tls-service.ts';
import { createAbandonedLocks } from '../wopi/abandoned-locks.ts';
import { createLockBook } from '../wopi/lock-book.ts';

export type SharedServices = Awaited<ReturnType<typeof createSharedServices>>;

export interface SharedServicesDeps {
  dataDir: string;
  store: Store;
  /** Address under which editors reach this host, instead of the setting. */
  publicUrl: string | undefined;
  log: Logger;
  source: TimeSource;
  emit: EmitEvent;
}

const dayMs = 24 * 60 * 60 * 1000;
const mebibyte = 1024 * 1024;
const journalCapacity = 10_000;

/** @throws AppError settings-invalid, secret-store-unreachable */
export async function createSharedServices(deps: SharedServicesDeps) {
  const { dataDir, store, log, source } = deps;
  const { db } = store;
  const settings = await loadSettings({ dataDir });
  const secrets = await openSecretStore({ dataDir, warn: (text) => log.warn({}, text) });
  const tokenKey = await loadTokenKey(secrets);
  const dataFolder = await readDataFolderRecord(dataDir);
  const recoveredDirectory = join(dataDir, 'rescued');
  await mkdir(recoveredDirectory, { recursive: true, mode: 0o700 });
  const versionsDirectory = join(dataDir, 'versions');
  const onError = (error: unknown, text: string): void => log.error({ err: error }, text);

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
  const { now: clock, elapsed } = time;
  let awakeSinceMs = clock();

  const conflicts = createConflictsTable(db);
  const filesTable = createFilesTable(db);
  const locksTable = createLocksTable(db);
  const versionsTable = createVersionsTable(db, time.livedMs);
  const transaction = <T>(work: () => T): T => db.transaction(work).immediate();
  const commit = createGroupCommit(db);
  const touches = createTouches();
  const emit: EmitEvent = (event) => {
    // Kept until somebody has seen it, also if no window is open now.
    if (event.event === 'conflict-copy-made') {
      try {
        conflicts.insert({ ...event, madeAtMs: clock() });
      } catch (error) {
        // The save is done, and stays so.
        onError(error, 'A conflict copy could not be recorded.');
      }
    }
    deps.emit(event);
  };

  const accounts = createAccounts({ db, secrets, tokenKey, settings, clock, elapsed, emit, touches });
  const { accessTokens, sessions } = accounts;

  // Loaded with the first fetch: a start needs none.
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
    secrets,
    fetchDiscovery,
    clock,
    log,
    newId: newShortId,
  });
  const tls = createTls({
    dataDir,
    settings,
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
    onError: (error) => log.warn({ err: error }, 'Work in the background failed.'),
  });
  const versionFiles = createVersionFiles({
    directory: versionsDirectory,
    randomText: () => randomBytes(3).toString('hex'),
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
    onError: (error) => onError(error, 'Which version an editor read could not be recorded.'),
  });

  return {
    dataDir,
    recoveredDirectory,
    versionsDirectory,
    clock,
    /** Never set: for ages that are kept in memory. */
    elapsed,
    log,
    onError,
    emit,
    touches,
    journal: createJournal({ capacity: journalCapacity }),
    settings,
    secrets,
    store,
    filesTable,
    locksTable,
    versionsTable,
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
    tariffs: createTariffCache({
      readLimits: () => ({ maxUploadBytes: settings.current().maxUploadMiB * mebibyte }),
    }),
    /** Held by whatever changes a document, under its id. */
    mutex,
    idleQueue,
    tempNames: createTempNames({
      dataFolderId: dataFolder?.id ?? '',
      randomText: () => randomBytes(6).toString('hex'),
    }),
    diskSpace: createDiskSpace({ dataDir, minFreeMiB: () => settings.current().minFreeMiB }),
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
    abandonedLocks: createAbandonedLocks({ locks, accessTokens, sessions, clock: elapsed }),
    /** Conflict copies that nobody has dealt with yet. */
    conflicts,
    /** The computer was asleep until now: no editor could call. */
    noteWake() {
      awakeSinceMs = clock();
    },
  };
}

/** Short enough to be typed in the terminal: of editors and recovered saves. */
export function newShortId(): string {
  return randomBytes(4).toString('hex');
}
