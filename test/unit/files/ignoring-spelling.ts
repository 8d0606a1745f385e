// On file systems that ignore case or normalization form, a path in any spelling finds an entry, and its folder lists one spelling.
// The tests can't expect such a file system, so this adds the rule to a real folder; everything else stays real.

import { readdirSync } from 'node:fs';
import { joinPath } from '../../../app/contract/names.ts';
import { type Jail } from '../../../app/files/jail.ts';
import { nameKey } from '../../../app/wopi/names.ts';

export function ignoringSpelling(real: Jail): Jail {
  const listedPath = (path: string): string =>
    path.split('/').reduce((folder, part) => {
      const entry = readdirSync(real.absolute(folder)).find((name) => nameKey(name) === nameKey(part));
      return joinPath(folder, entry ?? part);
    }, '');
  const withRequestedPath = async (path: string, stat: (path: string) => ReturnType<Jail['stat']>) => {
    const place = await stat(path === '' ? '' : listedPath(path));
    return place && { ...place, path };
  };
  return {
    ...real,
    stat: (path) => withRequestedPath(path, real.stat),
    resolve: (path) => withRequestedPath(path, real.resolve),
  };
}
