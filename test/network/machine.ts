// A machine of the lab from the test's side: a process of its own in that namespace, which browses, runs a document server and
// looks at its pages, as the test tells it over its standard input.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DocumentServerOptions } from '../editors/servers/document-server.ts';
import type { DeedResult, PageState } from '../editors/servers/page-config.ts';
import type { Signing } from '../editors/servers/proof-keys.ts';
import type { Answered, PostedForm } from '../editors/servers/visitor.ts';
import type { Slowness } from '../editors/wire.ts';
import type { Lab, MachineName } from './lab.ts';

/** What the process does, by name: arguments and result as JSON. */
export interface MachineDeeds {
  ask: (
    url: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string; authority?: string },
  ) => Answered;
  /** The document server of this machine; its address. */
  startServer: (options: DocumentServerOptions) => string;
  trust: (authority: string) => void;
  sign: (how: { signing?: Signing; skewMs?: number; isRotated?: boolean }) => void;
  beSlow: (slowness: Slowness | null) => void;
  /** Operation and status of every call to the host, oldest first. */
  calls: () => [operation: string, status: number][];
  /** What a page would ask of the server here, done for every session that is open; how many these are. */
  drive: (verb: 'type' | 'save', call?: { text: string }) => number;
  /** Posts the form to an editor and runs its page; `visit` is told which. */
  visit: (form: PostedForm) => number;
  state: (visit: number) => PageState;
  do: (visit: number, verb: string, body?: Record<string, unknown>) => DeedResult;
  goAway: (visit: number) => void;
}

export interface Machine {
  call<Name extends keyof MachineDeeds>(
    name: Name,
    ...args: Parameters<MachineDeeds[Name]>
  ): Promise<ReturnType<MachineDeeds[Name]>>;
  stop(): Promise<void>;
}

export interface MachineRequest {
  id: number;
  name: keyof MachineDeeds;
  args: unknown[];
}

export interface MachineAnswer {
  id: number;
  result?: unknown;
  error?: string;
}

export function startMachine(lab: Lab, name: MachineName): Machine {
  const entry = fileURLToPath(new URL('machine-process.ts', import.meta.url));
  const [program, ...args] = [...lab.on(name), process.execPath, entry];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (answer: MachineAnswer) => void>();
  let calls = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as MachineAnswer;
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  child.on('exit', () => {
    for (const [id, tell] of waiting) tell({ id, error: `${name} has ended` });
  });

  return {
    call: (deed, ...args) =>
      new Promise((resolve, reject) => {
        const request: MachineRequest = { id: (calls += 1), name: deed, args };
        waiting.set(request.id, ({ result, error }) => {
          if (error === undefined) resolve(result as ReturnType<MachineDeeds[typeof deed]>);
          else reject(new Error(`${name}: ${deed}: ${error}`));
        });
        child.stdin.write(`${JSON.stringify(request)}\n`);
      }),
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      const killer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(killer);
    },
  };
}
