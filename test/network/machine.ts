// Controls a machine of the lab: a process in its namespace that sends requests, runs a document server and opens editor pages, as
// the test requests over its standard input.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DocumentServerOptions } from '../editors/servers/document-server.ts';
import type { PageCallResult, PageState } from '../editors/servers/page-config.ts';
import type { Answer, PostedForm } from '../editors/servers/visitor.ts';
import type { Lab, MachineName } from './lab.ts';

/** The calls of the process. Arguments and results are sent as JSON. */
export interface MachineCalls {
  ask: (
    url: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string; authority?: string },
  ) => Answer;
  /** Starts the document server of this machine. @returns its URL */
  startServer: (options: DocumentServerOptions) => string;
  trust: (authority: string) => void;
  /** Operation and status of every call to the host, oldest first. */
  calls: () => [operation: string, status: number][];
  /** Types or saves in every open session, as their pages would. @returns the number of sessions */
  drive: (verb: 'type' | 'save', call?: { text: string }) => number;
  /** Posts the form to an editor and runs its page. @returns the number of the visit */
  visit: (form: PostedForm) => number;
  state: (visit: number) => PageState;
  do: (visit: number, verb: string, body?: Record<string, unknown>) => PageCallResult;
  goAway: (visit: number) => void;
}

export interface Machine {
  call<Name extends keyof MachineCalls>(
    name: Name,
    ...args: Parameters<MachineCalls[Name]>
  ): Promise<ReturnType<MachineCalls[Name]>>;
  stop(): Promise<void>;
}

export interface MachineRequest {
  id: number;
  name: keyof MachineCalls;
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
    for (const [id, respond] of waiting) respond({ id, error: `${name} has exited` });
  });

  return {
    call: (callName, ...args) =>
      new Promise((resolve, reject) => {
        const request: MachineRequest = { id: (calls += 1), name: callName, args };
        waiting.set(request.id, ({ result, error }) => {
          if (error === undefined) resolve(result as ReturnType<MachineCalls[typeof callName]>);
          else reject(new Error(`${name}: ${callName}: ${error}`));
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
