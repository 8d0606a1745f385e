import { createServer, type AddressInfo } from 'node:net';

/** For a host and its text editor, which have the same ports after a restart. */
export async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()];
  const ports: number[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ports.push((server.address() as AddressInfo).port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => void server.close(resolve))));
  const [first = 0, second = 0] = ports;
  return [first, second];
}
