// The isolated machine of the container tests. test/run.ts starts each file with separate network, mount and process namespaces,
// so that containers, images, volumes, bridges and firewall rules disappear with them, even after a crash.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../cli/processes.ts';
import type { Ended } from '../cli/running-process.ts';

/** This computer's address in its network. */
export const outerAddress = '192.0.2.2';
/** This computer's address in the network of rootful Podman. */
export const bridgeAddress = '10.88.0.1';
/** A user without privileges, for rootless Podman. */
export const user = { name: 'ana', id: 61_001, firstSubId: 6_100_000 };

/** The prefix of a command that runs as `user`. */
export const asUser = ['setpriv', '--reuid', `${user.id}`, '--regid', `${user.id}`, '--clear-groups'];

export type OwnMachine = ReturnType<typeof prepareMachine>;

const projectRoot = join(import.meta.dirname, '..', '..');
const cgroupRoot = '/sys/fs/cgroup';

export function prepareMachine() {
  // In a new network namespace, no interface is up.
  if (Object.keys(networkInterfaces()).length > 0) {
    throw new Error('These tests need the namespaces in which test/run.ts starts them.');
  }
  const earlier = new Set(containerGroups());
  for (const place of ['/run', '/var/lib/containers', '/dev/shm', '/mnt']) {
    fs.mkdirSync(place, { recursive: true });
    run('mount', '-t', 'tmpfs', '-o', place === '/dev/shm' ? 'mode=1777' : 'mode=0755', 'tmpfs', place);
  }
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', 'lan0', 'type', 'veth', 'peer', 'name', 'lan1');
  run('ip', 'addr', 'add', `${outerAddress}/24`, 'dev', 'lan0');
  run('ip', 'link', 'set', 'lan0', 'up');
  run('ip', 'link', 'set', 'lan1', 'up');
  run('ip', 'route', 'add', 'default', 'via', '192.0.2.1');

  // For `podman info`, it would search all packages for each program that Podman uses.
  if (fs.existsSync('/usr/bin/dpkg')) run('mount', '--bind', '/bin/false', '/usr/bin/dpkg');

  const folder = '/mnt/own';
  const project = '/mnt/project';
  for (const place of [folder, project]) fs.mkdirSync(place);
  run('mount', '--bind', projectRoot, project);
  addUser(folder);
  // Usually every user may use it. Rootless Podman needs it for its network.
  run('mknod', '-m', '666', join(folder, 'tun'), 'c', '10', '200');
  if (!fs.existsSync('/dev/net/tun')) throw new Error('There is no /dev/net/tun.');
  run('mount', '--bind', join(folder, 'tun'), '/dev/net/tun');

  const environment = (home: string, storage: string, registryPort: number): Record<string, string> => {
    const write = (name: string, text: string): string => {
      const path = join(home, name);
      fs.writeFileSync(path, text, { mode: 0o644 });
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
      CONTAINERS_REGISTRIES_CONF: write('registries.conf', registriesConf(`127.0.0.1:${registryPort}`)),
    };
  };
  const ownHome = join(folder, 'root');
  const userHome = join(folder, user.name);
  fs.mkdirSync(ownHome);
  const userRun = join('/run', user.name);
  fs.mkdirSync(userRun, { mode: 0o700 });
  fs.chownSync(userRun, user.id, user.id);
  const storageIn = (data: string, running: string): string =>
    `[storage]\ndriver = "vfs"\ngraphroot = "${data}/storage"\nrunroot = "${running}/storage"\n`;
  return {
    /** For files that every user may read. */
    folder,
    /** The project's sources, readable by every user. */
    project,
    /** The environment of a Podman without containers and images. */
    env: (registryPort: number) =>
      environment(ownHome, storageIn('/var/lib/containers', '/run/containers'), registryPort),
    /** The same for `user`. */
    userEnv: (registryPort: number): Record<string, string> => ({
      ...environment(userHome, storageIn(userHome, userRun), registryPort),
      XDG_RUNTIME_DIR: userRun,
    }),
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

/** The usual images come from the local registry too. */
function registriesConf(registry: string): string {
  const places = [
    `location = "${registry}"`,
    `prefix = "docker.io/onlyoffice/documentserver"\nlocation = "${registry}/onlyoffice"`,
    `prefix = "docker.io/collabora/code"\nlocation = "${registry}/collabora"`,
  ];
  return places.map((place) => `[[registry]]\n${place}\ninsecure = true\n`).join('\n');
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
    if (fs.existsSync(`/etc/${file}`)) fs.copyFileSync(`/etc/${file}`, copy);
    fs.appendFileSync(copy, `${line}\n`);
    fs.chmodSync(copy, 0o644);
    if (!fs.existsSync(`/etc/${file}`)) throw new Error(`There is no /etc/${file}.`);
    run('mount', '--bind', copy, `/etc/${file}`);
  }
  const home = join(folder, name);
  fs.mkdirSync(home, { mode: 0o755 });
  fs.chownSync(home, id, id);
}

/** The control groups that Podman creates for its containers, in all hierarchies. */
function containerGroups(): string[] {
  const places = [cgroupRoot, ...foldersIn(cgroupRoot)];
  return places.map((place) => join(place, 'libpod_parent')).filter((group) => fs.existsSync(group));
}

function foldersIn(place: string): string[] {
  if (!fs.existsSync(place)) return [];
  return fs
    .readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(place, entry.name));
}

function removeGroup(group: string): void {
  for (const inner of foldersIn(group)) removeGroup(inner);
  try {
    fs.rmdirSync(group);
  } catch {
    // A process may still be in it.
  }
}

/** Podman and DocTray's commands in the environment of a place, and as its user. */
export function commandsIn(place: () => Place, prefix: readonly string[] = []) {
  const cli = (...args: string[]): Promise<Ended> => place().run([...args, '--data', place().dataDir]);
  return {
    podman(...args: string[]): string {
      const [program = '', ...rest] = [...prefix, 'podman', ...args];
      // Container processes inherit and keep open file descriptors, so `start` must not inherit a pipe.
      const output = args[0] === 'start' ? 'ignore' : 'pipe';
      const options = { encoding: 'utf8', env: place().env, cwd: '/' } as const;
      const { stdout } = spawnSync(program, rest, { ...options, stdio: ['ignore', output, 'ignore'] });
      return stdout?.trim() ?? '';
    },
    cli,
    async json<Result>(...args: string[]): Promise<Result> {
      const { code, stdout, stderr } = await cli(...args, '--json');
      assert.equal(code, 0, `${stdout}${stderr}`);
      return JSON.parse(stdout) as Result;
    },
  };
}

export function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}
