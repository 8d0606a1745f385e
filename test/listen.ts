import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  /** `http://127.0.0.1:…` */
  url: string;
  close(): Promise<void>;
}

/** A web server of a test, on a free port. */
export async function listen(listener: RequestListener): Promise<Site> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
