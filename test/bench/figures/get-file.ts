// GetFile of 100 KiB, 10 MiB and 200 MiB, compared with the fastest way in which node:http can send the file on this machine, which
// is determined first, and with node:http piping it.

import { join } from 'node:path';
import { getNames, sizes, type Arena, type Sides } from '../arena.ts';
import { MiB } from '../bodies.ts';
import { atLeast, atMost, medianOf, type Figure, type Floor } from '../figure.ts';
import type { Contender } from '../rounds.ts';
import type { WopiFile } from '../sides.ts';
import { takeTurn } from '../turns.ts';
import { getFile } from '../wopi-calls.ts';

type Size = keyof typeof getNames;

const pipeName = 'node:http, piping';
const turnMs = 75;
const ways: Record<Size, string[]> = {
  '100 KiB': ['whole'],
  '10 MiB': ['stream', 'loop-256k', 'loop-1m'],
  '200 MiB': ['stream', 'loop-256k', 'loop-1m'],
};
const clients: Partial<Record<Size, number>> = { '10 MiB': 4 };
const floors: Record<Size, { floor: Floor; processorFloor?: Floor }> = {
  '100 KiB': { floor: atLeast(0.6) },
  '10 MiB': { floor: atLeast(0.85), processorFloor: atMost(1.2) },
  '200 MiB': { floor: atLeast(0.85) },
};

export async function getFileFigures(arena: Arena, sides: Sides): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of ['200 MiB', '100 KiB', '10 MiB'] as const) {
    const units = sizes[size] / MiB;
    const ms = size === '200 MiB' ? 0 : turnMs;
    const concurrency = clients[size] ?? 1;
    const send = (way: string): Contender => ({
      name: way === 'pipe' ? pipeName : `node:http, fastest (${way})`,
      pid: sides.sender.pid,
      turn: () =>
        takeTurn({
          address: sides.sender,
          concurrency,
          ms,
          units,
          operation: (connection) =>
            connection.expectOk({
              method: 'GET',
              target: `/${way}?path=${encodeURIComponent(join(arena.places.empty.folder, getNames[size]))}`,
            }),
        }),
    });
    const fastest = send(await fastestWay(ways[size], send));
    const hosts: Contender[] = [];
    for (const side of [sides.subject, sides.many]) {
      const [file] = (await side.open([getNames[size]])) as [WopiFile];
      hosts.push({
        name: side.name,
        pid: side.server.pid,
        turn: () =>
          takeTurn({
            address: side.server,
            concurrency,
            ms,
            units,
            operation: (connection) => getFile(connection, file),
          }),
      });
    }
    figures.push({
      name: `GetFile ${size}${concurrency === 1 ? '' : `, concurrency ${concurrency}`}`,
      unit: 'MiB',
      plan: { rounds: medianOf, passes: 4 },
      contenders: [...hosts, fastest, send('pipe')],
      references: [{ name: fastest.name, ...floors[size] }, { name: pipeName }],
    });
  }
  return figures;
}

/** Tries each three times. */
async function fastestWay(candidates: string[], send: (way: string) => Contender): Promise<string> {
  let best = { way: candidates[0] ?? 'whole', rate: 0 };
  if (candidates.length === 1) return best.way;
  for (const way of [...candidates, ...candidates, ...candidates]) {
    const { units, ms } = await send(way).turn();
    if (units / ms > best.rate) best = { way, rate: units / ms };
  }
  return best.way;
}
