// Starts a host with everything that reaches it: its listeners, the control socket and the dashboard.

import { createControlServer } from '../control/control-server.ts';
import { createDashboard } from '../dashboard/dashboard.ts';
import { startHostWith } from '../host/host.ts';
import type { Host, HostOptions } from '../host/running-host.ts';

/** @throws AppError as `startHostWith` */
export const startHost = (options: HostOptions): Promise<Host> =>
  startHostWith({ createControlServer, createDashboard }, options);
