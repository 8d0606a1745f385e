// Turns: an operation done over and over for a while by one worker or sixteen, each on its own connection.

import fs from 'node:fs';
import { join } from 'node:path';
import { MiB } from './bodies.ts';
import { connect, type Connection } from './client.ts';
import type { Work } from './rounds.ts';

export interface Loop {
  address: { host: string; port: number };
  concurrency?: number;
  /** How long; 0 does the operation once. */
  ms: number;
  /** What one operation counts for. */
  units?: number;
  operation: (connection: Connection, worker: number) => Promise<unknown>;
}

/** Connecting is outside the time; a worker ends its running operation, and the time ends with the last worker. */
export async function takeTurn({ address, concurrency = 1, ms, units = 1, operation }: Loop): Promise<Work> {
  const connections = await Promise.all(Array.from({ length: concurrency }, () => connect(address)));
  try {
    let count = 0;
    const startedAt = performance.now();
    await Promise.all(
      connections.map(async (connection, worker) => {
        do {
          await operation(connection, worker);
          count += 1;
        } while (performance.now() - startedAt < ms);
      }),
    );
    return { units: count * units, ms: performance.now() - startedAt };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** The same without a server: the operation is done in this process. */
export function takeTurnHere({
  ms,
  units = 1,
  operation,
}: {
  ms: number;
  units?: number;
  operation: () => void;
}): Work {
  let count = 0;
  const startedAt = performance.now();
  do {
    operation();
    count += 1;
  } while (performance.now() - startedAt < ms);
  return { units: count * units, ms: performance.now() - startedAt };
}

/**
 * Fills that much page cache and frees it again. A virtual machine hands free memory back to its host, and the first
 * touch of a page then costs more than writing it: without this, who saves 200 MiB into fresh memory loses to who
 * saves into memory just freed by another, and everybody's difference drowns.
 */
export function warmMemory(folder: string, bytes: number): void {
  const path = join(folder, 'scratch');
  const chunk = Buffer.alloc(MiB, 1);
  const descriptor = fs.openSync(path, 'w');
  for (let written = 0; written < bytes; written += chunk.length) fs.writeSync(descriptor, chunk);
  fs.closeSync(descriptor);
  fs.unlinkSync(path);
}
