// A small exFAT disk, in a mount namespace that only the test and its hosts see.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OwnDisk {
  /** The prefix of a command that needs to see the disk. */
  entering: string[];
  /** The path at which the test itself sees this path of the disk. */
  inside(path: string): string;
  /** Drops the kernel's inode cache, as happens over time: files whose inode numbers are generated get other ones. */
  forgetInodes(): void;
  unmount(): Promise<void>;
}

/** Mounts an empty disk on a folder. Its image is in another folder. */
export async function mountExFat(folder: string, imageFolder: string): Promise<OwnDisk> {
  const image = join(imageFolder, 'exfat.image');
  writeFileSync(image, '');
  // The disk is unmounted when this process ends, also if the test was aborted.
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
  let stderr = '';
  holder.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(holder, 'close');
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
  ]);
  assert.ok(isMounted, stderr);
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
