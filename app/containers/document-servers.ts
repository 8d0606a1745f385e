// Document servers that DocTray runs in a container: lists them, starts one at a time with progress, and stops them.

import { setTimeout } from 'node:timers/promises';
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
import { containerEngineTitles, documentServerNames, engineHelpUrls } from '../contract/document-servers.ts';
import { AppError, describeError, messageFor } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import type { FetchDiscovery } from '../editors/discovery-fetch.ts';
import type { RemovedContainer } from '../editors/editor-addresses.ts';
import type { Editors } from '../editors/editors.ts';
import type { Logger } from '../log/logger.ts';
import { isWildcard } from '../contract/addresses.ts';
import type { FoundEngines } from './engines.ts';
import { imageRule, products } from './products.ts';
import type { StartInput } from './start-document-server.ts';
import type { AddressTrialHost } from '../editors/reachable-address.ts';

export type DocumentServers = ReturnType<typeof createDocumentServers>;

export interface DocumentServersDeps {
  editors: Pick<Editors, 'list' | 'add' | 'remove'>;
  fetchDiscovery: FetchDiscovery;
  clock: Clock;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  newId: () => string;
  /** The state changed: the containers, or the progress of a start. */
  onChange?: () => void;
}

/** The longest wait on closing: enough to remove the container that a start has created. */
const closeLimitMs = 2500;

export function createDocumentServers(deps: DocumentServersDeps) {
  const { clock, log, onChange = () => undefined } = deps;
  let engineStates: DocumentServersState['engines'] = null;
  let servers: Omit<DocumentServerItem, 'editorId'>[] = [];
  let downloaded: DocumentServerProduct[] = [];
  let start: DocumentServerStart | null = null;
  let running: { ending: AbortController; ended: Promise<void> } | undefined;
  let isStopping = false;
  let isClosed = false;

  const askEngines = async (signal?: AbortSignal): Promise<FoundEngines> => {
    const { env, platform } = process;
    // Neither zod nor the engines are needed to start DocTray.
    const { findEngines: find } = await import('./engines.ts');
    return find({ env, platform, uid: process.getuid?.() }, signal);
  };
  const findEngines = async (signal?: AbortSignal): Promise<FoundEngines> => {
    const found = await askEngines(signal);
    engineStates = found.states;
    return found;
  };
  const listServers = async ({ ready }: FoundEngines): Promise<void> => {
    const { downloadedBy, serversOf } = await import('./server-list.ts');
    servers = await serversOf(ready);
    downloaded = await downloadedBy(ready[0]);
  };
  const requireIdle = (): void => {
    if (running !== undefined || isStopping || isClosed) throw new AppError('document-server-busy');
  };
  /** @throws AppError start-unknown */
  const startOf = (id: string): DocumentServerStart => {
    if (start?.id !== id) throw new AppError('start-unknown');
    return start;
  };
  const change = (more: Partial<DocumentServerStart>): void => {
    if (start !== null) start = { ...start, progress: null, ...more, revision: start.revision + 1 };
    onChange();
  };

  const runStart = async (
    id: string,
    input: StartInput,
    host: AddressTrialHost,
    signal: AbortSignal,
  ): Promise<void> => {
    let found: FoundEngines = { states: [], ready: [] };
    try {
      found = await findEngines(signal);
      signal.throwIfAborted();
      onChange();
      const { startDocumentServer } = await import('./start-document-server.ts');
      const result = await startDocumentServer(input, deps, {
        id,
        signal,
        host,
        engines: found,
        note: (step, sentence, progress = null) => change({ step, sentence, progress }),
      });
      await listServers(found);
      log.info({ product: input.product, url: result.url }, 'A document server was started.');
      change({ state: 'done', sentence: doneSentence(input.product, result), result });
    } catch (error) {
      await listServers(found).catch(() => undefined);
      if (signal.aborted && !(error instanceof AppError)) {
        change({ state: 'canceled', sentence: t('host.start-canceled') });
        return;
      }
      const { code, message } = describeError(error);
      const help = (error instanceof AppError && 'help' in error ? error.help : null) as EngineHelp | null;
      const sentence = `${documentServerNames[input.product]} couldn’t be started. ${message}`;
      if (code === 'internal') log.error({ err: error }, sentence);
      else log.warn({}, help === null ? sentence : `${sentence} ${engineHelpUrls[help]}`);
      change({ state: 'failed', sentence: messageFor('window', error), error: { code, help } });
    }
  };

  return {
    /** As last seen; `refresh` checks again. */
    state(): DocumentServersState {
      const editorIdAt = (url: string | null): string | null =>
        deps.editors.list().find((editor) => editor.url === url)?.id ?? null;
      return {
        engines: engineStates,
        servers: servers.map((server) => ({ ...server, editorId: editorIdAt(server.url) })),
        downloaded,
        start,
      };
    },

    /** Checks Docker, Podman and the containers; never rejects. */
    async refresh(): Promise<void> {
      try {
        await listServers(await findEngines());
      } catch (error) {
        log.warn({ err: error }, 'The containers couldn’t be checked.');
      }
      onChange();
    },

    /**
     * Starts in the background. Joins a running start of the same product.
     * @throws AppError document-server-busy while another product is being started or one is being stopped, invalid-argument
     */
    start(input: StartInput, host: AddressTrialHost): DocumentServerStart {
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

    /**
     * The command that runs it the same way, without starting anything.
     * @throws AppError invalid-argument, container-exists, container-failed
     */
    async command(input: StartInput, host: Pick<AddressTrialHost, 'addresses'>): Promise<ContainerCommand> {
      checkImage(input);
      const { product, engine: wanted } = input;
      const { ready } = await findEngines();
      const chosen = ready.find(({ name }) => wanted === null || name === wanted);
      if ((await chosen?.inspect(products[product].container)) !== undefined) {
        const detail = wanted === null ? product : `${product} --engine ${wanted}`;
        throw new AppError('container-exists', { detail });
      }
      const { containerCommand } = await import('./container-command.ts');
      return containerCommand(input, {
        engine: wanted ?? chosen?.name ?? 'docker',
        isReady: chosen !== undefined,
        addresses: host.addresses(),
        editorNames: deps.editors.list().map(({ name }) => name),
      });
    },

    startOf,

    /** Resolves when it has ended and what it created was removed. @throws AppError start-unknown */
    async cancel(id: string): Promise<DocumentServerStart> {
      startOf(id);
      running?.ending.abort();
      await running?.ended;
      return startOf(id);
    },

    /**
     * Stops and removes the container, and disconnects its editor.
     * @throws AppError document-server-busy, document-server-unknown, container-failed, container-not-ours, engine-unavailable
     */
    async stop(
      { product, deleteData }: { product: DocumentServerProduct; deleteData: boolean },
      onRemoved?: (container: RemovedContainer) => Promise<void>,
    ): Promise<StoppedServer> {
      requireIdle();
      isStopping = true;
      try {
        const found = await findEngines();
        const { engineUnavailable } = await import('./engines.ts');
        if (!found.states.some(({ status }) => status === 'ready')) throw engineUnavailable(found.states);
        const { stopServer } = await import('./server-list.ts');
        const { editors } = deps;
        const { stopped, removed } = await stopServer({ ready: found.ready, product, deleteData, editors });
        await onRemoved?.(removed);
        await listServers(found);
        log.info({ product, container: stopped.container }, 'A document server was stopped.');
        return stopped;
      } finally {
        isStopping = false;
        onChange();
      }
    },

    /** Cancels a running start. */
    async close(): Promise<void> {
      isClosed = true;
      if (running === undefined) return;
      running.ending.abort();
      await Promise.race([running.ended, setTimeout(closeLimitMs, undefined, { ref: false })]);
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
  const sentences = [t(wasRunning ? 'host.server-is-running' : 'host.server-was-started', values)];
  if (openedHost !== null && isWildcard(openedHost)) sentences.push(t('host.now-listens-everywhere'));
  else if (openedHost !== null) sentences.push(t('host.now-also-listens-on', { address: openedHost }));
  if (warning !== null) sentences.push(warning);
  return sentences.join(' ');
}
