import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import fs from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { replaceBuiltin } from '../../replace-builtin.ts';
import { receiveBody, type ReceivedBody, type ReceiveBodyOptions } from '../../../app/files/received-body.ts';
import { openJail, type OpenFolder } from '../../../app/files/jail.ts';
import { pathOf } from '../../../app/files/move-file.ts';
import { nothing, openPaths, pieces, present, refused, temporaryFolder } from './files-fixture.ts';

const mebibyte = 1024 * 1024;
const name = '.~doctray-test-1.tmp';

/** The target folder, and the data folder's place for bodies that can't be written there. */
async function openPlaces(t: TestContext) {
  const openIn = async (path: string): Promise<OpenFolder> =>
    present(await (await openJail(path)).openFolder(''));
  const base = await temporaryFolder(t);
  const [directory, fallbackDirectory] = [join(base, 'target'), join(base, 'fallback')];
  for (const path of [directory, fallbackDirectory]) await mkdir(path);
  return {
    directory,
    fallbackDirectory,
    async receive(
      source: ReceiveBodyOptions['source'],
      change: Partial<ReceiveBodyOptions> = {},
    ): Promise<ReceivedBody> {
      const folder = 'folder' in change ? change.folder : await openIn(directory);
      return receiveBody({ source, fallbackDirectory, name, maxBytes: 100 * mebibyte, ...change, folder });
    },
    /** Every name in both folders. */
    async left(): Promise<string[]> {
      const [there, here] = [await readdir(directory).catch(() => []), await readdir(fallbackDirectory)];
      return [...there.map((entry) => `target/${entry}`), ...here.map((entry) => `fallback/${entry}`)];
    },
  };
}

async function assertHolds(incoming: ReceivedBody, body: Uint8Array): Promise<void> {
  const content = await readFile(at(incoming));
  assert.equal(content.equals(body), true, 'the bytes on the disk');
  assert.equal(incoming.size, body.length);
  assert.deepEqual(incoming.sha256, createHash('sha256').update(body).digest());
  assert.equal(incoming.inode, (await stat(at(incoming), { bigint: true })).ino);
}

/** A write to an open file: what is written, its number, and the real function. */
interface Write {
  batch: readonly NodeJS.ArrayBufferView[];
  /** Counted from 1. */
  count: number;
  write: (batch: readonly NodeJS.ArrayBufferView[]) => number;
}

/** Every write, on this thread or another, goes through `intercept`, which returns how many bytes it wrote, or throws. */
function interceptWrites(t: TestContext, intercept: (write: Write) => number | Promise<number>): void {
  const { writevSync } = fs;
  let count = 0;
  const start = (fd: number, batch: readonly NodeJS.ArrayBufferView[], position?: number | null) => {
    count += 1;
    return intercept({ batch, count, write: (some) => writevSync(fd, some, position ?? undefined) });
  };
  replaceBuiltin(t, fs, 'writevSync', (...given: Parameters<typeof start>) => {
    const written = start(...given);
    assert.equal(typeof written, 'number', 'a write on this thread waits for nothing');
    return written;
  });
  const later = async (...[fd, batch, position]: Parameters<typeof start>) => start(fd, batch, position);
  replaceBuiltin(
    t,
    fs,
    'writev',
    (...given: [...Parameters<typeof start>, (...results: unknown[]) => void]) => {
      const [fd, batch, position, done] = given;
      later(fd, batch, position).then(
        (written) => done(null, written),
        (error: unknown) => done(error),
      );
    },
  );
}

/** A folder that was removed after it was opened. */
const removedFolder: OpenFolder = {
  path: '',
  at: (entry) => join('/missing/folder', entry),
  isRemote: false,
  stat: () => undefined,
  openFile: async () => undefined,
  list: async () => [],
  openDir: () => Promise.reject(new Error('gone')),
  sync: async () => undefined,
  close: nothing,
};

const at = (incoming: ReceivedBody): string => pathOf(incoming.location);

const diskFull = (): Error => Object.assign(new Error('no space'), { code: 'ENOSPC' });

test('receives the body of a request, whose memory moves to the thread that hashes', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(40 * mebibyte + 17);
  const received = Promise.withResolvers<ReceivedBody>();
  const chunks: Uint8Array[] = [];
  const { push } = IncomingMessage.prototype;
  t.mock.method(
    IncomingMessage.prototype,
    'push',
    function (this: IncomingMessage, chunk: Uint8Array | null) {
      if (chunk !== null) chunks.push(chunk);
      return push.call(this, chunk);
    },
  );
  const server = createServer((request, response) => {
    received.resolve(places.receive(request).finally(() => response.end()));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
  const incoming = await received.promise;
  await assertHolds(incoming, body);
  assert.ok(chunks.length > 1);
  assert.deepEqual(new Set(chunks.map(({ byteLength }) => byteLength)), new Set([0]), 'no chunk was copied');
  await incoming.discard();
});

const { postMessage } = Worker.prototype;
const failures = {
  'can’t start': () => {
    throw new Error('no thread');
  },
  'ends meanwhile': function (this: Worker) {
    void this.terminate();
  },
  'misses a piece': function (this: Worker, message: { piece: unknown[] | null }, transfer: ArrayBuffer[]) {
    const { piece } = message;
    postMessage.call(this, { ...message, piece: piece?.slice(1) ?? null }, transfer);
  },
};
for (const [what, failing] of Object.entries(failures)) {
  test(`hashes the bytes on the disk if the thread that hashes ${what}`, async (t) => {
    const places = await openPlaces(t);
    const { mock } = t.mock.method(Worker.prototype, 'postMessage', failing);
    const body = randomBytes(20 * mebibyte);
    const incoming = await places.receive(pieces(body, 64 * 1024));
    await assertHolds(incoming, body);
    assert.ok(mock.callCount() > 0);
    await incoming.discard();
    mock.restore();
    // The next one gets another thread.
    const next = await places.receive(pieces(body, 64 * 1024), { name: '.~doctray-test-2.tmp' });
    await assertHolds(next, body);
    await next.discard();
  });
}

for (const bytes of [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte, 3 * mebibyte + 17]) {
  for (const chunk of [64 * 1024, mebibyte, 5 * mebibyte, 99_991]) {
    test(`receives ${bytes} bytes in chunks of ${chunk} unchanged`, async (t) => {
      const places = await openPlaces(t);
      const body = randomBytes(bytes);
      const incoming = await places.receive(pieces(body, chunk));
      assert.deepEqual(await places.left(), [`target/${name}`]);
      assert.equal(incoming.refusal, undefined);
      await assertHolds(incoming, body);
      await incoming.discard();
      assert.deepEqual(await places.left(), []);
    });
  }
}

test('receives chunks of one byte with empty chunks in between unchanged', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(5000);
  const source = async function* () {
    for await (const chunk of pieces(body, 1)) {
      yield chunk;
      yield new Uint8Array(0);
    }
  };
  const incoming = await places.receive(source());
  await assertHolds(incoming, body);
  await incoming.discard();
});

test('receives a body that is flushed while it arrives unchanged', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(35 * mebibyte);
  const incoming = await places.receive(pieces(body, mebibyte));
  await assertHolds(incoming, body);
  await incoming.discard();
});

test('a received body is readable and writable by its owner only', async (t) => {
  if (process.platform === 'win32') return;
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces('text'));
  assert.equal((await stat(at(incoming))).mode & 0o777, 0o600);
  await incoming.discard();
});

test('accepts a body of exactly the maximum size', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces(randomBytes(1000), 7), { maxBytes: 1000 });
  assert.equal(incoming.size, 1000);
  await incoming.discard();
});

test('rejects an endless body at the maximum size, and leaves nothing behind', async (t) => {
  const places = await openPlaces(t);
  const chunk = randomBytes(64 * 1024);
  let isOver = false;
  const endless = async function* () {
    while (!isOver) {
      yield chunk;
      await turn();
    }
  };
  const maxBytes = 3 * mebibyte;
  await assert.rejects(places.receive(endless(), { maxBytes }), refused('upload-too-large'));
  isOver = true;
  assert.deepEqual(await places.left(), []);
});

test('pauses a sender that is faster than the disk', async (t) => {
  const places = await openPlaces(t);
  const chunk = randomBytes(64 * 1024);
  const pending = Promise.withResolvers<void>();
  interceptWrites(t, ({ batch, count, write }) =>
    // The first bytes of a body don't wait.
    count < 3 ? write(batch) : pending.promise.then(() => write(batch)),
  );
  let sent = 0;
  const source = async function* () {
    for (; sent < 1000; sent += 1) {
      yield chunk;
      await turn();
    }
  };
  const receiving = places.receive(source());
  for (let turns = 0; turns < 3000; turns += 1) await turn();
  assert.ok(sent < 200, `${sent} chunks are in memory`);
  pending.resolve();
  const incoming = await receiving;
  assert.equal(incoming.size, 1000 * chunk.length);
  await incoming.discard();
});

test(
  'a source that was destroyed before it was read is an incomplete body',
  { timeout: 60_000 },
  async (t) => {
    const places = await openPlaces(t);
    for (const error of [undefined, new Error('socket hang up')]) {
      const source = new PassThrough();
      source.on('error', nothing);
      source.destroy(error);
      await once(source, 'close').catch(nothing);
      await assert.rejects(places.receive(source), refused('body-incomplete'));
    }
    assert.deepEqual(await places.left(), []);
  },
);

test('a source that closes before its end is an incomplete body', { timeout: 60_000 }, async (t) => {
  const places = await openPlaces(t);
  const source = new PassThrough();
  source.write('half of it');
  const receiving = places.receive(source);
  await turn();
  source.destroy();
  await assert.rejects(receiving, refused('body-incomplete'));
  assert.deepEqual(await places.left(), []);
});

test('rejects a body that is one byte too large', async (t) => {
  const places = await openPlaces(t);
  await assert.rejects(places.receive(pieces('12345'), { maxBytes: 4 }), refused('upload-too-large'));
  assert.deepEqual(await places.left(), []);
});

for (const bytes of [0, 10, 3 * mebibyte]) {
  test(`rejects a body that stops after ${bytes} bytes, and leaves nothing behind`, async (t) => {
    const places = await openPlaces(t);
    const cut = async function* () {
      yield* pieces(randomBytes(bytes));
      throw new Error('socket hang up');
    };
    await assert.rejects(places.receive(cut()), refused('body-incomplete'));
    assert.deepEqual(await places.left(), []);
  });
}

for (const [what, change, detail] of [
  ['that is known to be missing', { folder: undefined }, 'The folder no longer exists.'],
  ['that turns out to be missing', { folder: removedFolder }, 'The folder no longer exists.'],
] as const) {
  test(`keeps a body for a folder ${what} in the data folder, with the reason`, async (t) => {
    const places = await openPlaces(t);
    const body = randomBytes(2 * mebibyte + 5);
    const incoming = await places.receive(pieces(body), change);
    assert.equal((await places.left()).includes(`fallback/${name}`), true);
    assert.deepEqual([incoming.refusal?.code, incoming.refusal?.detail], ['disk-refused', detail]);
    await assertHolds(incoming, body);
    await incoming.discard();
    assert.deepEqual(await places.left(), []);
  });
}

test('receives an empty body for a missing folder', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces(''), { folder: undefined });
  await assertHolds(incoming, Buffer.alloc(0));
  await incoming.discard();
});

test('reports a disk error if neither folder exists', async (t) => {
  const places = await openPlaces(t);
  const gone = join(places.directory, 'missing');
  await assert.rejects(
    places.receive(pieces('text'), { folder: removedFolder, fallbackDirectory: gone }),
    refused('disk-refused'),
  );
  await assert.rejects(
    places.receive(pieces(''), { folder: undefined, fallbackDirectory: gone }),
    refused('disk-refused'),
  );
  assert.deepEqual(await places.left(), []);
});

test('doesn’t write through a link that already has the temporary name', async (t) => {
  const places = await openPlaces(t);
  const victim = join(places.fallbackDirectory, 'victim');
  await writeFile(victim, 'theirs');
  await symlink(victim, join(places.directory, name));
  const incoming = await places.receive(pieces('ours'));
  assert.equal(await readFile(victim, 'utf8'), 'theirs');
  assert.equal((await places.left()).includes(`fallback/${name}`), true);
  assert.notEqual(incoming.refusal, undefined);
  await incoming.discard();
  assert.deepEqual(await places.left(), [`target/${name}`, 'fallback/victim']);
});

for (const failsAt of [1, 2, 3]) {
  test(`writes the whole body to the data folder if the disk is full at write ${failsAt}`, async (t) => {
    const places = await openPlaces(t);
    const body = randomBytes(9 * mebibyte + 3);
    interceptWrites(t, ({ batch, count, write }) => {
      if (count === failsAt) throw diskFull();
      return write(batch);
    });
    const incoming = await places.receive(pieces(body));
    assert.equal((await places.left()).includes(`fallback/${name}`), true);
    assert.equal(incoming.refusal?.detail, 'The disk is full.');
    await assertHolds(incoming, body);
    assert.deepEqual(await places.left(), [`fallback/${name}`]);
    await incoming.discard();
    assert.deepEqual(await places.left(), []);
  });
}

test('writes the body to the data folder if the final flush fails', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(mebibyte + 3);
  const { fsync } = fs;
  let syncs = 0;
  replaceBuiltin(t, fs, 'fsync', (...[fd, done]: Parameters<typeof fsync>) => {
    syncs += 1;
    if (syncs === 1) done(diskFull());
    else fsync(fd, done);
  });
  const incoming = await places.receive(pieces(body));
  assert.equal((await places.left()).includes(`fallback/${name}`), true);
  assert.equal(syncs, 2, 'it is flushed there');
  assert.equal(incoming.refusal?.detail, 'The disk is full.');
  await assertHolds(incoming, body);
  await incoming.discard();
  assert.deepEqual(await places.left(), []);
});

test('rejects the body if both disks are full, and leaves nothing behind', async (t) => {
  const places = await openPlaces(t);
  interceptWrites(t, ({ batch, count, write }) => {
    if (count > 2) throw diskFull();
    return write(batch);
  });
  await assert.rejects(places.receive(pieces(randomBytes(9 * mebibyte))), refused('disk-refused'));
  assert.deepEqual(await places.left(), []);
});

test('continues writes that the system cut short', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(3 * mebibyte + 11);
  interceptWrites(t, ({ batch, write }) => {
    const [first = Buffer.alloc(0)] = batch as readonly Uint8Array[];
    return write([first.subarray(0, Math.ceil(first.length / 2))]);
  });
  const incoming = await places.receive(pieces(body));
  assert.equal(incoming.refusal, undefined);
  await assertHolds(incoming, body);
  await incoming.discard();
});

for (const isRemote of [false, true]) {
  test(`${isRemote ? 'doesn’t write' : 'writes'} a body in a ${isRemote ? 'remote' : 'local'} folder on the event loop’s thread`, async (t) => {
    const places = await openPlaces(t);
    const local = present(await (await openJail(places.directory)).openFolder(''));
    // The jail closes its descriptors in the next turn.
    await turn();
    const used = new Set<string>();
    for (const call of ['openSync', 'writevSync', 'closeSync'] as const) {
      const real = fs[call] as (...given: unknown[]) => unknown;
      replaceBuiltin(t, fs, call, (...given: unknown[]) => {
        used.add(call);
        return real(...given);
      });
    }
    const body = randomBytes(3 * mebibyte);
    const incoming = await places.receive(pieces(body), {
      // Closing the folder's own descriptor doesn't count.
      folder: { ...local, isRemote, close: nothing },
    });
    await assertHolds(incoming, body);
    await incoming.discard();
    assert.deepEqual([...used], isRemote ? [] : ['openSync', 'writevSync', 'closeSync']);
    local.close();
  });
}

test('writes only the first 512 KiB of a body on the event loop’s thread', async (t) => {
  const places = await openPlaces(t);
  const { writevSync } = fs;
  let bytes = 0;
  replaceBuiltin(t, fs, 'writevSync', (...given: Parameters<typeof writevSync>) => {
    const written = writevSync(...given);
    bytes += written;
    return written;
  });
  const body = randomBytes(9 * mebibyte + 3);
  const incoming = await places.receive(pieces(body, 64 * 1024));
  await assertHolds(incoming, body);
  await incoming.discard();
  assert.equal(bytes, 512 * 1024);
});

test('release keeps the file, discard removes it, and a second call does nothing', async (t) => {
  const places = await openPlaces(t);
  const released = await places.receive(pieces('text'));
  await released.release();
  await released.discard();
  const place = join(places.directory, name);
  assert.equal(await readFile(place, 'utf8'), 'text');
  await rm(place);

  const discarded = await places.receive(pieces('text'));
  await discarded.discard();
  await writeFile(place, 'another file of that name');
  await discarded.discard();
  assert.deepEqual(await places.left(), [`target/${name}`]);
});

test('copies a body whose temporary file was deleted', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(2 * mebibyte + 9);
  const incoming = await places.receive(pieces(body));
  await rename(places.directory, `${places.directory}-away`);
  await rm(`${places.directory}-away`, { recursive: true });
  const copy = join(places.fallbackDirectory, 'copy');
  await incoming.copyTo(copy);
  assert.equal((await readFile(copy)).equals(body), true);
  await incoming.discard();
});

test('a copy overwrites nothing, and fails after the body was released', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces('ours'));
  const taken = join(places.fallbackDirectory, 'taken');
  await writeFile(taken, 'theirs');
  await assert.rejects(incoming.copyTo(taken), refused('disk-refused'));
  assert.equal(await readFile(taken, 'utf8'), 'theirs');
  await incoming.release();
  await assert.rejects(incoming.copyTo(join(places.fallbackDirectory, 'late')), refused('disk-refused'));
  assert.deepEqual(await places.left(), [`target/${name}`, 'fallback/taken']);
});

test('leaves no partial copy when the disk fails', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces(randomBytes(3 * mebibyte)));
  interceptWrites(t, ({ batch, count, write }) => {
    if (count === 2) throw diskFull();
    return write(batch);
  });
  await assert.rejects(incoming.copyTo(join(places.fallbackDirectory, 'copy')), refused('disk-refused'));
  await incoming.discard();
  assert.deepEqual(await places.left(), []);
});

test('keeps no file open after a body was incomplete, too large, discarded or released', async (t) => {
  if (process.platform !== 'linux') return;
  const places = await openPlaces(t);
  const cut = async function* () {
    yield randomBytes(2 * mebibyte);
    throw new Error('cut');
  };
  await assert.rejects(places.receive(cut()));
  await assert.rejects(places.receive(pieces('12345'), { maxBytes: 4 }));
  await (await places.receive(pieces('text'))).discard();
  await (await places.receive(pieces('text'))).release();
  const open = (await openPaths()).filter((path) => path.startsWith(places.directory));
  assert.deepEqual(open, []);
});
