// The streams and surroundings of one run of the terminal, as data, so that a test can be one.

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Where the user stands. */
  cwd: string;
  /** Started by an npm script of this project. */
  isNpmScript: boolean;
}

export function ownTerminal(): Terminal {
  const { stdout, stderr, env, platform } = process;
  const isNpmScript = env['npm_lifecycle_script']?.includes('app/cli.ts') === true;
  // A getter each: opening standard input costs time and not every command reads it.
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    platform,
    // npm goes to the project's root first and says where it came from.
    cwd: isNpmScript ? (env['INIT_CWD'] ?? process.cwd()) : process.cwd(),
    isNpmScript,
  };
}
