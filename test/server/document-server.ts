// A document server that only serves its discovery.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DocumentServer {
  url: string;
  /** Where its pages are, by default at its URL. They show which product it is. */
  pages: string;
  stop(): Promise<void>;
}

/** `actions`: as `extension name`. With `t`, it stops at the end of the test. */
export async function startDocumentServer(
  { actions = ['odt edit'], port = 0, pages = '' } = {},
  t?: { after(end: () => Promise<void>): void },
): Promise<DocumentServer> {
  const server = createServer((_request, response) => {
    const listed = actions.map((one) => {
      const [extension, name] = one.split(' ');
      const urlsrc = `${own.pages}/${name}?&lt;ui=UI_LLCC&amp;&gt;`;
      return `<action name="${name}" ext="${extension}" urlsrc="${urlsrc}"/>`;
    });
    response.setHeader('Content-Type', 'text/xml');
    response.end(
      `<wopi-discovery><net-zone name="external-http"><app name="Word">${listed.join('')}</app></net-zone></wopi-discovery>`,
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own: DocumentServer = {
    url,
    pages: pages === '' ? url : pages,
    async stop() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  t?.after(own.stop);
  return own;
}
