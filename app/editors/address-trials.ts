// The addresses where a container may reach this computer. Rootful, rootless and virtual machines each need another one, and firewalls
// may block it, so they are tried, those that open least first.

import { isIP, isIPv4 } from 'node:net';
import type { ContainerEngineState } from '../contract/document-servers.ts';
import type { ReachableAddress } from '../contract/editors.ts';
import { hostOf } from '../network/addresses.ts';
import type { AddressTrial } from './reachable-address.ts';

export const dockerName = 'host.docker.internal';
const podmanName = 'host.containers.internal';
const maxNetworks = 4;

/** Every address the container may need in its settings, such as `http://172.17.0.1:8790`. */
export function containerAddresses(addresses: readonly ReachableAddress[]): string[] {
  const usable = addresses.filter(
    ({ kind, url }) =>
      kind === 'public' || kind === 'docker' || (kind === 'interface' && isIPv4(hostOf(url))),
  );
  return [...new Set([...usable.map(({ url }) => url), ...named(addresses, podmanName)])].filter(
    (url) => isIP(hostOf(url)) !== 6,
  );
}

/**
 * In the order they are tried. The engine only determines the order: all are tried before a start fails.
 * @param gateways this computer's addresses in the container's networks
 */
export function addressTrials(input: {
  addresses: readonly ReachableAddress[];
  engine: Pick<ContainerEngineState, 'name' | 'mode'>;
  gateways: readonly string[];
}): AddressTrial[] {
  const { addresses, engine, gateways } = input;
  const names = engine.name === 'docker' ? [dockerName, podmanName] : [podmanName, dockerName];
  const [ownName = dockerName] = names;
  const at = (url: string, listenOn: string | null): AddressTrial => ({ url, listenOn });
  const byName = (name: string, listenOn: string | null): AddressTrial[] =>
    named(addresses, name).map((url) => at(url, listenOn));

  const v4 = addresses.filter(({ url }) => isIPv4(hostOf(url)));
  const bridges = v4.filter(({ kind, url }) => kind === 'docker' && gateways.includes(hostOf(url)));
  const networks = v4.filter(({ kind }) => kind === 'interface').slice(0, maxNetworks);
  // A stable name is better than an address that may change, unless it requires opening more. With a bridge the name resolves to
  // that; without one, to an address of this computer.
  const trialsFor = ({ url, kind, neededHost }: ReachableAddress): AddressTrial[] => [
    ...(kind === 'docker' || bridges.length === 0 ? byName(ownName, neededHost) : []),
    at(url, neededHost),
  ];
  const isWide = addresses.every(({ isListening }) => isListening);
  const unchanged =
    engine.mode === 'virtual-machine' || isWide ? names.flatMap((name) => byName(name, null)) : [];
  const wide = isWide ? [] : names.flatMap((name) => byName(name, '0.0.0.0'));
  const trials = [...unchanged, ...bridges.flatMap(trialsFor), ...networks.flatMap(trialsFor), ...wide];
  return trials.filter(
    ({ url, listenOn }, index) =>
      trials.findIndex((other) => other.url === url && other.listenOn === listenOn) === index,
  );
}

/** What DocTray would listen on for these. */
export function hostsOpenedBy(trials: readonly AddressTrial[]): string[] {
  return [...new Set(trials.flatMap(({ listenOn }) => listenOn ?? []))];
}

/** This computer's addresses with that name instead of the IP address. */
function named(addresses: readonly ReachableAddress[], name: string): string[] {
  const [known] = addresses.filter(({ url }) => hostOf(url) === dockerName);
  if (known === undefined) return [];
  const url = new URL(known.url);
  url.hostname = name;
  return [url.origin];
}
