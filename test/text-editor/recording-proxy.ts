// A proxy between the browser and a host's text editor, at an origin of its own: records the page's calls, so that a test can count
// saves, and can delay them. Everything is forwarded unchanged.

import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedCall {
  /** X-WOPI-Override: `PUT`, `LOCK` …; `CHECK_FILE_INFO` and `GET_FILE` for the two calls without it. */
  operation: string;
  fileId: string;
  /** 0 until there is a response. */
  status: number;
  headers: IncomingHttpHeaders;
  atMs: number;
}

export interface RecordingProxy {
  url: string;
  calls: RecordedCall[];
  /** Requests that the page should never make. */
  strange: string[];
  /** Delays a call, so that a test can act before it is forwarded. */
  delay: (operation: string) => Promise<void> | undefined;
  /** Makes the address's origin the target of this proxy, and returns the address at the proxy's origin. */
  follow(address: string): string;
  /** The address of the pages from `show`, at an origin of their own. */
  startUrl: string;
  /** Returns the address of this page, which is shown once. */
  show(html: string): string;
  close(): Promise<void>;
}

const ownPaths = /^\/(?:edit|view|assets\/[\w.-]+|favicon\.ico)$/;
const callPath = /^\/wopi\/files\/([\w-]+)(\/contents)?$/;

/** A page at the proxy's origin without a script. */
export const elsewherePath = '/elsewhere';

function answerWithPage(response: ServerResponse, html: string | undefined): void {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(html === undefined ? 404 : 200, headers).end(html);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

async function end(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  let origin = '';

  const record = (request: IncomingMessage): RecordedCall | undefined => {
    const { pathname } = new URL(request.url ?? '/', proxy.url);
    const call = callPath.exec(pathname);
    if (call === null) {
      if (!ownPaths.test(pathname)) proxy.strange.push(`${request.method} ${pathname}`);
      return undefined;
    }
    const [, fileId = '', contents] = call;
    const operation = request.headers['x-wopi-override'] ?? (contents ? 'GET_FILE' : 'CHECK_FILE_INFO');
    return { operation: String(operation), fileId, status: 0, headers: request.headers, atMs: Date.now() };
  };

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = record(request);
    if (call !== undefined) {
      proxy.calls.push(call);
      await proxy.delay(call.operation);
    }
    const { method, headers } = request;
    const onward = httpRequest(new URL(request.url ?? '/', origin), { method, headers, agent: false });
    onward.once('response', (answer) => {
      if (call !== undefined) call.status = answer.statusCode ?? 0;
      if (answer.statusCode === 404 && call === undefined) proxy.strange.push(`no ${request.url}`);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    // As without the proxy, the browser gets no response.
    onward.on('error', () => response.destroy());
    response.once('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    request.pipe(onward);
  };

  const server = createServer((request, response) => {
    if (request.url === elsewherePath) answerWithPage(response, '<p>');
    else pass(request, response).catch(() => response.destroy());
  });
  let shown = 0;
  const starts = new Map<string, string>();
  const startServer = createServer((request, response) => {
    const path = request.url ?? '';
    answerWithPage(response, starts.get(path));
    starts.delete(path);
  });
  const startUrl = await listen(startServer);
  const proxy: RecordingProxy = {
    // Like the text editor's own origin for host pages at 127.0.0.1.
    url: await listen(server),
    calls: [],
    strange: [],
    delay: () => undefined,
    follow(address) {
      const { origin: found, pathname, search } = new URL(address);
      origin = found;
      return proxy.url + pathname + search;
    },
    startUrl,
    show(html) {
      shown += 1;
      const path = `/${shown}`;
      starts.set(path, html);
      return startUrl + path;
    },
    close: async () => {
      await Promise.all([server, startServer].map(end));
    },
  };
  return proxy;
}
