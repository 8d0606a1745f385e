// PutFile of 100 KiB and 200 MiB, compared with the bare host, the bare host with hashing, as DocTray must do, and the bare script.
// Every save has another content, and after each turn the file on disk is checked.

import { join } from 'node:path';
import { bareHostName, hashingHostName, putNames, sizes, type Arena, type Sides } from '../arena.ts';
import { writeSyncRename } from '../bare-script.ts';
import { checkOnDisk, createBodySource, MiB } from '../bodies.ts';
import type { Connection } from '../client.ts';
import { atLeast, medianOf, type Figure } from '../figure.ts';
import type { Contender } from '../rounds.ts';
import type { WopiFile } from '../sides.ts';
import { takeTurn, takeTurnHere, warmMemory } from '../turns.ts';
import { getFile, lock, putFile } from '../wopi-calls.ts';

const scriptName = 'bare script: write, fsync, rename';
const turnMs = 100;

export async function putFileFigures(arena: Arena, sides: Sides): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of ['200 MiB', '100 KiB'] as const) {
    const bytes = sizes[size];
    const isLarge = bytes > MiB;
    const work = { ms: isLarge ? 0 : turnMs, units: bytes / MiB };
    const prepare = (): void => warmMemory(arena.scratch, isLarge ? bytes + 64 * MiB : 32 * MiB);
    const contenders: Contender[] = [];
    for (const side of [sides.subject, sides.many, sides.bare, sides.hashing]) {
      const [file] = (await side.open([putNames[size]])) as [WopiFile];
      const source = createBodySource(bytes);
      contenders.push({
        name: side.name,
        pid: side.server.pid,
        prepare: async () => {
          const open = async (connection: Connection): Promise<void> => {
            await lock(connection, file);
            await getFile(connection, file);
          };
          await takeTurn({ address: side.server, ms: 0, operation: open });
          prepare();
        },
        turn: async () => {
          let body = source.next();
          const done = await takeTurn({
            address: side.server,
            ...work,
            operation: (connection) => {
              body = source.next();
              return putFile(connection, file, body);
            },
          });
          await checkOnDisk(file.diskPath, body);
          return done;
        },
      });
    }
    const source = createBodySource(bytes);
    const path = join(arena.scratch, putNames[size]);
    contenders.push({
      name: scriptName,
      prepare,
      turn: async () => takeTurnHere({ ...work, operation: () => writeSyncRename(path, source.next()) }),
    });
    figures.push({
      name: `PutFile ${size}`,
      unit: 'MiB',
      plan: { rounds: medianOf, passes: isLarge ? 1 : 4, isCold: isLarge },
      contenders,
      references: [
        { name: bareHostName, ...(!isLarge && { floor: atLeast(0.45) }) },
        { name: hashingHostName, ...(isLarge && { floor: atLeast(0.8) }) },
        { name: scriptName },
      ],
    });
  }
  return figures;
}
