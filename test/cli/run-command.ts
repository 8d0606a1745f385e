// Runs a terminal command in the test's process, which takes a tenth of the processor time of a process of its own. What only a process
// has (signals, its exit, real pipes) needs `Place.runProcess` or `Place.start`.

import { runTerminal } from '../../app/terminal/program.ts';
import { sourceCommand } from '../../app/terminal/terminal.ts';
import { fakeTerminal } from '../unit/terminal/fake-terminal.ts';

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
  const { platform } = process;
  const { terminal, out, err } = fakeTerminal({ env, cwd, input, platform, command: sourceCommand });
  const own = { ...process.env };
  replaceEnv(process.env, env);
  try {
    const code = await runTerminal(args, terminal);
    return { code, stdout: out(), stderr: err() };
  } finally {
    replaceEnv(process.env, own);
  }
}

export function replaceEnv(env: NodeJS.ProcessEnv, other: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env)) delete env[name];
  // An undefined variable would be the text “undefined”.
  for (const [name, value] of Object.entries(other)) if (value !== undefined) env[name] = value;
}
