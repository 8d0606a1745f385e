// A real document server in a container, started and stopped by DocTray's own commands.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ContainerEngine } from '../../app/containers/engine.ts';
import { createEngines } from '../../app/containers/engines.ts';
import { products } from '../../app/containers/products.ts';
import { engineUnavailable } from '../../app/containers/start-document-server.ts';
import type { DocumentServerProduct, DocumentServerStart } from '../../app/contract/document-servers.ts';
import type { Place } from '../cli/processes.ts';

export interface ContainerServer {
  /**
   * Starts it as a user does, and waits until it reaches DocTray.
   * @throws Missing if the image can't be downloaded, or the container doesn't run
   */
  start(image?: string): Promise<{ editorId: string; url: string }>;
  /** What it printed. */
  log(): string;
  /** Removes its container, and its volume if there was none before; also after a start that failed. */
  stop(): Promise<void>;
}

/** Something is missing on this computer. The message is one line that says what. */
export class Missing extends Error {}

/** What Docker and Podman read, besides HOME, which belongs to the tests. */
export function engineEnvironment(env: NodeJS.ProcessEnv, home: string = homedir()): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean =>
    /^(?:DOCKER_(?!CONFIG$)|CONTAINER_|CONTAINERS_)|^(?:XDG_RUNTIME_DIR|LOCALAPPDATA|APPDATA)$/.test(name);
  const dockerConfig = env['DOCKER_CONFIG'] ?? join(home, '.docker');
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
  return {
    ...given,
    // Podman fails if it names a file that doesn't exist.
    ...(existsSync(join(dockerConfig, 'config.json')) && { DOCKER_CONFIG: dockerConfig }),
    XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] ?? join(home, '.config'),
    XDG_DATA_HOME: env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'),
    // Not the keychain of the user who runs this.
    DBUS_SESSION_BUS_ADDRESS: '',
  };
}

/** @throws Missing if there is no engine, or the user's own container has that name */
export async function findEngine(
  env: NodeJS.ProcessEnv,
  product: DocumentServerProduct,
): Promise<ContainerEngine> {
  const engines = createEngines({ env, platform: process.platform, uid: process.getuid?.() });
  const { ready, states } = await engines.find();
  const [engine] = ready;
  if (engine === undefined) throw new Missing(engineUnavailable(states).message);
  const { container } = products[product];
  for (const { name, inspect } of ready) {
    // oxlint-disable-next-line no-await-in-loop
    if ((await inspect(container)) !== undefined)
      throw new Missing(
        `The container ${container} is in use. Remove it first: doctray editors stop ${product} --engine ${name}`,
      );
  }
  return engine;
}

/** @throws Missing as `findEngine` */
export async function containerServer(
  place: Place,
  product: DocumentServerProduct,
): Promise<ContainerServer> {
  const engine = await findEngine(place.env, product);
  const { volume, container } = products[product];
  const hadVolume = volume !== null && (await engine.hasVolume(volume.name));
  const editors = (...args: string[]): ReturnType<Place['run']> =>
    place.run(['editors', ...args, '--data', place.dataDir]);
  return {
    async start(image) {
      const more = image === undefined ? [] : ['--image', image];
      const { code, stdout, stderr } = await editors(
        'start',
        product,
        '--engine',
        engine.name,
        ...more,
        '--json',
      );
      const start = parseStart(stdout);
      if (code === 0 && start?.result != null) return start.result;
      throw new Missing(start?.sentence ?? (stderr.trim().split('\n').at(-1) || `It ended with ${code}.`));
    },
    log() {
      const { stdout, stderr } = spawnSync(engine.name, ['logs', '--tail', '500', container], {
        encoding: 'utf8',
        env: place.env,
      });
      return `${stdout}${stderr}`;
    },
    async stop() {
      await editors('stop', product, '--yes');
      // If DocTray isn't running any more. There was no such container before, so it is the one of this test.
      if ((await engine.inspect(container)) !== undefined) await engine.remove(container);
      if (volume !== null && !hadVolume && (await engine.hasVolume(volume.name)))
        await engine.removeVolume(volume.name);
    },
  };
}

function parseStart(text: string): DocumentServerStart | undefined {
  try {
    return JSON.parse(text) as DocumentServerStart;
  } catch {
    return undefined;
  }
}
