// A turn repeats an operation for some time with one or more workers, each on its own connection.

import fs from 'node:fs';
import { join } from 'node:path';
import { MiB } from './bodies.ts';
import { connect, type Connection } from './client.ts';
import type { Work } from './compare.ts';

export interface Loop {
  address: { host: string; port: number };
  concurrency?: number;
  /** The duration; 0 runs the operation once. */
  ms: number;
  /** The units of one operation. */
  units?: number;
  operation: (connection: Connection, worker: number) => Promise<unknown>;
}

/** Connecting isn't measured. Workers finish their running operation, and the time ends with the last one. */
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

/**
 * Fills page cache and frees it again. A virtual machine returns free memory to its host, and then the first access to a page costs
 * more than writing it. Without this, a contender that gets recently freed memory would have an advantage that hides the difference
 * between them.
 */
export function warmMemory(folder: string, bytes: number): void {
  const path = join(folder, 'scratch');
  const chunk = Buffer.alloc(MiB, 1);
  const descriptor = fs.openSync(path, 'w');
  for (let written = 0; written < bytes; written += chunk.length) fs.writeSync(descriptor, chunk);
  fs.closeSync(descriptor);
  fs.unlinkSync(path);
}
