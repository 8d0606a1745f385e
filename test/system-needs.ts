// What a suite needs from the system beyond npm packages. What is missing is installed with apt-get if possible, else reported in one
// line; no test is skipped because of it.

import { spawnSync } from 'node:child_process';
import type { SpawnSyncOptionsWithStringEncoding } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium } from './stand-in/chromium.ts';

interface SystemNeed {
  name: string;
  /** The Debian and Ubuntu packages that contain it. */
  aptPackage: string;
  isPresent(): boolean;
  /** Tests run without it, but more slowly. */
  isOptional?: true;
}

/** A permission or device that no package provides. */
interface SystemRight {
  name: string;
  /** The command that provides it. */
  command: string;
  isGiven(): boolean;
}

/** @returns the command's path. Debian doesn't have the folders of system programs on a normal user's PATH. */
export function findCommand(command: string): string | undefined {
  const file = process.platform === 'win32' ? `${command}.exe` : command;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  return folders
    .map((folder) => join(folder, file))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

/** Other systems don't run the tests that need them, or have other ways. */
function programs(names: string, aptPackage: string): SystemNeed {
  const isPresent = () => !isLinux || names.split(', ').every((name) => findCommand(name) !== undefined);
  return { name: names, aptPackage, isPresent };
}

function hasFont(): boolean {
  return ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.fonts')].some(
    (folder) =>
      existsSync(folder) &&
      readdirSync(folder, { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/.test(String(name))),
  );
}

/** Loads it in another process, so that a missing library is found after it was installed. */
function canLoad(packageName: string): boolean {
  const path = createRequire(import.meta.url).resolve(packageName);
  return succeeds(process.execPath, '-e', `require(${JSON.stringify(path)})`);
}

function succeeds(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** For small file systems: a full disk, a read-only one, one that is unmounted. */
const ownMounts = programs('unshare, nsenter, mount', 'util-linux mount');
/** For a disk whose file system ignores case and has no stable inodes. */
const exFat = programs('mkfs.exfat, mount.exfat-fuse', 'exfatprogs exfat-fuse');
/** For virtual computers and a switch between them. */
const ownNetworks = programs('ip', 'iproute2');
const nginx = programs('nginx', 'nginx');
/** Creates certificates. */
const openssl = programs('openssl', 'openssl');
/** Traces a host's system calls. */
const strace = programs('strace', 'strace');
/** Validators of what the packages contain. */
const validators = programs(
  'desktop-file-validate, appstreamcli, makensis',
  'desktop-file-utils appstream nsis',
);
/** For rootless Podman. */
const rootless = programs('newuidmap, slirp4netns', 'uidmap slirp4netns');
/** The only content of the test images; statically linked. */
const busybox = programs('busybox', 'busybox-static');
/** Podman with a runtime that works in most sandboxes, and its container networking. */
const podman: SystemNeed = {
  ...programs('podman, runc, iptables', 'podman runc netavark iptables'),
  isPresent: () =>
    ['podman', 'runc', 'iptables'].every((name) => findCommand(name) !== undefined) &&
    ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'].some((path) => existsSync(path)),
};

/** Renders the windows: Debian's Chromium or any other on this computer. */
const pages: SystemNeed[] = [
  { name: 'Chromium', aptPackage: 'chromium', isPresent: () => findChromium() !== undefined },
  // Without a font, every letter is the same box, and text has no width.
  { name: 'a font', aptPackage: 'fonts-liberation', isPresent: () => !isLinux || hasFont() },
  {
    name: 'Chromium’s headless shell',
    aptPackage: 'chromium-headless-shell',
    isPresent: () => findCommand('chromium-headless-shell') !== undefined,
    isOptional: true,
  },
];

const needsOfSuite: Record<string, SystemNeed[]> = {
  'stand-in': pages,
  e2e: pages,
  'host-page': pages,
  pack: [...pages, validators],
  'real-editors': pages,
  security: pages,
  'text-editor': pages,
  window: pages,
  unit: [openssl],
  server: [openssl],
  crash: [ownMounts, strace],
  durability: [ownMounts],
  disks: [ownMounts, exFat],
  network: [ownMounts, ownNetworks, nginx, openssl],
  containers: [...pages, ownMounts, ownNetworks, podman, rootless, busybox, openssl],
  keyring: [
    ...pages,
    { name: 'libsecret', aptPackage: 'libsecret-1-0', isPresent: () => canLoad('keytar') },
    programs('gnome-keyring-daemon', 'gnome-keyring'),
    programs('dbus-run-session, dbus-send', 'dbus'),
  ],
};

const rightsOfSuite: Record<string, SystemRight> = {
  network: {
    name: 'namespaces of their own',
    command:
      'sudo sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0 (what this system has of the two)',
    isGiven: () => succeeds('unshare', '-r', '-n', '-m', 'true') || succeeds('unshare', '-n', '-m', 'true'),
  },
  disks: {
    name: 'root and FUSE, to mount a disk',
    command: 'sudo npm test -- test/disks',
    isGiven: () => isRoot && existsSync('/dev/fuse'),
  },
  containers: {
    name: 'root and namespaces of their own, to run containers',
    command: 'sudo npm test -- test/containers',
    isGiven: () =>
      isRoot && existsSync('/dev/net/tun') && succeeds('unshare', '-n', '-m', '-p', '-i', '-f', 'true'),
  },
};

/** If a suite can't run here: one line that says what to run instead. `suite` is the first folder below test/. */
export function lackingRight(suite: string): string | undefined {
  const right = rightsOfSuite[suite];
  return right?.isGiven() === false ? `The tests need ${right.name}: ${right.command}` : undefined;
}

/**
 * Installs what is missing. Returns undefined if everything is available, else one line that says what to run.
 * Only installs as root and with apt-get, because a test run never asks for a password.
 */
export function bringNeeds(suites: readonly string[], say: (text: string) => void): string | undefined {
  const needs = new Set(suites.flatMap((suite) => needsOfSuite[suite] ?? []));
  const missing = [...needs].filter((need) => !need.isPresent());
  const required = missing.filter(({ isOptional }) => isOptional !== true);
  const canInstall = isRoot && findCommand('apt-get') !== undefined;

  if (required.length > 0) {
    const packages = required.map((need) => need.aptPackage).join(' ');
    const names = required.map((need) => need.name).join(', ');
    if (!isLinux) return `The tests need ${names}. Install what is missing, and run them again.`;
    const byHand = `The tests need ${names}: sudo apt-get install -y ${packages}`;
    if (!canInstall) return byHand;
    const problem = install(packages, say, 180_000);
    if (required.some((need) => !need.isPresent())) return `${byHand}\n(apt-get said: ${problem})`;
  }
  // One at a time, because some systems don't have the package.
  const optional = missing.filter(({ isOptional }) => isOptional === true);
  if (canInstall) for (const { aptPackage } of optional) install(aptPackage, say, 60_000);
  return undefined;
}

/** @returns the output of apt-get */
function install(packages: string, say: (text: string) => void, timeout: number): string {
  say(`installing ${packages}`);
  const options: SpawnSyncOptionsWithStringEncoding = {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  };
  // a failed update matters only if the package lists are too old to install from
  spawnSync('apt-get', ['update', '-qq'], options);
  const installed = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages.split(' ')],
    options,
  );
  return (installed.stderr || installed.error?.message || 'nothing').trim();
}
