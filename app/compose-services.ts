// Builds every service over a data folder, without listening: what the host stands on, and what the terminal opens by itself
// where no host runs.

import { randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccessTokens, type AccessTokens } from './accounts/access-tokens.ts';
import { createApiTokens, type ApiTokens } from './accounts/api-tokens.ts';
import { createSessions, type Sessions } from './accounts/sessions.ts';
import { createSignIn, type SignIn } from './accounts/sign-in.ts';
import { createUsers, type Users } from './accounts/users.ts';
import type { Clock } from './contract/clock.ts';
import { AppError } from './contract/errors.ts';
import type { EmitEvent } from './contract/events.ts';
import { assertApart } from './files/apart.ts';
import { createBackground } from './files/background.ts';
import { createContentRecord } from './files/content-record.ts';
import { createDocuments } from './files/documents.ts';
import { createFolder, type Folder } from './files/folder.ts';
import { openJail, type Jail } from './files/jail.ts';
import { createKeptVersions } from './files/kept-versions.ts';
import { createKeyedMutex } from './files/keyed-mutex.ts';
import { recoverFolder } from './files/recovery.ts';
import { createRescuedSaves, type RescuedSaves } from './files/rescued-saves.ts';
import { createSaves } from './files/saves.ts';
import { createTempNames } from './files/temp-names.ts';
import { createVersions, type Versions } from './files/versions.ts';
import { createJournal, type Journal } from './log/journal.ts';
import type { Logger } from './log/logger.ts';
import { readDataFolderRecord } from './secrets/data-folder.ts';
import { openSecretStore, type SecretStore } from './secrets/secret-store.ts';
import { loadTokenKey } from './secrets/token-key.ts';
import { loadSettings, type SettingsStore } from './settings/load-settings.ts';
import { createTariffCache, encodeTariffCacheItem, type TariffCache } from './settings/tariff-cache.ts';
import { createAccessTokenRepository } from './store/access-tokens.ts';
import { createApiTokenRepository } from './store/api-tokens.ts';
import { createFilesTable } from './store/files.ts';
import { createGroupCommit } from './store/group-commit.ts';
import { createLocksTable } from './store/locks.ts';
import { openStore, type Store } from './store/open-store.ts';
import { createTenantsTable } from './store/tenants.ts';
import { createUserRepository } from './store/users.ts';
import { createRescuedTable, createVersionsTable } from './store/versions.ts';
import { composeWopi, type ComposedWopi } from './compose-wopi.ts';
import { createLockBook, type LockBook } from './wopi/lock-book.ts';
import { candidateNames, rescuedName } from './wopi/name-targets.ts';
import { nameKey } from './wopi/names.ts';
import { createUploads } from './wopi/upload.ts';

export interface ServiceOptions {
  /** Where database, secrets, settings and kept versions lie; made with mode 0700. */
  dataDir: string;
  /** Folder to host instead of the one in the settings. */
  folder?: string;
  clock?: Clock;
  log: Logger;
  emit?: EmitEvent;
}

export interface Services {
  dataDir: string;
  clock: Clock;
  log: Logger;
  emit: EmitEvent;
  journal: Journal;
  settings: SettingsStore;
  secrets: SecretStore;
  store: Store;
  users: Users;
  signIn: SignIn;
  apiTokens: ApiTokens;
  accessTokens: AccessTokens;
  sessions: Sessions;
  tariffs: TariffCache;
  /** Undefined until a folder is chosen, and while the chosen one cannot be opened. */
  folder: Folder | undefined;
  /** The folder. @throws AppError folder-not-chosen, folder-invalid */
  requireFolder(): Folder;
  versions: Versions;
  rescued: RescuedSaves;
  locks: LockBook;
  /** What the WOPI routes need. */
  wopi: ComposedWopi;
  /** Clears away what a killed predecessor left. */
  recover(): Promise<void>;
  /** Ends what is over: old tokens, old locks, old versions; writes the sessions' counts. */
  sweep(): Promise<void>;
  /** Waits for what runs, then closes the database. */
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Opens a data folder and all services over it; nothing listens.
 * @throws AppError data-folder-busy, data-folder-invalid, database-newer, settings-invalid, secret-store-unreachable
 */
export async function openServices(options: ServiceOptions): Promise<Services> {
  const { dataDir, log, clock = Date.now, emit = () => undefined } = options;
  await makePrivate(dataDir);
  const store = openStore({ dataDir, clock, onNotice: (text) => log.error({}, text) });
  try {
    return await build({ ...options, clock, emit }, store);
  } catch (error) {
    store.close();
    throw error;
  }
}

async function build(
  { dataDir, folder: chosen, log, clock, emit }: ServiceOptions & { clock: Clock; emit: EmitEvent },
  store: Store,
): Promise<Services> {
  const { db } = store;
  const warn = (text: string): void => log.warn({}, text);
  const transaction = <T>(work: () => T): T => db.transaction(work).immediate();
  const commit = createGroupCommit(db);
  const settings = await loadSettings({ dataDir });
  const secrets = await openSecretStore({ dataDir, warn });
  const tokenKey = await loadTokenKey(secrets);
  const dataFolder = await readDataFolderRecord(dataDir);

  const userRepository = createUserRepository(db);
  const accessTokenRepository = createAccessTokenRepository(db);
  const users = createUsers({ repository: userRepository, secrets, clock });
  const signIn = createSignIn({ repository: userRepository, db, tokenKey });
  const apiTokens = createApiTokens({
    repository: createApiTokenRepository(db),
    users,
    clock,
    tokenKey,
    apiTokenDays: () => settings.current().apiTokenDays,
    emit,
  });
  const accessTokens = createAccessTokens({
    repository: accessTokenRepository,
    users,
    clock,
    tokenKey,
    accessTokenHours: () => settings.current().accessTokenHours,
    emit,
  });
  const sessions = createSessions({ repository: accessTokenRepository, clock });

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

  const chosenFolder = chosen ?? settings.current().folder;
  const { jail, problem: folderProblem } = await openChosen(chosenFolder, dataDir);
  const folder =
    jail &&
    createFolder({
      jail,
      tenantId: createTenantsTable(db).ofRoot(jail.root, clock()),
      files: filesTable,
      clock,
      newId: () => randomBytes(16).toString('base64url'),
      mutex,
      transaction,
      settle: record.settle,
    });
  const requireFolder = (): Folder => {
    if (folder === undefined) throw folderProblem ?? new AppError('folder-not-chosen');
    return folder;
  };

  const saves = createSaves({
    jail: () => requireFolder().jail,
    files: filesTable,
    versions: versionsTable,
    kept,
    clock,
    emit,
    commit,
    tempName: tempNames.next,
    onKeptUnhashed: (fileId, id) => {
      background.add(`version ${fileId} ${id}`, (signal) => versions.fingerprint(fileId, id, signal));
    },
  });
  const documents = createDocuments({
    folder: requireFolder,
    files: filesTable,
    mutex,
    clock,
    emit,
    transaction,
    nameKey,
    moveToTrash: async (absolute) => {
      const { default: trash } = await import('trash');
      await trash(absolute, { glob: false });
    },
    newFileMode: 0o666 & ~process.umask(),
    isLocked: (fileId) => locks.isHeld(fileId),
  });
  const rescued = createRescuedSaves({
    table: createRescuedTable(db),
    directory: incomingDirectory,
    clock,
    emit,
    newId: () => randomBytes(4).toString('hex'),
    tempName: tempNames.next,
    absoluteFolder: (path) => requireFolder().jail.absolute(path),
    hasFolder: (path) =>
      requireFolder()
        .jail.requireFolder(path)
        .then(
          () => true,
          () => false,
        ),
    createDocument: async ({ folderPath, name, incoming }) => {
      const origin = { savedAtMs: clock(), savedBy: null, savedHow: 'rescued' };
      const made = await documents.create({ folderPath, names: candidateNames(name), incoming, origin });
      if (made === undefined) throw new AppError('disk-refused', { detail: 'No name is free for it.' });
      return made.row.path;
    },
    rescuedName,
  });
  const startedAtMs = clock();
  const locks = createLockBook({
    table: locksTable,
    files: filesTable,
    mutex,
    commit,
    clock,
    emit,
    loginOf: (userId) => users.byId(userId)?.login,
    lastCallAtMs: sessions.lastCallAtMs,
    hasLiveToken: (fileId) => locksTable.hasEditToken(fileId, clock() - dayMs),
    awakeSinceMs: () => startedAtMs,
  });
  const versions = createVersions({
    table: versionsTable,
    kept,
    folder: requireFolder,
    saves,
    mutex,
    clock,
    emit,
    tempName: tempNames.next,
    incomingDirectory,
    isLocked: locks.isHeld,
  });

  const wopi = composeWopi({
    folder: requireFolder,
    locks,
    mutex,
    saves,
    documents,
    uploads: createUploads({ tempName: tempNames.next, incomingDirectory, rescued, clock }),
    accessTokens,
    users,
    background,
    clock,
    warn,
    desktopLocks: () => settings.current().desktopLocks,
  });

  await rescued.adoptStrays((fileId) => filesTable.byId(fileId)?.path);

  const tariffs = createTariffCache({
    readLimits: () => ({ maxUploadBytes: settings.current().maxUploadMiB * 1024 * 1024 }),
  });
  settings.onChange((_, keys) => {
    if (folder !== undefined) tariffs.invalidate(encodeTariffCacheItem({ tenantId: folder.tenantId }));
    emit({ event: 'settings-changed', keys });
  });

  return {
    dataDir,
    clock,
    log,
    emit,
    journal: createJournal({ capacity: 10_000 }),
    settings,
    secrets,
    store,
    users,
    signIn,
    apiTokens,
    accessTokens,
    sessions,
    tariffs,
    folder,
    requireFolder,
    versions,
    rescued,
    locks,
    wopi,

    async recover() {
      if (folder === undefined) return;
      await recoverFolder({
        folder,
        files: filesTable,
        versions: versionsTable,
        kept,
        record,
        mutex,
        clock,
        tempNames,
        incomingDirectory,
        onError: (error) =>
          log.error({ err: error }, 'A document could not be cleared up after the last run.'),
      });
    },

    async sweep() {
      sessions.flush();
      apiTokens.sweep();
      accessTokens.sweep();
      locksTable.sweep(clock() - 2 * dayMs);
      const { versionDays: days, versionCount: count } = settings.current();
      await versions.prune({ days, count });
    },

    async close() {
      await background.close();
      await mutex.idle();
      sessions.flush();
      store.close();
    },
  };
}

/** A folder that is not there is a problem of those who need it; accounts and tokens can be seen to without it. */
async function openChosen(
  folder: string | null,
  dataDir: string,
): Promise<{ jail?: Jail; problem?: AppError }> {
  if (folder === null) return {};
  try {
    await assertApart(folder, dataDir);
    return { jail: await openJail(folder) };
  } catch (error) {
    if (error instanceof AppError) return { problem: error };
    throw error;
  }
}

async function makePrivate(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await chmod(dataDir, 0o700);
  } catch (error) {
    throw new AppError('data-folder-invalid', { cause: error, detail: `It cannot be made at ${dataDir}.` });
  }
}
