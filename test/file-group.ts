// Runs several test files in one process, because starting Node and loading the app takes longer than most of these tests. Each file is a
// suite of its own, so that its hooks apply only to its tests: `node test/file-group.ts FILE…`.

import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginGroup, endGroup } from './group.ts';

beginGroup();
after(endGroup);

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
}
