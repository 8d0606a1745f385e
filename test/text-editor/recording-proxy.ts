// Stands between the browser and a host's text editor, at an origin of its own: notes the calls of the page, so that a test can count
// saves, and can hold one up. Everything is passed on as it is.

import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedCall {
  /** `PUT`, `LOCK` …; `CHECK_FILE_INFO` and `GET_FILE` for the two without one. */
  operation: string;
  fileId: string;
  /** 0 until it was answered, and where it never was. */
  status: number;
  headers: IncomingHttpHeaders;
  atMs: number;
}

export interface RecordingProxy {
  url: string;
  calls: RecordedCall[];
  /** Requests for anything the page has no business with. */
  strange: string[];
  /** Waits before a call is passed on, so that a test can act in between. */
  delay: (operation: string) => Promise<void> | undefined;
  /** The same address at this origin; what is asked for there comes from the address's own. */
  follow(address: string): string;
  close(): Promise<void>;
}

const ownPaths = /^\/(?:edit|view|assets\/[\w.-]+|favicon\.ico)$/;
const callPath = /^\/wopi\/files\/([\w-]+)(\/contents)?$/;

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
    // The browser sees what it would see without the proxy: nobody answers.
    onward.on('error', () => response.destroy());
    response.once('close', () => {
      if (!response.writableFinished) onward.destroy();
    });
    request.pipe(onward);
  };

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const proxy: RecordingProxy = {
    // Like the text editor's own, for pages of a host at the number.
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    calls: [],
    strange: [],
    delay: () => undefined,
    follow(address) {
      const { origin: found, pathname, search } = new URL(address);
      origin = found;
      return proxy.url + pathname + search;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return proxy;
}
