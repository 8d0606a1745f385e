// PutFile of 2 GiB and the memory it takes. In each round each host is started afresh, warmed by one PutFile of
// 200 MiB, its peak memory set back to what it holds then (proc(5), clear_refs), and sent 2 GiB.

import fs from 'node:fs';
import { join } from 'node:path';
import { bareHostName, hugeNames, putNames, sizes, type Arena } from '../arena.ts';
import { writeSyncRename } from '../bare-script.ts';
import { checkOnDisk, createBodySource, MiB } from '../bodies.ts';
import { atMost, behind, subjectName, verdictOf, type Figure, type Row } from '../figure.ts';
import { memoryOf, resetPeakMemory, type ServerProcess } from '../processes.ts';
import type { Contender } from '../rounds.ts';
import { createSide, type WopiFile } from '../sides.ts';
import { takeTurnHere, warmMemory } from '../turns.ts';
import { getFile, lock, putFile, unlock } from '../wopi-calls.ts';

export const hugeName = 'PutFile 2 GiB';
const scriptName = 'bare script: write, fsync, rename';
const hugeBytes = sizes['2 GiB'];
const units = hugeBytes / MiB;

interface Growth {
  /** The peak during the 2 GiB over what was resident just before: what the floor bounds. */
  bytes: number;
  peakBytes: number;
  /** The peak up to the end of the 200 MiB: what a larger document adds is the distance to this. */
  warmPeakBytes: number;
}
type Growths = Map<string, Growth[]>;

export interface HugePutFile {
  figure: Figure;
  /** The rows about memory, once the figure was taken. */
  memoryRows(): Row[];
}

export function hugePutFile(arena: Arena): HugePutFile {
  const growths: Growths = new Map();
  const { empty, many, bare } = arena.places;
  const host = (name: string, folder: string, start: () => Promise<ServerProcess>): Contender =>
    hostContender({ name, folder, start, scratch: arena.scratch, growths });
  const source = createBodySource(hugeBytes);
  const path = join(arena.scratch, 'huge');
  const script: Contender = {
    name: scriptName,
    prepare: () => warmMemory(arena.scratch, hugeBytes),
    async turn() {
      const work = takeTurnHere({ ms: 0, units, operation: () => writeSyncRename(path, source.next()) });
      fs.unlinkSync(path);
      return work;
    },
  };
  return {
    figure: {
      name: hugeName,
      unit: 'MiB',
      contenders: [
        host(subjectName, empty.folder, () => arena.startDocTray(empty)),
        host(arena.manyName, many.folder, () => arena.startDocTray(many)),
        host(bareHostName, bare.folder, () => arena.startBareHost(bare)),
        script,
      ],
      references: [{ name: bareHostName }, { name: scriptName }],
      plan: { rounds: hugeNames.length, passes: 1, isCold: true },
    },
    memoryRows: () => [subjectName, arena.manyName].map((name) => memoryRow(name, growths)),
  };
}

function hostContender(deps: {
  name: string;
  folder: string;
  start: () => Promise<ServerProcess>;
  scratch: string;
  growths: Growths;
}): Contender {
  const small = createBodySource(sizes['200 MiB']);
  const source = createBodySource(hugeBytes);
  let turns = 0;
  return {
    name: deps.name,
    async turn() {
      const server = await deps.start();
      try {
        const side = createSide(deps.name, server, deps.folder);
        // A document of its own for each save: this one is taken away again below.
        const names = [putNames['200 MiB'], hugeNames[turns % hugeNames.length] ?? hugeNames[0]];
        const [warm, huge] = (await side.open(names)) as [WopiFile, WopiFile];
        turns += 1;
        const first = await side.connect();
        await lock(first, warm);
        await getFile(first, warm);
        await putFile(first, warm, small.next());
        await unlock(first, warm);
        first.close();
        // Seconds long, while a kept connection would be closed by the server (keepAliveTimeout).
        warmMemory(deps.scratch, hugeBytes + 64 * MiB);
        const connection = await side.connect();
        await lock(connection, huge);
        await getFile(connection, huge);
        const warmed = memoryOf(server.pid);
        const isReset = resetPeakMemory(server.pid);
        const body = source.next();
        const startedAt = performance.now();
        await putFile(connection, huge, body);
        const ms = performance.now() - startedAt;
        const peakBytes = memoryOf(server.pid)?.peakBytes;
        if (isReset && warmed && peakBytes !== undefined) {
          const before = deps.growths.get(deps.name) ?? [];
          const growth = {
            bytes: peakBytes - warmed.residentBytes,
            peakBytes,
            warmPeakBytes: warmed.peakBytes,
          };
          deps.growths.set(deps.name, [...before, growth]);
        }
        await checkOnDisk(huge.diskPath, body);
        await unlock(connection, huge);
        connection.close();
        // Room on the disk and in the page cache for the next.
        fs.unlinkSync(huge.diskPath);
        return { units, ms };
      } finally {
        await server.stop();
      }
    },
  };
}

/** The largest of the rounds counts: the floor is a bound, not a ratio. */
function memoryRow(name: string, growths: Growths): Row {
  const floor = atMost(48);
  const about = {
    figure: `${hugeName}, memory over warm${behind(name)}`,
    reference: bareHostName,
    ratio: undefined,
    floor,
  };
  const own = worst(growths.get(name));
  const bare = worst(growths.get(bareHostName));
  if (!own) {
    const reason = 'not saved, or this system tells no peak memory that can be set back';
    return { ...about, value: '–', referenceValue: '–', verdict: 'not measured', note: reason };
  }
  const mib = (bytes: number): string => (bytes / MiB).toFixed(1);
  const told = (growth: Growth | undefined): string =>
    growth ? `${mib(growth.bytes)} MiB over, peak ${mib(growth.peakBytes)}` : '–';
  const each = (growths.get(name) ?? []).map(({ bytes }) => mib(bytes));
  return {
    ...about,
    value: told(own),
    referenceValue: told(bare),
    verdict: verdictOf(own.bytes / MiB, floor),
    note: `MiB; the most of ${each.join(', ')}; the 200 MiB save peaked at ${mib(own.warmPeakBytes)}`,
    numbers: { value: own.bytes / MiB, reference: (bare?.bytes ?? Number.NaN) / MiB, ratios: [] },
  };
}

function worst(growths: Growth[] = []): Growth | undefined {
  return growths.toSorted((a, b) => b.bytes - a.bytes)[0];
}
