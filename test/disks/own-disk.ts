// A small exFAT disk, in a mount namespace that only the test and its hosts see.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OwnDisk {
  /** In front of a command that is to see the disk. */
  entering: string[];
  /** Where the test itself finds what a program on the disk calls by this path. */
  inside(path: string): string;
  /** Drops the kernel's file names, as a long day does: a file whose inode number is made up gets another one. */
  forgetInodes(): void;
  unmount(): Promise<void>;
}

/** Mounts an empty disk over a folder. The image is kept in another one. */
export async function mountExFat(folder: string, imageFolder: string): Promise<OwnDisk> {
  const image = join(imageFolder, 'exfat.image');
  writeFileSync(image, '');
  // The disk goes when its holder goes, also after a test that was ended.
  const script = `set -e
    exec 3>&1 >&2
    truncate -s 48M "${image}"
    mkfs.exfat "${image}"
    loop=$(losetup -f --show "${image}")
    mount.exfat-fuse "$loop" "${folder}" || { losetup -d "$loop"; exit 1; }
    losetup -d "$loop"
    echo mounted >&3
    read -r _ || true
    umount -l "${folder}"`;
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const holder = spawn('unshare', ['-m', 'bash', '-c', script], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  holder.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(holder, 'close');
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
  ]);
  assert.ok(isMounted, said);
  return {
    entering: ['nsenter', '-t', String(holder.pid), '-m'],
    inside: (path) => `/proc/${holder.pid}/root${path}`,
    forgetInodes: () => writeFileSync('/proc/sys/vm/drop_caches', '2'),
    async unmount() {
      holder.stdin.end('\n');
      await ended;
    },
  };
}
