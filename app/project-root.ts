// Where DocTray itself is: the folder with its `package.json`, of the sources or of the packed app.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function findProjectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
