// Fake Docker and Podman: shell scripts in a temporary folder, which is the whole PATH in a test.

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type FakePrograms = Awaited<ReturnType<typeof fakePrograms>>;

export async function fakePrograms() {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-programs-'));
  const log = join(folder, 'calls');
  const environment = join(folder, 'environment');
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  return {
    folder,
    /** Writes a `/bin/sh` script that records its arguments and environment before it runs. */
    async write(name: 'docker' | 'podman', script: string): Promise<void> {
      const note = `{ for argument; do printf '%s\\037' "$argument"; done; echo; } >>'${log}'; /usr/bin/env >>'${environment}'`;
      await writeFile(join(folder, name), `#!/bin/sh\n${note}\n${script}\n`);
      await chmod(join(folder, name), 0o755);
    },
    /** The arguments of every call, oldest first. */
    async calls() {
      const lines = (await read(log)).split('\n').filter((line) => line !== '');
      return lines.map((line) => line.split('\u001f').slice(0, -1));
    },
    /** The values of an environment variable, from the calls that had it. */
    async variable(name: string) {
      const lines = (await read(environment)).split('\n').filter((line) => line.startsWith(`${name}=`));
      return lines.map((line) => line.slice(name.length + 1));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
