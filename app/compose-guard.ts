// What the host guard compares a request's Host header and sender with: the settings, and the addresses of this machine.

import { hostname, networkInterfaces } from 'node:os';
import type { AppDeps } from './server/create-app.ts';
import { hostName } from './server/middleware/host-guard.ts';
import type { SettingsStore } from './settings/load-settings.ts';

/** The addresses of this machine are not asked for more often than this. */
const recollectMs = 2000;

/** What the host guard compares with; made anew only when a setting changed. */
export function createGuardLists(deps: {
  settings: SettingsStore;
  /** What is listened on. */
  host: () => string;
  publicUrl: () => string;
}): Pick<AppDeps, 'isAllowedHost' | 'allowedAddresses'> & { forget(): void } {
  let hosts: ReadonlySet<string> | undefined;
  let addresses: readonly string[] | undefined;
  const forget = (): void => {
    hosts = undefined;
    addresses = undefined;
  };
  deps.settings.onChange(forget);
  const isEverywhere = (): boolean => deps.host() === '0.0.0.0' || deps.host() === '::';
  let collectedAtMs = 0;
  const collect = (): ReadonlySet<string> => {
    collectedAtMs = performance.now();
    const own = isEverywhere()
      ? [
          hostname(),
          ...Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []),
        ]
      : [deps.host()];
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
    forget,
    isAllowedHost(host) {
      hosts ??= collect();
      if (hosts.has(host)) return true;
      // The machine may have another address than a moment ago: a laptop in another network.
      if (!isEverywhere() || performance.now() - collectedAtMs < recollectMs) return false;
      hosts = collect();
      return hosts.has(host);
    },
    allowedAddresses: () => (addresses ??= deps.settings.current().allowedAddresses),
  };
}
