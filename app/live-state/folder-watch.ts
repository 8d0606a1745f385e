// Watches the folder that the window shows, without its subfolders. The system's watcher is fast, but misses changes by other
// computers, and a folder that was moved away and back. So the folder is also checked every two seconds.

import { watch, type FSWatcher } from 'node:fs';
import type { Jail } from '../files/jail.ts';
import { isHiddenName } from '../files/visible.ts';

export interface FolderWatch {
  /** Watches this folder instead; null: none. `path` is canonical; the folder may be missing. */
  show(path: string | null): Promise<void>;
  /** Checks now: the hosted folder may have changed. */
  check(): void;
  close(): void;
}

export interface FolderWatchDeps {
  /** The hosted folder's; undefined if there is none. */
  jail: () => Jail | undefined;
  /** Called synchronously with the change: caches of the folder are outdated. */
  onDirty: () => void;
  /** Called at most ten times a second. */
  onChange: (path: string) => void;
  /** Between two calls of `onChange`, in ms; at least 100. */
  pauseMs: () => number;
}

const checkEveryMs = 2000;
const minPauseMs = 100;
/** Changes come in bursts. */
const burstMs = 30;

export function createFolderWatch(deps: FolderWatchDeps): FolderWatch {
  let shown: string | null = null;
  let round = 0;
  let watcher: FSWatcher | undefined;
  /** Identity and change time at the last check; undefined if the folder was missing. */
  let known: string | undefined;
  let armed: { jail: Jail; identity: string } | undefined;
  let isRequested = false;
  let checking: Promise<void> | undefined;
  let everyTwoSeconds: NodeJS.Timeout | undefined;
  let timer: NodeJS.Timeout | undefined;
  let reportedAtMs = -Infinity;

  const report = (): void => {
    deps.onDirty();
    if (timer !== undefined || shown === null) return;
    const pauseMs = Math.max(minPauseMs, deps.pauseMs());
    timer = setTimeout(
      () => {
        timer = undefined;
        reportedAtMs = performance.now();
        if (shown !== null) deps.onChange(shown);
      },
      Math.max(burstMs, reportedAtMs + pauseMs - performance.now()),
    );
    timer.unref();
  };

  const disarm = (): void => {
    watcher?.close();
    watcher = undefined;
    armed = undefined;
  };

  const arm = (jail: Jail, absolute: string, identity: string): void => {
    disarm();
    armed = { jail, identity };
    try {
      watcher = watch(absolute, { persistent: false }, (kind, name) => {
        if (name !== null && isHiddenName(name)) return;
        report();
        // The folder itself may be gone: the system reports its own name like that of an entry.
        if (kind === 'rename') check();
      });
      watcher.on('error', disarm);
    } catch {
      // The system has no watches left; the check every two seconds must do.
    }
  };

  /** Reports a difference to the last check, and watches the folder that is there now. */
  const compare = async (isFirst: boolean): Promise<void> => {
    const mine = round;
    const jail = deps.jail();
    const place = shown === null || jail === undefined ? undefined : await findFolder(jail, shown);
    if (mine !== round) return;
    const identity = place && `${place.stats.dev} ${place.stats.ino} ${place.stats.birthtimeNs}`;
    const seen = place && `${identity} ${place.stats.mtimeNs}`;
    const isOther = jail !== armed?.jail || identity !== armed?.identity;
    if (place === undefined || identity === undefined || jail === undefined) disarm();
    else if (isOther) arm(jail, jail.absolute(place.path), identity);
    if (seen !== known && !isFirst) report();
    known = seen;
  };

  /** One check at a time; a request during a check is followed by another one. */
  const check = (): void => {
    isRequested = true;
    checking ??= (async () => {
      while (isRequested) {
        isRequested = false;
        await compare(false);
      }
      checking = undefined;
    })();
  };

  const end = (): void => {
    round += 1;
    shown = null;
    disarm();
    clearInterval(everyTwoSeconds);
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    async show(path) {
      end();
      if (path === null) return;
      shown = path;
      everyTwoSeconds = setInterval(check, checkEveryMs);
      everyTwoSeconds.unref();
      await compare(true);
    },

    check,
    close: end,
  };
}

async function findFolder(jail: Jail, path: string) {
  try {
    const place = await jail.resolve(path);
    return place?.stats.isDirectory() === true ? place : undefined;
  } catch {
    return undefined;
  }
}
