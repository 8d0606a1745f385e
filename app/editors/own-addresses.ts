// The addresses where an editor may reach this computer, and what to listen on for each. The connection test finds out which of
// them work.

import { hostname as systemHostname, networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import { isIP } from 'node:net';
import type { ReachableAddress } from '../contract/editors.ts';
import { t } from '../contract/messages.ts';
import { canonicalHost, isLoopbackHost, isWildcard } from '../contract/addresses.ts';
import { formatHost, isLinkLocal } from '../network/addresses.ts';

export interface OwnAddressesInput {
  port: number;
  /** How the listener speaks on the network. */
  scheme: 'http' | 'https';
  /** Listening address or name; a wildcard means every address, anything else that one and loopback. */
  host: string;
  /** From the settings; null if not set. */
  publicUrl: string | null;
  interfaces?: typeof networkInterfaces;
  hostname?: string;
  platform?: NodeJS.Platform;
}

/** The likeliest first: the public one, loopback, containers, networks, the host name. */
export function ownAddresses(input: OwnAddressesInput): ReachableAddress[] {
  const { port, scheme, host, publicUrl } = input;
  const found = usableAddresses((input.interfaces ?? networkInterfaces)());
  const hasIpv6 = found.some(({ info }) => info.family === 'IPv6');
  const listening = listeningOf(host, hasIpv6);
  const urlOf = (name: string): string => new URL(`${scheme}://${formatHost(name)}:${port}`).origin;

  const addresses: ReachableAddress[] = [];
  type Given = Pick<ReachableAddress, 'url' | 'kind' | 'sentence'> & Partial<ReachableAddress>;
  const add = (given: Given): void => {
    addresses.push({ interfaceName: null, network: null, isListening: true, neededHost: null, ...given });
  };
  if (publicUrl !== null) {
    const sentence = t('host.address-for-everyone');
    add({ url: publicUrl.replace(/\/+$/u, ''), kind: 'public', sentence });
  }
  // From this computer, plain HTTP is always accepted.
  const loopback = `http://${host === '::1' ? '[::1]' : '127.0.0.1'}:${port}`;
  add({ url: loopback, kind: 'loopback', sentence: t('host.address-for-editors-here') });
  add(containerName(input, found, listening, urlOf));
  for (const { name, info } of found) {
    const isBridge = isContainerBridge(name);
    add({
      url: urlOf(info.address),
      kind: isBridge ? 'docker' : 'interface',
      interfaceName: name,
      network: info.cidr,
      sentence: t(isBridge ? 'host.address-for-containers' : 'host.address-for-network', { interface: name }),
      ...listening.at(info.address),
    });
  }
  const name = nameOf(input.hostname ?? systemHostname());
  if (name !== undefined) {
    const sentence = t('host.address-for-name', { name });
    add({ url: urlOf(name), kind: 'name', sentence, ...listening.everywhere(name) });
  }
  return addresses.filter(({ url }, at) => addresses.findIndex((other) => other.url === url) === at);
}

type ListeningState = Pick<ReachableAddress, 'isListening' | 'neededHost'>;

interface ListeningPlan {
  at(address: string): ListeningState;
  /** For a name: it isn't known which address it resolves to elsewhere. */
  everywhere(name: string): ListeningState;
}

function listeningOf(given: string, hasIpv6: boolean): ListeningPlan {
  const host = canonicalHost(given);
  const isWide = isWildcard(host);
  const listened: ListeningState = { isListening: true, neededHost: null };
  const everything = hasIpv6 ? '::' : '0.0.0.0';
  return {
    at(address) {
      const isCovered = host === address || host === '::' || (host === '0.0.0.0' && isIP(address) === 4);
      if (isCovered) return listened;
      // Editors that use another address of this computer must still reach it there.
      const wider = isWide || !isLoopbackHost(host);
      return {
        isListening: false,
        neededHost: wider ? (isIP(address) === 6 ? '::' : everything) : address,
      };
    },
    everywhere(name) {
      if (isWide || host === name) return listened;
      return { isListening: false, neededHost: everything };
    },
  };
}

/**
 * Docker Desktop resolves that name to its machine's loopback. On Linux it is the bridge's own address, for containers started
 * with `--add-host=host.docker.internal:host-gateway`.
 */
function containerName(
  { port, platform = process.platform }: OwnAddressesInput,
  found: readonly Found[],
  listening: ListeningPlan,
  urlOf: (name: string) => string,
): Pick<ReachableAddress, 'url' | 'kind' | 'sentence'> & Partial<ListeningState> {
  const kind = 'docker';
  const name = 'host.docker.internal';
  if (platform !== 'linux')
    return { kind, url: `http://${name}:${port}`, sentence: t('host.address-for-docker-desktop') };
  const bridge = found.find(({ name, info }) => name === 'docker0' && info.family === 'IPv4');
  const state = bridge === undefined ? listening.everywhere(name) : listening.at(bridge.info.address);
  return { kind, url: urlOf(name), sentence: t('host.address-for-host-gateway'), ...state };
}

interface Found {
  name: string;
  info: NetworkInterfaceInfo;
}

/** IPv4 first. Link-local addresses need a zone, which an editor's address can't contain. */
function usableAddresses(interfaces: ReturnType<typeof networkInterfaces>): Found[] {
  const all = Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos.map((info) => ({ name, info })),
  );
  return all
    .filter(({ info }) => !info.internal && !isLinkLocal(info.address))
    .toSorted((left, right) => left.info.family.localeCompare(right.info.family));
}

function isContainerBridge(name: string): boolean {
  return /^(?:docker\d+|br-[0-9a-f]{12}|(?:cni-)?podman\d+|lxcbr\d+|lxdbr\d+|virbr\d+|vEthernet \(WSL.*\))$/u.test(
    name,
  );
}

/** Undefined for a name that only this computer can resolve, and for one that isn't valid in a URL. */
function nameOf(hostname: string): string | undefined {
  const name = hostname.toLowerCase().replace(/\.$/u, '');
  if (name === '' || name === 'localhost' || name.startsWith('localhost.') || isIP(name) !== 0)
    return undefined;
  return /^[a-z0-9]([a-z0-9_.-]*[a-z0-9])?$/u.test(name) ? name : undefined;
}
