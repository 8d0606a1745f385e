// Which of Docker and Podman this user can use, and what to do about one that can't be used.

import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { ContainerEngineName, ContainerEngineState, EngineHelp } from '../contract/document-servers.ts';
import { containerEngineNames, containerEngineTitles } from '../contract/document-servers.ts';
import { t } from '../contract/messages.ts';
import { createContainerEngine, type ContainerEngine } from './engine.ts';
import { createRunEngine, lastOutputLine, type EngineOutput, type RunEngine } from './run-engine.ts';

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

export interface Engines {
  /** Checks both; takes at most 5 s. Never rejects. */
  find(signal?: AbortSignal): Promise<FoundEngines>;
  /**
   * For listing containers: like `find`, but `ready` has only engines that may have some. For a user who has never used Podman, even
   * `podman ps` would create folders and leave a process.
   */
  findUsed(signal?: AbortSignal): Promise<FoundEngines>;
}

export function createEngines(deps: EnginesDeps): Engines {
  const { env, platform, uid, run = createRunEngine(env), limitMs = 5000 } = deps;
  const check = async (
    name: ContainerEngineName,
    signal: AbortSignal | undefined,
    isForListing: boolean,
  ): Promise<{ state: ContainerEngineState; engine?: ContainerEngine }> => {
    const path = await findProgram(name, env, platform);
    if (path === undefined) return { state: missing(name) };
    const ask = (...args: string[]): Promise<EngineOutput> =>
      run(path, { args, timeoutMs: limitMs, ...(signal !== undefined && { signal }) });
    // Without a home folder, `homedir` throws; Podman then reports what is missing.
    if (isForListing && name === 'podman' && !(await isPodmanUsed(deps).catch(() => true)))
      return { state: unusedPodmanState(await ask('--version'), uid) };
    const state =
      name === 'docker'
        ? dockerState(await ask('info', '--format', '{{json .}}'), platform)
        : // `podman info` runs the package manager, which takes seconds on a busy computer.
          podmanState(
            await Promise.all([ask('version', '--format', 'json'), ask('ps', '--quiet')]),
            platform,
            uid,
          );
    if (state.status !== 'ready' || state.mode === null) return { state };
    return { state, engine: createContainerEngine({ name, path, mode: state.mode, run }) };
  };

  const checkAll = async (signal: AbortSignal | undefined, isForListing: boolean): Promise<FoundEngines> => {
    const checked = await Promise.all(containerEngineNames.map((name) => check(name, signal, isForListing)));
    return {
      states: checked.map(({ state }) => state),
      ready: checked.flatMap(({ engine }) => engine ?? []),
    };
  };

  return {
    find: (signal) => checkAll(signal, false),
    findUsed: (signal) => checkAll(signal, true),
  };
}

/** Checked only on Linux: elsewhere, Podman runs in a virtual machine that the user has created. */
async function isPodmanUsed({ env, platform, uid }: EnginesDeps): Promise<boolean> {
  const { XDG_DATA_HOME = '', XDG_CONFIG_HOME = '' } = env;
  const { CONTAINER_HOST = '', CONTAINERS_STORAGE_CONF = '' } = env;
  if (platform !== 'linux' || CONTAINER_HOST !== '' || CONTAINERS_STORAGE_CONF !== '') return true;
  const dataHome = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : join(homedir(), '.local', 'share');
  const configHome = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config');
  const paths =
    uid === 0
      ? ['/var/lib/containers/storage', '/etc/containers/storage.conf']
      : [join(dataHome, 'containers', 'storage'), join(configHome, 'containers')];
  const found = paths.map((path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
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
  const path = env['PATH'] ?? env['Path'] ?? '';
  const folders = [...path.split(delimiter), ...(usualFolders[platform] ?? [])].filter((folder) =>
    isAbsolute(folder),
  );
  for (const folder of folders) {
    const program = join(folder, file);
    try {
      // oxlint-disable-next-line no-await-in-loop
      await access(program, constants.X_OK);
      return program;
    } catch {
      // not in this one
    }
  }
  return undefined;
}

function notReady(
  name: ContainerEngineName,
  status: Exclude<ContainerEngineState['status'], 'ready'>,
  words: { sentence: string; remedy: string; help: EngineHelp },
): ContainerEngineState {
  return { name, status, version: null, mode: null, ...words };
}

function missing(name: ContainerEngineName): ContainerEngineState {
  const engine = containerEngineTitles[name];
  return notReady(name, 'missing', {
    sentence: t('host.engine-not-installed', { engine }),
    remedy: t('host.install-engine', { engine }),
    help: name === 'docker' ? 'docker-install' : 'podman-install',
  });
}

const dockerInfo = z.object({
  ServerVersion: z.string().max(100),
  OperatingSystem: z.string().max(200).nullish(),
  SecurityOptions: z.array(z.string().max(500)).max(100).nullish(),
});

function dockerState(output: EngineOutput, platform: NodeJS.Platform): ContainerEngineState {
  // Podman may be installed as `docker`; it is found under its own name.
  if (/emulate docker cli using podman/iu.test(output.stderr) || /"buildahVersion"/u.test(output.stdout)) {
    return missing('docker');
  }
  const printed = `${output.stderr}\n${output.stdout}`;
  if (/permission denied/iu.test(output.stderr)) {
    return notReady('docker', 'forbidden', {
      sentence: t('host.docker-forbidden'),
      remedy: t('host.join-docker-group'),
      help: 'docker-permission',
    });
  }
  const isStopped =
    /cannot connect to the docker daemon|is the docker daemon running|error during connect|docker desktop is (?:not running|unable|stopped)|failed to connect to the docker api/iu.test(
      printed,
    );
  const info = output.code === 0 ? parsed(dockerInfo, output.stdout) : undefined;
  if (info !== undefined && info.ServerVersion !== '') {
    const isDesktop = /docker desktop/iu.test(info.OperatingSystem ?? '') || platform !== 'linux';
    const isRootless = info.SecurityOptions?.some((option) => option.includes('name=rootless')) === true;
    return ready(
      'docker',
      info.ServerVersion,
      isDesktop ? 'virtual-machine' : isRootless ? 'rootless' : 'rootful',
    );
  }
  if (isStopped) {
    return notReady('docker', 'stopped', {
      sentence: t('host.docker-not-running'),
      remedy: t(platform === 'linux' ? 'host.start-docker' : 'host.start-docker-desktop'),
      help: 'docker-start',
    });
  }
  return failed('docker', output);
}

const podmanVersion = z.object({
  Client: z.object({ Version: z.string().max(100) }),
  /** Present only if Podman itself runs elsewhere: in its virtual machine. */
  Server: z.object({}).nullish(),
});

function podmanState(
  [version, output]: [version: EngineOutput, list: EngineOutput],
  platform: NodeJS.Platform,
  uid: number | undefined,
): ContainerEngineState {
  const info = output.code === 0 ? parsed(podmanVersion, version.stdout) : undefined;
  if (info !== undefined) {
    const isRemote = info.Server != null || platform !== 'linux';
    return ready(
      'podman',
      info.Client.Version,
      isRemote ? 'virtual-machine' : uid === 0 ? 'rootful' : 'rootless',
    );
  }
  if (
    /cannot connect to podman|podman machine (?:init|start)|unable to connect to podman/iu.test(output.stderr)
  ) {
    return notReady('podman', 'stopped', {
      sentence: t('host.podman-machine-not-running'),
      remedy: t('host.start-podman-machine'),
      help: 'podman-start',
    });
  }
  if (/permission denied|operation not permitted/iu.test(output.stderr)) {
    return notReady('podman', 'forbidden', {
      sentence: t('host.podman-forbidden', { reason: lastOutputLine(output) }),
      remedy: t('host.check-podman-setup'),
      help: 'podman-trouble',
    });
  }
  return failed('podman', output);
}

/** From the output of `podman --version`, which doesn't show whether Podman works; a start will. */
function unusedPodmanState(output: EngineOutput, uid: number | undefined): ContainerEngineState {
  if (output.code !== 0) return failed('podman', output);
  const version = output.stdout.trim().split(' ').at(-1) ?? '';
  const state = ready('podman', version, uid === 0 ? 'rootful' : 'rootless');
  return { ...state, sentence: t('host.engine-unused', { engine: `Podman ${state.version ?? ''}`.trim() }) };
}

function ready(
  name: ContainerEngineName,
  version: string,
  mode: NonNullable<ContainerEngineState['mode']>,
): ContainerEngineState {
  const shown = version.replaceAll(/[^\w.+~-]/gu, '').slice(0, 40);
  return {
    name,
    status: 'ready',
    version: shown === '' ? null : shown,
    mode,
    sentence: t('host.engine-ready', { engine: `${containerEngineTitles[name]} ${shown}`.trim(), mode }),
    remedy: null,
    help: null,
  };
}

function failed(name: ContainerEngineName, output: EngineOutput): ContainerEngineState {
  const engine = containerEngineTitles[name];
  const help = name === 'docker' ? 'docker-trouble' : 'podman-trouble';
  if (output.end === 'timed-out') {
    return notReady(name, 'failed', {
      sentence: t('host.engine-doesnt-respond', { engine }),
      remedy: t('host.wait-or-restart-engine'),
      help,
    });
  }
  const reason = lastOutputLine(output);
  const sentence =
    output.end === 'not-started'
      ? t('host.engine-doesnt-start', { engine })
      : reason === ''
        ? t('host.engine-doesnt-work-no-reason', { engine })
        : t('host.engine-doesnt-work', { engine, reason });
  return notReady(name, 'failed', { sentence, remedy: t('host.fix-engine', { engine }), help });
}

function parsed<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
