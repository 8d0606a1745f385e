// The path checks that DocTray makes for each call, in their simplest form: every folder in the path is opened without following
// links, and the root must still be the same folder. For Linux only, where the benchmarks run.

import fs, { type Stats } from 'node:fs';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** O_PATH on Linux: the descriptor only refers to the path. */
const pathOnly = 0x200000;
const folderFlags = pathOnly | O_DIRECTORY | O_NOFOLLOW;

export interface BareFolder {
  at(name: string): string;
  self: string;
  close(): void;
}

export function createBareJail(root: string) {
  const { ino, birthtimeMs } = fs.statSync(root);

  const openFolder = (path: string): BareFolder => {
    let fd = fs.openSync(root, folderFlags);
    const now = fs.fstatSync(fd);
    if (now.ino !== ino || now.birthtimeMs !== birthtimeMs) throw new Error('The root is another folder.');
    for (const name of path === '' || path === '.' ? [] : path.split('/')) {
      const next = fs.openSync(`/proc/self/fd/${fd}/${name}`, folderFlags);
      fs.closeSync(fd);
      fd = next;
    }
    const self = `/proc/self/fd/${fd}`;
    return { self, at: (name) => `${self}/${name}`, close: () => fs.closeSync(fd) };
  };
  const within = <T>(path: string, work: (absolute: string) => T): T => {
    const slash = path.lastIndexOf('/');
    const folder = openFolder(path.slice(0, Math.max(0, slash)));
    try {
      return work(folder.at(path.slice(slash + 1)));
    } finally {
      folder.close();
    }
  };
  return {
    openFolder,
    stat: (path: string): Stats => within(path, (absolute) => fs.lstatSync(absolute)),
    /** Opens a regular file. The caller closes the descriptor. */
    openFile: (path: string): number =>
      within(path, (absolute) => fs.openSync(absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)),
  };
}
