// Document servers with nothing but a discovery.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

function discovery(action: (name: string, extension: string) => string, actions: [string, string][]): string {
  const all = actions.map(([name, extension]) => action(name, extension)).join('');
  return `<wopi-discovery><net-zone name="external-http"><app name="Word">${all}</app></net-zone></wopi-discovery>`;
}

/**
 * Answers a request for ONLYOFFICE's discovery, which opens Word documents, with its actions at `url`; every request but a POST to
 * those isn't found. @returns false for such a POST
 */
export function answerDiscovery(request: IncomingMessage, response: ServerResponse, url: string): boolean {
  if (request.method === 'POST' && request.url?.startsWith('/hosting/wopi/') === true) return false;
  const action = (name: string, extension: string) =>
    `<action name="${name}" ext="${extension}" urlsrc="${url}/hosting/wopi/word/${name}?&lt;ui=UI_LLCC&amp;&gt;"/>`;
  if (request.url !== '/hosting/discovery') response.writeHead(404).end();
  else
    response.end(
      discovery(action, [
        ['view', 'docx'],
        ['edit', 'docx'],
      ]),
    );
  return true;
}

/** Offers to edit Markdown and Word documents. */
export async function startTextDiscovery(): Promise<Server> {
  const server = createServer((_request, response) => {
    const action = (name: string, extension: string) =>
      `<action name="${name}" ext="${extension}" urlsrc="${urlOf(server)}/edit?"/>`;
    response.end(
      discovery(action, [
        ['edit', 'md'],
        ['edit', 'docx'],
      ]),
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
