// What the guards compare a request with: the settings, the base addresses of editors, and the addresses of this computer.

import type { Events } from '../contract/events.ts';
import { isWildcard } from '../contract/addresses.ts';
import { formatHost } from '../network/addresses.ts';
import { ownHosts } from '../network/own-hosts.ts';
import { hostName, type HostGuardDeps } from './middleware/host-guard.ts';
import type { NetworkGuardDeps } from './middleware/network-guard.ts';
import type { SettingsStore } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** For an unknown name, the allowed names are collected again at most this often. */
const recollectMs = 2000;

export interface GuardLists extends HostGuardDeps, NetworkGuardDeps {
  /** Drops the cache; the next call rebuilds it. */
  forget(): void;
}

/** Collected again only when a setting changed, or an unknown name is requested. */
export function createGuardLists(deps: {
  settings: Pick<SettingsStore, 'current'>;
  events: Pick<Events, 'on'>;
  /** The listening address. */
  host: () => string;
  /** All base addresses of editors. */
  baseUrls: () => readonly string[];
}): GuardLists {
  let hosts: ReadonlySet<string> | undefined;
  let settings: Settings | undefined;
  const forget = (): void => {
    hosts = undefined;
    settings = undefined;
  };
  deps.events.on('settings-changed', forget);
  // A base address given to an editor is an allowed name.
  deps.events.on('editors-changed', forget);
  const current = (): Settings => (settings ??= deps.settings.current());
  let collectedAtMs = 0;
  /** Documents stay open under the address the editor had when they were opened. */
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
      // This computer may have a new address, a laptop another network, or an editor a new base address.
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
