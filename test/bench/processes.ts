// Starts and stops the processes under measurement, each by its own id, and reads their memory. What they print goes
// to files, so that nobody has to read along while figures are taken.

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
  /** SIGTERM, and SIGKILL after 6 s. Done when the process is gone. */
  stop(): Promise<void>;
  /** SIGKILL at once. */
  kill(): void;
}

export interface ProcessStarter {
  /** Starts Node on a script and waits for the first line on its standard output, `{"event":"listening","baseUrl":…}`. */
  start(script: string, options?: { args?: string[]; env?: Record<string, string> }): Promise<ServerProcess>;
  stopAll(): Promise<void>;
  killAll(): void;
}

const startLimitMs = 20_000;
const stopLimitMs = 6_000;
const pollMs = 1;

export function createProcessStarter(deps: { logFolder: string; cwd: string }): ProcessStarter {
  const running = new Set<ServerProcess>();
  let started = 0;
  return {
    async start(script, { args = [], env = {} } = {}) {
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
        const said = readFileSync(errPath, 'utf8').trim().split('\n').slice(-5).join(' | ');
        if (!isGone) child.kill('SIGKILL');
        throw new Error(`${script} did not start to listen${said ? `: ${said}` : ''}`);
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

/** Without a way to a session bus: the host then keeps its secrets in a file, the same on every Linux machine. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, DISPLAY, WAYLAND_DISPLAY, ...rest } = process.env;
  return rest;
}

/** Resident memory now and at its peak, in bytes; undefined where the system has no /proc. */
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

/** Milliseconds of processor time that its threads have used; undefined where the system has no /proc. */
export function processorMsOf(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
    return spent.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  } catch {
    return undefined;
  }
}

/** Makes the present memory the peak (proc(5), clear_refs). False where that cannot be done. */
export function resetPeakMemory(pid: number): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}
