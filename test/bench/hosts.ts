// The hosts that are compared: DocTray with a small folder, DocTray with a large one, and bare hosts. All of them get the same calls.

import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, openSync, closeSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createBodySource, KiB, MiB } from './bodies.ts';
import { connect, type Answer, type Connection } from './client.ts';
import { subjectName } from './compare.ts';
import { startServer, type ServerProcess } from './processes.ts';
import { checkFileInfo, type WopiFile } from './wopi-calls.ts';

export const workerNames = Array.from({ length: 64 }, (_, index) => `worker-${index}.docx`);
export const getNames = {
  '100 KiB': 'get-100k.docx',
  '10 MiB': 'get-10m.pptx',
  '200 MiB': 'get-200m.pptx',
} as const;
export const putNames = { '100 KiB': 'put-100k.docx', '200 MiB': 'put-200m.pptx' } as const;
export const sizes = {
  '100 KiB': 100 * KiB,
  '10 MiB': 10 * MiB,
  '200 MiB': 200 * MiB,
} as const;
export const bareHostName = 'bare host';
export const hashingHostName = 'bare host that hashes';
export const ownerPassword = 'bench-only-owner-password';

/** The folders of one host. */
export interface Place {
  folder: string;
  data: string;
}

export type Side = ReturnType<typeof createSide>;

export type Arena = ReturnType<typeof buildArena>;

/** The folders of all hosts, and their starts. @param against the entry of another DocTray, which replaces the bare host */
export function buildArena(
  root: string,
  { against, fileCount }: { against: string | undefined; fileCount: number },
) {
  const place = (name: string): Place => {
    const [folder, data] = [join(root, name, 'folder'), join(root, name, 'data')];
    return { folder, data };
  };
  const [empty, many, bare, hashing] = [place('empty'), place('many'), place('bare'), place('hashing')];
  const places = { empty, many, bare, hashing };
  const [scratch, logs] = [join(root, 'scratch'), join(root, 'logs')];
  mkdirSync(scratch);
  mkdirSync(logs);
  for (const { folder, data } of Object.values(places)) {
    mkdirSync(folder, { recursive: true });
    mkdirSync(data, { mode: 0o700 });
    for (const name of workerNames) writeDocument(join(folder, name), sizes['100 KiB']);
    for (const name of Object.values(putNames)) writeDocument(join(folder, name), KiB);
    for (const [size, name] of Object.entries(getNames)) {
      const path = join(places.empty.folder, name);
      if (folder === places.empty.folder) writeDocument(path, sizes[size as keyof typeof getNames]);
      else linkSync(path, join(folder, name));
    }
  }
  for (let index = 0; index < fileCount; index += 1) {
    const name = `letter ${String(index).padStart(6, '0')}.docx`;
    writeFileSync(join(places.many.folder, name), `letter ${index}`);
  }
  // Otherwise the new files would be written to disk during the measurements.
  spawnSync('sync');
  const docTray = (script: string, { folder, data }: Place, env = {}): Promise<ServerProcess> =>
    startServer(script, ['serve', '--folder', folder, '--data', data, '--port', '0', '--json'], {
      logs,
      env: { DOCTRAY_OWNER_PASSWORD: ownerPassword, ...env },
    });
  return {
    root,
    /** For other files. */
    scratch,
    logs,
    places,
    manyName: `${subjectName}, ${fileCount.toLocaleString('en')} files`,
    /** Starts DocTray on the place and waits until it listens. */
    startDocTray: (at: Place, env = {}) => docTray('app/cli.ts', at, env),
    startBareHost: (at: Place, { hashes = false, env = {} } = {}): Promise<ServerProcess> => {
      if (against !== undefined) return docTray(against, at, env);
      const args = ['--folder', at.folder, '--data', at.data, '--info', infoPath(scratch)];
      return startServer('test/bench/bare-host.ts', [...args, ...(hashes ? ['--hash'] : [])], { logs, env });
    },
    startBare: (name: 'koa' | 'sender') =>
      startServer(`test/bench/bare-${name}.ts`, [infoPath(scratch)], { logs }),
  };
}

export type Sides = Awaited<ReturnType<typeof startSides>>;

export async function startSides({ places, manyName, ...arena }: Arena) {
  const bareHost = (name: string, place: Place, hashes: boolean) =>
    arena.startBareHost(place, { hashes }).then((server) => createSide(name, server, place.folder));
  const docTray = (name: string, place: Place) =>
    arena.startDocTray(place).then((server) => createSide(name, server, place.folder));
  return {
    subject: await docTray(subjectName, places.empty),
    many: await docTray(manyName, places.many),
    bare: await bareHost(bareHostName, places.bare, false),
    hashing: await bareHost(hashingHostName, places.hashing, true),
    koa: await arena.startBare('koa'),
    sender: await arena.startBare('sender'),
  };
}

/**
 * Runs each DocTray once, which creates its data folder, and opens one document. Stores the CheckFileInfo answer that Koa and the
 * bare host imitate. @returns the request targets with which later starts are measured
 */
export async function firstRuns(arena: Arena): Promise<{ empty: string; many: string }> {
  const targets = { empty: '', many: '' };
  for (const key of ['many', 'empty'] as const) {
    const server = await arena.startDocTray(arena.places[key]);
    const side = createSide(key, server, arena.places[key].folder);
    const [file] = (await side.open([getNames['100 KiB']])) as [WopiFile];
    const connection = await side.connect();
    writeFileSync(infoPath(arena.scratch), (await checkFileInfo(connection, file, true)).body);
    connection.close();
    targets[key] = file.target;
    await server.stop();
  }
  return targets;
}

export function createSide(name: string, server: ServerProcess, folder: string) {
  return {
    name,
    server,
    folder,
    connect: () => connect(server),
    /** Signs in and gets edit access to the documents. */
    async open(names: readonly string[]): Promise<WopiFile[]> {
      const connection = await connect(server);
      const token = await signIn(connection);
      const files: WopiFile[] = [];
      for (const path of names) {
        const answer = await askForAccess(connection, token, path);
        const { wopiSrc, accessToken } = responseOf(answer) as Access;
        const { pathname } = new URL(wopiSrc);
        const query = `?access_token=${encodeURIComponent(accessToken)}`;
        const [target, contents] = [pathname + query, `${pathname}/contents${query}`];
        files.push({ target, contents, diskPath: join(folder, path), lockId: `bench-${path}` });
      }
      connection.close();
      return files;
    },
  };
}

export interface Access {
  wopiSrc: string;
  accessToken: string;
  hostEditUrl: string;
}

export async function signIn(connection: Connection): Promise<string> {
  const owner = { userName: 'owner', password: ownerPassword };
  const answer = await post(connection, '/api/2.0/authentication.json', owner);
  return (responseOf(answer) as { token: string }).token;
}

/** Edit access to the document: an `Access`. */
export function askForAccess(connection: Connection, token: string, path: string): Promise<Answer> {
  return post(connection, '/api/2.0/files/access', { path, mode: 'edit' }, { Authorization: token });
}

function post(connection: Connection, target: string, body: object, headers = {}): Promise<Answer> {
  return connection.expectOk({
    method: 'POST',
    target,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
    isBodyKept: true,
  });
}

export function responseOf({ body }: Answer): unknown {
  return (JSON.parse(body.toString('utf8')) as { response: unknown }).response;
}

function infoPath(scratch: string): string {
  return join(scratch, 'check-file-info.json');
}

function writeDocument(path: string, bytes: number): void {
  const body = createBodySource(bytes).next();
  const descriptor = openSync(path, 'w');
  for (let index = 0; index < body.chunkCount; index += 1) writeSync(descriptor, body.chunk(index));
  closeSync(descriptor);
}
