// The time from the start of the process to its first answer, for DocTray a CheckFileInfo with a token from an earlier run.

import { atMost, medianOf, subjectName, type Figure } from '../figure.ts';
import type { Arena } from '../arena.ts';
import { connect } from '../client.ts';
import type { ServerProcess } from '../processes.ts';
import type { Contender } from '../rounds.ts';

const koaName = 'bare Koa';

export function startFigure(arena: Arena, targets: { empty: string; many: string }): Figure {
  const contender = (name: string, target: string, start: () => Promise<ServerProcess>): Contender => ({
    name,
    async turn() {
      const server = await start();
      try {
        const connection = await connect(server);
        await connection.expectOk({ method: 'GET', target });
        const ms = performance.now() - server.startedAt;
        connection.close();
        return { units: 1, ms };
      } finally {
        await server.stop();
      }
    },
  });
  return {
    name: 'start to first answer',
    unit: 'ms',
    plan: { rounds: medianOf, passes: 2 },
    contenders: [
      contender(subjectName, targets.empty, () => arena.startDocTray(arena.places.empty)),
      contender(koaName, '/', () => arena.startKoa()),
      contender(arena.manyName, targets.many, () => arena.startDocTray(arena.places.many)),
    ],
    references: [{ name: koaName, floor: atMost(2.5) }],
  };
}
