// Watches the folder that the window shows, without its subfolders. The system's watcher is fast, but misses changes by other
// computers, and a folder that was moved away and back. So the folder is also checked every two seconds.

import { watch, type BigIntStats, type FSWatcher } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Jail } from '../files/jail.ts';
import { isHiddenName } from '../files/visible.ts';
import { createThrottle } from './throttle.ts';

export interface FolderWatch {
  /** Watches this folder instead; null: none. `path` is canonical; the folder may be missing. */
  show(path: string | null): Promise<void>;
  /** Checks now: the hosted folder may have changed. Never rejects. */
  check(): Promise<void>;
  close(): void;
}

export interface FolderWatchDeps {
  /** The hosted folder's; undefined if there is none. */
  jail: () => Jail | undefined;
  /** Called synchronously with the change: caches of the folder are outdated. */
  onDirty: () => void;
  /** Called at most ten times a second. */
  onChange: (path: string) => void;
  /** Between two calls of `onChange`, in ms, if that is longer. */
  pauseMs: () => number;
}

const checkEveryMs = 2000;

export function createFolderWatch(deps: FolderWatchDeps): FolderWatch {
  let shown: string | null = null;
  let watcher: FSWatcher | undefined;
  /** The folder and the time of its last change, at the last check; undefined if it was missing. */
  let known: { identity: string; mtimeNs: bigint } | undefined;
  let checks: NodeJS.Timeout | undefined;

  const throttle = createThrottle(() => {
    if (shown !== null) deps.onChange(shown);
  }, deps.pauseMs);

  const report = (): void => {
    deps.onDirty();
    throttle.request();
  };

  const arm = (absolute: string | undefined): void => {
    watcher?.close();
    watcher = undefined;
    if (absolute === undefined) return;
    try {
      watcher = watch(absolute, { persistent: false }, (kind, name) => {
        if (name !== null && isHiddenName(name)) return;
        report();
        // The folder itself may be gone: the system reports its own name like that of an entry.
        if (kind === 'rename') void check();
      });
      watcher.on('error', () => arm(undefined));
    } catch {
      // The system has no watches left; the check every two seconds must do.
    }
  };

  /** Reports a difference to the last check, and watches the folder that is there now. */
  const compare = async (isFirst: boolean): Promise<void> => {
    const path = shown;
    const jail = deps.jail();
    const place = path === null || jail === undefined ? undefined : await findFolder(jail, path);
    if (path !== shown) return;
    const found = place && folderAt(place.stats);
    if (found?.identity !== known?.identity) arm(place && jail?.absolute(place.path));
    if (!isFirst && !isDeepStrictEqual(found, known)) report();
    known = found;
  };

  const check = (): Promise<void> => compare(false);

  const end = (): void => {
    shown = null;
    known = undefined;
    arm(undefined);
    clearInterval(checks);
  };

  return {
    async show(path) {
      end();
      if (path === null) return;
      shown = path;
      checks = setInterval(() => void check(), checkEveryMs).unref();
      await compare(true);
    },

    check,
    close() {
      end();
      throttle.close();
    },
  };
}

function folderAt({ dev, ino, birthtimeNs, mtimeNs }: BigIntStats) {
  return { identity: `${dev} ${ino} ${birthtimeNs}`, mtimeNs };
}

async function findFolder(jail: Jail, path: string) {
  try {
    const place = await jail.resolve(path);
    return place?.stats.isDirectory() === true ? place : undefined;
  } catch {
    return undefined;
  }
}
