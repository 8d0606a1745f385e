// The app's window in a browser, for computers without a display: `dashboard` prints a link to it. It has its own port, so that host
// pages and editors can't reach into it, and it listens only on this computer unless a setting opens it to the network over HTTPS.

import { AppError } from '../contract/errors.ts';
import type { Dashboard, DashboardDeps } from '../host/surfaces.ts';
import { createListening, type Listening } from '../server/listener.ts';
import type { SettingKey } from '../settings/settings.ts';
import type { DashboardServer } from './dashboard-server.ts';
import { createDashboardSessions } from './sessions.ts';

/** What the listener depends on. */
const ownKeys: ReadonlySet<string> = new Set<SettingKey>([
  'dashboardPort',
  'networkDashboard',
  'tls',
  'host',
]);
/** After the host's own port and those of the text editor. */
const portOffset = 11;
const loopbacks = ['127.0.0.1', '::1'] as const;

export function createDashboard(deps: DashboardDeps): Dashboard {
  const { services, hostListening, guard } = deps;
  const { settings, clock, log } = services;
  const sessions = createDashboardSessions({ clock });
  let server: DashboardServer | undefined;
  let listening: Listening | undefined;
  let opening: Promise<Listening> | undefined;
  let reopening = Promise.resolve();
  let isClosed = false;
  let wantedPort = 0;

  const isOnNetwork = (): boolean => settings.current().networkDashboard && guard.isTlsOn();

  const candidates = (): number[] => {
    const { dashboardPort } = settings.current();
    if (dashboardPort !== null) return [dashboardPort];
    const wanted = deps.hostPort() + portOffset;
    return deps.hostPort() === 0 || wanted > 65_535 ? [0] : [wanted, 0];
  };

  const open = async (): Promise<Listening> => {
    const { createDashboardServer } = await import('./dashboard-server.ts');
    const created = createDashboardServer({
      ...deps,
      sessions,
      guard: { ...guard, arePagesOpen: isOnNetwork },
    });
    deps.page.prepare();
    const opened = createListening({
      address: () => ({ host: isOnNetwork() ? hostListening.host() : '127.0.0.1', port: wantedPort }),
      tls: deps.tls,
      peers: { trustedProxies: guard.trustedProxies, allowedAddresses: guard.allowedAddresses },
      loopbacks,
      onUpgrade: created.onUpgrade,
      onChange: () => undefined,
    });
    let failure: unknown;
    for (const port of candidates()) {
      wantedPort = port;
      try {
        await opened.open(created.handler);
        listening = opened;
        server = created;
        if (isClosed) await opened.close(0);
        return opened;
      } catch (error) {
        failure = error;
        if (!(error instanceof AppError) || error.code !== 'port-taken') break;
      }
    }
    opening = undefined;
    throw failure;
  };

  const reopen = async (): Promise<void> => {
    if (listening === undefined) return;
    try {
      wantedPort = settings.current().dashboardPort ?? Number(new URL(listening.baseUrl()).port);
      await listening.reopen();
    } catch (error) {
      log.warn({ err: error }, 'The dashboard couldn’t listen with the changed settings.');
    }
  };

  const stopListening = [
    services.events.on('settings-changed', ({ keys }) => {
      if (!keys.some((key) => ownKeys.has(key))) return;
      // Pages from the network must not stay open when the setting is switched off.
      if (!isOnNetwork()) server?.closeRemote();
      reopening = reopen();
    }),
    services.users.beforeChange(({ userId }) => {
      if (userId === services.users.ownerId()) sessions.endAll();
    }),
  ];

  return {
    async createLink() {
      const { baseUrl, networkUrl, problem, reopen: openAgain } = await (opening ??= open());
      await reopening;
      // Another program took its port when it listened again; a link to that program would be given to it.
      if (problem()?.code === 'port-taken') await openAgain();
      const address = isOnNetwork() ? (networkUrl() ?? baseUrl()) : baseUrl();
      const link = new URL(address);
      // Not in the query: the part after # is never sent, so no log contains it.
      link.hash = sessions.createLink();
      return link.href;
    },
    reopen,
    check: async () => listening?.check(),
    async close(limitMs) {
      isClosed = true;
      for (const stop of stopListening) stop();
      server?.goAway();
      await listening?.close(limitMs);
    },
  };
}
