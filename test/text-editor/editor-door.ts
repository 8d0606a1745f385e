// The text editor's server as the tests need it: the page with its content security policy, the built bundle, and a relay that passes
// WOPI calls on to a real host. It signs nothing. Every call is kept, so that a test can count saves.

import { randomBytes } from 'node:crypto';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'vite';

const projectRoot = join(import.meta.dirname, '..', '..');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export interface RelayedCall {
  /** `PUT`, `LOCK` …; `CHECK_FILE_INFO` and `GET_FILE` for the two without one. */
  operation: string;
  fileId: string;
  status: number;
  sentBytes: number;
  headers: IncomingHttpHeaders;
  atMs: number;
}

export interface EditorDoor {
  url: string;
  calls: RelayedCall[];
  /** Requests for anything the page has no business with. */
  strange: string[];
  /** Waits before a call is passed on, so that a test can act in between. */
  delay: (operation: string) => Promise<void> | undefined;
  close(): Promise<void>;
}

const passedOn = /^(?:x-wopi-|x-ext-wopi-|content-type$|content-length$|range$)/;

export async function startEditorDoor(hostOrigin: () => string): Promise<EditorDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-text-editor-'));
  await build({
    configFile: join(projectRoot, 'build', 'text-editor.vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder },
  });
  const calls: RelayedCall[] = [];
  const strange: string[] = [];
  /** Where each file's WOPI address is, by the form posts. */
  const sources = new Map<string, string>();
  /** Saves on their way, by file and token. */
  const running = new Map<string, Set<Promise<unknown>>>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', door.url);
    const common = {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    };
    const page = /^\/(edit|view)$/.exec(url.pathname)?.[1];
    if (page !== undefined && request.method === 'POST') {
      const form = new URLSearchParams(await text(request));
      const source = url.searchParams.get('WOPISrc') ?? '';
      const fileId = source.slice(source.lastIndexOf('/') + 1);
      sources.set(fileId, source);
      const nonce = randomBytes(16).toString('base64url');
      const session = {
        fileId,
        accessToken: form.get('access_token'),
        accessTokenTtl: Number(form.get('access_token_ttl')),
        action: page,
        styleNonce: nonce,
      };
      const policy = [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "connect-src 'self'",
        'img-src blob:',
        "frame-src 'self' blob:",
        "font-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        `frame-ancestors ${hostOrigin()}`,
        "require-trusted-types-for 'script'",
        'trusted-types dompurify',
      ];
      response.writeHead(200, {
        ...common,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy.join('; '),
      });
      const json = JSON.stringify(session).replaceAll('<', '\\u003c');
      response.end(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Text editor</title><link rel="stylesheet" href="/assets/text-editor.css"><script type="application/json" id="session">${json}</script></head><body><div id="app"></div><script type="module" src="/assets/text-editor.js"></script></body></html>`,
      );
      return;
    }
    if (url.pathname.startsWith('/assets/') && request.method === 'GET') {
      const name = basename(url.pathname);
      const type = types[extname(name)];
      const body = type === undefined ? undefined : await readFile(join(folder, name)).catch(() => undefined);
      if (type === undefined || body === undefined) {
        strange.push(url.pathname);
        response.writeHead(404).end();
        return;
      }
      const preview = [
        'sandbox allow-scripts',
        "default-src 'none'",
        `script-src ${door.url}/assets/`,
        "style-src 'unsafe-inline'",
        'img-src blob: data:',
        'font-src blob: data:',
        "connect-src 'none'",
      ];
      response.writeHead(200, {
        ...common,
        'content-type': type,
        ...(name === 'preview.html' && { 'content-security-policy': preview.join('; ') }),
      });
      response.end(body);
      return;
    }
    const wopi = /^\/wopi\/files\/([\w-]+)(\/contents)?$/.exec(url.pathname);
    if (wopi !== null) {
      await relay(request, response, wopi[1] ?? '', wopi[2] ?? '');
      return;
    }
    if (url.pathname !== '/favicon.ico') strange.push(`${request.method} ${url.pathname}`);
    response.writeHead(404).end();
  };

  const relay = async (
    request: IncomingMessage,
    response: ServerResponse,
    fileId: string,
    suffix: string,
  ): Promise<void> => {
    const operation = String(
      request.headers['x-wopi-override'] ?? (suffix === '' ? 'CHECK_FILE_INFO' : 'GET_FILE'),
    );
    const call: RelayedCall = {
      operation,
      fileId,
      status: 0,
      sentBytes: Number(request.headers['content-length'] ?? 0),
      headers: request.headers,
      atMs: Date.now(),
    };
    calls.push(call);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // a page that goes away sends both at once, and the lock has to outlive the save
    const saving = `${fileId} ${token}`;
    const puts = running.get(saving) ?? new Set<Promise<unknown>>();
    if (operation === 'UNLOCK') await Promise.all(puts);
    if (operation === 'PUT') {
      const done = new Promise((resolve) => {
        response.once('close', resolve);
      });
      running.set(saving, puts.add(done));
      void done.then(() => puts.delete(done));
    }
    await door.delay(operation);
    const source = new URL(sources.get(fileId) ?? 'http://127.0.0.1:9/');
    const target = new URL(`${source.pathname}${suffix}?access_token=${token}`, source);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => passedOn.test(name)),
    );
    const onward = httpRequest(target, { method: request.method, headers, agent: false }, (answered) => {
      call.status = answered.statusCode ?? 0;
      response.writeHead(call.status, answered.headers);
      answered.pipe(response);
    });
    onward.on('error', () => {
      call.status = 502;
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { 'content-type': 'application/json' })
          .end(JSON.stringify({ message: 'DocTray isn’t responding.' }));
    });
    request.pipe(onward);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const door: EditorDoor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    strange,
    delay: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
  return door;
}
