// The setup of the benchmarks: temporary folders with documents, and the processes that serve them.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { GiB, KiB, MiB, createBodySource } from './bodies.ts';
import { manyName, subjectName } from './figure.ts';
import type { ProcessStarter, ServerProcess } from './processes.ts';
import { createSide, ownerPassword, type Side } from './sides.ts';
import { checkFileInfo } from './wopi-calls.ts';

export const manyWorkerNames = Array.from({ length: 64 }, (_, index) => `worker-${index}.docx`);
export const workerNames = manyWorkerNames.slice(0, 16);
export const getNames = {
  '100 KiB': 'get-100k.docx',
  '10 MiB': 'get-10m.pptx',
  '200 MiB': 'get-200m.pptx',
} as const;
export const putNames = { '100 KiB': 'put-100k.docx', '200 MiB': 'put-200m.pptx' } as const;
export const hugeNames = ['put-2g-0.pptx', 'put-2g-1.pptx', 'put-2g-2.pptx'] as const;
export const sizes = {
  '100 KiB': 100 * KiB,
  '10 MiB': 10 * MiB,
  '200 MiB': 200 * MiB,
  '2 GiB': 2 * GiB,
} as const;
export const bareHostName = 'bare host';
export const hashingHostName = 'bare host that hashes';

const benchFolder = 'test/bench';

/** The folders of one side. */
interface Place {
  folder: string;
  data: string;
}

export interface Arena {
  /** For other files, such as those of the bare script. */
  scratch: string;
  /** Starts DocTray on the place and waits until it listens. */
  startDocTray(place: Place): Promise<ServerProcess>;
  startBareHost(place: Place, more?: string[]): Promise<ServerProcess>;
  startKoa(): Promise<ServerProcess>;
  places: { empty: Place; many: Place; bare: Place; hashing: Place };
  manyName: string;
}

export interface Sides {
  subject: Side;
  many: Side;
  bare: Side;
  hashing: Side;
  koa: ServerProcess;
  sender: ServerProcess;
}

export function buildArena(deps: {
  root: string;
  starter: ProcessStarter;
  entry: string;
  /** The entry of another DocTray, which replaces the bare host. */
  against: string | undefined;
  fileCount: number;
}): Arena {
  const { root, starter, entry, against, fileCount } = deps;
  const place = (name: string): Place => ({
    folder: join(root, name, 'folder'),
    data: join(root, name, 'data'),
  });
  const places = {
    empty: place('empty'),
    many: place('many'),
    bare: place('bare'),
    hashing: place('hashing'),
  };
  const scratch = join(root, 'scratch');
  fs.mkdirSync(scratch);
  for (const { folder, data } of Object.values(places)) {
    fs.mkdirSync(folder, { recursive: true });
    fs.mkdirSync(data, { mode: 0o700 });
    for (const name of manyWorkerNames) writeDocument(join(folder, name), sizes['100 KiB']);
    for (const name of [...Object.values(putNames), ...hugeNames]) writeDocument(join(folder, name), KiB);
  }
  for (const [size, name] of Object.entries(getNames)) {
    const path = join(places.empty.folder, name);
    writeDocument(path, sizes[size as keyof typeof getNames]);
    for (const { folder } of [places.many, places.bare, places.hashing])
      fs.linkSync(path, join(folder, name));
  }
  for (let index = 0; index < fileCount; index += 1) {
    fs.writeFileSync(
      join(places.many.folder, `letter ${String(index).padStart(6, '0')}.docx`),
      `letter ${index}`,
    );
  }
  // Otherwise the new files would be written to disk during the measurements.
  spawnSync('sync');
  const startDocTray = (script: string, { folder, data }: Place): Promise<ServerProcess> =>
    starter.start(script, {
      args: ['serve', '--folder', folder, '--data', data, '--port', '0', '--json'],
      env: { DOCTRAY_OWNER_PASSWORD: ownerPassword },
    });
  return {
    scratch,
    places,
    manyName: manyName(fileCount),
    startDocTray: (place) => startDocTray(entry, place),
    startBareHost: ({ folder, data }, more = []) =>
      against !== undefined
        ? startDocTray(against, { folder, data })
        : starter.start(`${benchFolder}/bare-host.ts`, {
            args: ['--folder', folder, '--data', data, '--info', infoPath(scratch), ...more],
          }),
    startKoa: () => starter.start(`${benchFolder}/bare-koa.ts`, { args: [infoPath(scratch)] }),
  };
}

/**
 * Runs each DocTray once, which creates its data folder, and opens one document. Stores the CheckFileInfo answer that Koa and the
 * bare host imitate. @returns the request targets with which later starts are measured
 */
export async function firstRuns(arena: Arena): Promise<{ empty: string; many: string }> {
  const targets = { empty: '', many: '' };
  for (const key of ['empty', 'many'] as const) {
    const server = await arena.startDocTray(arena.places[key]);
    try {
      const side = createSide(key, server, arena.places[key].folder);
      const [file] = await side.open([getNames['100 KiB']]);
      if (!file) throw new Error('DocTray opened nothing');
      const connection = await side.connect();
      const info = await checkFileInfo(connection, file, true);
      connection.close();
      fs.writeFileSync(infoPath(arena.scratch), info.body);
      targets[key] = file.target;
    } finally {
      await server.stop();
    }
  }
  return targets;
}

export async function startSides(arena: Arena, starter: ProcessStarter): Promise<Sides> {
  const { places } = arena;
  return {
    subject: createSide(subjectName, await arena.startDocTray(places.empty), places.empty.folder),
    many: createSide(arena.manyName, await arena.startDocTray(places.many), places.many.folder),
    bare: createSide(bareHostName, await arena.startBareHost(places.bare), places.bare.folder),
    hashing: createSide(
      hashingHostName,
      await arena.startBareHost(places.hashing, ['--hash']),
      places.hashing.folder,
    ),
    koa: await arena.startKoa(),
    sender: await starter.start(`${benchFolder}/bare-sender.ts`),
  };
}

function infoPath(scratch: string): string {
  return join(scratch, 'check-file-info.json');
}

function writeDocument(path: string, bytes: number): void {
  const body = createBodySource(bytes).next();
  const descriptor = fs.openSync(path, 'w');
  for (let index = 0; index < body.chunkCount; index += 1) fs.writeSync(descriptor, body.chunk(index));
  fs.closeSync(descriptor);
}
