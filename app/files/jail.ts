// The only module that opens, creates, renames or removes a path inside the hosted folder. Clients choose the paths, and other
// programs may swap a folder for a symbolic link between two system calls. So every operation that opens or changes something holds its
// folder open and names the file relative to it (`peek` and `isFree` open nothing):
//
// - Linux: each folder on the path is opened with O_NOFOLLOW, and `/proc/self/fd/<folder>/<name>` leads to the opened folder
// itself, whatever its former path now points to (equivalent to openat).
// - macOS and Windows have no such path. There the folder's real path is verified directly before each use of a name, and a file
// again after it was opened. A swap within those microseconds isn't caught; docs/security.md says so.

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  open,
  openSync,
  opendirSync,
  realpathSync,
  type BigIntStats,
  type Dir,
  type Dirent,
  type Stats,
} from 'node:fs';
import { opendir, readdir, statfs } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { AppError, errorCode } from '../contract/errors.ts';
import { isMissing } from './disk-error.ts';
import { notAFolder } from './folder-access.ts';
import { hasLastingInodes, statLater, statNow, realPathOf, unreachable } from './file-signature.ts';
import { syncFolder } from './folder-sync.ts';
import { nameOf, parentOf } from '../contract/names.ts';

/** Something in the hosted folder, as it was when its stats were read. Its path was real then: no part of it was a link. */
export interface Place {
  /** Inside the root, '/'-separated; '' is the root. */
  path: string;
  stats: BigIntStats;
}

/** A regular file, open for reading. The caller closes it. */
export interface OpenFile {
  fd: number;
  /** Of the open file: later reads return this file's content, even if another file has taken its name. */
  stats: BigIntStats;
}

/** A folder inside the root, held open. */
export interface OpenFolder {
  /** Inside the root, '/'-separated; '' is the root. */
  readonly path: string;
  /** @see Jail.isRemote */
  readonly isRemote: boolean;
  /**
   * A path for system calls that leads to this name in this very folder while it is open. Use it at once, never store it.
   * @throws AppError folder-missing if the folder is known to have been replaced
   */
  at(name: string): string;
  /** `lstat`; undefined if there is nothing. Synchronous on a local disk. */
  stat(name: string): BigIntStats | undefined | Promise<BigIntStats | undefined>;
  /** Undefined unless it is a regular file: a link or a pipe that took the name isn't opened, and never blocks. */
  openFile(name: string): Promise<OpenFile | undefined>;
  /** All entries at once. */
  list(): Promise<Dirent[]>;
  /** The entries piece by piece, while the folder is open. */
  openDir(bufferSize: number): Promise<Dir>;
  /** Makes names durable. Does nothing if the system or the file system has no such call. */
  sync(): Promise<void>;
  close(): void;
}

export interface Jail {
  /** Real path of the hosted folder; for users, and for programs that need a path. */
  readonly root: string;
  /** On another computer's disk, where a call may take long and must not block anything else. */
  readonly isRemote: boolean;
  /** For users, and for programs that need a path (file manager, trash). Never for our own system calls. */
  absolute(path: string): string;
  /** Follows links as the operating system does; undefined if there is nothing or it leads outside. */
  resolve(path: string): Promise<Place | undefined>;
  /** What is at exactly this path, which was real when it was recorded; undefined if a link has replaced it. */
  stat(path: string): Promise<Place | undefined>;
  /** Nothing is at this path. False in doubt. */
  isFree(path: string): boolean;
  /**
   * What is at this path, in half the time of `stat`, because no folder is opened. Between two calls, a folder may be swapped for a
   * link: believe only stats that are the recorded ones to the nanosecond, which no other file has, and otherwise `stat`. Undefined
   * also if it can't tell.
   */
  peek(path: string): BigIntStats | undefined;
  /** For several files of one folder, which is opened once. Undefined if the folder doesn't exist. */
  openFolder(path: string): Promise<OpenFolder | undefined>;
  /** Runs the work with that folder open. @throws AppError folder-missing, and what the work throws */
  inFolder<T>(path: string, work: (folder: OpenFolder) => Promise<T>): Promise<T>;
  /** A regular file, not reached through a link. @see OpenFolder.openFile */
  openFile(path: string): Promise<OpenFile | undefined>;
  /** @throws AppError folder-missing if the root is missing, or is another folder (the mount point of an unplugged drive). */
  requireRoot(): Promise<void>;
  /** @throws AppError folder-missing if that folder is gone, or a link has replaced it or one of its parents. */
  requireFolder(path: string): Promise<void>;
  /** A client's path in canonical form. @throws AppError path-invalid */
  parse(path: string): string;
}

const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlock = constants.O_NONBLOCK ?? 0;
const directory = constants.O_DIRECTORY ?? 0;
/** Linux: a descriptor that only marks a location. It needs no permission to read the folder. */
const pathOnly = 0x200000;
const folderFlags = pathOnly | directory | noFollow;
const fileFlags = constants.O_RDONLY | noFollow | nonBlock;

const openLater = promisify(open);

/**
 * @param options.access how names are reached; for tests. Defaults to descriptors if `/proc/self/fd` works, else real paths.
 * @throws AppError folder-invalid if it isn't a readable folder.
 */
export async function openJail(
  folder: string,
  options: { access?: 'descriptors' | 'real-paths' } = {},
): Promise<Jail> {
  const root = await realPathOf(folder);
  const rootStats = root === undefined ? undefined : await statLater(root);
  if (root === undefined || rootStats?.isDirectory() !== true) {
    throw notAFolder(folder, { exists: rootStats !== undefined });
  }
  const isRemote = await isRemoteDisk(root);
  const hasIdentity = await hasLastingInodes(root);
  const prefix = root.endsWith(sep) ? root : root + sep;
  const access = options.access ?? (hasDescriptorPaths(root) ? 'descriptors' : 'real-paths');

  const toPath = (absolute: string): string | undefined => {
    if (absolute === root) return '';
    return absolute.startsWith(prefix) ? absolute.slice(prefix.length).split(sep).join('/') : undefined;
  };
  const toAbsolute = (path: string): string => (path === '' ? root : prefix + path.split('/').join(sep));

  const isRoot = (stats: BigIntStats | undefined): boolean => {
    if (!hasIdentity) return stats?.isDirectory() === true && stats.dev === rootStats.dev;
    return stats?.ino === rootStats.ino && stats.birthtimeNs === rootStats.birthtimeNs;
  };
  const rootNow = lstatSync(root);
  /** The same for a stat without nanoseconds, which costs half: for every folder that is opened. */
  const isRootNow = (stats: Stats): boolean =>
    hasIdentity
      ? stats.ino === rootNow.ino && stats.birthtimeMs === rootNow.birthtimeMs
      : stats.dev === rootNow.dev;
  const statPath = isRemote ? statLater : statNow;
  const openNow = (path: string, flags: number): number | Promise<number> =>
    isRemote ? openLater(path, flags) : openSync(path, flags);

  const isNoFile = (error: unknown): boolean =>
    // ENXIO: a socket, or a pipe without a reader.
    isMissing(error) || ['ELOOP', 'EMLINK', 'ENXIO'].includes(errorCode(error));
  /** The open file; closed again unless it is a regular file. */
  const regularFile = (fd: number): OpenFile | undefined => {
    const stats = fstatSync(fd, { bigint: true }); // No disk access: the inode of an open file is in memory.
    if (stats.isFile()) return { fd, stats };
    closeSync(fd);
    return undefined;
  };

  const folderWith = (
    path: string,
    reach: { at: (name: string) => string; self: () => string; close: () => void },
  ): OpenFolder => {
    const at = (name: string): string => {
      if (name === '' || name === '..' || name.includes('/') || name.includes(sep) || name.includes('\0')) {
        throw new AppError('path-invalid');
      }
      return reach.at(name);
    };
    const folder: OpenFolder = {
      path,
      isRemote,
      at,
      stat: (name) => statPath(at(name)),
      async openFile(name) {
        let file: OpenFile | undefined;
        try {
          file = regularFile(await openNow(at(name), fileFlags));
          if (file === undefined || access === 'descriptors') return file;
          if ((await folder.stat(name))?.ino === file.stats.ino) return file;
        } catch (error) {
          if (file === undefined && isNoFile(error)) return undefined;
          if (file !== undefined) closeSync(file.fd);
          throw error;
        }
        closeSync(file.fd);
        return undefined;
      },
      list: () => readdir(reach.self(), { withFileTypes: true }),
      // A local disk responds faster than the thread pool.
      openDir: async (bufferSize) =>
        isRemote ? opendir(reach.self(), { bufferSize }) : opendirSync(reach.self(), { bufferSize }),
      async sync() {
        await syncFolder(reach.self(), { isRemote, realPath: toAbsolute(path) });
      },
      close: reach.close,
    };
    return folder;
  };

  const isUnreachablePath = (error: unknown): boolean =>
    isMissing(error) || unreachable.has(errorCode(error)) || error instanceof AppError;
  const checkRoot = (fd: number): void => {
    if (!isRootNow(fstatSync(fd))) throw new AppError('folder-missing');
  };

  let rootFd: number | undefined;
  /**
   * The root, checked once per turn of the event loop: everything handled in that turn was sent before. If it were held longer, a
   * drive couldn't be unmounted.
   */
  const holdRoot = (): number => {
    if (rootFd !== undefined) return rootFd;
    const fd = openSync(root, folderFlags);
    try {
      checkRoot(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    rootFd = fd;
    setImmediate(() => {
      rootFd = undefined;
      closeSync(fd);
    });
    return fd;
  };
  const closeUnlessRoot = (fd: number): void => {
    if (fd !== rootFd) closeSync(fd);
  };
  /**
   * The descriptor of a folder, to be released by the caller. The path's parts are opened one by one, so that none of them can be
   * a link.
   */
  const holdNow = (path: string): number | undefined => {
    let fd: number | undefined;
    try {
      fd = holdRoot();
      for (const name of path === '' ? [] : path.split('/')) {
        const next = openSync(`/proc/self/fd/${fd}/${name}`, folderFlags);
        closeUnlessRoot(fd);
        fd = next;
      }
      return fd;
    } catch (error) {
      if (fd !== undefined) closeUnlessRoot(fd);
      if (isUnreachablePath(error)) return undefined;
      throw error;
    }
  };
  /** The same for a remote disk, which must not block this thread. */
  const holdLater = async (path: string): Promise<number | undefined> => {
    let fd: number | undefined;
    try {
      fd = await openLater(root, folderFlags);
      checkRoot(fd);
      for (const name of path === '' ? [] : path.split('/')) {
        const next: number = await openLater(`/proc/self/fd/${fd}/${name}`, folderFlags);
        closeSync(fd);
        fd = next;
      }
      return fd;
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      if (isUnreachablePath(error)) return undefined;
      throw error;
    }
  };

  const openByDescriptors = async (path: string): Promise<OpenFolder | undefined> => {
    // A separate descriptor, also of the root.
    const fd = isRemote ? await holdLater(path) : holdNow(path === '' ? '.' : path);
    if (fd === undefined) return undefined;
    const held = `/proc/self/fd/${fd}`;
    let isOpen = true;
    return folderWith(path, {
      at: (name) => `${held}/${name}`,
      self: () => held,
      close() {
        // The number may belong to another file by now: closing twice would close that one.
        if (isOpen) closeSync(fd);
        isOpen = false;
      },
    });
  };

  const openByRealPath = async (path: string): Promise<OpenFolder | undefined> => {
    const absolute = toAbsolute(path);
    if ((await realPathOf(absolute)) !== absolute || !isRoot(await statPath(root))) return undefined;
    const known = await statPath(absolute);
    if (known?.isDirectory() !== true) return undefined;
    const verify = (): string => {
      // A remote disk must not block this thread; there the verification on opening has to suffice.
      const isSame = isRemote || (realPathNow(absolute) === absolute && statNow(absolute)?.ino === known.ino);
      if (!isSame) throw new AppError('folder-missing');
      return absolute;
    };
    return folderWith(path, { at: (name) => join(verify(), name), self: verify, close: () => undefined });
  };

  const openFolder = access === 'descriptors' ? openByDescriptors : openByRealPath;

  const inFolder = async <T>(path: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> => {
    const folder = await openFolder(path);
    if (folder === undefined) throw new AppError('folder-missing');
    try {
      return await work(folder);
    } finally {
      folder.close();
    }
  };

  /** Every call of an editor looks at its document, and many open it: on a local disk this is synchronous. */
  const isHeldNow = access === 'descriptors' && !isRemote;
  const openHeld = (path: string): OpenFile | undefined => {
    const fd = holdNow(parentOf(path));
    if (fd === undefined) return undefined;
    try {
      return regularFile(openSync(`/proc/self/fd/${fd}/${nameOf(path)}`, fileFlags));
    } catch (error) {
      if (isNoFile(error)) return undefined;
      throw error;
    } finally {
      closeUnlessRoot(fd);
    }
  };
  const statOpened = async (path: string): Promise<BigIntStats | undefined> => {
    if (path === '') {
      const stats = await statPath(root);
      return isRoot(stats) ? stats : undefined;
    }
    const folder = await openFolder(parentOf(path));
    if (folder === undefined) return undefined;
    try {
      return await folder.stat(nameOf(path));
    } finally {
      folder.close();
    }
  };
  const stat = async (path: string): Promise<Place | undefined> => {
    const stats = await statOpened(path);
    return stats === undefined || stats.isSymbolicLink() ? undefined : { path, stats };
  };

  return {
    root,
    isRemote,
    absolute: toAbsolute,
    stat,
    openFolder,
    inFolder,

    peek(path) {
      if (!isHeldNow || !hasIdentity) return undefined;
      try {
        if (!isRootNow(lstatSync(root))) return undefined;
        for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
          if (!lstatSync(prefix + path.slice(0, end)).isDirectory()) return undefined;
        return statNow(prefix + path);
      } catch {
        return undefined;
      }
    },

    isFree(path) {
      try {
        return isHeldNow && lstatSync(prefix + path, { throwIfNoEntry: false }) === undefined;
      } catch {
        return false;
      }
    },

    async resolve(path) {
      const absolute = await realPathOf(toAbsolute(path));
      const inside = absolute === undefined ? undefined : toPath(absolute);
      return inside === undefined ? undefined : stat(inside);
    },

    async openFile(path) {
      if (isHeldNow) return openHeld(path);
      const folder = await openFolder(parentOf(path));
      if (folder === undefined) return undefined;
      try {
        return await folder.openFile(nameOf(path));
      } finally {
        folder.close();
      }
    },

    async requireFolder(path) {
      await inFolder(path, async () => undefined);
    },

    async requireRoot() {
      if (!isRoot(await statPath(root))) throw new AppError('folder-missing');
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

/** False where /proc is missing, or shows another process table. */
function hasDescriptorPaths(root: string): boolean {
  if (process.platform !== 'linux') return false;
  const fd = openSync(root, folderFlags);
  try {
    const { ino } = fstatSync(fd, { bigint: true });
    return lstatSync(`/proc/self/fd/${fd}/.`, { bigint: true, throwIfNoEntry: false })?.ino === ino;
  } catch {
    return false;
  } finally {
    closeSync(fd);
  }
}

/** Linux file system types on another computer or behind a process: NFS, SMB, CIFS, SMB2, FUSE, Ceph, AFS, 9P, Coda. */
const remoteTypes = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x00c36400, 0x5346414f, 0x01021997, 0x73757245,
]);

async function isRemoteDisk(root: string): Promise<boolean> {
  if (process.platform === 'win32') return root.startsWith('\\\\');
  if (process.platform !== 'linux') return root.startsWith('/Volumes/') || root.startsWith('/net/');
  // The system's number is signed if the field is 32 bits wide.
  return remoteTypes.has((await statfs(root)).type >>> 0);
}

function realPathNow(absolute: string): string | undefined {
  try {
    return realpathSync.native(absolute);
  } catch {
    return undefined;
  }
}
