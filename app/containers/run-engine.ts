// Runs Docker and Podman: by full path, with an array of arguments, never through a shell, with limits on time and output. Their
// output is untrusted.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { t } from '../contract/messages.ts';
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
  signal?: AbortSignal | undefined;
  /** Each line as it is printed, of both outputs. */
  onLine?: (line: string) => void;
}

export interface EngineOutput {
  /** Null if it was killed, or couldn't be started. */
  code: number | null;
  stdout: string;
  stderr: string;
  end: 'exited' | 'aborted' | 'timed-out' | 'too-much' | 'not-started';
}

/** @param path of the program, absolute. Never rejects. */
export type RunEngine = (path: string, call: EngineCall) => Promise<EngineOutput>;

const maxOutputChars = 4 * 1024 * 1024;
/** Between SIGTERM and SIGKILL. */
const killAfterMs = 3000;
/** A program that it leaves running may keep its outputs open. */
const drainMs = 300;

export function createRunEngine(ownEnv: NodeJS.ProcessEnv): RunEngine {
  // The engine must not get DocTray's own secrets.
  const env = Object.fromEntries(Object.entries(ownEnv).filter(([name]) => !name.startsWith('DOCTRAY_')));
  return (path, { args, env: callEnv, secretEnv = {}, timeoutMs, signal, onLine }) =>
    new Promise((resolve) => {
      const printed = { stdout: '', stderr: '' };
      let end: EngineOutput['end'] = 'exited';
      if (signal?.aborted === true) {
        resolve({ code: null, ...printed, end: 'aborted' });
        return;
      }
      const child = spawn(path, args, {
        env: { ...env, ...callEnv, ...secretEnv },
        stdio: ['ignore', 'pipe', 'pipe'],
        shell: false,
        windowsHide: true,
      });
      const stop = (why: EngineOutput['end']): void => {
        if (end !== 'exited') return;
        end = why;
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
      };
      const onAbort = (): void => stop('aborted');
      signal?.addEventListener('abort', onAbort);
      const timer = setTimeout(() => stop('timed-out'), timeoutMs);
      for (const name of ['stdout', 'stderr'] as const) {
        const stream = child[name].setEncoding('utf8').on('data', (text: string) => {
          printed[name] += text;
          if (printed[name].length <= maxOutputChars) return;
          printed[name] = '';
          stop('too-much');
        });
        if (onLine !== undefined) createInterface({ input: stream }).on('line', onLine);
      }
      const finish = (code: number | null): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        child.stdout.destroy();
        child.stderr.destroy();
        for (const secret of Object.values(secretEnv)) {
          printed.stdout = printed.stdout.replaceAll(secret, '[redacted]');
          printed.stderr = printed.stderr.replaceAll(secret, '[redacted]');
        }
        resolve({ code: end === 'exited' ? code : null, ...printed, end });
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

/** Why it failed: its last output line, as one short sentence without its own prefixes. */
export function reasonOf({ stderr, stdout, end }: EngineOutput): string {
  if (end === 'timed-out') return t('host.engine-timed-out');
  const lines = (stderr.trim() === '' ? stdout : stderr)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:time="|see '|run '|warning:|exit status)/iu.test(line));
  const line = redact(lines.at(-1) ?? '')
    .replaceAll(unsafeCharacters, ' ')
    .replace(/^(?:error(?: response from daemon)?: )+/iu, '');
  if (line === '') return t('host.no-reason-given');
  if (line.length > 300) return `${line.slice(0, 300)}…`;
  return /[.!?…]$/u.test(line) ? line : `${line}.`;
}
