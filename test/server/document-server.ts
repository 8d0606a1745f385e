// A document server that only serves its discovery, and what a test answers to a POST to one of its pages.

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DocumentServer {
  url: string;
  port: number;
  /** Where its pages are, by default at its URL. They show which product it is. */
  pages: string;
  hasDiscovery: boolean;
  stop(): Promise<void>;
}

interface Options {
  /** As `extension name`. */
  actions?: readonly string[];
  port?: number;
  pages?: string | undefined;
  onPost?: RequestListener;
}

/** With `t`, it stops at the end of the test. */
export async function startDocumentServer(
  { actions = ['odt edit'], port: wantedPort = 0, pages, onPost }: Options = {},
  t?: { after(end: () => Promise<void>): void },
): Promise<DocumentServer> {
  const server = createServer((request, response) => {
    if (onPost !== undefined && request.method === 'POST') return onPost(request, response);
    if (!own.hasDiscovery || request.url !== '/hosting/discovery') return response.writeHead(404).end();
    const listed = actions.map((one) => {
      const [extension, name] = one.split(' ');
      const urlsrc = `${own.pages}/${name}?&lt;ui=UI_LLCC&amp;&gt;`;
      return `<action name="${name}" ext="${extension}" urlsrc="${urlsrc}"/>`;
    });
    response.setHeader('Content-Type', 'text/xml');
    return response.end(
      `<wopi-discovery><net-zone name="external-http"><app name="Word">${listed.join('')}</app></net-zone></wopi-discovery>`,
    );
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const own: DocumentServer = {
    url,
    port,
    pages: pages ?? url,
    hasDiscovery: true,
    async stop() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  t?.after(own.stop);
  return own;
}
