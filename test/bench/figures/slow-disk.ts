// Saves of 100 KiB on a disk that takes 3 ms for every sync. The wait is added to fsync and fdatasync in the hosts' processes: to the
// syncs of documents and folders, not to SQLite's own. It can't show whether a disk serves several syncs at the same time.

import { takeTurn } from '../client.ts';
import { join } from 'node:path';
import { createBodySource, type BodySource } from '../bodies.ts';
import { subjectName, type Figure } from '../compare.ts';
import { bareHostName, createSide, sizes, workerNames, type Arena } from '../hosts.ts';
import { lock, putFile, type WopiFile } from '../wopi-calls.ts';

const env = {
  BENCH_SYNC_MS: '3',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../slow-sync.ts')}`,
};

export async function* slowDisk(arena: Arena): AsyncGenerator<Figure> {
  const { empty, bare } = arena.places;
  const sides = [
    createSide(subjectName, await arena.startDocTray(empty, env), empty.folder),
    createSide(bareHostName, await arena.startBareHost(bare, { env }), bare.folder),
  ];
  const opened = new Map<string, WopiFile[]>();
  for (const side of sides) {
    const files = await side.open(workerNames);
    opened.set(side.name, files);
    const connection = await side.connect();
    for (const file of files) await lock(connection, file);
    connection.close();
  }
  const bodies = workerNames.map(() => createBodySource(sizes['100 KiB']));
  for (const concurrency of [1, 8, 64])
    yield {
      name: `disk with 3 ms a sync: saves, concurrency ${concurrency}`,
      unit: 'saves',
      passes: 2,
      contenders: sides.map(({ name, server }) => ({
        name,
        pid: server.pid,
        turn: () =>
          takeTurn({
            address: server,
            concurrency,
            ms: 300,
            operation: (connection, worker) =>
              putFile(
                connection,
                opened.get(name)?.[worker] as WopiFile,
                (bodies[worker] as BodySource).next(),
              ),
          }),
      })),
      references: [{ name: bareHostName }],
    };
}
