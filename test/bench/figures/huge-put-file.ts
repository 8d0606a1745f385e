// PutFile of 2 GiB and its memory. In each round, each host is restarted and warmed up with a PutFile of 200 MiB, its peak memory is
// reset (proc(5), clear_refs), and it gets a PutFile of 2 GiB.

import fs from 'node:fs';
import { join } from 'node:path';
import { bareHostName, hugeNames, putNames, sizes, type Arena } from '../arena.ts';
import { writeSyncRename } from '../bare-script.ts';
import { checkOnDisk, createBodySource, MiB } from '../bodies.ts';
import { atMost, suffixOf, subjectName, verdictOf, type Figure, type Row } from '../figure.ts';
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
  /** How much the peak during the 2 GiB exceeds the resident memory before. The floor is for this. */
  bytes: number;
  peakBytes: number;
  /** The peak until the end of the 200 MiB, to see how much a larger document adds. */
  warmPeakBytes: number;
}
type Growths = Map<string, Growth[]>;

export interface HugePutFile {
  figure: Figure;
  /** The rows about memory. Available once the figure was measured. */
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
        // Each save needs another document, because it is deleted below.
        const names = [putNames['200 MiB'], hugeNames[turns % hugeNames.length] ?? hugeNames[0]];
        const [warm, huge] = (await side.open(names)) as [WopiFile, WopiFile];
        turns += 1;
        const first = await side.connect();
        await lock(first, warm);
        await getFile(first, warm);
        await putFile(first, warm, small.next());
        await unlock(first, warm);
        first.close();
        // This takes seconds, after which the server would close an open connection (keepAliveTimeout).
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
        // Frees disk space and page cache for the next one.
        fs.unlinkSync(huge.diskPath);
        return { units, ms };
      } finally {
        await server.stop();
      }
    },
  };
}

/** Uses the largest of the rounds, because the floor is an absolute limit. */
function memoryRow(name: string, growths: Growths): Row {
  const floor = atMost(48);
  const about = {
    figure: `${hugeName}, memory over warm${suffixOf(name)}`,
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
  const format = (growth: Growth | undefined): string =>
    growth ? `${mib(growth.bytes)} MiB over, peak ${mib(growth.peakBytes)}` : '–';
  const each = (growths.get(name) ?? []).map(({ bytes }) => mib(bytes));
  return {
    ...about,
    value: format(own),
    referenceValue: format(bare),
    verdict: verdictOf(own.bytes / MiB, floor),
    note: `MiB; the most of ${each.join(', ')}; the 200 MiB save peaked at ${mib(own.warmPeakBytes)}`,
    numbers: { value: own.bytes / MiB, reference: (bare?.bytes ?? Number.NaN) / MiB, ratios: [] },
  };
}

function worst(growths: Growth[] = []): Growth | undefined {
  return growths.toSorted((a, b) => b.bytes - a.bytes)[0];
}
