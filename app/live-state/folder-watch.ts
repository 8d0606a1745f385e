// Reports when the folder that the window shows has changed. One folder at a time, without what is below it. The system's own watcher
// is fast but incomplete: it misses other computers' changes, and a folder that was moved away and back. So the folder is also
// checked every two seconds while it is shown.

import { watch, type FSWatcher } from 'node:fs';
import type { Jail } from '../files/jail.ts';
import { isHiddenName } from '../files/visible.ts';

export interface FolderWatch {
  /** Instead of the one before; null ends it. The path is canonical; the folder need not be there. */
  show(path: string | null): Promise<void>;
  /** Looks at once instead of in two seconds: the hosted folder may be another. */
  check(): void;
  close(): void;
}

export interface FolderWatchDeps {
  /** Of the folder hosted now; undefined while there is none. */
  jail: () => Jail | undefined;
  /** Asked for in the turn of the change: what was kept of the folder is out of date. */
  onDirty: () => void;
  /** Told at most ten times a second. */
  onChange: (path: string) => void;
  /** Pause between two tellings, in ms; at least a tenth of a second. */
  pauseMs: () => number;
}

const lookEveryMs = 2000;
const minPauseMs = 100;
/** A change seldom comes alone. */
const settleMs = 30;

export function createFolderWatch(deps: FolderWatchDeps): FolderWatch {
  let shown: string | null = null;
  let round = 0;
  let watcher: FSWatcher | undefined;
  /** What it looked like when it was last seen; undefined when it was not there. */
  let known: string | undefined;
  let armed: { jail: Jail; identity: string } | undefined;
  let isAsked = false;
  let looking: Promise<void> | undefined;
  let everyTwoSeconds: NodeJS.Timeout | undefined;
  let telling: NodeJS.Timeout | undefined;
  let toldAtMs = -Infinity;

  const tell = (): void => {
    deps.onDirty();
    if (telling !== undefined || shown === null) return;
    const pauseMs = Math.max(minPauseMs, deps.pauseMs());
    telling = setTimeout(
      () => {
        telling = undefined;
        toldAtMs = performance.now();
        if (shown !== null) deps.onChange(shown);
      },
      Math.max(settleMs, toldAtMs + pauseMs - performance.now()),
    );
    telling.unref();
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
        tell();
        // Perhaps the folder itself went: its own name comes as that of something in it.
        if (kind === 'rename') look();
      });
      watcher.on('error', disarm);
    } catch {
      // The system has no watch left; looking every two seconds has to do.
    }
  };

  /** Compares with what was seen before, and watches what is there now. */
  const compare = async (isFirst: boolean): Promise<void> => {
    const mine = round;
    const jail = deps.jail();
    const place = shown === null || jail === undefined ? undefined : await lookFor(jail, shown);
    if (mine !== round) return;
    const identity = place && `${place.stats.dev} ${place.stats.ino} ${place.stats.birthtimeNs}`;
    const seen = place && `${identity} ${place.stats.mtimeNs}`;
    const isOther = jail !== armed?.jail || identity !== armed?.identity;
    if (place === undefined || identity === undefined || jail === undefined) disarm();
    else if (isOther) arm(jail, jail.absolute(place.path), identity);
    if (seen !== known && !isFirst) tell();
    known = seen;
  };

  /** One look at a time; what is asked for meanwhile is done once more after it. */
  const look = (): void => {
    isAsked = true;
    looking ??= (async () => {
      while (isAsked) {
        isAsked = false;
        await compare(false);
      }
      looking = undefined;
    })();
  };

  const end = (): void => {
    round += 1;
    shown = null;
    disarm();
    clearInterval(everyTwoSeconds);
    clearTimeout(telling);
    telling = undefined;
  };

  return {
    async show(path) {
      end();
      if (path === null) return;
      shown = path;
      everyTwoSeconds = setInterval(look, lookEveryMs);
      everyTwoSeconds.unref();
      await compare(true);
    },

    check: look,
    close: end,
  };
}

async function lookFor(jail: Jail, path: string) {
  try {
    const place = await jail.resolve(path);
    return place?.stats.isDirectory() === true ? place : undefined;
  } catch {
    return undefined;
  }
}
