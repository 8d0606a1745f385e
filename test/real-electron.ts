// Prepares this computer for real Electron: downloads its binary if it's missing, checks the sandbox, and starts Xvfb if Linux has no
// display.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { hasDisplay } from '../app/terminal/display.ts';
import { findSandboxProblem } from '../app/terminal/electron-sandbox.ts';
import { downloadElectron, findElectron } from '../app/terminal/start-program.ts';
import { findCommand } from './system-needs.ts';

export interface RealElectron {
  program: string;
  /** What its processes need in their environment. */
  env: Record<string, string>;
  /** Ends what was started for it. */
  stop(): void;
}

const { env, platform } = process;
const displayLimitMs = 20_000;

/** Real Electron, or one line that says what is missing and what to do. */
export async function prepareElectron(): Promise<RealElectron | { lack: string }> {
  const packageFolder = join(dirname(import.meta.dirname), 'node_modules', 'electron');
  const place = { packageFolder, env, platform };
  const { program, isThere, reason } = await findElectron(place);
  if (!isThere) {
    const fault = reason ?? (await downloadElectron(place));
    if (fault !== undefined)
      return {
        lack: `The Electron binary is missing (${fault}). Connect to the internet, then run this again.`,
      };
  }
  if (platform !== 'linux') return { program, env: { ELECTRON: 'real' }, stop: () => undefined };

  // As root, Electron starts without a sandbox only.
  const isRoot = process.getuid?.() === 0;
  const sandboxLack = isRoot ? undefined : await findSandboxProblem({ program, systemRoot: '/' });
  if (sandboxLack !== undefined) return { lack: sandboxLack };
  const hasX11 = hasDisplay({ DISPLAY: env['DISPLAY'] }, platform);
  const xvfb = hasX11 ? undefined : await startXvfb();
  if (xvfb !== undefined && 'lack' in xvfb) return xvfb;
  return {
    program,
    // The tests have their own runtime folder, which has no Wayland socket.
    env: { ELECTRON: 'real', DISPLAY: xvfb?.display ?? env['DISPLAY'] ?? '', WAYLAND_DISPLAY: '' },
    stop: () => void xvfb?.child.kill(),
  };
}

async function startXvfb(): Promise<{ child: ChildProcess; display: string } | { lack: string }> {
  const path = findCommand('Xvfb');
  if (path === undefined)
    return {
      lack: 'Electron needs a display, and there is neither one nor Xvfb: sudo apt-get install -y xvfb',
    };
  const args = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    // It prints the number of the display when it accepts connections.
    const [number] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(displayLimitMs) })) as [
      Buffer,
    ];
    return { child, display: `:${number.toString().trim()}` };
  } catch {
    child.kill();
    return { lack: `Xvfb didn’t start within ${displayLimitMs / 1000} s: run ${path} ${args.join(' ')}` };
  }
}
