// Runs a terminal command in the test's process, which takes a tenth of the processor time of a process of its own. What only a process
// has (signals, its exit, real pipes) needs `Place.runProcess` or `Place.start`.

import { PassThrough } from 'node:stream';
import { runTerminal } from '../../app/terminal/program.ts';
import { sourceCommand, type Terminal } from '../../app/terminal/terminal.ts';

export interface CommandEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command sees only `env`. Replaces `process.env` while it runs, so if two calls overlap, the later one must end first. */
export async function runCommand(
  args: string[],
  { env, cwd, input = '' }: { env: NodeJS.ProcessEnv; cwd: string; input?: string },
): Promise<CommandEnd> {
  const { terminal, out, err } = pipedTerminal({ env, cwd, input });
  const own = { ...process.env };
  replaceEnv(process.env, env);
  try {
    const code = await runTerminal(args, terminal);
    return { code, stdout: out(), stderr: err() };
  } finally {
    replaceEnv(process.env, own);
  }
}

/** A terminal whose streams are pipes in memory. */
export function pipedTerminal({
  env,
  cwd,
  input = '',
}: {
  env: NodeJS.ProcessEnv;
  cwd: string;
  input?: string;
}): { terminal: Terminal; out(): string; err(): string } {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const terminal = {
    stdin,
    stdout,
    stderr,
    env: { ...env },
    platform: process.platform,
    command: sourceCommand,
    cwd,
    isNpmScript: false,
  } as unknown as Terminal;
  return { terminal, out: collect(stdout), err: collect(stderr) };
}

export function replaceEnv(env: NodeJS.ProcessEnv, other: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) delete env[name];
  // An undefined variable would be the text “undefined”.
  for (const [name, value] of Object.entries(other)) if (value !== undefined) env[name] = value;
}

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}
