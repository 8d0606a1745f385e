// Detecting document servers at the usual ports, where other programs may listen too.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createDiscoveryFetch } from '../../app/editors/discovery-fetch.ts';
import { detectEditors, type DetectionDeps } from '../../app/editors/detect.ts';
import { createEditorRequest } from '../../app/editors/editor-request.ts';
import type { DetectedServer } from '../../app/contract/document-servers.ts';
import type { Editor } from '../../app/store/editors.ts';
import { eventually } from '../durability/eventually.ts';
import { prepareMachine, run, type OwnMachine } from './own-machine.ts';

let machine: OwnMachine;
const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
const requests: string[] = [];

before(async () => {
  machine = prepareMachine();
  const key = join(machine.folder, 'key.pem');
  const cert = join(machine.folder, 'cert.pem');
  const subject = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  run('openssl', 'req', ...subject, '-keyout', key, '-out', cert);
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  await listen(createServer(documentServer('/hosting/wopi/word')), 80);
  await listen(createServer(documentServer('/browser/1/cool.html')), 9980);
  await listen(createTlsServer(tls, documentServer('/browser/1/cool.html')), 8443);
  // Other programs: a web page, one over TLS, one that never answers, and one that redirects.
  const page: RequestListener = (_request, response) => response.end('<h1>It works</h1>');
  const nothing: RequestListener = (_request, response) => response.writeHead(404).end();
  const away: RequestListener = (_request, response) =>
    response.writeHead(302, { location: 'http://192.0.2.1/' }).end();
  await listen(createServer(page), 8080);
  await listen(createTlsServer(tls, nothing), 443);
  await listen(createSocketServer(), 9981);
  await listen(createServer(away), 7001);
  await listen(createServer(documentServer('/hosting/wopi/word')), 7002);
});
after(() => {
  for (const server of servers) {
    server.closeAllConnections?.();
    server.close();
  }
  machine.remove();
});

async function listen(server: Server | ReturnType<typeof createSocketServer>, port: number): Promise<void> {
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(port, '0.0.0.0', resolve));
}

function documentServer(page: string): RequestListener {
  return (request, response) => {
    const { host = '' } = request.headers;
    requests.push(`${request.method} ${request.url}`);
    const action = `<action name="edit" ext="docx" urlsrc="http://${host}${page}/edit?"/>`;
    const app = `<net-zone name="external-http"><app name="Word">${action}</app></net-zone>`;
    if (request.url !== '/hosting/discovery') response.writeHead(404).end();
    else response.end(`<wopi-discovery>${app}</wopi-discovery>`);
  };
}

/** On a busy computer, an answer may come too late for one search. @param show what of a server is compared */
async function detects(
  expected: string[],
  show: (server: DetectedServer) => string,
  more: Partial<DetectionDeps> = {},
): Promise<void> {
  const published = [
    { container: 'shop', hostPort: 7001, containerPort: 80 },
    { container: 'office', hostPort: 7002, containerPort: 80 },
    { container: 'collabora', hostPort: 9980, containerPort: 9980 },
  ];
  await eventually('all servers are found', async () => {
    const startedAtMs = performance.now();
    const { servers: found } = await detectEditors({
      editors: { list: () => [] },
      fetchDiscovery: createDiscoveryFetch(),
      request: createEditorRequest(),
      publishedPorts: async () => published,
      ...more,
    });
    assert.deepEqual(found.map(show), expected);
    // It waits for two seconds; a busy computer adds to that.
    assert.ok(performance.now() - startedAtMs < 30_000);
  });
}

test('detects servers with a discovery, and nothing else, without waiting for a program that never answers', async () => {
  await detects(
    [
      'http://localhost onlyoffice null undefined',
      'http://localhost:9980 collabora collabora undefined',
      'http://localhost:7002 onlyoffice office undefined',
      'https://localhost:8443 null null This computer doesn’t trust the certificate of localhost:8443',
    ],
    ({ url, kind, container, problem }) =>
      `${url} ${kind} ${container} ${/^.*localhost:\d+/.exec(problem?.sentence ?? '')?.[0]}`,
  );
  assert.deepEqual([...new Set(requests)], ['GET /hosting/discovery'], 'it sends no other requests');
});

test('recognizes a connected editor by any name of this computer, and omits the text editor', async () => {
  const known = [
    { id: 'e1', url: 'http://127.0.0.1:9980', kind: 'collabora' },
    { id: 'e2', url: 'http://127.0.0.1', kind: 'text-editor' },
  ] as unknown as Editor[];
  const others = ['http://localhost:7002 null', 'https://localhost:8443 null'];
  await detects(['http://localhost:9980 e1', ...others], ({ url, editorId }) => `${url} ${editorId}`, {
    editors: { list: () => known },
  });
});

test('detects servers at the usual ports even if the container engine never answers', async () => {
  const urls = ['http://localhost', 'http://localhost:9980', 'https://localhost:8443'];
  await detects(urls, ({ url }) => url, { publishedPorts: () => new Promise(() => undefined) });
});
