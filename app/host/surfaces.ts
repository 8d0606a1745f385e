// What a running host opens besides its own listeners. Both call its commands, so they are above it, and `startHost` is given them.

import type { Logger } from '../log/logger.ts';
import type { GuardLists } from '../server/guard-lists.ts';
import type { ListenerTls } from '../server/http-server.ts';
import type { Listening } from '../server/listener.ts';
import type { BuiltPage } from '../server/pages/built-pages.ts';
import type { RunningHost } from './running-host.ts';
import type { Services } from './services.ts';

export interface Surfaces {
  createDashboard(deps: DashboardDeps): Dashboard;
  /** @throws AppError data-folder-invalid if the socket can't be created */
  createControlServer(deps: ControlServerDeps): Promise<{ close(): Promise<void> }>;
}

export interface Dashboard {
  /** Opens its port, if that isn't open yet. @returns a URL, valid once, for 10 minutes @throws AppError as `Listening.open` */
  createLink(): Promise<string>;
  /** Listens again with the current settings. Never rejects. */
  reopen(): Promise<void>;
  /** Whether its address still exists. */
  check(): Promise<void>;
  close(limitMs: number): Promise<void>;
}

export interface DashboardDeps {
  services: Services;
  host: () => RunningHost;
  /** How users invoke DocTray in a terminal. */
  command: string;
  /** `--data` and the folder, if it was given. */
  dataOption: string | undefined;
  /** The host's own listener. */
  hostListening: Pick<Listening, 'networkUrl' | 'host'>;
  /** The configured port; 0: any free port. */
  hostPort: () => number;
  /** `arePagesOpen`: whether other computers may use the dashboard. */
  guard: GuardLists;
  tls: ListenerTls;
  page: BuiltPage;
}

export interface ControlServerDeps {
  /** Locked by this process, so an existing socket in it is a killed host's. */
  dataDir: string;
  host: RunningHost;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}
