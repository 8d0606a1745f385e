// A host in its own process, which a test can kill and start again on the same ports.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHostClient } from '../crash/host-client.ts';
import { makeScratch, serve } from '../crash/serve-process.ts';
import { freePorts } from '../free-ports.ts';

export interface KillableHost {
  readonly folder: string;
  /** The link that opens the document for editing. */
  editUrl(path: string): Promise<string>;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startKillableHost(files: Record<string, string>): Promise<KillableHost> {
  const scratch = makeScratch();
  const { folder, dataDir } = scratch;
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const port = await freePorts(2);
  const textEditorPort = port + 1;
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ textEditorPort }), { mode: 0o600 });
  let process = await serve({ folder, dataDir, port });
  const { baseUrl } = process;
  const client = createHostClient(() => baseUrl);
  return {
    folder,
    editUrl: async (path) => (await client.access(path, await client.signIn(), 'edit')).hostEditUrl,
    kill: async () => process.kill(),
    async start() {
      process = await serve({ folder, dataDir, port });
    },
    async stop() {
      await process.stop();
      scratch.remove();
    },
  };
}
