// Starts and stops the measured processes, and reads their memory and processor time. Their output goes to files, so that reading it
// doesn't affect the measurements.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './client.ts';

export const projectRoot = join(import.meta.dirname, '../..');

export type Program = ReturnType<typeof start>;
export type ServerProcess = Program & Address;

const running = new Set<{ kill(): void; stop(): Promise<void> }>();
process.on('exit', () => {
  for (const { kill } of running) kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((program) => program.stop()));
}

const limitMs = 30_000;
const stopLimitMs = 6_000;
let count = 0;

export function start(
  command: string,
  args: string[],
  { logs, env, hasChannel = false }: { logs: string; env: NodeJS.ProcessEnv; hasChannel?: boolean },
) {
  count += 1;
  const paths = ['out', 'err'].map((kind) => join(logs, `${count}.${kind}`));
  const [out, err] = paths.map((path) => openSync(path, 'w')) as [number, number];
  const startedAt = performance.now();
  const stdio = ['ignore', out, err, ...(hasChannel ? (['ipc'] as const) : [])] as const;
  const child = spawn(command, args, { cwd: projectRoot, env, stdio: [...stdio] });
  closeSync(out);
  closeSync(err);
  let isGone = false;
  const program = {
    child,
    pid: child.pid ?? -1,
    /** performance.now() just before the process was started. */
    startedAt,
    /** Waits for a line of output that matches. @throws if the process ends before, or after 30 s */
    async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
      for (const until = performance.now() + limitMs; ;) {
        const isLast = isGone || performance.now() > until;
        const texts = paths.map((path) => readFileSync(path, 'utf8'));
        const found = texts.map((text) => pattern.exec(text)).find((match) => match !== null);
        if (found != null) return found;
        const end = texts.flatMap((text) => text.trim().split('\n').slice(-5)).join(' | ');
        if (isLast) throw new Error(`${args[0]} didn’t print ${String(pattern)}: ${end}`);
        await sleep(1);
      }
    },
    kill: () => void child.kill('SIGKILL'),
    /** Sends SIGTERM, and SIGKILL after 6 s. Resolves when the process has exited. */
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      const timer = setTimeout(program.kill, stopLimitMs);
      await gone;
      clearTimeout(timer);
    },
  };
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      isGone = true;
      running.delete(program);
      resolve();
    };
    child.once('exit', end).once('error', end);
  });
  running.add(program);
  return program;
}

/** Runs a script with Node, and waits for its line `{"event":"listening","baseUrl":…}`. */
export async function startServer(
  script: string,
  args: string[],
  options: { logs: string; env?: Record<string, string> },
): Promise<ServerProcess> {
  const env = { ...plainEnvironment(), ...options.env };
  return listening(start(process.execPath, [script, ...args], { logs: options.logs, env }));
}

export async function listening(program: Program): Promise<ServerProcess> {
  try {
    const [line] = await program.waitFor(/^\{"event":"listening".*\}$/mu);
    const { hostname: host, port } = new URL((JSON.parse(line) as { baseUrl: string }).baseUrl);
    return Object.assign(program, { host, port: Number(port) });
  } catch (error) {
    await program.stop();
    throw error;
  }
}

/** Without a desktop session, so that the host stores its secrets in a file on every machine. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, DISPLAY, WAYLAND_DISPLAY, NODE_OPTIONS, ...rest } =
    process.env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('DOCTRAY_')));
}

/** Resident memory in bytes; NaN without /proc. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]) * 1024;
}

/** Processor time of all threads; NaN without /proc. */
export function processorMsOf(pid: number): number {
  const spent = threadsOf(pid).map((thread) => Number(read(`${thread}/schedstat`).split(' ')[0]) / 1e6);
  return spent.length === 0 ? Number.NaN : spent.reduce((sum, ms) => sum + ms);
}

/** How often its threads were woken: their voluntary context switches. */
export function wakesOf(pid: number): number {
  const wakes = threadsOf(pid).map((thread) =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/mu.exec(read(`${thread}/status`))?.[1] ?? 0),
  );
  return wakes.reduce((sum, each) => sum + each, 0);
}

/** The process with all its descendants. */
export function processTree(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) => read(`${thread}/children`).split(' ').filter(Boolean));
  return [pid, ...children.map(Number).flatMap(processTree)];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((id) => `/proc/${pid}/task/${id}`);
  } catch {
    return [];
  }
}

/** An empty text if the file doesn't exist. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
