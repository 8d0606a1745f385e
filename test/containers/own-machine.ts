// The isolated machine of the container tests. test/run.ts starts each file with separate network, mount and process namespaces,
// so that containers, images, volumes, bridges and firewall rules disappear with them, even after a crash.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

/** This computer's address in its network. */
export const outerAddress = '192.0.2.2';
/** This computer's address in the network of rootful Podman. */
export const bridgeAddress = '10.88.0.1';
/** A user without privileges, for rootless Podman. */
export const user = { name: 'ana', id: 61_001, firstSubId: 6_100_000 };

export interface OwnMachine {
  /** For files that every user may read. */
  folder: string;
  /** The project's sources, readable by every user. */
  project: string;
  /** The environment of a Podman without containers and images. */
  env(registryPort: number): NodeJS.ProcessEnv;
  /** The same for `user`. */
  userEnv(registryPort: number): NodeJS.ProcessEnv;
  /** The prefix of a command that runs as `user`. */
  asUser: readonly string[];
  remove(): void;
}

const projectRoot = join(import.meta.dirname, '..', '..');
const cgroupRoot = '/sys/fs/cgroup';

export function prepareMachine(): OwnMachine {
  // In a new network namespace, no interface is up.
  if (Object.keys(networkInterfaces()).length > 0) {
    throw new Error('These tests need the namespaces in which test/run.ts starts them.');
  }
  const earlier = new Set(containerGroups());
  for (const place of ['/run', '/var/lib/containers', '/dev/shm', '/mnt']) {
    mkdirSync(place, { recursive: true });
    run('mount', '-t', 'tmpfs', '-o', place === '/dev/shm' ? 'mode=1777' : 'mode=0755', 'tmpfs', place);
  }
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', 'lan0', 'type', 'veth', 'peer', 'name', 'lan1');
  run('ip', 'addr', 'add', `${outerAddress}/24`, 'dev', 'lan0');
  run('ip', 'link', 'set', 'lan0', 'up');
  run('ip', 'link', 'set', 'lan1', 'up');
  run('ip', 'route', 'add', 'default', 'via', '192.0.2.1');

  const folder = '/mnt/own';
  const project = '/mnt/project';
  for (const place of [folder, project]) mkdirSync(place);
  run('mount', '--bind', projectRoot, project);
  addUser(folder);
  // Usually every user may use it. Rootless Podman needs it for its network.
  run('mknod', '-m', '666', join(folder, 'tun'), 'c', '10', '200');
  if (!existsSync('/dev/net/tun')) throw new Error('There is no /dev/net/tun.');
  run('mount', '--bind', join(folder, 'tun'), '/dev/net/tun');

  const environment = (home: string, storage: string, registryPort: number): NodeJS.ProcessEnv => {
    const write = (name: string, text: string): string => {
      const path = join(home, name);
      writeFileSync(path, text, { mode: 0o644 });
      return path;
    };
    return {
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'data'),
      XDG_CACHE_HOME: join(home, 'cache'),
      // Without it, podman starts a session bus, which leaves its socket in the system's temporary folder.
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      CONTAINERS_CONF: write('containers.conf', containersConf),
      CONTAINERS_STORAGE_CONF: write('storage.conf', storage),
      CONTAINERS_REGISTRIES_CONF: write(
        'registries.conf',
        [
          registryLines({ location: `127.0.0.1:${registryPort}` }),
          // The usual images come from the local registry too.
          registryLines({
            prefix: 'docker.io/onlyoffice/documentserver',
            location: `127.0.0.1:${registryPort}/onlyoffice`,
          }),
          registryLines({
            prefix: 'docker.io/collabora/code',
            location: `127.0.0.1:${registryPort}/collabora`,
          }),
        ].join('\n'),
      ),
    };
  };
  const ownHome = join(folder, 'root');
  const userHome = join(folder, user.name);
  mkdirSync(ownHome);
  const userRun = join('/run', user.name);
  mkdirSync(userRun, { mode: 0o700 });
  chownSync(userRun, user.id, user.id);
  return {
    folder,
    project,
    env: (registryPort) =>
      environment(
        ownHome,
        '[storage]\ndriver = "vfs"\ngraphroot = "/var/lib/containers/storage"\nrunroot = "/run/containers/storage"\n',
        registryPort,
      ),
    userEnv: (registryPort) => ({
      ...environment(
        userHome,
        `[storage]\ndriver = "vfs"\ngraphroot = "${userHome}/storage"\nrunroot = "${userRun}/storage"\n`,
        registryPort,
      ),
      XDG_RUNTIME_DIR: userRun,
    }),
    asUser: ['setpriv', '--reuid', String(user.id), '--regid', String(user.id), '--clear-groups'],
    remove() {
      // Everything else disappears with the namespaces.
      for (const group of containerGroups()) if (!earlier.has(group)) removeGroup(group);
    },
  };
}

/** runc works in most sandboxes. Some sandboxes have low limits that can't be raised. */
const containersConf = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
`;

function registryLines(registry: { prefix?: string; location: string }): string {
  const lines = Object.entries(registry).map(([name, value]) => `${name} = "${value}"\n`);
  return `[[registry]]\n${lines.join('')}insecure = true\n`;
}

/** Adds the user only in this mount namespace, without changing the computer's files. */
function addUser(folder: string): void {
  const { name, id, firstSubId } = user;
  const lines: Record<string, string> = {
    passwd: `${name}:x:${id}:${id}::${join(folder, name)}:/bin/sh`,
    group: `${name}:x:${id}:`,
    subuid: `${name}:${firstSubId}:65536`,
    subgid: `${name}:${firstSubId}:65536`,
  };
  for (const [file, line] of Object.entries(lines)) {
    const copy = join(folder, file);
    if (existsSync(`/etc/${file}`)) copyFileSync(`/etc/${file}`, copy);
    appendFileSync(copy, `${line}\n`);
    chmodSync(copy, 0o644);
    if (!existsSync(`/etc/${file}`)) throw new Error(`There is no /etc/${file}.`);
    run('mount', '--bind', copy, `/etc/${file}`);
  }
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o755 });
  chownSync(home, id, id);
}

/** The control groups that Podman creates for its containers, in all hierarchies. */
function containerGroups(): string[] {
  const places = [cgroupRoot, ...foldersIn(cgroupRoot)];
  return places.map((place) => join(place, 'libpod_parent')).filter((group) => existsSync(group));
}

function foldersIn(place: string): string[] {
  if (!existsSync(place)) return [];
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(place, entry.name));
}

function removeGroup(group: string): void {
  for (const inner of foldersIn(group)) removeGroup(inner);
  try {
    rmdirSync(group);
  } catch {
    // A process may still be in it.
  }
}

export function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
