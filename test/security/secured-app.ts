// The built app for a security test, and a web server at another origin, which must get no requests.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDeskApp, type DeskApp } from '../e2e/desk-app.ts';
import { sharedInGroup } from '../group.ts';

export interface SecuredApp extends Pick<DeskApp, 'app' | 'page' | 'log' | 'dataDir' | 'close'> {
  /** The origin of a server that isn't the host: `http://127.0.0.1:…`. */
  otherOrigin: string;
  /** Method and path of every request to that server, in order. */
  requests: string[];
}

/** One app for all files of a process. Every file leaves one window with the app's page. */
export const startSecuredApp = sharedInGroup(async (): Promise<SecuredApp> => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const isRedirect = request.url === '/redirect';
    response.writeHead(isRedirect ? 302 : 200, {
      'Content-Type': 'text/html',
      'Access-Control-Allow-Origin': '*',
      ...(isRedirect && { Location: '/arrived' }),
    });
    response.end('<title>elsewhere</title>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const desk = await startDeskApp({ hasTray: false });
  return {
    app: desk.app,
    page: desk.page,
    log: desk.log,
    dataDir: desk.dataDir,
    otherOrigin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await desk.close();
    },
  };
});

/** Waits long enough for an unwanted request to arrive. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 300);
  });
}
