// What DocTray does with Docker or Podman, one method for each command. Their output is validated: containers and images are
// untrusted.

import { mkdtemp, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { ContainerEngineName, ContainerEngineState } from '../contract/document-servers.ts';
import { containerEngineTitles } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { capitalized } from '../contract/format.ts';
import { t } from '../contract/messages.ts';
import { imageRule, type ContainerSpec } from './products.ts';
import { createPullProgress, type PullProgress } from './pull-progress.ts';
import { reasonOf, type EngineCall, type EngineOutput, type RunEngine } from './run-engine.ts';

export interface ContainerFacts {
  /** And not paused. */
  isRunning: boolean;
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

export type ContainerEngine = ReturnType<typeof createContainerEngine>;

const quickMs = 15_000;
const slowMs = 120_000;
const pullMs = 3 * 60 * 60_000;

export function createContainerEngine(deps: {
  name: ContainerEngineName;
  path: string;
  mode: NonNullable<ContainerEngineState['mode']>;
  run: RunEngine;
}) {
  const { name: engine, path, mode } = deps;
  /** @throws the reason of the signal */
  const run = async (args: string[], more: Partial<EngineCall> = {}): Promise<EngineOutput> => {
    const output = await deps.run(path, { args, timeoutMs: quickMs, ...more });
    if (output.end === 'aborted') more.signal?.throwIfAborted();
    return output;
  };
  const succeeds = async (args: string[], more?: Partial<EngineCall>): Promise<boolean> =>
    (await run(args, more)).code === 0;
  const failure = (output: EngineOutput): AppError =>
    new AppError('container-failed', { detail: `${containerEngineTitles[engine]}: ${reasonOf(output)}` });
  /** @throws AppError container-failed with what the engine said */
  const runOrThrow = async (args: string[], more: Partial<EngineCall> = {}): Promise<void> => {
    const output = await run(args, { timeoutMs: slowMs, ...more });
    if (output.code !== 0) throw failure(output);
  };
  /**
   * A folder for one download inside Podman's temporary folder, where Podman leaves the partial files of a canceled one behind. Undefined
   * for Docker, which removes them, and for a virtual machine, which has its own files.
   */
  const downloadFolder = async (signal: AbortSignal): Promise<string | undefined> => {
    if (engine === 'docker' || mode === 'virtual-machine') return undefined;
    const args = ['info', '--format', '{{.Store.ImageCopyTmpDir}}'];
    const { code, stdout } = await run(args, { timeoutMs: slowMs, signal });
    const place = stdout.trim();
    if (code !== 0 || !isAbsolute(place)) return undefined;
    return mkdtemp(join(place, 'doctray-')).catch(() => undefined);
  };

  return {
    name: engine,
    mode,

    /** Undefined: there is none with this name. @throws AppError container-failed; the reason of the signal */
    async inspect(name: string, signal?: AbortSignal): Promise<ContainerFacts | undefined> {
      // Only what is needed: its environment contains secrets.
      const output = await run(['container', 'inspect', '--format', factsFormat, name], { signal });
      if (output.code === 0) return factsOf(engine, output.stdout);
      if (/no such (?:container|object)/iu.test(output.stderr)) return undefined;
      throw failure(output);
    },

    hasImage: (image: string, signal?: AbortSignal) =>
      succeeds(['image', 'inspect', '--format', '{{.Id}}', image], { signal }),

    /** @throws AppError image-unavailable; the reason of the signal */
    async pull(
      image: string,
      { signal, onProgress }: { signal: AbortSignal; onProgress(progress: PullProgress): void },
    ): Promise<void> {
      const progress = createPullProgress();
      const folder = await downloadFolder(signal);
      try {
        const output = await run(['pull', image], {
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

    /** Creates a container and starts it. A failure may leave it behind. @throws AppError container-failed */
    run: (spec: ContainerSpec) =>
      runOrThrow(['run', '--detach', ...containerArguments(engine, spec)], { secretEnv: spec.secretEnv }),

    /**
     * With its anonymous volumes.
     * @param graceSeconds for its program to exit
     * @throws AppError container-failed
     */
    async remove(name: string, graceSeconds = 0): Promise<void> {
      // Podman's `rm --force` would wait for its program to exit.
      await run(['stop', '-t', String(graceSeconds), name], { timeoutMs: slowMs });
      const output = await run(['rm', '--force', '--volumes', name], { timeoutMs: slowMs });
      if (output.code !== 0 && !/no such container/iu.test(output.stderr)) throw failure(output);
    },

    hasVolume: (name: string) => succeeds(['volume', 'inspect', '--format', '{{.Name}}', name]),

    /** @throws AppError container-failed */
    removeVolume: (name: string) => runOrThrow(['volume', 'rm', name]),
  };
}

/** Of running containers, without ranges of ports; empty if the engine doesn't report them. Never rejects. */
export async function listPorts(run: RunEngine, path: string, signal: AbortSignal): Promise<PublishedPort[]> {
  const args = ['ps', '--format', '{{.Names}}\t{{.Ports}}'];
  const { stdout } = await run(path, { args, timeoutMs: quickMs, signal });
  // `127.0.0.1:9980->9980/tcp, [::]:8080->80/tcp, 443/tcp`
  return stdout.split('\n').flatMap((line) => {
    const [container = '', published = ''] = line.split('\t');
    return [...published.matchAll(/:(\d+)->(\d+)\/tcp/gu)].flatMap(([, host, port]) => {
      const [hostPort, containerPort] = [portOf(host), portOf(port)];
      if (hostPort === null || containerPort === null) return [];
      return { container: container.slice(0, 100), hostPort, containerPort };
    });
  });
}

/** For `run`. */
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

const factsShape = z.tuple([
  z.object({ Status: z.string().max(100), ExitCode: z.int().nullish() }),
  z.record(z.string().max(100), z.array(z.object({ HostPort: z.string().nullish() })).nullish()).nullish(),
  z.record(z.string().max(500), z.object({ Gateway: z.string().max(100).nullish() }).nullish()).nullish(),
  z.record(z.string().max(1000), z.string().max(100_000)).nullish(),
  z.string().regex(imageRule),
  z.int().nullish(),
]);

function factsOf(engine: ContainerEngineName, text: string): ContainerFacts {
  const facts = parseJson(factsShape, text);
  if (facts === undefined) {
    throw new AppError('container-failed', {
      detail: () => t('host.container-not-understood', { engine: containerEngineTitles[engine] }),
    });
  }
  const [state, ports, networks, labels, image, restartCount] = facts;
  return {
    isRunning: ['running', 'restarting', 'stopping'].includes(state.Status),
    exitCode: state.ExitCode ?? 0,
    restartCount: restartCount ?? 0,
    image,
    labels: labels ?? {},
    gateways: Object.values(networks ?? {}).flatMap((network) => network?.Gateway || []),
    publishedPort(port) {
      const published = ports?.[`${port}/tcp`]?.map(({ HostPort }) => portOf(HostPort ?? ''));
      return published?.find((one) => one !== null) ?? null;
    },
  };
}

function portOf(text = ''): number | null {
  const port = /^\d{1,5}$/u.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : null;
}

/** What an engine printed; undefined if it hasn't this shape. */
export function parseJson<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The engine's own words say what is wrong: a name that can't be resolved, a full disk, a limit of the registry. */
function pullFailure(output: EngineOutput): AppError {
  const detail = `${capitalized(reasonOf(output))} ${t('host.check-internet-then-start')}`;
  return new AppError('image-unavailable', { detail });
}
