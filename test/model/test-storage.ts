// Where these hosts live: on a RAM disk where the system has one, for thousands of saves are about the rules, not about
// the disk (the crash test is); and with a trash of their own, so that the user's stays as it was.

import { constants } from 'node:fs';
import { access, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ramDisk = '/dev/shm';
const neededBytes = 512 * 1024 * 1024;

export interface Workplace {
  /** Where the operating system's trash keeps the files. */
  trashedFiles: string;
  close(): Promise<void>;
}

/** To be opened before the host starts: both places are read from the environment. */
export async function openWorkplace(): Promise<Workplace> {
  const before = { TMPDIR: process.env['TMPDIR'], XDG_DATA_HOME: process.env['XDG_DATA_HOME'] };
  if (await hasRoom(ramDisk)) process.env['TMPDIR'] = ramDisk;
  const dataHome = await mkdtemp(join(tmpdir(), 'doctray-trash-'));
  process.env['XDG_DATA_HOME'] = dataHome;
  return {
    trashedFiles: join(dataHome, 'Trash', 'files'),
    async close() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await rm(dataHome, { recursive: true, force: true });
    },
  };
}

async function hasRoom(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
