// The bare host: a node:http server that does the same file, path and SQLite work for each call as DocTray, but has no Koa, tokens,
// guards or journal. DocTray's floors are relative to it, so it is fast but simple: synchronous calls if they only access a directory
// or a small cached file, and the thread pool for fsync and large bodies. It is started like DocTray, and has the same two API calls
// to open a document.

import { createHash, type Hash } from 'node:crypto';
import fs, { type Stats } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AddressInfo } from 'node:net';
import { createBareJail } from './bare-jail.ts';
import { openBareStore, type FileRow } from './bare-store.ts';
import { receiveToFile } from './receive-to-file.ts';
import { sendFile } from './send-file.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: '.' },
    data: { type: 'string', default: '.' },
    port: { type: 'string', default: '0' },
    json: { type: 'boolean' },
    /** A file with a CheckFileInfo answer of DocTray, so that the JSON has the same length. */
    info: { type: 'string' },
    /** Computes the SHA-256 of saved bodies. */
    hash: { type: 'boolean', default: false },
  },
});
const { folder, data: dataFolder } = values;
const versionsFolder = join(dataFolder, 'versions');
fs.mkdirSync(versionsFolder, { recursive: true });
const store = openBareStore(join(dataFolder, 'bare.sqlite'));
const template: object = values.info ? (JSON.parse(fs.readFileSync(values.info, 'utf8')) as object) : {};
const jail = createBareJail(folder);
let saveCount = 0;

function answer(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function checkFileInfo(response: ServerResponse, file: FileRow): void {
  const { size, mtimeMs } = jail.stat(file.path);
  const info = {
    ...template,
    BaseFileName: basename(file.path),
    Size: size,
    Version: String(file.version),
    LastModifiedTime: new Date(mtimeMs).toISOString().replace('Z', '0000Z'),
  };
  answer(response, 200, JSON.stringify(info), { 'Content-Type': 'application/json' });
}

function changeLock(request: IncomingMessage, response: ServerResponse, file: FileRow): void {
  const lockId = String(request.headers['x-wopi-lock']);
  const operation = request.headers['x-wopi-override'];
  jail.stat(file.path);
  store.lockOf(file.id);
  if (operation === 'UNLOCK') store.unlock(file.id);
  else if (operation === 'REFRESH_LOCK') store.refresh(file.id);
  else store.lock(file, lockId);
  answer(response, 200, '', { 'X-WOPI-ItemVersion': String(file.version) });
}

async function putFile(request: IncomingMessage, response: ServerResponse, file: FileRow): Promise<void> {
  saveCount += 1;
  const hash: Hash | undefined = values.hash ? createHash('sha256') : undefined;
  const beside = jail.openFolder(dirname(file.path));
  const temporary = beside.at(`.~bare-${process.pid}-${saveCount}.tmp`);
  const versionId = `${file.id}-${saveCount}-${process.pid}`;
  let size: number;
  let old: Stats;
  let now: Stats;
  try {
    size = await receiveToFile(request, temporary, hash);
    store.lockOf(file.id);
    const path = beside.at(basename(file.path));
    old = fs.lstatSync(path);
    fs.linkSync(path, join(versionsFolder, versionId));
    fs.renameSync(temporary, path);
    await syncFolder(beside.self);
    now = fs.lstatSync(path);
  } finally {
    beside.close();
  }
  const version = store.saved(file, versionId, old, now, size, hash?.digest());
  answer(response, 200, JSON.stringify({ LastModifiedTime: new Date(now.mtimeMs).toISOString() }), {
    'Content-Type': 'application/json',
    'X-WOPI-ItemVersion': String(version),
  });
}

function syncFolder(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const descriptor = fs.openSync(path, 'r');
    fs.fsync(descriptor, (error) => {
      fs.closeSync(descriptor);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** The two API calls that open a document, without accounts. They aren't measured. */
async function open(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.url?.endsWith('authentication.json')) {
    answer(response, 201, JSON.stringify({ response: { token: 'none' } }));
    return;
  }
  const { path } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { path: string };
  const file = store.open(path, fs.statSync(join(folder, path)));
  const wopiSrc = `http://${request.headers.host}/wopi/files/${file.id}`;
  answer(response, 201, JSON.stringify({ response: { wopiSrc, accessToken: 'none' } }));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  if (url.startsWith('/api/')) return await open(request, response);
  const end = url.indexOf('?');
  const [, , , id = '', contents] = url.slice(0, end < 0 ? undefined : end).split('/');
  const file = store.file(id);
  if (!file) return answer(response, 404, '');
  if (contents === undefined) {
    return request.method === 'GET' ? checkFileInfo(response, file) : changeLock(request, response, file);
  }
  if (request.method === 'POST') return await putFile(request, response, file);
  return await sendFile(response, jail.openFile(file.path), { 'X-WOPI-ItemVersion': String(file.version) });
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.destroy();
  });
});
server.listen(Number(values.port), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const listening = { event: 'listening', pid: process.pid, baseUrl: `http://127.0.0.1:${port}`, folder };
  process.stdout.write(`${JSON.stringify(listening)}\n`);
});
process.once('SIGTERM', () => {
  server.closeAllConnections();
  server.close();
  store.close();
});
