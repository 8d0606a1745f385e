// GetFile of 100 KiB, 10 MiB and 200 MiB, compared with the fastest way in which node:http can send the file on this machine, which
// is determined first, and with node:http piping it.

import { join } from 'node:path';
import { MiB } from '../bodies.ts';
import { atLeast, atMost, type Contender, type Figure, type Floor } from '../compare.ts';
import { getNames, sizes, type Arena, type Side, type Sides, type WopiFile } from '../hosts.ts';
import { takeTurn } from '../turns.ts';
import { getFile } from '../wopi-calls.ts';
import { manyReference } from './small-calls.ts';

type Size = keyof typeof getNames;

const pipeName = 'node:http, piping';
const loops = ['stream', 'loop-256k', 'loop-1m'];
const plans: Record<Size, { ways: string[]; clients: number; floor: Floor; processorFloor?: Floor }> = {
  '200 MiB': { ways: loops, clients: 1, floor: atLeast(0.85) },
  '100 KiB': { ways: ['whole'], clients: 1, floor: atLeast(0.6) },
  '10 MiB': { ways: loops, clients: 4, floor: atLeast(0.85), processorFloor: atMost(1.2) },
};

/** One size from one host. */
export async function getContender(side: Side, size: Size): Promise<Contender> {
  const [file] = (await side.open([getNames[size]])) as [WopiFile];
  const operation: Parameters<typeof takeTurn>[0]['operation'] = (connection) => getFile(connection, file);
  const { name, server } = side;
  return { name, pid: server.pid, turn: () => takeTurn({ address: server, ...loadOf(size), operation }) };
}

function loadOf(size: Size): { concurrency: number; ms: number; units: number } {
  return { concurrency: plans[size].clients, ms: size === '200 MiB' ? 0 : 75, units: sizes[size] / MiB };
}

export async function* getFileFigures(arena: Arena, sides: () => Promise<Sides>): AsyncGenerator<Figure> {
  const { subject, many, sender } = await sides();
  for (const [size, { ways, clients, ...floors }] of Object.entries(plans) as [
    Size,
    (typeof plans)[Size],
  ][]) {
    const path = encodeURIComponent(join(arena.places.empty.folder, getNames[size]));
    const send = (way: string): Contender => ({
      name: way === 'pipe' ? pipeName : `node:http, fastest (${way})`,
      pid: sender.pid,
      turn: () =>
        takeTurn({
          address: sender,
          ...loadOf(size),
          operation: (connection) => connection.expectOk({ method: 'GET', target: `/${way}?path=${path}` }),
        }),
    });
    const fastest = send(await fastestWay(ways, send));
    yield {
      name: `GetFile ${size}${clients === 1 ? '' : `, concurrency ${clients}`}`,
      unit: 'MiB',
      contenders: [await getContender(subject, size), await getContender(many, size), fastest, send('pipe')],
      references: [{ name: fastest.name, ...floors }, { name: pipeName }, ...manyReference(arena)],
    };
  }
}

/** Tries each three times. */
async function fastestWay(ways: string[], send: (way: string) => Contender): Promise<string> {
  let best = { way: ways[0] ?? 'whole', rate: 0 };
  for (const way of [...ways, ...ways, ...ways]) {
    const { units, ms } = await send(way).turn();
    if (units / ms > best.rate) best = { way, rate: units / ms };
  }
  return best.way;
}
