// Runs Docker and Podman: by full path, with an array of arguments, never through a shell, with limits on time and output. Their
// output is untrusted.

import { spawn } from 'node:child_process';
import { unsafeCharacters } from '../contract/names.ts';
import { redact } from '../log/redact.ts';

export interface EngineCall {
  args: readonly string[];
  /** Added to the environment. */
  env?: Readonly<Record<string, string>>;
  /** The same for secrets, because other programs can read arguments. They are redacted in the output. */
  secretEnv?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Stops the program; the call then resolves with `end: 'aborted'`. */
  signal?: AbortSignal;
  /** Each line as it is printed, of both outputs. */
  onLine?: (line: string) => void;
}

export interface EngineOutput {
  /** Null if it was killed, or couldn't be started. */
  code: number | null;
  stdout: string;
  /** The last part of it. */
  stderr: string;
  end: 'exited' | 'aborted' | 'timed-out' | 'too-much' | 'not-started';
}

/** @param path of the program, absolute. Never rejects. */
export type RunEngine = (path: string, call: EngineCall) => Promise<EngineOutput>;

const maxStdoutBytes = 4 * 1024 * 1024;
const keptStderrChars = 16 * 1024;
const maxLineChars = 4096;
/** Between SIGTERM and SIGKILL. */
const killAfterMs = 3000;
/** A program that it leaves running may keep its outputs open. */
const drainMs = 300;

export function createRunEngine(ownEnv: NodeJS.ProcessEnv): RunEngine {
  // The engine must not get DocTray's own secrets.
  const env = Object.fromEntries(Object.entries(ownEnv).filter(([name]) => !name.startsWith('DOCTRAY_')));
  return (path, { args, env: callEnv = {}, secretEnv = {}, timeoutMs, signal, onLine }) =>
    new Promise((resolve) => {
      let stdout = '';
      let stderr = '';
      let end: EngineOutput['end'] = 'exited';
      if (signal?.aborted === true) {
        resolve({ code: null, stdout, stderr, end: 'aborted' });
        return;
      }
      const child = spawn(path, args, {
        env: { ...env, ...callEnv, ...secretEnv },
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: false,
        windowsHide: true,
      });
      let killTimer: NodeJS.Timeout | undefined;
      const endIt = (why: EngineOutput['end']): void => {
        if (end !== 'exited') return;
        end = why;
        child.kill('SIGTERM');
        killTimer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      };
      const onAbort = (): void => endIt('aborted');
      signal?.addEventListener('abort', onAbort);
      const timer = setTimeout(() => endIt('timed-out'), timeoutMs);

      const lines = (): ((text: string) => void) => {
        let rest = '';
        return (text) => {
          if (onLine === undefined) return;
          const parts = (rest + text).split(/\r\n|\r|\n/u);
          rest = (parts.pop() ?? '').slice(-maxLineChars);
          for (const line of parts) onLine(line.slice(0, maxLineChars));
        };
      };
      const ofStdout = lines();
      const ofStderr = lines();
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (stdout.length > maxStdoutBytes) {
          stdout = '';
          endIt('too-much');
        }
        ofStdout(text);
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr = (stderr + text).slice(-keptStderrChars);
        ofStderr(text);
      });

      let isOver = false;
      const finish = (code: number | null): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        clearTimeout(killTimer);
        signal?.removeEventListener('abort', onAbort);
        child.stdout.destroy();
        child.stderr.destroy();
        const hidden = (text: string): string =>
          Object.values(secretEnv).reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
        resolve({
          code: end === 'exited' ? code : null,
          stdout: hidden(stdout),
          stderr: hidden(stderr),
          end,
        });
      };
      child.once('error', () => {
        if (child.pid !== undefined) return;
        end = 'not-started';
        finish(null);
      });
      child.once('close', finish);
      child.once('exit', (code) => setTimeout(() => finish(code), drainMs));
    });
}

/** Its last output line, as one short sentence with a period, without its own prefixes; '' if there was none. */
export function lastOutputLine({ stderr, stdout }: Pick<EngineOutput, 'stderr' | 'stdout'>): string {
  const printed = stderr.trim() === '' ? stdout : stderr;
  const lines = printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:time="|see '|run '|warning:|exit status)/iu.test(line));
  const line = redact(lines.at(-1) ?? '')
    .replaceAll(unsafeCharacters, ' ')
    .replace(/^error(?: response from daemon)?: /iu, '')
    .replace(/^error(?: response from daemon)?: /iu, '');
  if (line.length > 300) return `${line.slice(0, 300)}…`;
  return line === '' || /[.!?…]$/u.test(line) ? line : `${line}.`;
}
