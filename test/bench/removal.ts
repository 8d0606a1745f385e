// Removes the bench's temporary folder. Deleting 100,000 files can take long on a busy disk, so this runs in a separate process, which
// continues if the bench's time is over.

import { spawn } from 'node:child_process';

/** @returns false if the folder wasn't removed within the limit and the removal continues */
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
