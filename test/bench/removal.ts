// Takes away what the bench made. Unlinking 100,000 files can take long on a busy disk, so a process of its own does
// it: the bench waits for it while its three minutes last, and otherwise leaves it to end by itself.

import { spawn } from 'node:child_process';

/** True when everything is gone; false when the time was over first and the removal still runs. */
export function removeFolder(path: string, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const script = 'fs.rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 5 })';
    const child = spawn(process.execPath, ['-e', script, path], { detached: true, stdio: 'ignore' });
    const timer = setTimeout(() => {
      child.unref();
      resolve(false);
    }, limitMs);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
