// A thousand open documents: each lock is refreshed every ten minutes, and each document is edited every 30 s, over a few connections,
// as by a document server. DocTray and the bare host have the same traffic at the same time.

import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareHostName, sizes, type Arena } from '../arena.ts';
import { createBodySource, MiB, type BodySource } from '../bodies.ts';
import type { Connection } from '../client.ts';
import { subjectName, type Row } from '../figure.ts';
import { memoryOf, processorMsOf } from '../processes.ts';
import { createSide, type Side, type WopiFile } from '../sides.ts';
import { checkFileInfo, getFile, lock, putFile, refreshLock } from '../wopi-calls.ts';

export const manyOpenName = '1,000 open documents';
const names = Array.from({ length: 1000 }, (_, index) => `open-${index}.docx`);
const connectionCount = 16;
const editEveryMs = 30_000;
const refreshEveryMs = 600_000;

const calls = { CheckFileInfo: checkFileInfo, GetFile: getFile, Lock: lock, RefreshLock: refreshLock };
type Name = keyof typeof calls | 'PutFile';

interface Taken {
  /** By call, in order. */
  latenciesMs: Record<Name, number[]>;
  /** Relative to one processor core. */
  processorShare: number;
  residentMiB: number;
}

export async function manyOpen(arena: Arena, seconds: number): Promise<Row[]> {
  const { empty, bare } = arena.places;
  const sides = [
    createSide(subjectName, await arena.startDocTray(empty), empty.folder),
    createSide(bareHostName, await arena.startBareHost(bare), bare.folder),
  ];
  const [own, other] = (await Promise.all(sides.map((side) => take(side, seconds * 1000)))) as [Taken, Taken];
  const row = (what: string, unit: string, read: (taken: Taken) => number): Row => ({
    figure: `${manyOpenName}: ${what}`,
    value: `${read(own).toPrecision(3)} ${unit}`,
    reference: bareHostName,
    referenceValue: `${read(other).toPrecision(3)} ${unit}`,
    ratio: read(own) / read(other),
    floor: undefined,
    verdict: 'no floor',
  });
  const latencies = (Object.keys(own.latenciesMs) as Name[]).flatMap((name) =>
    [50, 99].map((share) =>
      row(`${name} p${share}`, 'ms', (taken) => percentile(taken.latenciesMs[name], share)),
    ),
  );
  return [
    ...latencies,
    row('processor', '%', ({ processorShare }) => processorShare * 100),
    row('memory', 'MiB', ({ residentMiB }) => residentMiB),
  ];
}

async function take(side: Side, forMs: number): Promise<Taken> {
  const source = createBodySource(sizes['100 KiB']);
  for (const name of names) fs.writeFileSync(join(side.folder, name), source.next().chunk(0));
  const files = await side.open(names);
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => side.connect()));
  const latenciesMs: Taken['latenciesMs'] = {
    CheckFileInfo: [],
    GetFile: [],
    Lock: [],
    RefreshLock: [],
    PutFile: [],
  };
  const [first] = connections as [Connection];
  for (const file of files) await lock(first, file);

  const { pid } = side.server;
  const spentMs = processorMsOf(pid) ?? Number.NaN;
  const startedAt = performance.now();
  await Promise.all(
    connections.map((connection, worker) =>
      work({
        connection,
        files: files.filter((_, index) => index % connectionCount === worker),
        source: createBodySource(sizes['100 KiB']),
        startedAt,
        forMs,
        note: (name, ms) => latenciesMs[name].push(ms),
      }),
    ),
  );
  const ms = performance.now() - startedAt;
  for (const connection of connections) connection.close();
  return {
    latenciesMs,
    processorShare: ((processorMsOf(pid) ?? Number.NaN) - spentMs) / ms,
    residentMiB: (memoryOf(pid)?.residentBytes ?? Number.NaN) / MiB,
  };
}

/** Makes the calls of one connection, evenly distributed over the time. */
async function work(options: {
  connection: Connection;
  files: WopiFile[];
  source: BodySource;
  startedAt: number;
  forMs: number;
  note: (name: Name, ms: number) => void;
}): Promise<void> {
  const { connection, files, source, startedAt, forMs, note } = options;
  const timed = async (name: Name, call: () => Promise<unknown>): Promise<void> => {
    const from = performance.now();
    await call();
    note(name, performance.now() - from);
  };
  const edit = async (file: WopiFile): Promise<void> => {
    for (const name of ['Lock', 'CheckFileInfo', 'GetFile'] as const) {
      await timed(name, () => calls[name](connection, file));
    }
    await timed('PutFile', () => putFile(connection, file, source.next()));
  };
  const due = files.flatMap((file, index) => {
    const part = index / files.length;
    const times = (everyMs: number, run: () => Promise<void>) =>
      Array.from({ length: Math.ceil(forMs / everyMs) }, (_, turn) => ({
        atMs: (turn + part) * everyMs,
        run,
      }));
    return [
      ...times(editEveryMs, () => edit(file)),
      ...times(refreshEveryMs, () => timed('RefreshLock', () => refreshLock(connection, file))),
    ];
  });
  for (const { atMs, run } of due.toSorted((left, right) => left.atMs - right.atMs)) {
    if (atMs > forMs) return;
    await sleep(Math.max(0, startedAt + atMs - performance.now()));
    await run();
  }
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? Number.NaN;
}
