// The command that runs a document server as DocTray would, for users who run it themselves. It has none of DocTray's labels, so
// DocTray won't stop what they start. Nor does it contain ONLYOFFICE's secret, which would end up in their shell history: DocTray
// doesn't sign with it, and a container without one generates its own.

import { isIPv4 } from 'node:net';
import type { ContainerCommand, ContainerEngineName } from '../contract/document-servers.ts';
import type { ReachableAddress } from '../contract/editors.ts';
import { containerAddresses, dockerName } from '../editors/address-trials.ts';
import { isWildcard } from '../contract/addresses.ts';
import { hostOf } from '../network/addresses.ts';
import { containerArguments } from './engine.ts';
import { containerSpec, freePort, urlAt } from './products.ts';
import type { StartInput } from './start-document-server.ts';

/** Works in any shell: no argument needs quoting. @throws AppError container-failed if no port is free */
export async function containerCommand(
  input: StartInput,
  { engine, isReady, addresses, editorNames }: CommandContext,
): Promise<ContainerCommand> {
  const { product, image } = input;
  const hostPort = await freePort(product, []);
  const spec = containerSpec(product, { engine, image, hostPort, addresses: containerAddresses(addresses) });
  const args = containerArguments(engine, { ...spec, labels: {}, secretEnv: {} });
  const url = urlAt(hostPort);
  const address = likelyAddress(engine, addresses);
  const isTaken = editorNames.some((taken) => taken.toLowerCase() === product);
  const name = isTaken ? `${product}-${hostPort}` : product;
  // DocTray can inspect the container through an engine it can use, and find a working address by trying.
  const steps = isReady
    ? [`editors start ${product}${input.engine === null ? '' : ` --engine ${input.engine}`}`]
    : [
        `editors add ${url} --name ${name}`,
        ...(address === undefined ? [] : [`editors use-address ${name} ${address.url}`]),
        `editors test ${name}`,
      ];
  const opensAll = !isReady && isWildcard(address?.neededHost ?? '');
  return { command: [engine, 'run', '--detach', ...args].join(' '), url, isReady, steps, opensAll };
}

interface CommandContext {
  engine: ContainerEngineName;
  isReady: boolean;
  addresses: readonly ReachableAddress[];
  editorNames: readonly string[];
}

/** The likeliest address of this computer for a container started with the command. */
function likelyAddress(
  engine: ContainerEngineName,
  addresses: readonly ReachableAddress[],
): ReachableAddress | undefined {
  type IsIt = (address: ReachableAddress) => boolean;
  const isPublic: IsIt = ({ kind }) => kind === 'public';
  const isNamed: IsIt = ({ url }) => hostOf(url) === dockerName;
  const isPodmans: IsIt = ({ interfaceName }) => /podman/u.test(interfaceName ?? '');
  const isNetwork: IsIt = ({ kind, url }) => kind === 'interface' && isIPv4(hostOf(url));
  const best = engine === 'docker' ? [isNamed, isPodmans, isNetwork] : [isPodmans, isNetwork, isNamed];
  return [isPublic, ...best].map((isIt) => addresses.find(isIt)).find((found) => found !== undefined);
}
