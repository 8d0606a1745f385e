// Which of Docker and Podman this user can use, and what to do about one that can't be used.

import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { ContainerEngineName, ContainerEngineState, EngineHelp } from '../contract/document-servers.ts';
import { containerEngineNames, containerEngineTitles } from '../contract/document-servers.ts';
import { AppError } from '../contract/errors.ts';
import { t, type MessageKey } from '../contract/messages.ts';
import { problemWords } from '../contract/editors.ts';
import {
  createContainerEngine,
  listPorts,
  parseJson,
  type ContainerEngine,
  type PublishedPort,
} from './engine.ts';
import { createRunEngine, reasonOf, type EngineOutput, type RunEngine } from './run-engine.ts';

export interface FoundEngines {
  /** Docker first. */
  states: ContainerEngineState[];
  /** The usable ones, in the same order. */
  ready: ContainerEngine[];
}

export interface EnginesDeps {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Undefined where there are no such ids. */
  uid: number | undefined;
  run?: RunEngine;
  /** The time limit for each. */
  limitMs?: number;
}

/** Takes at most 5 s. Never rejects. */
export async function findEngines(deps: EnginesDeps, signal?: AbortSignal): Promise<FoundEngines> {
  const { env, platform, uid, run = createRunEngine(env), limitMs = 5000 } = deps;
  const check = async (
    name: ContainerEngineName,
  ): Promise<{ state: ContainerEngineState; engine?: ContainerEngine }> => {
    const path = await findProgram(name, env, platform);
    if (path === undefined) return { state: notReady(name, 'missing') };
    const ask: Ask = (...args) => run(path, { args, timeoutMs: limitMs, signal });
    const [output, found] =
      name === 'docker' ? await askDocker(ask, platform) : await askPodman(ask, platform, uid);
    if (found === undefined) return { state: notReady(name, output) };
    const engine = createContainerEngine({ name, path, mode: found.mode, run });
    return { state: ready(name, found), engine };
  };
  const checked = await Promise.all(containerEngineNames.map(check));
  return {
    states: checked.map(({ state }) => state),
    ready: checked.flatMap(({ engine }) => engine ?? []),
  };
}

/** The ports that running containers publish. Doesn't ask whether an engine is ready, because a search has little time. Never rejects. */
export async function publishedPorts(
  { env, platform }: Pick<EnginesDeps, 'env' | 'platform'>,
  signal: AbortSignal,
): Promise<PublishedPort[]> {
  const run = createRunEngine(env);
  const list = async (name: ContainerEngineName): Promise<PublishedPort[]> => {
    const path = await findProgram(name, env, platform);
    return path === undefined ? [] : listPorts(run, path, signal);
  };
  return (await Promise.all(containerEngineNames.map(list))).flat();
}

/** Why no engine can be used. */
class EngineUnavailable extends AppError {
  readonly help: EngineHelp | null;

  constructor(detail: string, help: EngineHelp | null) {
    super('engine-unavailable', { detail });
    this.help = help;
  }
}

/** The engine that is nearest to being ready says what to do. */
export function engineUnavailable(states: readonly ContainerEngineState[]): EngineUnavailable {
  const installed = states.filter(({ status }) => status !== 'missing' && status !== 'ready');
  if (installed.length === 0 && states.length > 1)
    return new EngineUnavailable(t('host.no-engine-installed'), 'docker-install');
  const nearest = installed.length > 0 ? installed : states;
  return new EngineUnavailable(nearest.map(problemWords).join(' '), nearest[0]?.help ?? null);
}

/** Where to look besides the PATH, which is short for an app that wasn't started from a terminal. */
const usualFolders: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/opt/podman/bin',
    '/Applications/Docker.app/Contents/Resources/bin',
  ],
  win32: ['C:\\Program Files\\Docker\\Docker\\resources\\bin', 'C:\\Program Files\\RedHat\\Podman'],
};

/** Skips relative folders in PATH, which depend on where DocTray was started. */
async function findProgram(
  name: ContainerEngineName,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  const file = platform === 'win32' ? `${name}.exe` : name;
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  const programs = [...folders, ...(usualFolders[platform] ?? [])]
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, file));
  const canRun = async (program: string): Promise<boolean> =>
    (await access(program, constants.X_OK).catch(() => false)) !== false;
  const found = await Promise.all(programs.map(canRun));
  return programs.find((_program, index) => found[index]);
}

interface Ready {
  version: string;
  mode: ContainerEngine['mode'];
}

type Ask = (...args: string[]) => Promise<EngineOutput>;

const dockerInfo = z.object({
  ServerVersion: z.string().min(1).max(100),
  OperatingSystem: z.string().max(200).nullish(),
  SecurityOptions: z.array(z.string().max(500)).max(100).nullish(),
});

async function askDocker(ask: Ask, platform: NodeJS.Platform): Promise<[EngineOutput, Ready?]> {
  const output = await ask('info', '--format', '{{json .}}');
  const info = output.code === 0 ? parseJson(dockerInfo, output.stdout) : undefined;
  if (info === undefined) return [output];
  const isDesktop = /docker desktop/iu.test(info.OperatingSystem ?? '') || platform !== 'linux';
  const isRootless = info.SecurityOptions?.some((option) => option.includes('name=rootless')) === true;
  const mode = isDesktop ? 'virtual-machine' : isRootless ? 'rootless' : 'rootful';
  return [output, { version: info.ServerVersion, mode }];
}

const podmanVersion = z.object({
  Client: z.object({ Version: z.string().max(100) }),
  /** Present only if Podman itself runs elsewhere: in its virtual machine. */
  Server: z.object({}).nullish(),
});

async function askPodman(
  ask: Ask,
  platform: NodeJS.Platform,
  uid: number | undefined,
): Promise<[EngineOutput, Ready?]> {
  // `podman info` runs the package manager, which takes seconds on a busy computer.
  const [list, version] = await Promise.all([ask('ps', '--quiet'), ask('version', '--format', 'json')]);
  const info = list.code === 0 ? parseJson(podmanVersion, version.stdout) : undefined;
  if (info === undefined) return [list];
  const isRemote = info.Server != null || platform !== 'linux';
  const mode = isRemote ? 'virtual-machine' : uid === 0 ? 'rootful' : 'rootless';
  return [list, { version: info.Client.Version, mode }];
}

function ready(name: ContainerEngineName, { version, mode }: Ready): ContainerEngineState {
  const shown = version.replaceAll(/[^\w.+~-]/gu, '').slice(0, 40);
  const sentence = t('host.engine-ready', { engine: `${containerEngineTitles[name]} ${shown}`.trim(), mode });
  return { name, status: 'ready', version: shown || null, mode, sentence, remedy: null, help: null };
}

interface Trouble {
  /** By default, both. */
  engine?: ContainerEngineName;
  /** What it printed; if it didn't run to its end, how it ended. */
  pattern: RegExp;
  status: Exclude<ContainerEngineState['status'], 'ready'>;
  sentence: MessageKey;
  remedy: MessageKey;
  /** By default, the engine's page about trouble. */
  help?: EngineHelp | 'install';
}

/** The first that fits is shown. */
const troubles: readonly Trouble[] = [
  {
    // Podman may be installed as `docker`; it is found under its own name.
    pattern: /^missing$|emulate docker cli using podman|"buildahVersion"/iu,
    status: 'missing',
    sentence: 'host.engine-not-installed',
    remedy: 'host.install-engine',
    help: 'install',
  },
  {
    engine: 'docker',
    pattern: /permission denied/iu,
    status: 'forbidden',
    sentence: 'host.docker-forbidden',
    remedy: 'host.join-docker-group',
    help: 'docker-permission',
  },
  {
    engine: 'docker',
    pattern:
      /cannot connect to the docker daemon|is the docker daemon running|error during connect|docker desktop is (?:not running|unable|stopped)|failed to connect to the docker api/iu,
    status: 'stopped',
    sentence: 'host.docker-not-running',
    remedy: 'host.start-docker',
    help: 'docker-start',
  },
  {
    engine: 'podman',
    pattern: /cannot connect to podman|podman machine (?:init|start)|unable to connect to podman/iu,
    status: 'stopped',
    sentence: 'host.podman-machine-not-running',
    remedy: 'host.start-podman-machine',
    help: 'podman-start',
  },
  {
    engine: 'podman',
    pattern: /permission denied|operation not permitted/iu,
    status: 'forbidden',
    sentence: 'host.podman-forbidden',
    remedy: 'host.check-podman-setup',
  },
];

const otherTrouble: Trouble = {
  pattern: /^/u,
  status: 'failed',
  sentence: 'host.engine-doesnt-work',
  remedy: 'host.fix-engine',
};

function notReady(name: ContainerEngineName, output: EngineOutput | 'missing'): ContainerEngineState {
  const [said, reason] =
    output === 'missing'
      ? [output, '']
      : [output.end === 'exited' ? `${output.stderr}\n${output.stdout}` : output.end, reasonOf(output)];
  const isIt = ({ engine, pattern }: Trouble): boolean => (engine ?? name) === name && pattern.test(said);
  const { status, sentence, remedy, help = `${name}-trouble` } = troubles.find(isIt) ?? otherTrouble;
  const values = { engine: containerEngineTitles[name], reason };
  return {
    name,
    status,
    version: null,
    mode: null,
    sentence: t(sentence, values),
    remedy: t(remedy, values),
    help: help === 'install' ? `${name}-install` : help,
  };
}
