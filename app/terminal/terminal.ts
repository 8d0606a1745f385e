// The streams and surroundings of one run of the terminal, as data, so that a test can be one.

import { AppError } from '../contract/errors.ts';

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Where the user stands. */
  cwd: string;
  /** What a person types before the command's name. */
  command: string;
  /** Started by an npm script of this project. */
  isNpmScript: boolean;
  /** If this program is the installed app. */
  installed?: InstalledApp | undefined;
}

export interface InstalledApp {
  /** Takes back what it has registered with the system through Electron: start at login and links on macOS. */
  unregister(): void;
}

/** `command` is how this program is called; from the sources it is an npm script. */
export function ownTerminal(command = 'npm run cli --', installed?: InstalledApp): Terminal {
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
    command,
    // npm goes to the project's root first and says where it came from.
    cwd: isNpmScript ? (env['INIT_CWD'] ?? process.cwd()) : process.cwd(),
    isNpmScript,
    installed,
  };
}

/** Shows that the keychain waits for an answer to its prompt. */
export function keychainNotice(stderr: NodeJS.WritableStream): (isWaiting: boolean) => void {
  return (isWaiting) => {
    if (isWaiting) stderr.write(`${new AppError('keychain-waiting').message}\n`);
  };
}
