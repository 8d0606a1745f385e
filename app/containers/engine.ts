// What DocTray does with Docker or Podman, one method for each command. Their output is validated: containers and images are
// untrusted.

import { mkdtemp, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { ContainerEngineName, ContainerEngineState } from '../contract/document-servers.ts';
import { containerEngineTitles } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';
import { createPullProgress, type PullProgress } from './pull-progress.ts';
import { lastOutputLine, type EngineCall, type EngineOutput, type RunEngine } from './run-engine.ts';

export interface ContainerSpec {
  name: string;
  image: string;
  /** Inside the container. */
  port: number;
  /** On this computer's loopback address. */
  hostPort: number;
  env: Readonly<Record<string, string>>;
  /** Passed to the engine in its environment; the arguments contain only the names. */
  secretEnv: Readonly<Record<string, string>>;
  volume: { name: string; path: string } | null;
  labels: Readonly<Record<string, string>>;
}

export interface ContainerFacts {
  /** `stopped`: it exists, but its program isn't running. */
  state: 'running' | 'paused' | 'stopped';
  exitCode: number;
  restartCount: number;
  image: string;
  labels: Record<string, string>;
  /** This computer's addresses in its networks. */
  gateways: string[];
  /** The port on this computer for a port of it. */
  publishedPort(port: number): number | null;
}

export interface PublishedPort {
  container: string;
  hostPort: number;
  containerPort: number;
}

export interface ContainerEngine {
  name: ContainerEngineName;
  mode: NonNullable<ContainerEngineState['mode']>;
  /** Undefined: there is none with this name. @throws AppError container-failed; the reason of the signal */
  inspect(name: string, signal?: AbortSignal): Promise<ContainerFacts | undefined>;
  hasImage(image: string, signal?: AbortSignal): Promise<boolean>;
  /** @throws AppError image-unavailable; the reason of the signal */
  pull(
    image: string,
    watch: { signal: AbortSignal; onProgress(progress: PullProgress): void },
  ): Promise<void>;
  /** @throws AppError container-failed */
  create(spec: ContainerSpec): Promise<void>;
  /** Also resumes a paused one. @throws PortTaken, AppError container-failed */
  start(name: string, facts?: Pick<ContainerFacts, 'state'>): Promise<void>;
  /** Gives it 10 s to exit. @throws AppError container-failed */
  stop(name: string): Promise<void>;
  /** Immediately, with its anonymous volumes. @throws AppError container-failed */
  remove(name: string): Promise<void>;
  hasVolume(name: string): Promise<boolean>;
  /** @throws AppError container-failed */
  removeVolume(name: string): Promise<void>;
  /** Of running containers; empty if the engine doesn't report them. */
  publishedPorts(signal: AbortSignal): Promise<PublishedPort[]>;
}

/** Another program has taken the port on this computer. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

const quickMs = 15_000;
const slowMs = 120_000;
const pullMs = 3 * 60 * 60_000;
const stopSeconds = 10;
const maxPorts = 100;

export function createContainerEngine(deps: {
  name: ContainerEngineName;
  path: string;
  mode: ContainerEngine['mode'];
  run: RunEngine;
}): ContainerEngine {
  const { name: engine, path, mode } = deps;
  /** @throws the reason of the signal */
  const run = async (call: EngineCall): Promise<EngineOutput> => {
    const output = await deps.run(path, call);
    if (output.end === 'aborted') call.signal?.throwIfAborted();
    return output;
  };

  /** @throws AppError container-failed with what the engine said */
  const runOrThrow = async (call: EngineCall): Promise<EngineOutput> => {
    const output = await run(call);
    if (output.code !== 0) throw failure(engine, output);
    return output;
  };
  /**
   * A folder for one download inside Podman's temporary folder, where Podman leaves the partial files of a canceled one behind. Undefined
   * for Docker, which removes them, and for a virtual machine, which has its own files.
   */
  const downloadFolder = async (signal: AbortSignal): Promise<string | undefined> => {
    if (engine === 'docker' || mode === 'virtual-machine') return undefined;
    const args = ['info', '--format', '{{.Store.ImageCopyTmpDir}}'];
    const { code, stdout } = await run({ args, timeoutMs: slowMs, signal });
    const place = stdout.trim();
    if (code !== 0 || !isAbsolute(place)) return undefined;
    return mkdtemp(join(place, 'doctray-')).catch(() => undefined);
  };
  const exists = async (args: string[], signal?: AbortSignal): Promise<boolean> =>
    (await run({ args, timeoutMs: quickMs, ...(signal !== undefined && { signal }) })).code === 0;

  return {
    name: engine,
    mode,

    async inspect(name, signal) {
      const output = await run({
        // Only what is needed: its environment contains secrets.
        args: ['container', 'inspect', '--format', factsFormat, name],
        timeoutMs: quickMs,
        ...(signal !== undefined && { signal }),
      });
      if (output.code === 0) return factsOf(engine, output.stdout);
      if (/no such (?:container|object)/iu.test(output.stderr)) return undefined;
      throw failure(engine, output);
    },

    hasImage: (image, signal) => exists(['image', 'inspect', '--format', '{{.Id}}', image], signal),

    async pull(image, { signal, onProgress }) {
      const progress = createPullProgress();
      const folder = await downloadFolder(signal);
      try {
        const output = await run({
          args: ['pull', image],
          ...(folder !== undefined && { env: { TMPDIR: folder } }),
          timeoutMs: pullMs,
          signal,
          onLine(line) {
            const now = progress(line);
            if (now !== undefined) onProgress(now);
          },
        });
        if (output.code !== 0) throw pullFailure(output);
      } finally {
        if (folder !== undefined)
          await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
      }
    },

    async create(spec) {
      await runOrThrow({
        args: ['create', ...containerArguments(engine, spec)],
        secretEnv: spec.secretEnv,
        timeoutMs: slowMs,
      });
    },

    async start(name, facts) {
      const output = await run({
        args: [facts?.state === 'paused' ? 'unpause' : 'start', name],
        timeoutMs: slowMs,
      });
      if (output.code === 0) return;
      if (
        /address already in use|port is already allocated|ports are not available|proxy already running/iu.test(
          output.stderr,
        )
      ) {
        throw new PortTaken();
      }
      throw failure(engine, output);
    },

    async stop(name) {
      await runOrThrow({ args: ['stop', '-t', String(stopSeconds), name], timeoutMs: slowMs });
    },

    async remove(name) {
      // Podman would first wait for its program to exit.
      await run({ args: ['kill', name], timeoutMs: slowMs });
      const output = await run({ args: ['rm', '--force', '--volumes', name], timeoutMs: slowMs });
      if (output.code !== 0 && !/no such container/iu.test(output.stderr)) throw failure(engine, output);
    },

    hasVolume: (name) => exists(['volume', 'inspect', '--format', '{{.Name}}', name]),

    async removeVolume(name) {
      await runOrThrow({ args: ['volume', 'rm', name], timeoutMs: slowMs });
    },

    async publishedPorts(signal) {
      const format = engine === 'docker' ? '{{json .}}' : 'json';
      const output = await run({ args: ['ps', '--format', format], timeoutMs: quickMs, signal });
      if (output.code !== 0) return [];
      const ports = engine === 'docker' ? dockerPorts(output.stdout) : podmanPorts(output.stdout);
      return ports.slice(0, maxPorts);
    },
  };
}

/** For `create` and `run`. */
export function containerArguments(engine: ContainerEngineName, spec: ContainerSpec): string[] {
  const { name, image, port, hostPort, env, secretEnv, volume, labels } = spec;
  const pairs = (option: string, values: Readonly<Record<string, string>>): string[] =>
    Object.entries(values).flatMap(([key, value]) => [option, `${key}=${value}`]);
  return [
    '--name',
    name,
    '--restart',
    'unless-stopped',
    '--publish',
    `127.0.0.1:${hostPort}:${port}`,
    // Podman always gives its containers a name for this computer, and some versions don't support this one.
    ...(engine === 'docker' ? ['--add-host', 'host.docker.internal:host-gateway'] : []),
    ...pairs('--label', labels),
    ...pairs('--env', env),
    ...Object.keys(secretEnv).flatMap((key) => ['--env', key]),
    ...(volume === null ? [] : ['--volume', `${volume.name}:${volume.path}`]),
    image,
  ];
}

const factsFormat =
  '[{{json .State}},{{json .HostConfig.PortBindings}},{{json .NetworkSettings.Networks}},{{json .Config.Labels}},{{json .Config.Image}},{{json .RestartCount}}]';

const bindings = z.record(
  z.string().max(100),
  z.array(z.object({ HostIp: z.string().nullish(), HostPort: z.string().nullish() })).nullish(),
);
const factsShape = z.tuple([
  z.object({ Status: z.string().max(100), ExitCode: z.int().nullish() }),
  bindings.nullish(),
  z.record(z.string().max(500), z.object({ Gateway: z.string().max(100).nullish() }).nullish()).nullish(),
  z.record(z.string().max(1000), z.string().max(100_000)).nullish(),
  z.string().max(1000),
  z.int().nullish(),
]);

function factsOf(engine: ContainerEngineName, text: string): ContainerFacts {
  const checked = factsShape.safeParse(jsonOf(text));
  if (!checked.success) {
    throw new AppError('container-failed', {
      detail: () => t('host.container-not-understood', { engine: containerEngineTitles[engine] }),
    });
  }
  const [state, ports, networks, labels, image, restartCount] = checked.data;
  const isRunning = ['running', 'restarting', 'stopping'].includes(state.Status);
  return {
    state: isRunning ? 'running' : state.Status === 'paused' ? 'paused' : 'stopped',
    exitCode: state.ExitCode ?? 0,
    restartCount: restartCount ?? 0,
    image,
    labels: labels ?? {},
    gateways: Object.values(networks ?? {}).flatMap((network) => {
      const gateway = network?.Gateway ?? '';
      return gateway === '' ? [] : [gateway];
    }),
    publishedPort(port) {
      const published = ports?.[`${port}/tcp`]?.map(({ HostPort }) => portOf(HostPort ?? ''));
      return published?.find((one) => one !== null) ?? null;
    },
  };
}

const dockerRow = z.object({ Names: z.string().max(10_000), Ports: z.string().max(100_000) });

/** `127.0.0.1:9980->9980/tcp, [::]:8080->80/tcp, 443/tcp`; port ranges are skipped. */
function dockerPorts(text: string): PublishedPort[] {
  return text.split('\n').flatMap((line) => {
    const row = dockerRow.safeParse(jsonOf(line)).data;
    if (row === undefined) return [];
    return row.Ports.split(',').flatMap((part) => {
      const [, host = '', container = ''] = /:(\d+)->(\d+)\/tcp$/u.exec(part.trim()) ?? [];
      return published(row.Names, portOf(host), portOf(container));
    });
  });
}

const podmanRows = z.array(
  z.object({
    Names: z.array(z.string().max(1000)).nullish(),
    Ports: z
      .array(
        z.object({
          host_port: z.int(),
          container_port: z.int(),
          protocol: z.string().nullish(),
          range: z.int().nullish(),
        }),
      )
      .nullish(),
  }),
);

function podmanPorts(text: string): PublishedPort[] {
  const rows = podmanRows.safeParse(jsonOf(text)).data ?? [];
  return rows.flatMap(({ Names, Ports }) =>
    (Ports ?? []).flatMap(({ host_port: host, container_port: container, protocol, range }) =>
      (protocol ?? 'tcp') === 'tcp' && (range ?? 1) === 1 ? published(Names?.[0] ?? '', host, container) : [],
    ),
  );
}

function published(
  container: string,
  hostPort: number | null,
  containerPort: number | null,
): PublishedPort[] {
  if (hostPort === null || containerPort === null) return [];
  return [{ container: container.slice(0, 100), hostPort, containerPort }];
}

function portOf(text: string): number | null {
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(name: ContainerEngineName, output: EngineOutput): AppError {
  const engine = containerEngineTitles[name];
  const line = lastOutputLine(output);
  const detail =
    output.end === 'timed-out'
      ? t('host.engine-timed-out', { engine })
      : line === ''
        ? t('host.engine-gave-no-reason', { engine })
        : `${engine}: ${line}`;
  return new AppError('container-failed', { detail });
}

function pullFailure(output: EngineOutput): AppError {
  const line = lastOutputLine(output);
  const host =
    /lookup ([^\s:]+).*(?:no such host|temporary failure in name resolution|server misbehaving)/iu.exec(
      line,
    )?.[1];
  if (host !== undefined)
    return new AppError('image-unavailable', { detail: () => t('host.registry-unreachable', { host }) });
  const reason =
    output.end === 'timed-out' ? t('host.download-took-too-long') : line || t('host.no-reason-given');
  const remedy = /no space left/iu.test(line)
    ? 'host.free-space-then-start'
    : /toomanyrequests|rate limit/iu.test(line)
      ? 'host.registry-limit-reached'
      : 'host.check-internet-then-start';
  return new AppError('image-unavailable', { detail: `${reason} ${t(remedy)}` });
}
