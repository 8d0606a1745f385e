// The host: services, listener and control socket, started in this order and stopped in reverse. Both entries, the terminal's
// and the desktop app's, get theirs here.

import { hostname, networkInterfaces } from 'node:os';
import { openServices, type ServiceOptions, type Services } from './compose-services.ts';
import { createControlServer } from './control/control-server.ts';
import { createApp, type AppDeps } from './server/create-app.ts';
import { createOpenDocument } from './server/document-access.ts';
import { listen } from './server/listen.ts';
import { hostName } from './server/middleware/host-guard.ts';

export interface HostOptions extends ServiceOptions {
  /** Address or name of this machine to listen on, instead of the setting. */
  host?: string;
  /** Port instead of the setting; 0 takes any free one. */
  port?: number;
  /** Address under which editors reach this host, instead of the setting. */
  publicUrl?: string;
  /** Login of the owner that a first run makes. */
  ownerLogin?: string;
  ownerPassword?: string;
}

export interface Host {
  services: Services;
  /** Where it listens. */
  baseUrl: string;
  /** The address editors are given. */
  publicUrl(): string;
  ownerLogin: string;
  /** Only on the first run, and only when it was not given. */
  generatedOwnerPassword?: string;
  /** Finishes running saves, writes the database and closes, within 5 s. */
  stop(): Promise<void>;
}

/** Running requests get this long to end when the host stops. */
const stopLimitMs = 4000;
const flushEveryMs = 15_000;
const sweepEveryMs = 60 * 60 * 1000;
/** A lapse is noticed this long after it at the latest; between, it is judged when it is read. */
const lapseCheckMs = 60_000;

/** @throws AppError of `openServices`; folder-not-chosen, port-taken, address-unavailable, login-invalid, password-weak */
export async function startHost(options: HostOptions): Promise<Host> {
  const services = await openServices(options);
  try {
    return await start(services, options);
  } catch (error) {
    await services.close();
    throw error;
  }
}

async function start(services: Services, options: HostOptions): Promise<Host> {
  const { settings, users, emit, log } = services;
  const folder = services.requireFolder();
  let baseUrl = '';
  const publicUrl = (): string => {
    const url = options.publicUrl ?? settings.current().publicUrl ?? baseUrl;
    return url.replace(/\/+$/u, '');
  };
  const openDocument = createOpenDocument({
    folder: () => folder,
    accessTokens: services.accessTokens,
    publicUrl,
  });
  const host = options.host ?? settings.current().host;
  const guard = createGuardLists({ settings, host, publicUrl });
  const app = createApp({
    clock: services.clock,
    journal: services.journal,
    log,
    ...guard,
    wopi: {
      ...services.wopi,
      sessions: services.sessions,
      publicUrl,
      maxUploadBytes: () => services.tariffs.limits(folder.tenantId).maxUploadBytes,
    },
    authentication: { signIn: services.signIn, apiTokens: services.apiTokens },
    files: { apiTokens: services.apiTokens, folder: () => folder, openDocument },
  });
  const listener = await listen(app.callback(), { host, port: options.port ?? settings.current().port });
  baseUrl = listener.baseUrl;
  let control: { close(): Promise<void> } | undefined;
  let made: Awaited<ReturnType<Services['users']['ensureOwner']>>;
  try {
    const running = { baseUrl, publicUrl, openDocument };
    control = await createControlServer({ dataDir: services.dataDir, services, host: running, log });
    // Last of all that can fail: a password that was generated is told, or was not made.
    made = await users.ensureOwner({
      ...(options.ownerLogin !== undefined && { login: options.ownerLogin }),
      ...(options.ownerPassword !== undefined && { password: options.ownerPassword }),
    });
  } catch (error) {
    await control?.close();
    await listener.close(0);
    throw error;
  }
  const { user: owner, generatedPassword } = made;
  const chores = startChores(services);
  log.info({ secrets: services.secrets.description, baseUrl }, 'DocTray listens.');
  emit({ event: 'listening', pid: process.pid, baseUrl, folder: folder.root, owner: owner.login });

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    emit({ event: 'stopping' });
    await Promise.all([listener.close(stopLimitMs), control.close()]);
    await chores.stop();
    await services.close();
    emit({ event: 'stopped' });
  };
  return {
    services,
    baseUrl,
    publicUrl,
    ownerLogin: owner.login,
    ...(generatedPassword !== undefined && { generatedOwnerPassword: generatedPassword }),
    stop: () => (stopping ??= stop()),
  };
}

/** The addresses of this machine are not asked for more often than this. */
const recollectMs = 2000;

/** What the host guard compares with; made anew only when a setting changed. */
function createGuardLists(deps: {
  settings: Services['settings'];
  host: string;
  publicUrl: () => string;
}): Pick<AppDeps, 'isAllowedHost' | 'allowedAddresses'> {
  let hosts: ReadonlySet<string> | undefined;
  let addresses: readonly string[] | undefined;
  deps.settings.onChange(() => {
    hosts = undefined;
    addresses = undefined;
  });
  const isEverywhere = deps.host === '0.0.0.0' || deps.host === '::';
  let collectedAtMs = 0;
  const collect = (): ReadonlySet<string> => {
    collectedAtMs = performance.now();
    const own = isEverywhere
      ? [
          hostname(),
          ...Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []),
        ]
      : [deps.host];
    const url = deps.publicUrl();
    const names = [
      'localhost',
      '127.0.0.1',
      '::1',
      ...own,
      ...(url === '' ? [] : [new URL(url).hostname]),
      ...deps.settings.current().allowedHosts,
    ];
    return new Set(
      names.map((name) => hostName(name.includes(':') && !name.startsWith('[') ? `[${name}]` : name) ?? name),
    );
  };
  return {
    isAllowedHost(host) {
      hosts ??= collect();
      if (hosts.has(host)) return true;
      // The machine may have another address than a moment ago: a laptop in another network.
      if (!isEverywhere || performance.now() - collectedAtMs < recollectMs) return false;
      hosts = collect();
      return hosts.has(host);
    },
    allowedAddresses: () => (addresses ??= deps.settings.current().allowedAddresses),
  };
}

/** What the host does without being asked: recovery once, then counts, lapses and sweeps by the clock. */
function startChores(services: Services): { stop(): Promise<void> } {
  const { log, sessions, folder, locks } = services;
  const timers: NodeJS.Timeout[] = [];
  const guarded = (what: string, work: () => void | Promise<void>) => async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, `${what} failed; it is tried again later.`);
    }
  };
  const noteLapses = guarded('Noting lapsed locks', async () => {
    await locks.noteLapses(async (id) => (await folder?.see(id))?.row.version);
  });
  const every = (ms: number, work: () => Promise<void>): void => {
    const timer = setInterval(() => void work(), ms);
    timer.unref();
    timers.push(timer);
  };
  const first = guarded('Clearing up after the last run', services.recover)()
    .then(noteLapses)
    .then(guarded('Clearing away what is over', services.sweep));
  every(
    flushEveryMs,
    guarded('Writing the sessions', () => sessions.flush()),
  );
  every(lapseCheckMs, noteLapses);
  every(sweepEveryMs, guarded('Clearing away what is over', services.sweep));
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await first;
    },
  };
}
