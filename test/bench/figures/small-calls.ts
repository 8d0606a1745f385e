// CheckFileInfo, Lock and Unlock, and a complete edit, by 1, 4, 16 and 64 workers with a file each.

import { join } from 'node:path';
import { manyWorkerNames, bareHostName, sizes, type Arena, type Sides } from '../arena.ts';
import { openDurableDatabase } from '../bare-store.ts';
import { createRowCommitter } from '../bare-script.ts';
import { createBodySource, MiB } from '../bodies.ts';
import type { Connection } from '../client.ts';
import { atLeast, medianOf, type Figure, type Floor } from '../figure.ts';
import type { Contender } from '../rounds.ts';
import type { Side, WopiFile } from '../sides.ts';
import { takeTurn, takeTurnHere, warmMemory } from '../turns.ts';
import { checkFileInfo, getFile, lock, putFile, refreshLock, unlock } from '../wopi-calls.ts';

const koaName = 'bare Koa, same JSON';
const commitName = 'SQLite, one row a commit';
const turnMs = 75;
const cycleMs = 150;
/** Lower than the results on a busy machine, so that a miss is a regression. The other numbers of workers have no floor. */
const floors: Record<number, { info: Floor; lock: Floor; edit: Floor } | undefined> = {
  1: { info: atLeast(0.5), lock: atLeast(0.35), edit: atLeast(0.5) },
  16: { info: atLeast(0.6), lock: atLeast(1), edit: atLeast(0.7) },
};

type Operation = (connection: Connection, file: WopiFile, worker: number) => Promise<unknown>;

export async function smallCallFigures(arena: Arena, sides: Sides): Promise<Figure[]> {
  const opened = new Map<Side, WopiFile[]>();
  const three = [sides.subject, sides.many, sides.bare];
  for (const side of three) opened.set(side, await side.open(manyWorkerNames));
  const bodies = manyWorkerNames.map(() => createBodySource(sizes['100 KiB']));
  const commit = createRowCommitter(openDurableDatabase(join(arena.scratch, 'one-row.sqlite')));

  const contenders = (concurrency: number, ms: number, operation: Operation): Contender[] =>
    three.map((side) => ({
      name: side.name,
      pid: side.server.pid,
      turn: () =>
        takeTurn({
          address: side.server,
          concurrency,
          ms,
          operation: (connection, worker) =>
            operation(connection, opened.get(side)?.[worker] as WopiFile, worker),
        }),
    }));

  const editCycle: Operation = async (connection, file, worker) => {
    await lock(connection, file);
    await checkFileInfo(connection, file);
    await getFile(connection, file);
    await putFile(connection, file, (bodies[worker] as (typeof bodies)[number]).next());
    await refreshLock(connection, file);
    await unlock(connection, file);
  };

  return [1, 4, 16, 64].flatMap((concurrency): Figure[] => {
    const floor = floors[concurrency];
    const plan = { rounds: floor === undefined ? 2 : medianOf, passes: 4 };
    const bare = (own: Floor | undefined) => ({ name: bareHostName, ...(own && { floor: own }) });
    return [
      {
        name: `edit cycle, concurrency ${concurrency}`,
        unit: 'cycles',
        plan,
        contenders: contenders(concurrency, cycleMs, editCycle).map((contender) => ({
          ...contender,
          prepare: () => warmMemory(arena.scratch, 32 * MiB),
        })),
        references: [bare(floor?.edit)],
      },
      {
        name: `Lock + Unlock, concurrency ${concurrency}`,
        unit: 'pairs',
        plan,
        contenders: [
          ...contenders(concurrency, turnMs, async (connection, file) => {
            await lock(connection, file);
            await unlock(connection, file);
          }),
          { name: commitName, turn: async () => takeTurnHere({ ms: turnMs, units: 0.5, operation: commit }) },
        ],
        references: [bare(floor?.lock), { name: commitName }],
      },
      {
        name: `CheckFileInfo, concurrency ${concurrency}`,
        unit: 'calls',
        plan,
        contenders: [
          ...contenders(concurrency, turnMs, (connection, file) => checkFileInfo(connection, file)),
          {
            name: koaName,
            turn: () =>
              takeTurn({
                address: sides.koa,
                concurrency,
                ms: turnMs,
                operation: (connection) => connection.expectOk({ method: 'GET', target: '/' }),
              }),
          },
        ],
        references: [bare(floor?.info), { name: koaName }],
      },
    ];
  });
}
