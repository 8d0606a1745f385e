// Starts and stops the measured processes, and reads their memory. Their output goes to files, so that reading it doesn't affect the
// measurements.

import { spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerProcess {
  pid: number;
  host: string;
  port: number;
  /** performance.now() just before the process was started. */
  startedAt: number;
  /** Sends SIGTERM, and SIGKILL after 6 s. Resolves when the process has exited. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): void;
}

export interface ProcessStarter {
  /** Runs a script with Node, and waits for its first line of output, `{"event":"listening","baseUrl":…}`. */
  start(script: string, options?: { args?: string[]; env?: Record<string, string> }): Promise<ServerProcess>;
  stopAll(): Promise<void>;
  /** Sends SIGKILL to all, because the time ran out. */
  killAll(): void;
}

const startLimitMs = 20_000;
const stopLimitMs = 6_000;
const pollMs = 1;

export function createProcessStarter(deps: { logFolder: string; cwd: string }): ProcessStarter {
  const running = new Set<ServerProcess>();
  let started = 0;
  let isOutOfTime = false;
  return {
    async start(script, { args = [], env = {} } = {}) {
      isOutOfTime = false;
      started += 1;
      const outPath = join(deps.logFolder, `${started}.out`);
      const errPath = join(deps.logFolder, `${started}.err`);
      const out = openSync(outPath, 'w');
      const err = openSync(errPath, 'w');
      const startedAt = performance.now();
      const child = spawn(process.execPath, [script, ...args], {
        cwd: deps.cwd,
        env: { ...plainEnvironment(), ...env },
        stdio: ['ignore', out, err],
      });
      const { pid } = child;
      closeSync(out);
      closeSync(err);
      let isGone = false;
      const gone = new Promise<void>((resolve) => {
        child.once('exit', () => {
          isGone = true;
          running.delete(server);
          resolve();
        });
      });
      const server: ServerProcess = {
        pid: pid ?? -1,
        host: '127.0.0.1',
        port: 0,
        startedAt,
        async stop() {
          child.kill('SIGTERM');
          const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
          await gone;
          clearTimeout(timer);
        },
        kill: () => void child.kill('SIGKILL'),
      };
      if (pid === undefined) throw new Error(`Node could not be started on ${script}`);
      running.add(server);
      const line = await firstLine(outPath, () => isGone);
      if (line === undefined) {
        const errors = readFileSync(errPath, 'utf8').trim().split('\n').slice(-5).join(' | ');
        if (!isGone) child.kill('SIGKILL');
        if (isOutOfTime) throw new Error(`the time ran out before ${script} listened`);
        throw new Error(`${script} did not start to listen${errors ? `: ${errors}` : ''}`);
      }
      const listening = JSON.parse(line) as { event: string; baseUrl: string };
      if (listening.event !== 'listening') throw new Error(`${script} began with ${listening.event}`);
      const address = new URL(listening.baseUrl);
      server.host = address.hostname;
      server.port = Number(address.port);
      return server;
    },
    async stopAll() {
      await Promise.all([...running].map((server) => server.stop()));
    },
    killAll() {
      isOutOfTime = true;
      for (const server of running) server.kill();
    },
  };
}

async function firstLine(path: string, isGone: () => boolean): Promise<string | undefined> {
  const until = performance.now() + startLimitMs;
  for (;;) {
    const wasGone = isGone();
    const text = readFileSync(path, 'utf8');
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
    if (wasGone || performance.now() > until) return undefined;
    await sleep(pollMs);
  }
}

/** Without a session bus, so that the host stores its secrets in a file on every machine. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, DISPLAY, WAYLAND_DISPLAY, ...rest } = process.env;
  return rest;
}

/** Current and peak resident memory, or undefined without /proc. */
export function memoryOf(pid: number): { residentBytes: number; peakBytes: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
    return { residentBytes: read('VmRSS'), peakBytes: read('VmHWM') };
  } catch {
    return undefined;
  }
}

/** Processor time of all threads, or undefined without /proc. */
export function processorMsOf(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
    return spent.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  } catch {
    return undefined;
  }
}

/** Resets the peak to the current memory (proc(5), clear_refs). @returns false if that isn't possible */
export function resetPeakMemory(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}
