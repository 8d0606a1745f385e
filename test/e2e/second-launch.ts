// A second process of the app on the same data folder, as a user, a file manager or a link would start it.

import { spawn } from 'node:child_process';
import { electronPath, ownEnvironment, sandboxArguments } from '../stand-in/launch.ts';
import type { DeskApp } from './desk-app.ts';
import { projectRoot } from '../cli/built-program.ts';

const limitMs = 60_000;

/** @returns the exit code and the output, once it has exited */
export function launchSecond(
  desk: DeskApp,
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(electronPath(), [...sandboxArguments, projectRoot, `--data=${desk.dataDir}`, ...args], {
    env: { ...ownEnvironment(), ...desk.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}
