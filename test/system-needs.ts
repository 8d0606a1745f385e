// What a suite needs from the system beyond npm packages: found, else installed by apt-get where that is possible, else
// named in one line. Nothing is skipped for want of it.

import { spawnSync } from 'node:child_process';
import type { SpawnSyncOptionsWithStringEncoding } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface SystemNeed {
  name: string;
  /** The package of Debian and Ubuntu that brings it. */
  aptPackage: string;
  isPresent(): boolean;
  /** The tests are slower without it. */
  isOptional?: true;
}

/** What no package brings. */
interface SystemRight {
  name: string;
  /** What gives it. */
  command: string;
  isGiven(): boolean;
}

/** Its path. */
export function findCommand(command: string): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const hasCommand = (command: string): boolean => findCommand(command) !== undefined;

function hasFont(): boolean {
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.fonts')].some(
    (folder) =>
      existsSync(folder) &&
      readdirSync(folder, { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/.test(String(name))),
  );
}

/** In a process of its own: a library that is missing now must be found after it was installed. */
function canLoad(packageName: string): boolean {
  const path = createRequire(import.meta.url).resolve(packageName);
  return (
    spawnSync(process.execPath, ['-e', `require(${JSON.stringify(path)})`], { stdio: 'ignore' }).status === 0
  );
}

/** Small file systems of the tests' own: a full disk, a read-only one, one that is taken away. */
const ownMounts: SystemNeed = {
  name: 'unshare, nsenter, mount',
  aptPackage: 'util-linux mount',
  isPresent: () => process.platform !== 'linux' || ['unshare', 'nsenter', 'mount'].every(hasCommand),
};

/** A disk of its own, with a file system that ignores case and has no lasting inodes. */
const exFat: SystemNeed = {
  name: 'mkfs.exfat, mount.exfat-fuse',
  aptPackage: 'exfatprogs exfat-fuse',
  isPresent: () =>
    ['mkfs.exfat', 'mount.exfat-fuse'].every(
      (command) =>
        hasCommand(command) || existsSync(`/usr/sbin/${command}`) || existsSync(`/sbin/${command}`),
    ),
};

/** The windows are drawn by it: Debian's, or whatever Chromium the machine has. */
const chromium: SystemNeed = {
  name: 'Chromium',
  aptPackage: 'chromium',
  isPresent: () => ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].some(hasCommand),
};
/** Without one, every letter is the same box, and no text has a width. */
const fonts: SystemNeed = {
  name: 'a font',
  aptPackage: 'fonts-liberation',
  isPresent: () => process.platform !== 'linux' || hasFont(),
};
const headlessShell: SystemNeed = {
  name: 'Chromium’s headless shell',
  aptPackage: 'chromium-headless-shell',
  isPresent: () => hasCommand('chromium-headless-shell'),
  isOptional: true,
};
const drawing = [chromium, fonts];
const pages = [...drawing, headlessShell];

/** Debian has nginx where no ordinary user looks for programs. */
const nginx: SystemNeed = {
  name: 'nginx',
  aptPackage: 'nginx',
  isPresent: () => hasCommand('nginx') || existsSync('/usr/sbin/nginx'),
};
/** Makes the certificate of a proxy. */
const openssl: SystemNeed = {
  name: 'openssl',
  aptPackage: 'openssl',
  isPresent: () => hasCommand('openssl'),
};
/** Machines and a switch of the tests' own. */
const ownNetworks: SystemNeed = {
  name: 'ip',
  aptPackage: 'iproute2',
  isPresent: () => hasCommand('ip') || existsSync('/usr/sbin/ip'),
};

/** Shows the system calls of a host. */
const strace: SystemNeed = {
  name: 'strace',
  aptPackage: 'strace',
  isPresent: () => process.platform !== 'linux' || hasCommand('strace'),
};

/** Podman with a runtime that works in most sandboxes, and what connects its containers. */
const podman: SystemNeed = {
  name: 'podman, runc, netavark, iptables',
  aptPackage: 'podman runc netavark iptables',
  isPresent: () =>
    ['podman', 'runc'].every(hasCommand) &&
    ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'].some((path) => existsSync(path)) &&
    (hasCommand('iptables') || existsSync('/usr/sbin/iptables')),
};
/** Podman for users without rights. */
const rootless: SystemNeed = {
  name: 'newuidmap, slirp4netns',
  aptPackage: 'uidmap slirp4netns',
  isPresent: () => ['newuidmap', 'slirp4netns'].every(hasCommand),
};
/** The whole of the test images: needs no library. */
const busybox: SystemNeed = {
  name: 'busybox',
  aptPackage: 'busybox-static',
  isPresent: () => ['/bin/busybox', '/usr/bin/busybox'].some((path) => existsSync(path)),
};

const needsOfSuite: Record<string, SystemNeed[]> = {
  'stand-in': drawing,
  e2e: drawing,
  'host-page': pages,
  pack: drawing,
  security: drawing,
  'text-editor': pages,
  window: pages,
  unit: [openssl],
  server: [openssl],
  crash: [ownMounts, strace],
  durability: [ownMounts],
  disks: [ownMounts, exFat],
  network: [ownMounts, ownNetworks, nginx, openssl],
  containers: [ownMounts, ownNetworks, podman, rootless, busybox, openssl],
  keyring: [
    ...drawing,
    { name: 'libsecret', aptPackage: 'libsecret-1-0', isPresent: () => canLoad('keytar') },
    {
      name: 'gnome-keyring-daemon',
      aptPackage: 'gnome-keyring',
      isPresent: () => hasCommand('gnome-keyring-daemon'),
    },
    {
      name: 'dbus-run-session, dbus-send',
      aptPackage: 'dbus',
      isPresent: () => ['dbus-run-session', 'dbus-send'].every(hasCommand),
    },
  ],
};

const ownNamespaces: SystemRight = {
  name: 'namespaces of their own',
  command:
    'sudo sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0 (what this system has of the two)',
  isGiven: () =>
    [['-r'], []].some(
      (more) => spawnSync('unshare', [...more, '-n', '-m', 'true'], { stdio: 'ignore' }).status === 0,
    ),
};
const mounting: SystemRight = {
  name: 'root and FUSE, to mount a disk',
  command: 'sudo npm test -- test/disks',
  isGiven: () => process.getuid?.() === 0 && existsSync('/dev/fuse'),
};
const running: SystemRight = {
  name: 'root and namespaces of their own, to run containers',
  command: 'sudo npm test -- test/containers',
  isGiven: () =>
    process.getuid?.() === 0 &&
    existsSync('/dev/net/tun') &&
    spawnSync('unshare', ['-n', '-m', '-p', '-i', '-f', 'true'], { stdio: 'ignore' }).status === 0,
};
const rightsOfSuite: Record<string, SystemRight[]> = {
  network: [ownNamespaces],
  disks: [mounting],
  containers: [running],
};

/** For a suite that cannot run here, one line that says what to run instead. */
export function lackingRight(suite: string): string | undefined {
  const lacking = rightsOfSuite[suite]?.find((right) => !right.isGiven());
  return lacking && `The tests need ${lacking.name}: ${lacking.command}`;
}

/** `suite` is the first folder below test/. */
export function missingNeeds(suites: Iterable<string>): SystemNeed[] {
  const needs = new Set([...suites].flatMap((suite) => needsOfSuite[suite] ?? []));
  return [...needs].filter((need) => !need.isPresent());
}

/**
 * Brings what is missing. Returns undefined when all is there, else one line that says what to run.
 * It installs only as root and where apt-get is: a test run asks for no password.
 */
export function bringNeeds(suites: Iterable<string>, say: (text: string) => void): string | undefined {
  const wanted = [...new Set(suites)];
  const missing = missingNeeds(wanted);
  const required = missing.filter(({ isOptional }) => isOptional !== true);
  const canInstall = process.getuid?.() === 0 && hasCommand('apt-get');

  if (required.length > 0) {
    const packages = required.map((need) => need.aptPackage).join(' ');
    const byHand = `The tests need ${required.map((need) => need.name).join(', ')}: sudo apt-get install -y ${packages}`;
    if (!canInstall) return byHand;
    const problem = install(packages, say, 180_000);
    if (missingNeeds(wanted).some(({ isOptional }) => isOptional !== true))
      return `${byHand}\n(apt-get said: ${problem})`;
  }
  // One at a time, because some systems don't have the package.
  const optional = missing.filter(({ isOptional }) => isOptional === true);
  if (canInstall) for (const { aptPackage } of optional) install(aptPackage, say, 60_000);
  return undefined;
}

/** @returns what apt-get said */
function install(packages: string, say: (text: string) => void, timeout: number): string {
  say(`installing ${packages}`);
  const options: SpawnSyncOptionsWithStringEncoding = {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  };
  // a failed update matters only where the package lists are too old to install from
  spawnSync('apt-get', ['update', '-qq'], options);
  const installed = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages.split(' ')],
    options,
  );
  return (installed.stderr || installed.error?.message || 'nothing').trim();
}
