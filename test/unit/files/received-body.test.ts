import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import {
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { receiveBody, type ReceivedBody, type ReceiveBodyOptions } from '../../../app/files/received-body.ts';
import { openJail, type OpenFolder } from '../../../app/files/jail.ts';
import { pathOf } from '../../../app/files/move-file.ts';
import { nothing, pieces, present, refused, temporaryFolder } from './files-fixture.ts';

const mebibyte = 1024 * 1024;
const name = '.~doctray-test-1.tmp';

/** The folder of the target and the data folder's place for bodies that it refuses. */
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

/** What every open file has its methods from, to let the disk refuse at a chosen moment. */
async function handlePrototype(t: TestContext): Promise<FileHandle> {
  const handle = await open(join(await temporaryFolder(t), 'any'), 'w');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

/** Removed after it was opened. */
const goneFolder: OpenFolder = {
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

for (const bytes of [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 2 * mebibyte, 3 * mebibyte + 17]) {
  for (const chunk of [64 * 1024, mebibyte, 5 * mebibyte, 99_991]) {
    test(`A body of ${bytes} bytes in chunks of ${chunk} arrives as it was sent`, async (t) => {
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

test('Many chunks of one byte, and empty ones between them, arrive as they were sent', async (t) => {
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

test('A body that is flushed on its way arrives as it was sent', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(35 * mebibyte);
  const incoming = await places.receive(pieces(body, mebibyte));
  await assertHolds(incoming, body);
  await incoming.discard();
});

test('A received body is private to the user of the host', async (t) => {
  if (process.platform === 'win32') return;
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces('text'));
  assert.equal((await stat(at(incoming))).mode & 0o777, 0o600);
  await incoming.discard();
});

test('A body of exactly the largest size is taken', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces(randomBytes(1000), 7), { maxBytes: 1000 });
  assert.equal(incoming.size, 1000);
  await incoming.discard();
});

test('A body that never ends is cut off at the largest size, and nothing is left behind', async (t) => {
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

test('A sender that is faster than the disk is told to wait', async (t) => {
  const places = await openPlaces(t);
  const chunk = randomBytes(64 * 1024);
  const gate = Promise.withResolvers<void>();
  const prototype = await handlePrototype(t);
  const { writev } = prototype;
  t.mock.method(
    prototype,
    'writev',
    async function (this: FileHandle, ...given: Parameters<FileHandle['writev']>) {
      await gate.promise;
      return writev.apply(this, given);
    },
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
  gate.resolve();
  const incoming = await receiving;
  assert.equal(incoming.size, 1000 * chunk.length);
  await incoming.discard();
});

test(
  'A source that was given up before it could be read is a body cut short',
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

test('A source that closes without having ended is a body cut short', { timeout: 60_000 }, async (t) => {
  const places = await openPlaces(t);
  const source = new PassThrough();
  source.write('half of it');
  const receiving = places.receive(source);
  await turn();
  source.destroy();
  await assert.rejects(receiving, refused('body-incomplete'));
  assert.deepEqual(await places.left(), []);
});

test('A single byte too many is too many', async (t) => {
  const places = await openPlaces(t);
  await assert.rejects(places.receive(pieces('12345'), { maxBytes: 4 }), refused('upload-too-large'));
  assert.deepEqual(await places.left(), []);
});

for (const bytes of [0, 10, 3 * mebibyte]) {
  test(`A body that stops after ${bytes} bytes is no document, and nothing is left behind`, async (t) => {
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
  ['that is known to be gone', { folder: undefined }, 'The folder is gone.'],
  ['that turns out to be gone', { folder: goneFolder }, 'The folder is gone.'],
] as const) {
  test(`A body for a folder ${what} is kept in the data folder, with the reason`, async (t) => {
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

test('An empty body for a folder that is gone is whole, too', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces(''), { folder: undefined });
  await assertHolds(incoming, Buffer.alloc(0));
  await incoming.discard();
});

test('Where neither folder takes the body, the disk has refused', async (t) => {
  const places = await openPlaces(t);
  const gone = join(places.directory, 'missing');
  await assert.rejects(
    places.receive(pieces('text'), { folder: goneFolder, fallbackDirectory: gone }),
    refused('disk-refused'),
  );
  await assert.rejects(
    places.receive(pieces(''), { folder: undefined, fallbackDirectory: gone }),
    refused('disk-refused'),
  );
  assert.deepEqual(await places.left(), []);
});

test('What has the temporary name already is not written to, a link neither', async (t) => {
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
  test(`When the disk is full at write ${failsAt}, the whole body goes on into the data folder`, async (t) => {
    const places = await openPlaces(t);
    const body = randomBytes(9 * mebibyte + 3);
    const prototype = await handlePrototype(t);
    const { writev } = prototype;
    let writes = 0;
    t.mock.method(
      prototype,
      'writev',
      function (this: FileHandle, ...given: Parameters<FileHandle['writev']>) {
        writes += 1;
        return writes === failsAt ? Promise.reject(diskFull()) : writev.apply(this, given);
      },
    );
    const incoming = await places.receive(pieces(body));
    assert.equal((await places.left()).includes(`fallback/${name}`), true);
    assert.equal(incoming.refusal?.detail, 'The disk is full.');
    await assertHolds(incoming, body);
    assert.deepEqual(await places.left(), [`fallback/${name}`]);
    await incoming.discard();
    assert.deepEqual(await places.left(), []);
  });
}

test('When the disk refuses only at the end, the body goes into the data folder', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(mebibyte + 3);
  const prototype = await handlePrototype(t);
  t.mock.method(prototype, 'sync', () => Promise.reject(diskFull()), { times: 1 });
  const incoming = await places.receive(pieces(body));
  assert.equal((await places.left()).includes(`fallback/${name}`), true);
  assert.equal(incoming.refusal?.detail, 'The disk is full.');
  await assertHolds(incoming, body);
  await incoming.discard();
  assert.deepEqual(await places.left(), []);
});

test('When both disks are full the body is refused and nothing is left behind', async (t) => {
  const places = await openPlaces(t);
  const prototype = await handlePrototype(t);
  const { writev } = prototype;
  let writes = 0;
  t.mock.method(prototype, 'writev', function (this: FileHandle, ...given: Parameters<FileHandle['writev']>) {
    writes += 1;
    return writes > 2 ? Promise.reject(diskFull()) : writev.apply(this, given);
  });
  await assert.rejects(places.receive(pieces(randomBytes(9 * mebibyte))), refused('disk-refused'));
  assert.deepEqual(await places.left(), []);
});

test('Writes that the system cuts short are carried on', async (t) => {
  const places = await openPlaces(t);
  const body = randomBytes(3 * mebibyte + 11);
  const prototype = await handlePrototype(t);
  const { writev } = prototype;
  t.mock.method(
    prototype,
    'writev',
    function (this: FileHandle, batch: readonly Uint8Array[], position?: number) {
      const first = batch.slice(0, 1).map((chunk) => chunk.subarray(0, Math.ceil(chunk.length / 2)));
      return writev.call(this, first, position);
    },
  );
  const incoming = await places.receive(pieces(body));
  assert.equal(incoming.refusal, undefined);
  await assertHolds(incoming, body);
  await incoming.discard();
});

test('A released body stays where it is, a discarded one is gone, once and twice', async (t) => {
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

test('A body can be copied even when its temporary file was taken away', async (t) => {
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

test('A copy of a body overwrites nothing, and there is none after the body was let go', async (t) => {
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

test('A copy that the disk refuses half-way leaves nothing that looks like one', async (t) => {
  const places = await openPlaces(t);
  const incoming = await places.receive(pieces(randomBytes(3 * mebibyte)));
  const prototype = await handlePrototype(t);
  const { writev } = prototype;
  let writes = 0;
  t.mock.method(prototype, 'writev', function (this: FileHandle, ...given: Parameters<FileHandle['writev']>) {
    writes += 1;
    return writes === 2 ? Promise.reject(diskFull()) : writev.apply(this, given);
  });
  await assert.rejects(incoming.copyTo(join(places.fallbackDirectory, 'copy')), refused('disk-refused'));
  await incoming.discard();
  assert.deepEqual(await places.left(), []);
});

test('No file stays open, whatever became of the body', async (t) => {
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
  const open = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  assert.deepEqual(
    open.filter((path) => path.startsWith(places.directory)),
    [],
  );
});
