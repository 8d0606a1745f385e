// Runs test files in one process, because starting Node and loading the app takes longer than most of these tests. Each file is a
// suite of its own, so that its hooks apply only to its tests: `node test/file-group.ts FILE…`.

import { createHook, type AsyncHook } from 'node:async_hooks';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { beginGroup, endGroup } from './group.ts';

// node:test follows every promise with an async hook. It needs that while files define their tests, to know the suite around each. Later,
// it only tells to which test an uncaught error belongs, and slows everything that awaits. Without it, such an error fails the process.
const followers: AsyncHook[] = [];
const hooks = Object.getPrototypeOf(createHook({})) as AsyncHook;
const { enable } = hooks;
hooks.enable = function enableAndNote(this: AsyncHook) {
  followers.push(this);
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
for (const follower of followers) follower.disable();
