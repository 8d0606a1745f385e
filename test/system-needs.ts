// What a suite needs from the system beyond npm packages. What is missing is installed with apt-get if possible, else reported in one
// line; no test is skipped because of it.

import { spawnSync } from 'node:child_process';
import type { SpawnSyncOptionsWithStringEncoding } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium } from './stand-in/chromium.ts';

export interface SystemNeed {
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

/** @returns the command's path */
export function findCommand(command: string): string | undefined {
  const file = process.platform === 'win32' ? `${command}.exe` : command;
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, file));
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

/** Loads it in another process, so that a missing library is found after it was installed. */
function canLoad(packageName: string): boolean {
  const path = createRequire(import.meta.url).resolve(packageName);
  return (
    spawnSync(process.execPath, ['-e', `require(${JSON.stringify(path)})`], { stdio: 'ignore' }).status === 0
  );
}

/** For small file systems: a full disk, a read-only one, one that is unmounted. */
const ownMounts: SystemNeed = {
  name: 'unshare, nsenter, mount',
  aptPackage: 'util-linux mount',
  isPresent: () => process.platform !== 'linux' || ['unshare', 'nsenter', 'mount'].every(hasCommand),
};

/** For a disk whose file system ignores case and has no stable inodes. */
const exFat: SystemNeed = {
  name: 'mkfs.exfat, mount.exfat-fuse',
  aptPackage: 'exfatprogs exfat-fuse',
  isPresent: () =>
    ['mkfs.exfat', 'mount.exfat-fuse'].every(
      (command) =>
        hasCommand(command) || existsSync(`/usr/sbin/${command}`) || existsSync(`/sbin/${command}`),
    ),
};

/** Renders the windows: Debian's Chromium or any other on this computer. */
const chromium: SystemNeed = {
  name: 'Chromium',
  aptPackage: 'chromium',
  isPresent: () => findChromium() !== undefined,
};
/** Without a font, every letter is the same box, and text has no width. */
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
const pages = [chromium, fonts, headlessShell];

/** Debian installs nginx in /usr/sbin, which isn't on a normal user's PATH. */
const nginx: SystemNeed = {
  name: 'nginx',
  aptPackage: 'nginx',
  isPresent: () => hasCommand('nginx') || existsSync('/usr/sbin/nginx'),
};
/** Creates a proxy's certificate. */
const openssl: SystemNeed = {
  name: 'openssl',
  aptPackage: 'openssl',
  isPresent: () => hasCommand('openssl'),
};
/** For virtual computers and a switch between them. */
const ownNetworks: SystemNeed = {
  name: 'ip',
  aptPackage: 'iproute2',
  isPresent: () => hasCommand('ip') || existsSync('/usr/sbin/ip'),
};

/** Traces a host's system calls. */
const strace: SystemNeed = {
  name: 'strace',
  aptPackage: 'strace',
  isPresent: () => process.platform !== 'linux' || hasCommand('strace'),
};

/** Podman with a runtime that works in most sandboxes, and its container networking. */
const podman: SystemNeed = {
  name: 'podman, runc, netavark, iptables',
  aptPackage: 'podman runc netavark iptables',
  isPresent: () =>
    ['podman', 'runc'].every(hasCommand) &&
    ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'].some((path) => existsSync(path)) &&
    (hasCommand('iptables') || existsSync('/usr/sbin/iptables')),
};
/** For rootless Podman. */
const rootless: SystemNeed = {
  name: 'newuidmap, slirp4netns',
  aptPackage: 'uidmap slirp4netns',
  isPresent: () => ['newuidmap', 'slirp4netns'].every(hasCommand),
};
/** The only content of the test images; statically linked. */
const busybox: SystemNeed = {
  name: 'busybox',
  aptPackage: 'busybox-static',
  isPresent: () => ['/bin/busybox', '/usr/bin/busybox'].some((path) => existsSync(path)),
};

/** Validators of what the packages contain. */
const validators: SystemNeed = {
  name: 'desktop-file-validate, appstreamcli, makensis',
  aptPackage: 'desktop-file-utils appstream nsis',
  isPresent: () =>
    process.platform !== 'linux' || ['desktop-file-validate', 'appstreamcli', 'makensis'].every(hasCommand),
};

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
    {
      name: 'gnome-keyring-daemon',
      aptPackage: 'gnome-keyring',
      isPresent: () => process.platform !== 'linux' || hasCommand('gnome-keyring-daemon'),
    },
    {
      name: 'dbus-run-session, dbus-send',
      aptPackage: 'dbus',
      isPresent: () => process.platform !== 'linux' || ['dbus-run-session', 'dbus-send'].every(hasCommand),
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

/** If a suite can't run here: one line that says what to run instead. */
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
 * Installs what is missing. Returns undefined if everything is available, else one line that says what to run.
 * Only installs as root and with apt-get, because a test run never asks for a password.
 */
export function bringNeeds(suites: Iterable<string>, say: (text: string) => void): string | undefined {
  const wanted = [...new Set(suites)];
  const missing = missingNeeds(wanted);
  const required = missing.filter(({ isOptional }) => isOptional !== true);
  const canInstall = process.getuid?.() === 0 && hasCommand('apt-get');

  if (required.length > 0) {
    const packages = required.map((need) => need.aptPackage).join(' ');
    const names = required.map((need) => need.name).join(', ');
    if (process.platform !== 'linux')
      return `The tests need ${names}. Install what is missing, and run them again.`;
    const byHand = `The tests need ${names}: sudo apt-get install -y ${packages}`;
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
