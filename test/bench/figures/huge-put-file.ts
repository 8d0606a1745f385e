// PutFile of 2 GiB and its memory. In each round, each host is restarted and warmed up with a PutFile of 200 MiB, its peak memory is
// reset, and it gets a PutFile of 2 GiB.

import { unlinkSync } from 'node:fs';
import { warmMemory, checkOnDisk, createBodySource, MiB } from '../bodies.ts';
import { atMost, push, row, subjectName, type Contender, type Figure, type Row } from '../compare.ts';
import { bareHostName, createSide, hugeNames, putNames, sizes, type Arena, type Place } from '../hosts.ts';
import { memoryOf, resetPeakMemory, type ServerProcess } from '../processes.ts';
import { getFile, lock, putFile, unlock, type WopiFile } from '../wopi-calls.ts';

export const hugeName = 'PutFile 2 GiB';
const hugeBytes = sizes['2 GiB'];
const units = hugeBytes / MiB;

export async function* hugePutFile(arena: Arena): AsyncGenerator<Figure | Row> {
  const { empty, bare } = arena.places;
  /** MiB by which the peak during the 2 GiB exceeds the memory before, by host. */
  const growths = new Map<string, number[]>();
  const host = (name: string, place: Place, start: () => Promise<ServerProcess>): Contender => ({
    name,
    async turn() {
      const server = await start();
      const side = createSide(name, server, place.folder);
      // Each save needs another document, because it is deleted below.
      const next = hugeNames[growths.get(name)?.length ?? 0] ?? hugeNames[0];
      const [small, huge] = (await side.open([putNames['200 MiB'], next])) as [WopiFile, WopiFile];
      const first = await side.connect();
      await lock(first, small);
      await getFile(first, small);
      await putFile(first, small, createBodySource(sizes['200 MiB']).next());
      await unlock(first, small);
      first.close();
      // This takes seconds, after which the server would close an open connection (keepAliveTimeout).
      warmMemory(arena.scratch, hugeBytes + 64 * MiB);
      const connection = await side.connect();
      await lock(connection, huge);
      await getFile(connection, huge);
      const { resident } = memoryOf(server.pid);
      resetPeakMemory(server.pid);
      const body = createBodySource(hugeBytes).next();
      const startedAt = performance.now();
      await putFile(connection, huge, body);
      const ms = performance.now() - startedAt;
      push(growths, name, (memoryOf(server.pid).peak - resident) / MiB);
      await checkOnDisk(huge.diskPath, body);
      await unlock(connection, huge);
      connection.close();
      // Frees disk space and page cache for the next one.
      unlinkSync(huge.diskPath);
      await server.stop();
      return { units, ms };
    },
  });
  yield {
    name: hugeName,
    unit: 'MiB',
    rounds: hugeNames.length,
    passes: 1,
    contenders: [
      host(subjectName, empty, () => arena.startDocTray(empty)),
      host(bareHostName, bare, () => arena.startBareHost(bare)),
    ],
    references: [{ name: bareHostName }],
  };
  // The floor is an absolute limit, so the worst round counts.
  const worst = (name: string): number =>
    (growths.get(name) ?? [Number.NaN]).reduce((one, other) => Math.max(one, other));
  yield row(`${hugeName}: memory over warm`, [worst(subjectName), worst(bareHostName)], {
    unit: 'MiB',
    reference: bareHostName,
    floor: atMost(48),
  });
}
