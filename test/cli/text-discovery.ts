// A document server with nothing but a discovery, which offers to edit Markdown and Word documents.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startTextDiscovery(): Promise<Server> {
  const server = createServer((_request, response) => {
    const action = (extension: string) =>
      `<action name="edit" ext="${extension}" urlsrc="${urlOf(server)}/edit?"/>`;
    response.end(
      `<wopi-discovery><net-zone name="external-http"><app name="Text">${action('md')}${action('docx')}</app></net-zone></wopi-discovery>`,
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

export function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
}
