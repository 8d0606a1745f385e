// The streams and environment of one run of the command line, as an object that tests can replace.

import { errorCode } from '../contract/errors.ts';
import { t } from '../contract/messages.ts';

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The user's current folder. */
  cwd: string;
  /** How the user invokes DocTray, such as `npm run cli --`. */
  command: string;
  /** The `--data` option of this run, quoted for a shell, which the commands in messages repeat. */
  dataOption?: string;
  /** Started by an npm script of this project. */
  isNpmScript: boolean;
  /** Undefined when run from the sources. */
  installed?: InstalledApp | undefined;
}

export interface InstalledApp {
  /** Removes what the app registered with the system through Electron: start at login, and link handling on macOS. */
  unregister(): void;
}

/** How the sources are invoked. */
export const sourceCommand = 'npm run cli --';

/** @param command how the user invokes DocTray; an npm script when run from the sources */
export function ownTerminal(command = sourceCommand, installed?: InstalledApp): Terminal {
  const { stdout, stderr, env, platform } = process;
  const isNpmScript = env['npm_lifecycle_script']?.includes('app/cli.ts') === true;
  // A getter, because opening standard input takes time and few commands read it.
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    env,
    platform,
    command,
    // npm changes to the project root and keeps the previous folder in INIT_CWD.
    cwd: isNpmScript ? (env['INIT_CWD'] ?? process.cwd()) : process.cwd(),
    isNpmScript,
    installed,
  };
}

/** Prints that the keychain waits for an answer to its prompt. */
export function keychainNotice(stderr: NodeJS.WritableStream): (isWaiting: boolean) => void {
  return (isWaiting) => {
    if (isWaiting) stderr.write(`${t('error.keychain-waiting')}\n`);
  };
}

/** A reader such as `| head` has closed the pipe, or the terminal is gone; not a full disk. */
export function isReaderGone(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET', 'EIO'].includes(errorCode(error));
}
