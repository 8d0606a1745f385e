// A real document server in a container, started and stopped with DocTray's commands.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { engineUnavailable, findEngines } from '../../app/containers/engines.ts';
import { products } from '../../app/containers/products.ts';
import type { DocumentServerProduct, DocumentServerStart } from '../../app/contract/document-servers.ts';
import type { Place } from '../cli/processes.ts';

/** Something is missing on this computer. The message says what in one line. */
export class Missing extends Error {}

/** The variables that Docker and Podman read, except HOME, which the tests set. */
export function engineEnvironment(env: NodeJS.ProcessEnv, home: string = homedir()): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean =>
    /^(?:DOCKER_(?!CONFIG$)|CONTAINER_|CONTAINERS_)|^(?:XDG_RUNTIME_DIR|LOCALAPPDATA|APPDATA)$/.test(name);
  const dockerConfig = env['DOCKER_CONFIG'] ?? join(home, '.docker');
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
  return {
    ...given,
    // Podman fails if the file doesn't exist.
    ...(existsSync(join(dockerConfig, 'config.json')) && { DOCKER_CONFIG: dockerConfig }),
    XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] ?? join(home, '.config'),
    XDG_DATA_HOME: env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'),
    // So that DocTray doesn't use the user's keychain.
    DBUS_SESSION_BUS_ADDRESS: '',
  };
}

/** @throws Missing if there is no engine, or the user's own container has that name */
export async function findEngine(env: NodeJS.ProcessEnv, product: DocumentServerProduct) {
  const deps = { env, platform: process.platform, uid: process.getuid?.() };
  const { ready, states } = await findEngines(deps);
  const [engine] = ready;
  if (engine === undefined) throw new Missing(engineUnavailable(states).message);
  const { container } = products[product];
  for (const { name, inspect } of ready) {
    if ((await inspect(container)) !== undefined)
      throw new Missing(
        `The container ${container} is in use. Remove it first: doctray editors stop ${product} --engine ${name}`,
      );
  }
  return engine;
}

/** @throws Missing as `findEngine` */
export async function containerServer(place: Place, product: DocumentServerProduct) {
  const engine = await findEngine(place.env, product);
  const { volume, container } = products[product];
  const hadVolume = volume !== null && (await engine.hasVolume(volume.name));
  const editors = (...args: string[]): ReturnType<Place['run']> =>
    place.run(['editors', ...args, '--data', place.dataDir]);
  return {
    /**
     * Starts the server as a user does, and waits until it reaches DocTray.
     * @throws Missing if the image can't be downloaded, or the container doesn't run
     */
    async start(image?: string) {
      const more = image === undefined ? [] : ['--image', image];
      const args = ['start', product, '--engine', engine.name, ...more, '--json'];
      const { code, stdout, stderr } = await editors(...args);
      const start = parseStart(stdout);
      if (code === 0 && start?.result != null) return start.result;
      throw new Missing(start?.sentence ?? (stderr.trim().split('\n').at(-1) || `It ended with ${code}.`));
    },
    /** The container's output. */
    log() {
      const args = ['logs', '--tail', '500', container];
      const { stdout, stderr } = spawnSync(engine.name, args, { encoding: 'utf8', env: place.env });
      return `${stdout}${stderr}`;
    },
    /** Removes the container, and the volume if it is new. Works after a failed start too. */
    async stop() {
      await editors('stop', product, '--yes');
      // DocTray may not be running any more. `findEngine` has checked that the container didn't exist before the test.
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
