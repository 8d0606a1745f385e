// A virtual network: four machines on one switch, each a network namespace, with names, IPv4 and IPv6. It needs no privileges,
// thanks to a user namespace, and disappears with the process that creates it.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `desk` runs DocTray, `docs` the document server, `proxy` a proxy between them. `other` is another machine in the network. */
const machineNames = ['desk', 'docs', 'proxy', 'other'] as const;
export type MachineName = (typeof machineNames)[number];

export type Lab = Awaited<ReturnType<typeof createLab>>;

const startLimitMs = 60_000;

/** nginx and ip are in /usr/sbin, which isn't in every user's PATH. */
export const labPath = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

const numberOf = (machine: MachineName): number => machineNames.indexOf(machine) + 2;

/** Prints the process of each machine, which keeps its namespaces alive. */
function script(hostsFile: string): string {
  const lines = [
    'set -e',
    `mount --bind '${hostsFile}' /etc/hosts`,
    'ip link add switch type bridge',
    'ip link set switch up',
    'machines=""',
    "trap 'kill $machines 2>/dev/null' EXIT",
  ];
  for (const name of machineNames) {
    const number = numberOf(name);
    lines.push(
      // Redirected, so that it doesn't keep this script's pipe open.
      'unshare -n sleep infinity </dev/null >/dev/null 2>&1 & machine=$!',
      'machines="$machines $machine"',
      // Wait until the kernel has created the namespace.
      'while [ "$(readlink /proc/$machine/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done',
      `ip link add to-${name} type veth peer name lan0 netns $machine`,
      `ip link set to-${name} master switch up`,
      `nsenter -t $machine -n ip link set lo up`,
      `nsenter -t $machine -n ip link set lan0 up`,
      `nsenter -t $machine -n ip addr add 10.77.0.${number}/24 dev lan0`,
      // nodad: the address is unique, so it can be used at once.
      `nsenter -t $machine -n ip -6 addr add fd77::${number}/64 dev lan0 nodad`,
      `echo ${name} $machine`,
    );
  }
  lines.push('echo ready', 'read -r _ || true');
  return lines.join('\n');
}

export async function createLab() {
  const folder = mkdtempSync(join(tmpdir(), 'dt-lab-'));
  const hostsFile = join(folder, 'hosts');
  const names = machineNames.map(
    (name) => `10.77.0.${numberOf(name)} ${name}.lan\nfd77::${numberOf(name)} ${name}6.lan`,
  );
  writeFileSync(hostsFile, ['127.0.0.1 localhost', '::1 localhost', ...names, ''].join('\n'));
  const isInUserNamespace = hasUserNamespaces();
  const env = { ...process.env, PATH: labPath };
  const args = [...(isInUserNamespace ? ['-r'] : []), '-n', '-m', 'bash', '-c', script(hostsFile)];
  const child = spawn('unshare', args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'close');
  const remove = async (): Promise<void> => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };

  const endsAtMs = performance.now() + startLimitMs;
  while (!output.includes('ready')) {
    if (child.exitCode !== null || performance.now() > endsAtMs) {
      await remove();
      throw new Error(`The virtual network couldn't be created: ${errors.trim()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const processes = new Map(output.split('\n').map((line) => line.split(' ') as [string, string]));
  const enter = (machine: MachineName, ...kinds: string[]): [string, ...string[]] => [
    'nsenter',
    '-t',
    processes.get(machine) ?? '',
    ...(isInUserNamespace ? ['-U', '--preserve-credentials'] : []),
    ...kinds,
  ];
  return {
    /** For files of the machines, such as configurations and logs. */
    folder,
    ipv4: (machine: MachineName) => `10.77.0.${numberOf(machine)}`,
    ipv6: (machine: MachineName) => `fd77::${numberOf(machine)}`,
    /** The prefix of a command that runs on that machine. */
    on: (machine: MachineName) => enter(machine, '-n', '-m'),
    /** Unplugs or plugs in the network cable. */
    setLink(machine: MachineName, state: 'up' | 'down') {
      const [program, ...options] = [...enter(machine, '-n'), 'ip', 'link', 'set', 'lan0', state];
      const done = spawnSync(program, options, { encoding: 'utf8', env });
      if (done.status !== 0) throw new Error(done.stderr);
    },
    remove,
  };
}

function hasUserNamespaces(): boolean {
  return spawnSync('unshare', ['-r', '-n', '-m', 'true']).status === 0;
}
