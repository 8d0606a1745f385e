// What the guards compare a request with: the settings, the addresses editors were given, and those of this machine.

import type { Events } from '../contract/events.ts';
import { formatHost, isWildcard } from '../network/addresses.ts';
import { ownHosts } from '../network/own-hosts.ts';
import { hostName, type HostGuardDeps } from './middleware/host-guard.ts';
import type { NetworkGuardDeps } from './middleware/network-guard.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** The names allowed are not put together more often than this for a name that is not among them. */
const recollectMs = 2000;

export interface GuardLists extends HostGuardDeps, NetworkGuardDeps {
  /** Drops the cache; the next call rebuilds it. */
  forget(): void;
}

/** Made anew only when a setting changed, or a name is asked for that was not allowed a moment ago. */
export function createGuardLists(deps: {
  settings: Pick<SettingsStore, 'current'>;
  events: Pick<Events, 'on'>;
  /** What is listened on. */
  host: () => string;
  /** Every address under which an editor reaches this host. */
  baseUrls: () => readonly string[];
}): GuardLists {
  let hosts: ReadonlySet<string> | undefined;
  let settings: Settings | undefined;
  const forget = (): void => {
    hosts = undefined;
    settings = undefined;
  };
  deps.events.on('settings-changed', forget);
  // An address that an editor was given is one the host is known by.
  deps.events.on('editors-changed', forget);
  const current = (): Settings => (settings ??= deps.settings.current());
  let collectedAtMs = 0;
  /** Documents stay open under the address an editor was given when they were opened. */
  const given = new Set<string>();
  const collect = (): ReadonlySet<string> => {
    collectedAtMs = performance.now();
    const own = isWildcard(deps.host()) ? ownHosts() : [deps.host()];
    const bases = deps.baseUrls().flatMap((url) => hostName(URL.parse(url)?.host) ?? []);
    for (const name of bases) given.add(name);
    const names = ['localhost', '127.0.0.1', '::1', ...own, ...bases, ...current().allowedHosts];
    return new Set(names.filter((name) => name !== '').map((name) => hostName(formatHost(name)) ?? name));
  };
  return {
    forget,
    isAllowedHost(host) {
      hosts ??= collect();
      if (hosts.has(host)) return true;
      // The machine may have another address than a moment ago, a laptop in another network, or an editor another one for it.
      if (performance.now() - collectedAtMs < recollectMs) return false;
      hosts = collect();
      return hosts.has(host);
    },
    wasAllowedHost: (host) => given.has(host),
    allowedAddresses: () => current().allowedAddresses,
    trustedProxies: () => current().trustedProxies,
    isTlsOn: () => current().tls !== 'off',
    isApiOpen: () => current().networkApi,
    arePagesOpen: () => current().networkPages,
  };
}
