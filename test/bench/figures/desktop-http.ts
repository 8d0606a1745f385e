// The HTTP figures of the desktop app, whose window shows the view that draws the most, compared with the terminal host:
// CheckFileInfo, Lock and Unlock, the edit cycle, and GetFile.
//
// Two things are measured: the calls per second, and the CPU time of the serving process per call. On a machine with few cores,
// Chromium draws the window on the same cores, which lowers the calls per second. The CPU time shows what the window costs the host
// itself. With the stand-in, it includes sending messages to the window as JSON over a pipe, which real Electron does more cheaply.

import { getNames, sizes, workerNames, type Arena } from '../arena.ts';
import { createBodySource, MiB } from '../bodies.ts';
import type { Connection } from '../client.ts';
import { atLeast, medianOf, subjectName, type Figure, type Row } from '../figure.ts';
import { median, type Contender, type Work } from '../rounds.ts';
import type { Side, WopiFile } from '../sides.ts';
import { takeTurn, warmMemory } from '../turns.ts';
import { checkFileInfo, getFile, lock, putFile, refreshLock, unlock } from '../wopi-calls.ts';
import { countOf, used } from './desktop-counters.ts';

export const terminalName = 'terminal host';
const floor = atLeast(0.9);
const turnMs = 75;
const cycleMs = 150;

type Operation = (connection: Connection, file: WopiFile, worker: number) => Promise<unknown>;

export interface DesktopHttpFigure {
  figure: Figure;
  /** Available once the figure was measured. */
  cpuRow(): Row;
}

export async function desktopHttpFigures(deps: {
  arena: Arena;
  /** DocTray's app, with the subject's name, and the terminal host. */
  sides: [Side, Side];
  view: string;
}): Promise<DesktopHttpFigure[]> {
  const { arena, sides, view } = deps;
  const bodies = workerNames.map(() => createBodySource(sizes['100 KiB']));
  const opened = new Map<Side, WopiFile[]>();
  const toGet = new Map<Side, Map<string, WopiFile>>();
  for (const side of sides) {
    opened.set(side, await side.open(workerNames));
    const files = await side.open(Object.values(getNames));
    toGet.set(side, new Map(Object.keys(getNames).map((size, at) => [size, files[at] as WopiFile])));
  }

  const figure = (about: {
    name: string;
    unit: string;
    units?: number;
    concurrency?: number;
    ms: number;
    fileOf: (side: Side, worker: number) => WopiFile;
    operation: Operation;
    prepare?: () => void;
  }): DesktopHttpFigure => {
    const { concurrency = 1, ms, units = 1, fileOf, operation, prepare } = about;
    const costs = new Map<string, number[]>();
    const contenders = sides.map((side): Contender => {
      const turn = (): Promise<Work> =>
        takeTurn({
          address: side.server,
          concurrency,
          ms,
          units,
          operation: (connection, worker) => operation(connection, fileOf(side, worker), worker),
        });
      return {
        name: side.name,
        ...(prepare !== undefined && { prepare }),
        async turn() {
          const before = countOf(side.server.pid);
          const work = await turn();
          const { cpuMs } = used(before, countOf(side.server.pid));
          costs.set(side.name, [...(costs.get(side.name) ?? []), cpuMs / work.units]);
          return work;
        },
      };
    });
    const name = `desktop: ${about.name}, ${view} shown`;
    return {
      figure: {
        name,
        unit: about.unit,
        plan: { rounds: medianOf, passes: 4 },
        contenders,
        references: [{ name: terminalName, floor }],
      },
      cpuRow: () => cpuRow(name, about.unit, costs),
    };
  };

  const ofWorker = (side: Side, worker: number): WopiFile => opened.get(side)?.[worker] as WopiFile;
  const editCycle: Operation = async (connection, file, worker) => {
    await lock(connection, file);
    await checkFileInfo(connection, file);
    await getFile(connection, file);
    await putFile(connection, file, (bodies[worker] as (typeof bodies)[number]).next());
    await refreshLock(connection, file);
    await unlock(connection, file);
  };
  const small = [1, 16].flatMap((concurrency) => [
    figure({
      name: `CheckFileInfo, concurrency ${concurrency}`,
      unit: 'calls',
      concurrency,
      ms: turnMs,
      fileOf: ofWorker,
      operation: (connection, file) => checkFileInfo(connection, file),
    }),
    figure({
      name: `Lock + Unlock, concurrency ${concurrency}`,
      unit: 'pairs',
      concurrency,
      ms: turnMs,
      fileOf: ofWorker,
      operation: async (connection, file) => {
        await lock(connection, file);
        await unlock(connection, file);
      },
    }),
    figure({
      name: `edit cycle, concurrency ${concurrency}`,
      unit: 'cycles',
      concurrency,
      ms: cycleMs,
      fileOf: ofWorker,
      operation: editCycle,
      prepare: () => warmMemory(arena.scratch, 32 * MiB),
    }),
  ]);
  const large = (['100 KiB', '10 MiB', '200 MiB'] as const).map((size) =>
    figure({
      name: `GetFile ${size}`,
      unit: 'MiB',
      units: sizes[size] / MiB,
      ms: size === '200 MiB' ? 0 : turnMs,
      fileOf: (side) => toGet.get(side)?.get(size) as WopiFile,
      operation: (connection, file) => getFile(connection, file),
    }),
  );
  return [...small, ...large];
}

function cpuRow(name: string, unit: string, costs: Map<string, number[]>): Row {
  const own = costs.get(subjectName) ?? [];
  const other = costs.get(terminalName) ?? [];
  const ratios = own.map((cost, turn) => cost / (other[turn] ?? Number.NaN)).filter(Number.isFinite);
  const [value, reference] = [median(own), median(other)];
  const each = unit === 'MiB' ? 'MiB' : unit.slice(0, -1);
  const format = (ms: number): string => `${ms.toPrecision(3)} ms/${each}`;
  const isMeasured = Number.isFinite(value) && Number.isFinite(reference);
  return {
    figure: `${name}, CPU of the serving process`,
    value: isMeasured ? format(value) : '–',
    reference: terminalName,
    referenceValue: isMeasured ? format(reference) : '–',
    ratio: isMeasured ? median(ratios) : undefined,
    floor: undefined,
    verdict: isMeasured ? 'no floor' : 'not measured',
    numbers: { value, reference, ratios },
  };
}
