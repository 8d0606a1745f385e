// GetFile of 100 KiB, 10 MiB and 200 MiB, compared with a node:http server that sends the file in large chunks, and one that pipes it.

import { takeTurn } from '../client.ts';
import { join } from 'node:path';
import { MiB } from '../bodies.ts';
import { atLeast, atMost, type Contender, type Figure, type Floor } from '../compare.ts';
import { getNames, sizes, type Arena, type Side, type Sides } from '../hosts.ts';
import { getFile, type WopiFile } from '../wopi-calls.ts';
import { manyReference } from './small-calls.ts';

type Size = keyof typeof getNames;

const pipeName = 'node:http, piping';
const chunksName = 'node:http, in large chunks';
const plans: Record<Size, { clients: number; floor: Floor; processorFloor?: Floor }> = {
  '200 MiB': { clients: 1, floor: atLeast(0.85) },
  '100 KiB': { clients: 1, floor: atLeast(0.6) },
  '10 MiB': { clients: 4, floor: atLeast(0.85), processorFloor: atMost(1.2) },
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
  for (const size of ['200 MiB', '100 KiB', '10 MiB'] as const) {
    const { clients, ...floors } = plans[size];
    const path = encodeURIComponent(join(arena.places.empty.folder, getNames[size]));
    const send = (name: string, way: string): Contender => ({
      name,
      pid: sender.pid,
      turn: () =>
        takeTurn({
          address: sender,
          ...loadOf(size),
          operation: (connection) => connection.expectOk({ method: 'GET', target: `/${way}?path=${path}` }),
        }),
    });
    yield {
      name: `GetFile ${size}${clients === 1 ? '' : `, concurrency ${clients}`}`,
      unit: 'MiB',
      contenders: [
        await getContender(subject, size),
        await getContender(many, size),
        send(chunksName, 'chunks'),
        send(pipeName, 'pipe'),
      ],
      references: [{ name: chunksName, ...floors }, { name: pipeName }, ...manyReference(arena)],
    };
  }
}
