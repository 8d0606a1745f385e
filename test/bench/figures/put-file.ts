// PutFile of 100 KiB and 200 MiB, compared with the bare host, and the bare host with hashing, as DocTray must do.
// Every save has another content, and after each turn the file on disk is checked.

import { takeTurn } from '../client.ts';
import { warmMemory, checkOnDisk, createBodySource, MiB } from '../bodies.ts';
import { atLeast, type Contender, type Figure } from '../compare.ts';
import { bareHostName, hashingHostName, putNames, sizes, type Arena, type Sides } from '../hosts.ts';
import { getFile, lock, putFile, type WopiFile } from '../wopi-calls.ts';
import { manyReference } from './small-calls.ts';

export async function* putFileFigures(arena: Arena, sides: () => Promise<Sides>): AsyncGenerator<Figure> {
  const { subject, many, bare, hashing } = await sides();
  for (const size of ['200 MiB', '100 KiB'] as const) {
    const bytes = sizes[size];
    const isLarge = size === '200 MiB';
    const work = { ms: isLarge ? 0 : 100, units: bytes / MiB };
    const warm = (): void => warmMemory(arena.scratch, isLarge ? bytes + 64 * MiB : 32 * MiB);
    const contenders: Contender[] = [];
    for (const side of [subject, many, bare, hashing]) {
      const [file] = (await side.open([putNames[size]])) as [WopiFile];
      const source = createBodySource(bytes);
      contenders.push({
        name: side.name,
        pid: side.server.pid,
        async prepare() {
          const connection = await side.connect();
          await lock(connection, file);
          await getFile(connection, file);
          connection.close();
          warm();
        },
        async turn() {
          let body = source.next();
          const operation: Parameters<typeof takeTurn>[0]['operation'] = (connection) => {
            body = source.next();
            return putFile(connection, file, body);
          };
          const done = await takeTurn({ address: side.server, ...work, operation });
          await checkOnDisk(file.diskPath, body);
          return done;
        },
      });
    }
    yield {
      name: `PutFile ${size}`,
      unit: 'MiB',
      ...(isLarge && { passes: 1 }),
      contenders,
      references: [
        { name: bareHostName, floor: atLeast(isLarge ? 0.7 : 0.45) },
        { name: hashingHostName, ...(isLarge && { floor: atLeast(0.8) }) },
        ...manyReference(arena),
      ],
    };
  }
}
