// Controls a machine of the lab: a process in its namespace that sends requests, runs a document server and opens editor pages, as
// the test requests over its standard input.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Lab, MachineName } from './lab.ts';
import type { MachineAnswer, MachineCalls, MachineRequest } from './machine-process.ts';

export type Machine = ReturnType<typeof startMachine>;

export function startMachine(lab: Lab, name: MachineName) {
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
    /** Arguments and results are sent as JSON. */
    call: <Name extends keyof MachineCalls>(callName: Name, ...given: Parameters<MachineCalls[Name]>) =>
      new Promise<Awaited<ReturnType<MachineCalls[Name]>>>((resolve, reject) => {
        const request: MachineRequest = { id: (calls += 1), name: callName, args: given };
        waiting.set(request.id, ({ result, error }) => {
          if (error === undefined) resolve(result as Awaited<ReturnType<MachineCalls[Name]>>);
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
