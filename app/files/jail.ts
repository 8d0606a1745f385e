// The wall around the hosted folder. Paths come from clients and from other programs that move things about while the host
// runs: whatever is asked for, what is returned lies inside the real root, reached through no link that leads out.

import type { BigIntStats } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { AppError } from '../contract/errors.ts';
import { hasLastingInodes, lookAt, lookNow, realPathOf } from './file-signature.ts';

export interface Place {
  /** Real path inside the root, '/'-separated; '' is the root. */
  path: string;
  absolute: string;
  stats: BigIntStats;
}

export interface Jail {
  readonly root: string;
  /** On another machine's disk, where a look may take long and must not hold up anything else. */
  readonly isRemote: boolean;
  absolute(path: string): string;
  /** `lstat` of something inside, at once where the disk is this machine's. */
  stat(absolute: string): BigIntStats | undefined | Promise<BigIntStats | undefined>;
  /** Follows links as the operating system does; undefined when there is nothing or it leads outside. */
  resolve(path: string): Promise<Place | undefined>;
  /** What lies at this very path, which was real when it was recorded; undefined when a link has taken its place. */
  look(path: string): Promise<Place | undefined>;
  /** @throws AppError folder-missing when the root is not there, or is another folder (the mount point of a drive that is out). */
  requireRoot(): Promise<void>;
  /** @throws AppError folder-missing when that folder is gone, or a link has taken its place or that of one on the way to it. */
  requireFolder(path: string): Promise<void>;
  /** A client's path in canonical form. @throws AppError path-invalid */
  parse(path: string): string;
}

/** @throws AppError folder-invalid when it is not a folder that can be read. */
export async function openJail(folder: string): Promise<Jail> {
  const root = await realPathOf(folder);
  const rootStats = root === undefined ? undefined : await lookAt(root);
  if (root === undefined || rootStats?.isDirectory() !== true) {
    throw new AppError('folder-invalid', { detail: `There is no folder at ${folder}.` });
  }
  const isRemote = await isRemoteDisk(root);
  const hasIdentity = await hasLastingInodes(root);
  const prefix = root.endsWith(sep) ? root : root + sep;

  const toPath = (absolute: string): string | undefined => {
    if (absolute === root) return '';
    return absolute.startsWith(prefix) ? absolute.slice(prefix.length).split(sep).join('/') : undefined;
  };
  const toAbsolute = (path: string): string => (path === '' ? root : prefix + path.split('/').join(sep));

  const statInside = isRemote ? lookAt : lookNow;

  return {
    root,
    absolute: toAbsolute,
    stat: statInside,

    async resolve(path) {
      const absolute = await realPathOf(toAbsolute(path));
      const inside = absolute === undefined ? undefined : toPath(absolute);
      if (absolute === undefined || inside === undefined) return undefined;
      const stats = await lookAt(absolute);
      return stats === undefined || stats.isSymbolicLink() ? undefined : { path: inside, absolute, stats };
    },

    isRemote,

    async look(path) {
      const absolute = toAbsolute(path);
      // The path was real when it was recorded; neither it nor a folder on the way to it may have become a link since.
      for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
        const way = toAbsolute(path.slice(0, at));
        const stats = await statInside(way);
        if (stats?.isDirectory() !== true) return undefined;
      }
      const stats = await statInside(absolute);
      return stats === undefined || stats.isSymbolicLink() ? undefined : { path, absolute, stats };
    },

    async requireFolder(path) {
      const absolute = toAbsolute(path);
      const isReal = (await realPathOf(absolute)) === absolute;
      if (!isReal || (await statInside(absolute))?.isDirectory() !== true)
        throw new AppError('folder-missing');
    },

    async requireRoot() {
      const now = await statInside(root);
      const isSame = hasIdentity
        ? now?.ino === rootStats.ino && now.birthtimeNs === rootStats.birthtimeNs
        : now?.isDirectory() === true && now.dev === rootStats.dev;
      if (!isSame) {
        throw new AppError('folder-missing');
      }
    },

    parse(path) {
      const inside = isAbsolute(path) ? relative(root, path).split(sep).join('/') : path;
      const parts = inside.split('/').filter((part) => part !== '' && part !== '.');
      const isOdd = parts.some((part) => part === '..' || part.includes('\0'));
      if (isOdd || isAbsolute(inside) || Buffer.byteLength(inside) > 4096) {
        throw new AppError('path-invalid');
      }
      return parts.join('/');
    },
  };
}

/** Linux file system types that lie on another machine or behind a process: NFS, SMB, CIFS, SMB2, FUSE, Ceph, AFS, 9P, Coda. */
const remoteTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x00c36400, 0x5346414f, 0x01021997, 0x73757245,
]);

async function isRemoteDisk(root: string): Promise<boolean> {
  if (process.platform === 'win32') return root.startsWith('\\\\');
  if (process.platform !== 'linux') return root.startsWith('/Volumes/') || root.startsWith('/net/');
  const { type } = await statfs(root);
  return remoteTypes.has(type);
}

/** Never listed and never searched: hidden files, and the lock and temporary files of editors and of DocTray. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.') || name.startsWith('~$');
}

export function isHiddenPath(path: string): boolean {
  return path.split('/').some((part) => part !== '' && isHiddenName(part));
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : path.slice(0, at);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
