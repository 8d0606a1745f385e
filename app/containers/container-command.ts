// The command that runs a document server as DocTray would, for users who run it themselves. It has none of DocTray's labels:
// what they start is theirs to stop. Nor does it have the secret of ONLYOFFICE, which would be in the history of their shell:
// DocTray doesn't sign with it, and a container that isn't given one generates its own.

import type { ContainerEngineName } from '../contract/document-servers.ts';
import type { ReachableAddress } from '../contract/editors.ts';
import { AppError } from '../contract/errors.ts';
import { containerArguments, type ContainerEngine } from './engine.ts';
import { firstFreePort } from './free-port.ts';
import { containerSpec, noFreePort, products, usualPorts } from './products.ts';
import type { StartInput } from './start-document-server.ts';
import { containerAddresses } from './way-back.ts';

/** The command would fail. @throws AppError container-exists, container-failed */
export async function requireNoContainer(
  { product, engine }: StartInput,
  { inspect }: Pick<ContainerEngine, 'inspect'>,
): Promise<void> {
  if ((await inspect(products[product].container)) === undefined) return;
  const detail = engine === null ? product : `${product} --engine ${engine}`;
  throw new AppError('container-exists', { detail });
}

/** For any shell: no argument has a character that one would change. @throws AppError container-failed */
export async function containerCommand(
  { product, image }: StartInput,
  { engine, addresses }: { engine: ContainerEngineName; addresses: readonly ReachableAddress[] },
): Promise<{ command: string; url: string }> {
  const hostPort = await firstFreePort(usualPorts(product));
  if (hostPort === undefined) throw noFreePort(product);
  const spec = containerSpec(product, { engine, image, hostPort, addresses: containerAddresses(addresses) });
  const args = containerArguments(engine, { ...spec, labels: {}, secretEnv: {} });
  return { command: [engine, 'run', '--detach', ...args].join(' '), url: `http://localhost:${hostPort}` };
}
