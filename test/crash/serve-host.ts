// One host process for the tests of a file or a suite, with folders of its own.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { createHostClient, type Access, type HostClient } from './host-client.ts';
import { makeScratch, serve, type Scratch, type ServeOptions, type ServeProcess } from './serve-process.ts';

export interface ServedHost {
  scratch: Scratch;
  client: HostClient;
  readonly host: ServeProcess;
  readonly apiToken: string;
  /** A path in the hosted folder. */
  inFolder(...parts: string[]): string;
  access(path: string): Promise<Access>;
  /** Locks the document as `the lock` and reads it. */
  edit(path: string): Promise<Access>;
  /** Again, after the process has exited. */
  start(): Promise<void>;
}

/** `prepare` fills the folders before the start, and returns options of the process. */
export function serveHost(
  prepare: (scratch: Scratch) => Partial<ServeOptions> | void = () => ({}),
): ServedHost {
  const scratch = makeScratch();
  const client = createHostClient(() => host.baseUrl);
  let host: ServeProcess;
  let apiToken: string;
  let options: Partial<ServeOptions> | void;
  /** In a file that runs alone, node:test begins each hook where it's added, without waiting for the one before. */
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>();
  const served: ServedHost = {
    scratch,
    client,
    get host() {
      return host;
    },
    get apiToken() {
      return apiToken;
    },
    inFolder: (...parts) => join(scratch.folder, ...parts),
    async access(path) {
      await ready;
      return client.access(path, apiToken);
    },
    async edit(path) {
      const access = await served.access(path);
      assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
      return access;
    },
    async start() {
      host = await serve({ ...scratch, ...options });
    },
  };
  before(async () => {
    await Promise.resolve();
    options = prepare(scratch);
    await served.start();
    apiToken = await client.signIn();
    setReady();
  });
  after(async () => {
    await host.kill();
    scratch.remove();
  });
  return served;
}
