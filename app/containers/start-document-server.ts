// One start of a document server: engine, image, container, discovery, connection, address. Existing resources are reused, so a
// start can be repeated at any time. A failed or canceled start removes what it created.

import type {
  ContainerEngineState,
  DocumentServerProduct,
  DocumentServerStart,
  EngineHelp,
  StartedServer,
  StartStep,
} from '../contract/document-servers.ts';
import { documentServerNames } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { addressTrials, containerAddresses } from '../editors/address-trials.ts';
import type { FetchDiscovery } from '../editors/discovery-fetch.ts';
import { isSamePlace } from '../editors/editor-url.ts';
import type { Editor } from '../store/editors.ts';
import type { Editors } from '../editors/editors.ts';
import {
  findReachableAddress,
  sentencesOf,
  trialResult,
  unlessAborted,
  type AddressTrialHost,
} from '../editors/reachable-address.ts';
import type { Logger } from '../log/logger.ts';
import { isLoopbackHost } from '../contract/addresses.ts';
import { hostOf } from '../network/addresses.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { PortTaken, type ContainerEngine, type ContainerFacts } from './engine.ts';
import type { Engines, FoundEngines } from './engines.ts';
import { firstFreePort } from './free-port.ts';
import { containerSpec, noFreePort, products, usualPorts, type ProductContainer } from './products.ts';

export interface StartInput {
  product: DocumentServerProduct;
  /** Null: the one that already has the container, else the one that is ready; Docker if both are. */
  engine: ContainerEngineState['name'] | null;
  /** Instead of the official one. */
  image?: string;
}

export interface StartDeps {
  engines: Engines;
  editors: Pick<Editors, 'list' | 'add' | 'remove'>;
  secrets: Secrets;
  fetchDiscovery: FetchDiscovery;
  log: Pick<Logger, 'info' | 'warn'>;
  limits?: StartLimits;
  /** The first free one of these. */
  freePort?: (ports: readonly number[]) => Promise<number | undefined>;
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
  onEngines(engines: FoundEngines): void;
  note(step: StartStep, sentence: string, progress?: DocumentServerStart['progress']): void;
}

/** Why no engine can be used. */
class EngineUnavailable extends AppError {
  readonly help: EngineHelp | null;

  constructor(detail: string, help: EngineHelp | null) {
    super('engine-unavailable', { detail });
    this.help = help;
  }
}

/** Marks a container that DocTray created, with its product. */
export const ownLabel = 'doctray.document-server';
const addressesLabel = 'doctray.addresses';
/** The start that created it. */
const startLabel = 'doctray.start';

const defaultLimits: StartLimits = { discoveryMs: 10 * 60_000, pollMs: 1000 };
const askLimitMs = 5000;
const maxRestarts = 3;
const portAttempts = 5;
const checkContainerEvery = 3;

/**
 * @throws AppError engine-unavailable, image-unavailable, container-failed, container-silent, container-unconnected, what
 * connecting an editor throws; the reason of the signal, with everything undone
 */
export async function startDocumentServer(
  input: StartInput,
  deps: StartDeps,
  watch: StartWatch,
): Promise<StartedServer> {
  /** In the order of the steps they undo. */
  const undos: (() => Promise<void>)[] = [];
  try {
    return await run({ input, deps, watch, product: products[input.product], undos });
  } catch (error) {
    for (const undo of undos.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop
      await undo().catch((failure: unknown) =>
        deps.log.warn({ err: failure }, 'A failed start of a document server couldn’t be fully undone.'),
      );
    }
    throw error;
  }
}

interface Run {
  input: StartInput;
  deps: StartDeps;
  watch: StartWatch;
  product: ProductContainer;
  undos: (() => Promise<void>)[];
}

async function run(start: Run): Promise<StartedServer> {
  const { input, watch, undos } = start;
  const name = documentServerNames[input.product];
  const { engine, existing } = await chooseEngine(start);
  const wasRunning = existing?.state === 'running';
  let hostPort = await ensureRunning(start, engine, existing);

  const before = watch.host.listensOn();
  for (let isSecondTry = false; ; isSecondTry = true) {
    const url = `http://localhost:${hostPort}`;
    watch.note('discovery', t('host.waiting-for-server', { name, url }));
    // oxlint-disable-next-line no-await-in-loop
    await waitForDiscovery(start, engine, url);
    watch.note('connect', t('host.connecting-server', { name, url }));
    // oxlint-disable-next-line no-await-in-loop
    const editor = await ensureConnected(start, url);
    // oxlint-disable-next-line no-await-in-loop
    const facts = await engine.inspect(start.product.container, watch.signal);
    // oxlint-disable-next-line no-await-in-loop
    const found = await findAddress(start, engine, editor, facts?.gateways ?? []);
    if ('url' in found) {
      watch.signal.throwIfAborted();
      const after = watch.host.listensOn();
      return {
        editorId: editor.id,
        editorName: editor.name,
        url,
        address: found.url,
        wasRunning,
        openedHost: after === before ? null : after,
        warning: found.warning,
      };
    }
    const addresses = containerAddresses(watch.host.addresses());
    if (isSecondTry || existing === undefined || !isOutdated(start, existing, addresses)) {
      // Keep it, so that the user can fix the network, and the next start can try again.
      undos.length = 0;
      throw new AppError('container-unconnected', {
        detail: [found.failure, t('host.server-stays-connected', { name })].join(' '),
      });
    }
    // DocTray had other addresses when it created this container, and the container accepts documents only from those.
    watch.note('container', t('host.recreating-container', { name }));
    // oxlint-disable-next-line no-await-in-loop
    await engine.stop(start.product.container);
    // oxlint-disable-next-line no-await-in-loop
    await engine.remove(start.product.container);
    // oxlint-disable-next-line no-await-in-loop
    hostPort = await createAndStart(start, engine, [hostPort]);
  }
}

async function chooseEngine(
  start: Run,
): Promise<{ engine: ContainerEngine; existing: ContainerFacts | undefined }> {
  const { input, deps, watch, product } = start;
  const found = await deps.engines.find(watch.signal);
  watch.signal.throwIfAborted();
  watch.onEngines(found);
  const wanted = found.ready.filter(({ name }) => input.engine === null || name === input.engine);
  for (const engine of wanted) {
    // oxlint-disable-next-line no-await-in-loop
    const existing = await engine.inspect(product.container, watch.signal);
    if (existing !== undefined) return { engine, existing };
  }
  const [engine] = wanted;
  if (engine !== undefined) return { engine, existing: undefined };
  const lacking = found.states.filter(({ name }) => input.engine === null || name === input.engine);
  throw engineUnavailable(lacking);
}

/** The engine that is nearest to being ready says what to do. */
export function engineUnavailable(states: readonly ContainerEngineState[]): EngineUnavailable {
  const installed = states.filter(({ status }) => status !== 'missing' && status !== 'ready');
  if (installed.length === 0 && states.length > 1) {
    return new EngineUnavailable(t('host.no-engine-installed'), 'docker-install');
  }
  const [nearest] = installed.length > 0 ? installed : states;
  const words = (installed.length > 0 ? installed : states).map(({ sentence, remedy }) =>
    sentencesOf({ sentence, remedy }),
  );
  return new EngineUnavailable(words.join(' '), nearest?.help ?? null);
}

/** The URL of the existing container, or of a newly created one. */
async function ensureRunning(
  start: Run,
  engine: ContainerEngine,
  existing: ContainerFacts | undefined,
): Promise<number> {
  const { input, deps, watch, product, undos } = start;
  const name = documentServerNames[input.product];
  if (existing === undefined) {
    await ensureImage(start, engine);
    return createAndStart(start, engine, knownPorts(start));
  }
  const port = existing.publishedPort(product.port);
  if (port === null) {
    throw new AppError('container-failed', {
      detail: () =>
        t('host.container-publishes-no-port', { container: product.container, port: product.port }),
    });
  }
  if (existing.state === 'running') return port;
  watch.note('container', t('host.starting-container', { container: product.container }));
  undos.push(() => engine.stop(product.container));
  try {
    await engine.start(product.container, existing);
    watch.signal.throwIfAborted();
    return port;
  } catch (error) {
    if (!(error instanceof PortTaken)) throw error;
    if (existing.labels[ownLabel] !== input.product) {
      throw new AppError('container-failed', {
        cause: error,
        detail: () => t('host.container-port-taken', { port, container: product.container }),
      });
    }
  }
  // A container's port can't be changed. Its editor is connected again at the new one.
  const former = editorAt(deps.editors.list(), `http://localhost:${port}`);
  if (former !== undefined) await deps.editors.remove(former.id);
  watch.note('container', t('host.port-taken-recreating', { port, name }));
  undos.length = 0;
  await engine.remove(product.container);
  await ensureImage(start, engine);
  return createAndStart(start, engine, []);
}

async function ensureImage(start: Run, engine: ContainerEngine): Promise<void> {
  const { input, watch, product } = start;
  const image = input.image ?? product.image;
  watch.note('image', t('host.looking-for-image', { image }));
  if (await engine.hasImage(image, watch.signal)) return;
  watch.signal.throwIfAborted();
  const sentence = t('host.downloading-image', { image });
  watch.note('image', sentence);
  await engine.pull(image, {
    signal: watch.signal,
    onProgress: (progress) => watch.note('image', sentence, progress),
  });
}

/** Ports of existing connections to that product on this computer, so that their settings stay in use. */
function knownPorts({ input, deps }: Run): number[] {
  return deps.editors
    .list()
    .filter(({ kind, url }) => kind === input.product && isHere(url))
    .map(({ url }) => Number(new URL(url).port))
    .filter((port) => port > 1023);
}

async function createAndStart(
  start: Run,
  engine: ContainerEngine,
  firstPorts: readonly number[],
): Promise<number> {
  const { input, deps, watch, product, undos } = start;
  const name = documentServerNames[input.product];
  const addresses = containerAddresses(watch.host.addresses());
  const secretEnv = await product.secretEnv(deps.secrets);
  const { volume, container } = product;
  const hadVolume = volume === null || (await engine.hasVolume(volume.name));
  const taken = new Set<number>();
  watch.signal.throwIfAborted();
  watch.note('container', t('host.creating-container', { container }));
  // Registered once, before the first attempt: a failing command may have created something too.
  undos.push(async () => {
    const facts = await engine.inspect(container);
    // Another process took the name first: that container isn't this start's to remove.
    if (facts !== undefined && facts.labels[startLabel] !== watch.id) return;
    if (facts !== undefined) await engine.remove(container);
    if (volume !== null && !hadVolume && (await engine.hasVolume(volume.name))) {
      await engine.removeVolume(volume.name);
    }
  });
  for (let attempt = 0; attempt < portAttempts; attempt += 1) {
    const ports = [...firstPorts, ...usualPorts(input.product)].filter((port) => !taken.has(port));
    // oxlint-disable-next-line no-await-in-loop
    const hostPort = await (deps.freePort ?? firstFreePort)(ports);
    if (hostPort === undefined) break;
    // oxlint-disable-next-line no-await-in-loop
    await engine.create({
      ...containerSpec(input.product, { engine: engine.name, image: input.image, hostPort, addresses }),
      secretEnv,
      labels: { [ownLabel]: input.product, [addressesLabel]: addresses.join(' '), [startLabel]: watch.id },
    });
    watch.signal.throwIfAborted();
    watch.note('container', t('host.starting-server', { name, port: hostPort }));
    try {
      // oxlint-disable-next-line no-await-in-loop
      await engine.start(container);
      watch.signal.throwIfAborted();
      return hostPort;
    } catch (error) {
      if (!(error instanceof PortTaken)) throw error;
      taken.add(hostPort);
      // oxlint-disable-next-line no-await-in-loop
      await engine.remove(container);
    }
  }
  throw noFreePort(input.product);
}

async function waitForDiscovery(start: Run, engine: ContainerEngine, url: string): Promise<void> {
  const { input, deps, watch, product, undos } = start;
  const { discoveryMs, pollMs } = deps.limits ?? defaultLimits;
  const untilMs = performance.now() + discoveryMs;
  for (let polls = 1; ; polls += 1) {
    watch.signal.throwIfAborted();
    try {
      // oxlint-disable-next-line no-await-in-loop
      await deps.fetchDiscovery(url, AbortSignal.any([watch.signal, AbortSignal.timeout(askLimitMs)]));
      return;
    } catch {
      watch.signal.throwIfAborted();
    }
    // oxlint-disable-next-line no-await-in-loop
    if (polls % checkContainerEvery === 1) await checkRuns(start, engine);
    if (performance.now() > untilMs) {
      // It may only be slow: the next start continues waiting.
      undos.length = 0;
      throw new AppError('container-silent', {
        detail: () =>
          t('host.server-didnt-respond', {
            name: documentServerNames[input.product],
            url,
            minutes: Math.round(discoveryMs / 60_000),
            container: product.container,
          }),
      });
    }
    // oxlint-disable-next-line no-await-in-loop
    await pause(pollMs, watch.signal);
  }
}

/** @throws AppError container-failed if its program has exited, or keeps restarting */
async function checkRuns(start: Run, engine: ContainerEngine): Promise<void> {
  const { product } = start;
  const facts = await engine.inspect(product.container, start.watch.signal);
  if (facts?.state === 'running' && facts.restartCount < maxRestarts) return;
  throw new AppError('container-failed', {
    detail:
      facts === undefined
        ? t('host.container-was-removed', { container: product.container })
        : // After a restart, the engine reports 0.
          t('host.container-exited', { exitCode: facts.exitCode }),
  });
}

async function ensureConnected(start: Run, url: string): Promise<Editor> {
  const { deps, undos } = start;
  const known = editorAt(deps.editors.list(), url);
  if (known !== undefined) return known;
  const added = await deps.editors.add({ url });
  undos.push(() => deps.editors.remove(added.id));
  return added;
}

async function findAddress(
  { deps, watch, undos }: Run,
  engine: ContainerEngine,
  editor: Editor,
  gateways: readonly string[],
): Promise<{ url: string; warning: string | null } | { failure: string }> {
  const { host, signal } = watch;
  const note = (url: string): void =>
    watch.note('address', t('host.testing-address', { editor: editor.name, url }));
  const given = host.baseUrlOf(editor.id);
  if (!isHere(given)) {
    note(given);
    const { isReached, warning } = trialResult(await unlessAborted(host.testEditor(editor.id), signal));
    if (isReached) return { url: given, warning };
  }
  const trials = addressTrials({ addresses: host.addresses(), engine, gateways });
  const result = await findReachableAddress({ host, editorId: editor.id, trials, signal, onTrial: note });
  if ('found' in result) {
    const { url, warning, undo } = result.found;
    // Before the editor itself is removed.
    undos.push(undo);
    deps.log.info({ editor: editor.name, address: url }, 'A container reaches DocTray.');
    return { url, warning };
  }
  const failure = result.failure === undefined ? t('host.no-address-to-try') : sentencesOf(result.failure);
  return { failure };
}

function isOutdated({ input }: Run, { labels }: ContainerFacts, addresses: readonly string[]): boolean {
  if (labels[ownLabel] !== input.product) return false;
  const known = new Set((labels[addressesLabel] ?? '').split(' '));
  return addresses.some((address) => !known.has(address));
}

/** The connected editor at an address of this computer, under any of its names. */
export function editorAt(editors: readonly Editor[], url: string): Editor | undefined {
  return editors.find((editor) => isSamePlace(editor.url, url));
}

/** On this computer's loopback address. */
function isHere(url: string): boolean {
  return isLoopbackHost(hostOf(url));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
