// One start of a document server: engine, image, container, discovery, connection, address. A running container is used; DocTray's own
// one that doesn't run is created again, since its data is in the volume. A failed or canceled start removes what it created.

import { setTimeout } from 'node:timers/promises';
import type {
  DocumentServerProduct,
  DocumentServerStart,
  ContainerEngineState,
  StartedServer,
  StartStep,
} from '../contract/document-servers.ts';
import { documentServerNames } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { problemWords } from '../contract/editors.ts';
import { t } from '../contract/messages.ts';
import { addressTrials, containerAddresses } from '../editors/address-trials.ts';
import type { FetchDiscovery } from '../editors/discovery-fetch.ts';
import type { Editor } from '../store/editors.ts';
import type { Editors } from '../editors/editors.ts';
import {
  findReachableAddress,
  type AddressTrialHost,
  type WorkingAddress,
} from '../editors/reachable-address.ts';
import type { Logger } from '../log/logger.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { hostOf } from '../network/addresses.ts';
import type { ContainerEngine, ContainerFacts } from './engine.ts';
import { engineUnavailable, type FoundEngines } from './engines.ts';
import {
  containerSpec,
  editorAt,
  freePort,
  ownLabel,
  products,
  urlAt,
  type ProductContainer,
} from './products.ts';

export interface StartInput {
  product: DocumentServerProduct;
  /** Null: the one that already has the container, else the one that is ready; Docker if both are. */
  engine: ContainerEngineState['name'] | null;
  /** Instead of the official one. */
  image?: string;
}

export interface StartDeps {
  editors: Pick<Editors, 'list' | 'add' | 'remove'>;
  fetchDiscovery: FetchDiscovery;
  log: Pick<Logger, 'info' | 'warn'>;
  limits?: StartLimits;
}

export interface StartLimits {
  /** How long to wait until a container responds. */
  discoveryMs: number;
  pollMs: number;
}

export interface StartWatch {
  /** The id of this start. */
  id: string;
  signal: AbortSignal;
  host: AddressTrialHost;
  engines: FoundEngines;
  note(step: StartStep, sentence: string, progress?: DocumentServerStart['progress']): void;
}

/** The start that created a container. */
const startLabel = 'doctray.start';
const defaultLimits: StartLimits = { discoveryMs: 10 * 60_000, pollMs: 2000 };
const askLimitMs = 5000;
const maxRestarts = 3;
/** These keep what was created: it may need more time or an open firewall, and the next start goes on with it. */
const keepingCodes = ['container-silent', 'container-unconnected'];

interface Run {
  input: StartInput;
  deps: StartDeps;
  watch: StartWatch;
  product: ProductContainer;
  /** What a failure undoes. */
  created: {
    container?: { engine: ContainerEngine; hadVolume: boolean };
    editor?: Editor;
    /** Takes the editor's address back. */
    undoAddress?: () => Promise<void>;
  };
}

/**
 * @throws AppError engine-unavailable, image-unavailable, container-failed, container-not-ours, container-silent,
 * container-unconnected, what connecting an editor throws; the reason of the signal, with everything undone
 */
export async function startDocumentServer(
  input: StartInput,
  deps: StartDeps,
  watch: StartWatch,
): Promise<StartedServer> {
  const start: Run = { input, deps, watch, product: products[input.product], created: {} };
  try {
    return await run(start);
  } catch (error) {
    if (error instanceof AppError && keepingCodes.includes(error.code)) throw error;
    for (const undone of await Promise.allSettled([removeContainer(start), disconnect(start)])) {
      if (undone.status === 'rejected')
        deps.log.warn(
          { err: undone.reason as unknown },
          'A failed start of a document server couldn’t be fully undone.',
        );
    }
    throw error;
  }
}

async function removeContainer({ watch, product, created }: Run): Promise<void> {
  if (created.container === undefined) return;
  const { engine, hadVolume } = created.container;
  const { container, volume } = product;
  const facts = await engine.inspect(container);
  // Another process took the name first: that container isn't this start's to remove.
  if (facts !== undefined && facts.labels[startLabel] !== watch.id) return;
  if (facts !== undefined) await engine.remove(container);
  if (volume !== null && !hadVolume && (await engine.hasVolume(volume.name)))
    await engine.removeVolume(volume.name);
}

async function disconnect({ deps, created }: Run): Promise<void> {
  await created.undoAddress?.();
  if (created.editor !== undefined) await deps.editors.remove(created.editor.id);
}

async function run(start: Run): Promise<StartedServer> {
  const { input, deps, watch } = start;
  const name = documentServerNames[input.product];
  const [engine, existing] = await chooseEngine(start);
  const wasRunning = existing?.isRunning === true;
  const url = wasRunning ? publishedUrl(start, existing) : await createContainer(start, engine, existing);
  watch.note('discovery', t('host.waiting-for-server', { name, url }));
  const { gateways } = await waitForDiscovery(start, engine, url);
  watch.note('connect', t('host.connecting-server', { name, url }));
  const known = editorAt(deps.editors.list(), url);
  const editor = known ?? (await deps.editors.add({ url }));
  if (known === undefined) start.created.editor = editor;
  const { url: address, openedHost, warning } = await findAddress(start, engine, editor, gateways);
  watch.signal.throwIfAborted();
  const { id: editorId, name: editorName } = editor;
  return { editorId, editorName, url, address, wasRunning, openedHost, warning };
}

/** The engine to use, and its existing container. */
async function chooseEngine({ input, watch, product }: Run): Promise<[ContainerEngine, ContainerFacts?]> {
  const { engines, signal } = watch;
  const isWanted = ({ name }: Pick<ContainerEngine, 'name'>): boolean =>
    input.engine === null || name === input.engine;
  const wanted = engines.ready.filter(isWanted);
  for (const engine of wanted) {
    const existing = await engine.inspect(product.container, signal);
    if (existing !== undefined) return [engine, existing];
  }
  const [engine] = wanted;
  if (engine === undefined) throw engineUnavailable(engines.states.filter(isWanted));
  return [engine];
}

function publishedUrl({ product }: Run, facts: ContainerFacts): string {
  const { container, port } = product;
  const hostPort = facts.publishedPort(port);
  if (hostPort !== null) return urlAt(hostPort);
  throw new AppError('container-failed', {
    detail: () => t('host.container-publishes-no-port', { container, port }),
  });
}

/** Its URL. @param former the container that it replaces */
async function createContainer(
  start: Run,
  engine: ContainerEngine,
  former: ContainerFacts | undefined,
): Promise<string> {
  const { input, deps, watch, product, created } = start;
  const { container, volume } = product;
  if (former !== undefined && former.labels[ownLabel] !== input.product) {
    throw new AppError('container-not-ours', {
      detail: () => t('host.start-container-yourself', { container }),
    });
  }
  const image = input.image ?? former?.image ?? product.image;
  await ensureImage(start, engine, image);
  const hadVolume = volume === null || (await engine.hasVolume(volume.name));
  watch.signal.throwIfAborted();
  watch.note('container', t('host.creating-container', { container }));
  const hostPort = await freePort(input.product, knownPorts(start));
  if (former !== undefined) await engine.remove(container);
  const formerPort = former?.publishedPort(product.port) ?? hostPort;
  const addresses = containerAddresses(watch.host.addresses());
  // Before it runs: a failing command may have created something too.
  created.container = { engine, hadVolume };
  await engine.run({
    ...containerSpec(input.product, { engine: engine.name, image, hostPort, addresses }),
    secretEnv: product.secretEnv(),
    labels: { [ownLabel]: input.product, [startLabel]: watch.id },
  });
  watch.signal.throwIfAborted();
  // It moved, because another program took its port.
  const moved = formerPort === hostPort ? undefined : editorAt(deps.editors.list(), urlAt(formerPort));
  if (moved !== undefined) await deps.editors.remove(moved.id);
  return urlAt(hostPort);
}

async function ensureImage({ input, watch }: Run, engine: ContainerEngine, image: string): Promise<void> {
  const { signal } = watch;
  watch.note('image', t('host.looking-for-image', { image }));
  if (await engine.hasImage(image, signal)) return;
  signal.throwIfAborted();
  const sentence = t('host.downloading-image', { name: documentServerNames[input.product], image });
  watch.note('image', sentence);
  await engine.pull(image, { signal, onProgress: (progress) => watch.note('image', sentence, progress) });
}

/** Ports of existing connections to that product on this computer, so that their settings stay in use. */
function knownPorts({ input, deps }: Run): number[] {
  return deps.editors
    .list()
    .filter(({ kind, url }) => kind === input.product && isHere(url))
    .map(({ url }) => Number(new URL(url).port))
    .filter((port) => port > 1023);
}

/** @throws AppError container-silent; container-failed if its program has exited, or keeps restarting */
async function waitForDiscovery(start: Run, engine: ContainerEngine, url: string): Promise<ContainerFacts> {
  const { deps, watch, product } = start;
  const { container } = product;
  const { discoveryMs, pollMs } = deps.limits ?? defaultLimits;
  const untilMs = performance.now() + discoveryMs;
  const limit = (): AbortSignal => AbortSignal.any([watch.signal, AbortSignal.timeout(askLimitMs)]);
  while (performance.now() < untilMs) {
    const responds = await deps.fetchDiscovery(url, limit()).then(
      () => true,
      () => false,
    );
    watch.signal.throwIfAborted();
    const facts = await engine.inspect(container, watch.signal);
    if (facts?.isRunning !== true || facts.restartCount >= maxRestarts) {
      throw new AppError('container-failed', {
        detail:
          facts === undefined
            ? t('host.container-was-removed', { container })
            : // After a restart, the engine reports 0.
              t('host.container-exited', { exitCode: facts.exitCode }),
      });
    }
    if (responds) return facts;
    await setTimeout(pollMs, undefined, { signal: watch.signal });
  }
  const minutes = Math.round(discoveryMs / 60_000);
  const name = documentServerNames[start.input.product];
  throw new AppError('container-silent', {
    detail: () => t('host.server-didnt-respond', { name, url, minutes, container }),
  });
}

/** @throws AppError container-unconnected */
async function findAddress(
  { deps, watch, created }: Run,
  engine: ContainerEngine,
  editor: Editor,
  gateways: readonly string[],
): Promise<WorkingAddress> {
  const { host, signal } = watch;
  const current = { url: host.baseUrlOf(editor.id), listenOn: null, isCurrent: true };
  const others = addressTrials({ addresses: host.addresses(), engine, gateways });
  const result = await findReachableAddress({
    host,
    editorId: editor.id,
    trials: isHere(current.url) ? others : [current, ...others],
    signal,
    onTrial: (url) => watch.note('address', t('host.testing-address', { editor: editor.name, url })),
  });
  if ('found' in result) {
    created.undoAddress = result.found.undo;
    deps.log.info({ editor: editor.name, address: result.found.url }, 'A container reaches DocTray.');
    return result.found;
  }
  const detail = result.failure === undefined ? t('host.no-address-to-try') : problemWords(result.failure);
  throw new AppError('container-unconnected', { detail });
}

/** On this computer's loopback address. */
function isHere(url: string): boolean {
  return isLoopbackHost(hostOf(url));
}
