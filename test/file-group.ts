// Runs test files in one process, because starting Node and loading the app takes longer than most of these tests. Each file is a
// suite of its own, so that its hooks apply only to its tests: `node test/file-group.ts FILE…`.

import { createHook, type AsyncHook } from 'node:async_hooks';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginGroup, endGroup } from './group.ts';

// node:test tracks every promise with an async hook. It needs the hook while files define their tests, to know the suite of each.
// Afterwards, the hook only assigns uncaught errors to tests and slows down every await. Without it, an uncaught error fails the whole
// process.
const testHooks: AsyncHook[] = [];
const hookPrototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
const { enable } = hookPrototype;
hookPrototype.enable = function enableAndNote(this: AsyncHook) {
  testHooks.push(this);
  return enable.call(this);
};

beginGroup();
after(endGroup);

const imports = process.argv.slice(2).map(async (file) => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  describe(file, async () => {
    await import(pathToFileURL(file).href).then(resolve, reject);
    await promise;
  });
  return promise;
});
await Promise.allSettled(imports);
for (const hook of testHooks) hook.disable();
