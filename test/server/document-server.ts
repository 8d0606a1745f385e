// A document server that only serves its discovery.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `actions`: what its discovery lists, as `extension name`. */
export async function startDocumentServer(
  t: { after(end: () => Promise<void>): void },
  actions: readonly string[] = ['odt edit'],
  port = 0,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    const listed = actions.map((one) => {
      const [extension, name] = one.split(' ');
      return `<action name="${name}" ext="${extension}" urlsrc="${url}/${name}?"/>`;
    });
    response.end(
      `<wopi-discovery><net-zone name="external-http"><app name="Word">${listed.join('')}</app></net-zone></wopi-discovery>`,
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  t.after(stop);
  return { url, stop };
}
