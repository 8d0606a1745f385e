// Ports for hosts that must use the same one after a restart.

import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range from which systems assign ports to connections and to port 0, so that no other test gets them. */
const range = { first: 10_240, last: 30_000 };

/** The first of `count` ports in a row that are free on both loopback addresses. */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = range.first + Math.floor(Math.random() * (range.last - range.first));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer();
    try {
      server.listen(port, host);
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      return false;
    } finally {
      server.close();
    }
  }
  return true;
}
