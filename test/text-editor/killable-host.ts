// A host in its own process, which a test can kill and start again on the same ports.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHostClient } from '../crash/host-client.ts';
import { makeScratch, serve } from '../crash/serve-process.ts';
import { freePorts } from '../free-ports.ts';

export type KillableHost = Awaited<ReturnType<typeof startKillableHost>>;

export async function startKillableHost(files: Record<string, string>) {
  const { remove, ...scratch } = makeScratch();
  const { folder, dataDir } = scratch;
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const port = await freePorts(2);
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify({ textEditorPort: port + 1 }), {
    mode: 0o600,
  });
  let process = await serve({ ...scratch, port });
  const { baseUrl } = process;
  const client = createHostClient(() => baseUrl);
  return {
    folder,
    dataDir,
    baseUrl,
    /** The link that opens the document for editing; for the owner by default. */
    editUrl: async (path: string, ...user: [login: string, password: string] | []): Promise<string> =>
      (await client.access(path, await client.signIn(...user))).hostEditUrl,
    kill: async (): Promise<void> => process.kill(),
    async start(): Promise<void> {
      process = await serve({ ...scratch, port });
    },
    /** @returns the exit code */
    stop: async (): Promise<number | null> => (await process.stop()).code,
    async remove(): Promise<void> {
      await process.kill();
      remove();
    },
  };
}
