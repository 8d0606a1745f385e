// Where the hosts of these tests store files: on a RAM disk if the system has one, because thousands of saves test the rules and not
// the disk (the crash test does that); and with a separate trash, so that the user's doesn't change.

import { constants } from 'node:fs';
import { access, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ramDisk = '/dev/shm';
const neededBytes = 512 * 1024 * 1024;

export interface TestStorage {
  /** Where the operating system's trash keeps the files. */
  trashedFiles: string;
  close(): Promise<void>;
}

/** Must be called before the host starts, which reads both folders from the environment. */
export async function openTestStorage(): Promise<TestStorage> {
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
