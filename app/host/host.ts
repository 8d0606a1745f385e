// One running host, for the terminal or the desktop app. Starts services, listeners and control socket, in this order. To stop,
// it ends jobs and searches, closes the listeners, waits for running requests, then closes the services and, last, the control socket.

import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startMaintenance } from './maintenance.ts';
import { createGuardLists } from '../server/guard-lists.ts';
import { createEditorHosting, type TrialHost } from '../editors/editor-addresses.ts';
import type { HostedFolder } from './hosted-folder.ts';
import { createListening } from '../server/listener.ts';
import { createPause } from './pause.ts';
import { createTextEditorHosting } from '../text-editor/text-editor-listener.ts';
import { openServices, type Services } from './services.ts';
import { AppError } from '../contract/errors.ts';
import { findFolderFaults, folderWarning, type FolderFaults } from '../files/folder-access.ts';
import { createApp } from '../server/create-app.ts';
import { createOpenDocument, createOpenInEditor, createOpenVersion } from '../server/document-access.ts';
import { createRunningSaves } from '../server/running-saves.ts';
import { createVersionViews } from '../wopi/version-views.ts';
import { createTlsSockets } from '../server/tls-sockets.ts';
import { isHere } from '../network/own-hosts.ts';
import { findProjectRoot } from '../project-root.ts';
import { createBuiltPage } from '../server/pages/built-pages.ts';
import type { Host, HostOptions, ListenAddress, RunningHost } from './running-host.ts';
import type { Surfaces } from './surfaces.ts';

/** How long running requests have when the host stops. */
const stopLimitMs = 3500;

/** @throws AppError of `openServices`; folder-not-chosen, port-taken, address-unavailable, login-invalid, password-weak */
export async function startHostWith(surfaces: Surfaces, options: HostOptions): Promise<Host> {
  const services = await openServices(options);
  try {
    const host = await start(services, options, surfaces);
    // Not before: a locked keychain would delay the start.
    void services.secrets.removeCopies();
    return host;
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** How long a stop waits for searches of an address. */
const searchEndMs = 500;

async function start(services: Services, options: HostOptions, surfaces: Surfaces): Promise<Host> {
  const { settings, users, events, emit, log, folders, clock, editors, tls } = services;
  if (options.isFolderOptional !== true) folders.require();
  const startedAtMs = clock();

  const faultsOf = async (folder = services.folder()): Promise<FolderFaults | undefined> =>
    folder && (await findFolderFaults(folder.root));
  let folderProblem = folders.problem();
  let folderFaults = await faultsOf();
  const findDiskLow = async (folder = services.folder()): Promise<boolean> =>
    services.diskSpace.requireRoom(folder?.root ?? services.dataDir, 0).then(
      () => false,
      () => true,
    );
  let isDiskLow = await findDiskLow();
  let isStopping = false;
  const emitChanged = (): void => emit({ event: 'host-changed' });
  const pausing = createPause({ clock, onChange: emitChanged });

  const tlsSockets = createTlsSockets({ isOn: () => settings.current().tls !== 'off', context: tls.context });
  const trial: TrialHost = { host: null };
  /** An address that is saved once the listener is there. */
  let next: Partial<ListenAddress> = {};
  /** An address that was saved although it didn't exist yet. */
  let awaitedHost: string | undefined;
  const hostPort = (): number => options.port ?? next.port ?? settings.current().port;
  const listening = createListening({
    address: () => ({
      host: options.host ?? next.host ?? trial.host ?? settings.current().host,
      port: hostPort(),
    }),
    tls: tlsSockets,
    isAddressRequired: options.host !== undefined,
    peers: {
      trustedProxies: () => guard.trustedProxies(),
      allowedAddresses: () => guard.allowedAddresses(),
    },
    onChange: emitChanged,
  });
  const publicUrl = (): string => {
    const url = options.publicUrl ?? settings.current().publicUrl ?? listening.editorUrl();
    return url.replace(/\/+$/u, '');
  };
  const editorHosting = createEditorHosting({
    services,
    listening,
    trial,
    moveForTrial: async () => {
      if (listening.needsReopen()) await reopen();
    },
    publicUrl,
    showPage: options.showPage,
    listenAt: (address) => listenAt(address),
  });
  const { baseUrlOf } = editorHosting.commands;
  const { pageUrlOf } = editorHosting;
  /** An open that is refused now may be allowed a moment later. */
  const whenOpen =
    <Input, Result>(open: (input: Input) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      if (pausing.untilMs() !== undefined) throw new AppError('paused');
      if (services.folder() === undefined) folders.require();
      return open(input);
    };
  const opening = { ...services, publicUrl, pageUrlOf };
  const openDocument = whenOpen(createOpenDocument(opening));
  const openInEditor = whenOpen(createOpenInEditor(opening));
  const openVersion = whenOpen(createOpenVersion(opening));
  const versionViews = createVersionViews({ clock, users });
  const baseUrls = (): string[] => [
    publicUrl(),
    ...editors.list().flatMap((editor) => editor.publicUrl ?? []),
  ];
  const guard = createGuardLists({ settings, events, host: listening.host, baseUrls });
  const pages = { ...(options.pagesBuild ?? { folder: join(findProjectRoot(), 'out') }), log };
  const hostPage = createBuiltPage('host-page', pages);
  const textEditor = createTextEditorHosting({
    services,
    hostListening: listening,
    hostPort,
    publicUrl: () => options.publicUrl ?? settings.current().publicUrl,
    baseUrls,
    guard,
    tls: tlsSockets,
    versionViews,
    page: createBuiltPage('text-editor', pages),
  });
  const dashboard = surfaces.createDashboard({
    services,
    host: () => host,
    command: options.command ?? 'doctray',
    dataOption: options.dataOption,
    hostListening: listening,
    hostPort,
    guard,
    tls: tlsSockets,
    page: createBuiltPage('window', pages),
  });
  const saves = createRunningSaves(services);
  const refusalOfOpens = (hosted: HostedFolder | undefined): AppError | undefined => {
    if (pausing.untilMs() !== undefined) return new AppError('paused');
    return hosted === undefined || folders.isActive(hosted) ? undefined : new AppError('file-missing');
  };
  const app = createApp({
    clock,
    journal: services.journal,
    log,
    ...guard,
    wopi: {
      hostedFolderOf: folders.forFile,
      isUnhosted: folders.isUnhosted,
      sessions: services.sessions,
      refusalOfOpens,
      saves,
      baseUrlOf,
      checkCaller: editorHosting.checkCaller,
      probes: editorHosting.probes,
      versionViews,
      maxUploadBytes: (hosted) => services.tenantLimits.limits(hosted?.folder.tenantId ?? 0).maxUploadBytes,
      unhosted: services.unhosted,
    },
    authentication: { signIn: services.signIn, apiTokens: services.apiTokens },
    files: { apiTokens: services.apiTokens, folder: services.folder, openDocument },
    pages: {
      ...services,
      copies: services.pageCopies,
      saves,
      folderOf: (fileId) => folders.forFile(fileId)?.folder,
      hostedFolderOf: folders.forFile,
      versionViews,
      isUnhosted: folders.isUnhosted,
      baseUrlOf,
      browserUrlOf: textEditor.browserUrlOf,
      refusalOfOpen: (fileId) => refusalOfOpens(folders.forFile(fileId)),
      knownBases: baseUrls,
      hostPage,
    },
    helpFolder: join(findProjectRoot(), 'docs', 'help'),
    licensesFile: join(findProjectRoot(), 'out', 'licenses.txt'),
  });
  await tls.check();
  await listening.open(app.callback());
  hostPage.prepare();
  await textEditor.start();
  /** Checks whether the folder exists: a drive may be unplugged, and plugged in again. */
  const refreshFolder = async (): Promise<void> => {
    if (services.folder() === undefined) await services.openChosenFolder();
    else await folders.openOthers();
    const folder = services.folder();
    let problem = folders.problem();
    let faults: FolderFaults | undefined;
    try {
      await folder?.jail.requireRoot();
      faults = await faultsOf(folder);
    } catch (error) {
      problem = error instanceof AppError ? error : new AppError('folder-missing', { cause: error });
    }
    const isLow = await findDiskLow(folder);
    // This can take long if a network drive is down. The user may have chosen another folder by then.
    if (services.folder() !== folder) return;
    const isSame = faults?.list === folderFaults?.list && faults?.save === folderFaults?.save;
    if (folderProblem?.message === problem?.message && isSame && isDiskLow === isLow) return;
    folderProblem = problem;
    folderFaults = faults;
    isDiskLow = isLow;
    emitChanged();
  };
  const checkAll = async (): Promise<void> => {
    await refreshFolder();
    await tls.check();
    await checkListener();
    if (awaitedHost === settings.current().host && isHere(awaitedHost)) {
      await reopen().catch(() => undefined);
    }
    await textEditor.check();
    await dashboard.check();
  };
  const followListener = async (): Promise<void> => {
    guard.forget();
    await textEditor.reopen();
    await dashboard.reopen();
    await refreshFolder();
    emitChanged();
  };
  /** Once its address exists or its port is free, it listens there, as do those that follow it. */
  const checkListener = async (): Promise<void> => {
    const before = listening.problem();
    await listening.check();
    if (before === undefined || listening.problem() !== undefined) return;
    awaitedHost = undefined;
    await followListener();
  };
  const reopen = async (): Promise<void> => {
    await listening.reopen();
    awaitedHost = undefined;
    await followListener();
  };
  const listenAt = async (address: Partial<ListenAddress>): Promise<boolean> => {
    let hasMoved = false;
    const move = async (): Promise<void> => {
      next = address;
      if (!listening.needsReopen()) return;
      try {
        await listening.reopen();
        hasMoved = true;
        awaitedHost = undefined;
      } catch (error) {
        // It may exist later, as a container's bridge does.
        if (!(error instanceof AppError) || error.code !== 'address-unavailable') throw error;
        awaitedHost = address.host ?? settings.current().host;
      }
    };
    try {
      await settings.update(address, move);
    } catch (error) {
      next = {};
      if (hasMoved) await listening.reopen();
      throw error;
    } finally {
      next = {};
    }
    if (hasMoved) await followListener();
    return hasMoved;
  };
  // Until the first run is done, it waits for the folder that the user chooses.
  events.on('settings-changed', ({ keys }) => {
    if (!keys.includes('windowFirstRunDone') && !keys.includes('minFreeMB')) return;
    refreshFolder().catch((error: unknown) => log.error({ err: error }, 'The folder couldn’t be opened.'));
  });
  // The reason why it couldn't listen may be gone.
  events.on('settings-changed', ({ keys }) => {
    const isOfListener = keys.includes('host') || keys.includes('port');
    if (!isOfListener || listening.problem() === undefined) return;
    checkListener().catch((error: unknown) => log.error({ err: error }, 'The port couldn’t be reopened.'));
  });
  // The certificate must cover the base addresses of editors.
  events.on('editors-changed', () => void tls.check());

  const maintenance = startMaintenance(services, checkAll);
  let control: { close(): Promise<void> } | undefined;
  let stopping: Promise<void> | undefined;
  const stop = async (limitMs: number): Promise<void> => {
    isStopping = true;
    pausing.close();
    emit({ event: 'stopping' });
    services.endLongWork();
    // Each restores what it changed, for which it needs the listener and the database. Running saves need the time more.
    await Promise.race([services.addressSearch.close(), setTimeout(searchEndMs, undefined, { ref: false })]);
    await Promise.all([listening.close(limitMs), textEditor.close(limitMs), dashboard.close(limitMs)]);
    await maintenance.stop();
    await services.close();
    // Last: "quit" and a second start take a missing socket for a data folder that is free.
    await control
      ?.close()
      .catch((error: unknown) => log.warn({ err: error }, 'The control socket couldn’t be removed.'));
    emit({ event: 'stopped' });
  };

  const host: RunningHost = {
    services,
    get baseUrl() {
      return listening.baseUrl();
    },
    get ownerLogin() {
      return users.byId(users.ownerId())?.login ?? '';
    },
    publicUrl,
    createDashboardLink: dashboard.createLink,

    colleagueUrl() {
      const { networkPages, publicUrl: chosen } = settings.current();
      const url = options.publicUrl ?? chosen ?? listening.networkUrl();
      if (networkPages && url !== null) return { url: url.replace(/\/+$/u, ''), settings: [] };
      return {
        url: null,
        settings: [
          ...(networkPages ? [] : ['networkPages' as const]),
          ...(url === null ? ['host' as const] : []),
        ],
      };
    },

    openDocument,
    openInEditor,
    openVersion,
    ...editorHosting.commands,
    textEditorProblem: textEditor.problem,
    probes: editorHosting.probes,
    tls,

    state() {
      const problem = listening.problem() ?? folderProblem;
      const serving = services.folder() === undefined ? 'idle' : 'serving';
      const open = pausing.untilMs() === undefined ? serving : 'paused';
      return {
        status: isStopping ? 'stopping' : problem === undefined ? open : 'error',
        problem,
        folderWarning: folderFaults && folderWarning(folderFaults),
        isDiskLow,
        pausedUntilMs: pausing.untilMs() ?? null,
        needsListenerRestart: listening.needsReopen(),
        startedAtMs,
      };
    },

    async useFolder(path) {
      await folders.use(path, async (folder) => {
        if (settings.current().folder !== folder) await settings.update({ folder });
      });
      folderProblem = undefined;
      folderFaults = await faultsOf();
      emitChanged();
      void folders.active()?.recover();
    },

    quit: options.onQuit ?? (() => void host.stop()),
    pause: pausing.pause,
    resume: pausing.resume,

    reopen,
    listenAt,
    fixedHost: options.host ?? null,
    fixedPort: options.port ?? null,
    awaitedHost: () => awaitedHost,

    async noteWake() {
      services.noteWake();
      pausing.check();
      await checkAll();
      guard.forget();
      await maintenance.noteLapses();
      emitChanged();
    },

    runningSaves: saves.count,

    stop({ limitMs } = { limitMs: stopLimitMs }) {
      if (stopping !== undefined) {
        listening.cutWithin(limitMs);
        textEditor.cutWithin(limitMs);
      }
      return (stopping ??= stop(limitMs));
    },

    closeDatabase: () => void services.store.db.close(),
  };
  try {
    control = await surfaces.createControlServer({ dataDir: services.dataDir, host, log });
    // Last: if startup fails, no password was generated that nobody saw.
    const { user: owner, generatedPassword } = await users.ensureOwner({
      ...(options.ownerLogin !== undefined && { login: options.ownerLogin }),
      ...(options.ownerPassword !== undefined && { password: options.ownerPassword }),
    });
    log.info(
      { secrets: services.secrets.description, baseUrl: listening.baseUrl() },
      'DocTray is listening.',
    );
    emit({
      event: 'listening',
      pid: process.pid,
      baseUrl: listening.baseUrl(),
      folder: services.folder()?.root ?? null,
      owner: owner.login,
    });
    return Object.assign(host, {
      ...(generatedPassword !== undefined && { generatedOwnerPassword: generatedPassword }),
    });
  } catch (error) {
    await control?.close();
    await maintenance.stop();
    await dashboard.close(0);
    await textEditor.close(0);
    await listening.close(0);
    throw error;
  }
}
