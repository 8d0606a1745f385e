// One host process for the tests of a file or a suite, with folders of its own.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { createHostClient, type Access } from './host-client.ts';
import { makeScratch, serve, type Scratch, type ServeOptions, type ServeProcess } from './serve-process.ts';

/** `prepare` fills the folders before the start, and returns options of the process. */
export function serveHost(prepare: (scratch: Scratch) => Partial<ServeOptions> | void = () => ({})) {
  const scratch = makeScratch();
  const client = createHostClient(() => host.baseUrl);
  let host: ServeProcess;
  let apiToken: string;
  let options: Partial<ServeOptions> | void;
  /** In a file that runs alone, node:test begins each hook where it's added, without waiting for the one before. */
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>();
  const access = async (path: string): Promise<Access> => {
    await ready;
    return client.access(path, apiToken);
  };
  const start = async (): Promise<void> => {
    host = await serve({ ...scratch, ...options });
  };
  before(async () => {
    await Promise.resolve();
    options = prepare(scratch);
    await start();
    apiToken = await client.signIn();
    setReady();
  });
  after(async () => {
    await host.kill();
    scratch.remove();
  });
  return {
    scratch,
    client,
    get host() {
      return host;
    },
    get apiToken() {
      return apiToken;
    },
    /** A path in the hosted folder. */
    inFolder: (...parts: string[]): string => join(scratch.folder, ...parts),
    access,
    /** Locks the document as `the lock` and reads it. */
    async edit(path: string): Promise<Access> {
      const opened = await access(path);
      assert.equal((await client.openToEdit(opened, 'the lock')).status, 200);
      return opened;
    },
    /** Again, after the process has exited. */
    start,
  };
}
