// The time from the start of the process to its first answer, for DocTray a CheckFileInfo with a token from an earlier run; and the
// memory that DocTray then takes.

import { connect } from '../client.ts';
import { atLeast, atMost, push, median, row, subjectName } from '../compare.ts';
import type { Contender, Figure, Row } from '../compare.ts';
import { firstRuns, type Arena } from '../hosts.ts';
import { memoryOf, type ServerProcess } from '../processes.ts';
import { manyReference } from './small-calls.ts';

const koaName = 'bare Koa';

export async function* startFigures(arena: Arena): AsyncGenerator<Figure | Row> {
  const targets = await firstRuns(arena);
  const memory = new Map<string, number[]>();
  const contender = (name: string, target: string, start: () => Promise<ServerProcess>): Contender => ({
    name,
    async turn() {
      const server = await start();
      const connection = await connect(server);
      await connection.expectOk({ method: 'GET', target });
      const ms = performance.now() - server.startedAt;
      connection.close();
      push(memory, name, memoryOf(server.pid) / 1024 / 1024);
      await server.stop();
      return { units: 1, ms };
    },
  });
  yield {
    name: 'start to first answer',
    unit: 'ms',
    passes: 2,
    contenders: [
      contender(subjectName, targets.empty, () => arena.startDocTray(arena.places.empty)),
      contender(koaName, '/', () => arena.startBare('koa')),
      contender(arena.manyName, targets.many, () => arena.startDocTray(arena.places.many)),
    ],
    references: [{ name: koaName, floor: atMost(2.5) }, ...manyReference(arena, atLeast(0.9))],
  };
  const [own, koa] = [subjectName, koaName].map((name) => median(memory.get(name) ?? [])) as [number, number];
  yield row('memory after the first answer', [own, koa], { unit: 'MiB', reference: koaName });
}
