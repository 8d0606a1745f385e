// The streams and surroundings of one run of the terminal, as data, so that a test can be one.

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  cwd: string;
}

export function ownTerminal(): Terminal {
  const { stdout, stderr, env, platform } = process;
  // A getter each: opening standard input costs time and not every command reads it.
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    platform,
    cwd: process.cwd(),
  };
}
