// Finds a free port of this computer. It may be taken a moment later; callers must handle that.

import { createServer } from 'node:net';
import { errorCode } from '../contract/errors.ts';

/** The first of these that is free on both loopback addresses, since `localhost` may resolve to either. */
export async function firstFreePort(ports: readonly number[]): Promise<number | undefined> {
  for (const port of ports) {
    // oxlint-disable-next-line no-await-in-loop
    const areFree = await Promise.all([isFree('127.0.0.1', port), isFree('::1', port)]);
    if (areFree.every(Boolean)) return port;
  }
  return undefined;
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => {
      // Without IPv6, nothing listens there.
      resolve(host === '::1' && errorCode(error) !== 'EADDRINUSE');
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
