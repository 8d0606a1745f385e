// The built app for a security test, and a web server at another origin, which must get no requests.

import { startDeskApp } from '../e2e/desk-app.ts';
import { sharedInGroup } from '../group.ts';
import { listen } from '../listen.ts';

export type SecuredApp = Awaited<ReturnType<typeof startSecuredApp>>;

/** One app for all files of a process. Every file leaves one window with the app's page. */
export const startSecuredApp = sharedInGroup(async () => {
  const requests: string[] = [];
  const elsewhere = await listen((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const isRedirect = request.url === '/redirect';
    response.writeHead(isRedirect ? 302 : 200, {
      'Content-Type': 'text/html',
      'Access-Control-Allow-Origin': '*',
      ...(isRedirect && { Location: '/arrived' }),
    });
    response.end('<title>elsewhere</title>');
  });
  const desk = await startDeskApp({ hasTray: false });
  return {
    app: desk.app,
    page: desk.page,
    log: desk.log,
    dataDir: desk.dataDir,
    /** The origin of a server that isn't the host: `http://127.0.0.1:…`. */
    otherOrigin: elsewhere.url,
    /** Method and path of every request to that server, in order. */
    requests,
    async close(): Promise<void> {
      await elsewhere.close();
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
