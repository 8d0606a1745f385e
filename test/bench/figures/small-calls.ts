// CheckFileInfo, Lock and Unlock, and a complete edit, by several workers with a file each.

import { warmMemory, createBodySource, MiB, type BodySource } from '../bodies.ts';
import { atLeast, atMost, type Contender, type Figure, type Floor } from '../compare.ts';
import { bareHostName, sizes, workerNames, type Arena, type Side, type Sides } from '../hosts.ts';
import { takeTurn, type Connection } from '../client.ts';
import { checkFileInfo, getFile, lock, putFile, refreshLock, unlock, type WopiFile } from '../wopi-calls.ts';

const koaName = 'bare Koa, same JSON';
const turnMs = 75;
/** Lower than the results on a busy machine, so that a miss is a regression. */
const floors: Record<number, { info: Floor; lock: Floor; edit: Floor } | undefined> = {
  1: { info: atLeast(0.5), lock: atLeast(0.35), edit: atLeast(0.5) },
  16: { info: atLeast(0.6), lock: atLeast(1), edit: atLeast(0.7) },
};

const operations = {
  CheckFileInfo: { unit: 'calls', run: checkFileInfo },
  'Lock + Unlock': {
    unit: 'pairs',
    async run(connection: Connection, file: WopiFile) {
      await lock(connection, file);
      await unlock(connection, file);
    },
  },
  'edit cycle': {
    unit: 'cycles',
    async run(connection: Connection, file: WopiFile, body: BodySource) {
      await lock(connection, file);
      await checkFileInfo(connection, file);
      await getFile(connection, file);
      await putFile(connection, file, body.next());
      await refreshLock(connection, file);
      await unlock(connection, file);
    },
  },
} as const;
type Operation = keyof typeof operations;

/** The figures of these hosts, which are compared with the last one. */
export async function editingFigures(
  arena: Arena,
  sides: readonly Side[],
): Promise<(operation: Operation, concurrency: number) => Figure> {
  const opened = new Map<Side, WopiFile[]>();
  for (const side of sides) opened.set(side, await side.open(workerNames));
  const bodies = workerNames.map(() => createBodySource(sizes['100 KiB']));
  return (operation, concurrency) => {
    const { unit, run } = operations[operation];
    const isEdit = operation === 'edit cycle';
    return {
      name: `${operation}, concurrency ${concurrency}`,
      unit,
      contenders: sides.map((side) => ({
        name: side.name,
        pid: side.server.pid,
        ...(isEdit && { prepare: () => warmMemory(arena.scratch, 32 * MiB) }),
        turn: () =>
          takeTurn({
            address: side.server,
            concurrency,
            ms: isEdit ? 2 * turnMs : turnMs,
            operation: (connection, worker) =>
              run(connection, opened.get(side)?.[worker] as WopiFile, bodies[worker] as never),
          }),
      })),
      references: [{ name: sides.at(-1)?.name ?? '' }],
    };
  };
}

export async function* smallCalls(arena: Arena, sides: () => Promise<Sides>): AsyncGenerator<Figure> {
  const { subject, many, bare, koa } = await sides();
  const figureOf = await editingFigures(arena, [subject, many, bare]);
  for (const concurrency of [1, 8, 16, 64]) {
    const floor = floors[concurrency];
    const rounds = floor === undefined ? 3 : 5;
    const figure = (operation: Operation, own: Floor | undefined, beside?: Contender): Figure => {
      const { contenders, ...rest } = figureOf(operation, concurrency);
      const others = beside === undefined ? [] : [beside];
      const references = [{ name: bareHostName, floor: own }, ...others, ...manyReference(arena)];
      return { ...rest, rounds, contenders: [...contenders, ...others], references };
    };
    yield figure('edit cycle', floor?.edit);
    yield figure('Lock + Unlock', floor?.lock);
    yield figure('CheckFileInfo', floor?.info, {
      name: koaName,
      turn: () =>
        takeTurn({
          address: koa,
          concurrency,
          ms: turnMs,
          operation: (connection) => connection.expectOk({ method: 'GET', target: '/' }),
        }),
    });
  }
}

/** With many files, at most a tenth slower. */
export function manyReference({ manyName }: Arena, floor = atMost(1.1)): Figure['references'] {
  return [{ name: manyName, floor }];
}
