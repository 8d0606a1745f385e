// Document servers that DocTray runs in a container: lists them, starts one at a time with progress, and stops them.

import type { Clock } from '../contract/clock.ts';
import type {
  ContainerCommand,
  DocumentServerItem,
  DocumentServerProduct,
  DocumentServersState,
  DocumentServerStart,
  EngineHelp,
  StoppedServer,
} from '../contract/document-servers.ts';
import {
  containerEngineTitles,
  documentServerNames,
  documentServerProducts,
  engineHelpUrls,
} from '../contract/document-servers.ts';
import { AppError, describeError, messageFor } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { FetchDiscovery } from '../editors/discovery-fetch.ts';
import type { RemovedContainer } from '../editors/editor-addresses.ts';
import type { Editors } from '../editors/editors.ts';
import type { Logger } from '../log/logger.ts';
import { isWildcard } from '../contract/addresses.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ContainerEngine, PublishedPort } from './engine.ts';
import type { Engines, FoundEngines } from './engines.ts';
import type { StartInput, StartLimits } from './start-document-server.ts';
import type { AddressTrialHost } from '../editors/reachable-address.ts';

export interface DocumentServers {
  /** As last seen; `refresh` checks again. */
  state(): DocumentServersState;
  /** Checks Docker, Podman and the containers; never rejects. */
  refresh(): Promise<void>;
  /**
   * Starts in the background. Joins a running start of the same product.
   * @throws AppError document-server-busy while another product is being started or one is being stopped, invalid-argument
   */
  start(input: StartInput, host: AddressTrialHost): DocumentServerStart;
  /**
   * The command that runs it the same way, without starting anything.
   * @throws AppError invalid-argument, container-exists, container-failed
   */
  command(input: StartInput, host: Pick<AddressTrialHost, 'addresses'>): Promise<ContainerCommand>;
  /** @throws AppError start-unknown */
  startOf(id: string): DocumentServerStart;
  /** Resolves when it has ended and what it created was removed. @throws AppError start-unknown */
  cancel(id: string): Promise<DocumentServerStart>;
  /**
   * Stops and removes the container, and disconnects its editor.
   * @throws AppError document-server-busy, document-server-unknown, container-failed, container-not-ours, engine-unavailable
   */
  stop(
    input: { product: DocumentServerProduct; deleteData: boolean },
    onRemoved?: (container: RemovedContainer) => Promise<void>,
  ): Promise<StoppedServer>;
  /** Ports that running containers publish; empty without an engine. */
  publishedPorts(signal: AbortSignal): Promise<PublishedPort[]>;
  /** Cancels a running start. */
  close(): Promise<void>;
}

export interface DocumentServersDeps {
  editors: Pick<Editors, 'list' | 'add' | 'remove'>;
  secrets: Secrets;
  fetchDiscovery: FetchDiscovery;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  newId: () => string;
  /** The state changed: the containers, or the progress of a start. */
  onChange?: () => void;
  /** By default, both are searched in the PATH. */
  engines?: Engines;
  limits?: StartLimits;
}

/** An image name for an engine's command line: never begins like an option. */
const imageRule = /^[a-z0-9][\w.\-/:@]{0,254}$/iu;
/** The longest wait on closing: enough to remove the container that a start has created. */
const closeLimitMs = 2500;

type KnownServer = Omit<DocumentServerItem, 'editorId'>;

export function createDocumentServers(deps: DocumentServersDeps): DocumentServers {
  const { clock, log, onChange = () => undefined } = deps;
  let engineStates: DocumentServersState['engines'] = null;
  let servers: KnownServer[] = [];
  let downloaded: DocumentServerProduct[] = [];
  let start: DocumentServerStart | null = null;
  let running: { ending: AbortController; ended: Promise<void> } | undefined;
  let isStopping = false;
  let isClosed = false;
  let engines = deps.engines;

  // Neither zod nor the engines are needed to start DocTray.
  const loadEngines = async (): Promise<Engines> =>
    (engines ??= (await import('./engines.ts')).createEngines({
      env: process.env,
      platform: process.platform,
      uid: process.getuid?.(),
    }));
  const findEngines = async (find: keyof Engines): Promise<FoundEngines> => {
    const found = await (await loadEngines())[find]();
    engineStates = found.states;
    return found;
  };
  const listServers = async (ready: readonly ContainerEngine[]): Promise<void> => {
    const { downloadedBy, serverAt } = await import('./server-list.ts');
    const found = await Promise.all(
      ready.flatMap((engine) => documentServerProducts.map((product) => serverAt(engine, product))),
    );
    servers = found.filter((server) => server !== undefined);
    downloaded = await downloadedBy(ready[0]);
  };
  const requireIdle = (): void => {
    if (running !== undefined || isStopping || isClosed) throw new AppError('document-server-busy');
  };
  const byId = (id: string): DocumentServerStart => {
    if (start?.id !== id) throw new AppError('start-unknown');
    return start;
  };

  const runStart = async (
    id: string,
    input: StartInput,
    host: AddressTrialHost,
    signal: AbortSignal,
  ): Promise<void> => {
    let ready: readonly ContainerEngine[] = [];
    const change = (more: Partial<DocumentServerStart>): void => {
      if (start === null) return;
      start = { ...start, ...more, revision: start.revision + 1 };
      onChange();
    };
    try {
      const { startDocumentServer } = await import('./start-document-server.ts');
      const result = await startDocumentServer(
        input,
        { ...deps, engines: await loadEngines() },
        {
          id,
          signal,
          host,
          onEngines(found) {
            engineStates = found.states;
            ({ ready } = found);
            onChange();
          },
          note: (step, sentence, progress = null) => change({ step, sentence, progress }),
        },
      );
      await listServers(ready);
      log.info({ product: input.product, url: result.url }, 'A document server was started.');
      change({ state: 'done', sentence: doneSentence(input.product, result), progress: null, result });
    } catch (error) {
      await listServers(ready).catch(() => undefined);
      if (signal.aborted && !(error instanceof AppError)) {
        change({ state: 'canceled', sentence: t('host.start-canceled'), progress: null });
        return;
      }
      const { code, message } = describeError(error);
      const help = (error instanceof AppError && 'help' in error ? error.help : null) as EngineHelp | null;
      const sentence = `${documentServerNames[input.product]} couldn’t be started. ${message}`;
      if (code === 'internal') log.error({ err: error }, sentence);
      else log.warn({}, help === null ? sentence : `${sentence} ${engineHelpUrls[help]}`);
      change({
        state: 'failed',
        sentence: messageFor('window', error),
        progress: null,
        error: { code, help },
      });
    }
  };

  return {
    state() {
      const known = deps.editors.list();
      return {
        engines: engineStates,
        servers: servers.map((server) => ({
          ...server,
          editorId: known.find(({ url }) => url === server.url)?.id ?? null,
        })),
        downloaded,
        start,
      };
    },

    async refresh() {
      try {
        const { ready } = await findEngines('findUsed');
        await listServers(ready);
      } catch (error) {
        log.warn({ err: error }, 'The containers couldn’t be checked.');
      }
      onChange();
    },

    start(input, host) {
      if (start?.state === 'running' && start.product === input.product) return start;
      requireIdle();
      checkImage(input);
      const ending = new AbortController();
      start = {
        id: deps.newId(),
        product: input.product,
        state: 'running',
        step: 'engine',
        sentence:
          input.engine === null
            ? t('host.looking-for-engines')
            : t('host.looking-for-engine', { engine: containerEngineTitles[input.engine] }),
        progress: null,
        startedAtMs: clock(),
        revision: 1,
        error: null,
        result: null,
      };
      const ended = runStart(start.id, input, host, ending.signal).finally(() => {
        running = undefined;
      });
      running = { ending, ended };
      onChange();
      return start;
    },

    async command(input, host) {
      checkImage(input);
      const { ready } = await findEngines('find');
      const chosen = ready.find(({ name }) => input.engine === null || name === input.engine);
      const { containerCommand, requireNoContainer } = await import('./container-command.ts');
      const engine = input.engine ?? chosen?.name ?? 'docker';
      if (chosen !== undefined) await requireNoContainer(input, chosen);
      return containerCommand(input, {
        engine,
        isReady: chosen !== undefined,
        addresses: host.addresses(),
        editorNames: deps.editors.list().map(({ name }) => name),
      });
    },

    startOf: byId,

    async cancel(id) {
      byId(id);
      running?.ending.abort();
      await running?.ended;
      return byId(id);
    },

    async stop({ product, deleteData }, onRemoved) {
      requireIdle();
      isStopping = true;
      try {
        const found = await findEngines('findUsed');
        const { stopServer } = await import('./server-list.ts');
        const { engineUnavailable } = await import('./start-document-server.ts');
        if (!found.states.some(({ status }) => status === 'ready')) throw engineUnavailable(found.states);
        const { stopped, removed } = await stopServer({
          ready: found.ready,
          product,
          deleteData,
          editors: deps.editors,
        });
        await onRemoved?.(removed);
        await listServers(found.ready);
        log.info({ product, container: stopped.container }, 'A document server was stopped.');
        return stopped;
      } finally {
        isStopping = false;
        onChange();
      }
    },

    async publishedPorts(signal) {
      try {
        const { ready } = await (await loadEngines()).findUsed(signal);
        const ports = await Promise.all(ready.map((engine) => engine.publishedPorts(signal)));
        return ports.flat();
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'The containers’ ports couldn’t be listed.');
        return [];
      }
    },

    async close() {
      isClosed = true;
      if (running === undefined) return;
      running.ending.abort();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, closeLimitMs);
      });
      await Promise.race([running.ended, late]);
      clearTimeout(timer);
    },
  };
}

function checkImage({ image }: StartInput): void {
  if (image === undefined || imageRule.test(image)) return;
  throw new AppError('invalid-argument', { detail: () => t('host.enter-an-image') });
}

function doneSentence(
  product: DocumentServerProduct,
  { url, address, wasRunning, openedHost, warning }: NonNullable<DocumentServerStart['result']>,
): string {
  const values = { name: documentServerNames[product], url, address };
  return [
    t(wasRunning ? 'host.server-is-running' : 'host.server-was-started', values),
    openedHost === null
      ? []
      : isWildcard(openedHost)
        ? t('host.now-listens-everywhere')
        : t('host.now-also-listens-on', { address: openedHost }),
    warning ?? [],
  ]
    .flat()
    .join(' ');
}
