// A port of this computer that nobody listens on. It may be taken a moment later; who uses it must be ready for that.

import { createServer } from 'node:net';
import { errorCode } from '../contract/errors.ts';

/** The first of these that is free on both loopback addresses, since `localhost` may stand for either. */
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
      // A computer without IPv6 has nobody there.
      resolve(host === '::1' && errorCode(error) !== 'EADDRINUSE');
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
