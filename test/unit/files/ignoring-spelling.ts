// On file systems that ignore case or normalization form an entry answers to every spelling of its name, while its folder lists one.
// No such file system can be expected where the tests run: this gives a real folder the rule, and everything else stays real.

import { readdirSync } from 'node:fs';
import { joinPath, type Jail } from '../../../app/files/jail.ts';
import { nameKey } from '../../../app/wopi/names.ts';

export function ignoringSpelling(real: Jail): Jail {
  const listed = (path: string): string =>
    path.split('/').reduce((folder, part) => {
      const entry = readdirSync(real.absolute(folder)).find((name) => nameKey(name) === nameKey(part));
      return joinPath(folder, entry ?? part);
    }, '');
  const asAsked = async (path: string, stat: (path: string) => ReturnType<Jail['stat']>) => {
    const place = await stat(path === '' ? '' : listed(path));
    return place && { ...place, path };
  };
  return {
    ...real,
    stat: (path) => asAsked(path, real.stat),
    resolve: (path) => asAsked(path, real.resolve),
  };
}
