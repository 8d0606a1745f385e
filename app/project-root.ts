// DocTray's own folder: the one with `package.json`, in a source checkout and in the packaged app.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function findProjectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** Whether DocTray runs from a source checkout, which can build its pages, and not from a package. */
export const isFromSources = (): boolean => existsSync(join(findProjectRoot(), 'app', 'cli.ts'));
