// Other programs delete, move, change and replace a document while an editor has it open. Both sides' bytes are kept, and
// the document keeps its id, so the editor's lock stays on the right file.

import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo, header, open } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { cli } from '../crash/serve-process.ts';
import { eventually } from './eventually.ts';
import { recoveredSaves, restoreRecovered } from './terminal.ts';

const conflictName = /^a\d+ \(conflict \d{4}-\d{2}-\d{2} \d{4}\)\.docx$/;
const served = serveHost();
const { scratch, client, inFolder } = served;
let access: Access;
let original: Buffer;
let name: string;
let count = 0;

/** Each test has its own document, open in an editor that has locked and read it. */
beforeEach(async () => {
  for (const each of readdirSync(scratch.folder)) rmSync(inFolder(each), { recursive: true });
  count += 1;
  name = `a${count}.docx`;
  original = makeContent(`original ${count}`, 60_000);
  writeFileSync(inFolder(name), original);
  access = await served.edit(name);
  assert.ok((await client.getFile(access)).body.equals(original));
});

async function save(label: string): Promise<Buffer> {
  const bytes = makeContent(label, 70_000);
  const answer = await client.putFile(access, 'the lock', bytes);
  assert.equal(answer.status, 200, `${answer.status} ${answer.body.toString()}`);
  return bytes;
}

function conflictCopies(): string[] {
  return readdirSync(scratch.folder).filter((each) => each.includes('conflict'));
}

async function version(): Promise<string> {
  return fileInfo(await client.checkFileInfo(access)).Version;
}

/** Recovered saves of the document. */
const recovered = async () =>
  (await recoveredSaves(scratch.dataDir)).filter(({ fileId }) => fileId === access.fileId);

describe('a document that another program changes while it is open', () => {
  const ways: Record<string, (path: string, bytes: Buffer) => void> = {
    'written in place': writeFileSync,
    'replaced atomically': (path, bytes) => {
      writeFileSync(`${path}.new`, bytes);
      renameSync(`${path}.new`, path);
    },
    'deleted and recreated': (path, bytes) => {
      rmSync(path);
      writeFileSync(path, bytes);
    },
    'appended to': appendFileSync,
  };

  for (const [way, change] of Object.entries(ways)) {
    it(`gets one conflict copy with the other content at the editor’s next save (${way})`, async () => {
      const before = await version();
      change(inFolder(name), makeContent('by another program', 50_000));
      const theirs = readFileSync(inFolder(name));
      assert.notEqual(await version(), before, 'the change shows in the version');
      assert.equal(await client.lockId(access), 'the lock', 'the document keeps its id and its lock');

      const mine = await save('mine');
      assert.ok(readFileSync(inFolder(name)).equals(mine));
      const [copy, ...more] = conflictCopies();
      assert.deepEqual(more, []);
      assert.match(copy ?? '', conflictName);
      assert.ok(readFileSync(inFolder(copy ?? '')).equals(theirs));
      assert.equal(statSync(inFolder(copy ?? '')).mode, statSync(inFolder(name)).mode);

      const next = await save('mine again');
      assert.ok(readFileSync(inFolder(name)).equals(next));
      assert.equal(conflictCopies().length, 1, 'the second save conflicts with nothing');
      assert.equal((await served.access(name)).fileId, access.fileId);
    });
  }

  it('gets no conflict copy if the editor read the new content before it saved', async () => {
    writeFileSync(inFolder(name), makeContent('by another program', 50_000));
    await client.getFile(access);
    await save('mine');
    assert.deepEqual(conflictCopies(), []);
  });

  it('gets a conflict copy of a change with the same length and time', async () => {
    const { atime, mtime } = { atime: new Date(), mtime: new Date(2020, 1, 1) };
    utimesSync(inFolder(name), atime, mtime);
    await client.getFile(access);
    const theirs = makeContent('same length', original.length);
    writeFileSync(inFolder(name), theirs);
    utimesSync(inFolder(name), atime, mtime);
    await save('mine');
    const [copy] = conflictCopies();
    assert.ok(copy !== undefined && readFileSync(inFolder(copy)).equals(theirs));
  });

  const harmless: Record<string, (path: string) => void> = {
    'its times': (path) => utimesSync(path, new Date(), new Date(2021, 2, 3)),
    'its mode': (path) => chmodSync(path, 0o600),
    'its inode, by a replacement with the same bytes': (path) => {
      writeFileSync(`${path}.new`, readFileSync(path));
      renameSync(`${path}.new`, path);
    },
  };

  for (const [what, change] of Object.entries(harmless)) {
    it(`gets no conflict copy if only ${what} changed`, async () => {
      // The host hashes an opened document in the background. Until it has, other file attributes count as a change.
      await eventually('the hash is known', async () => {
        assert.ok(fileInfo(await client.checkFileInfo(access)).SHA256 !== undefined);
      });
      change(inFolder(name));
      await save('first');
      assert.deepEqual(conflictCopies(), [], 'before the first save');
      change(inFolder(name));
      await save('second');
      assert.deepEqual(conflictCopies(), [], 'between two saves');
    });
  }

  it('cuts the connection if it shrinks while it is being read', async () => {
    writeFileSync(inFolder(name), Buffer.alloc(64 * 1024 * 1024, 1));
    const response = await open(client.wopiUrl(access, '/contents'));
    assert.equal(response.statusCode, 200);
    const announced = Number(response.headers['content-length']);
    await delay(100);
    truncateSync(inFolder(name), 1_000);
    let received = 0;
    await assert.rejects(async () => {
      for await (const chunk of response) received += (chunk as Buffer).length;
    }, /aborted|reset|hang up/i);
    assert.ok(received < announced);
  });
});

describe('a document that another program moves while it is open', () => {
  async function assertMovedTo(...parts: string[]): Promise<void> {
    await eventually('it is found by its id', async () => {
      const info = fileInfo(await client.checkFileInfo(access));
      assert.equal(info.BaseFileName, parts.at(-1));
    });
    assert.equal(await client.lockId(access), 'the lock');
    const mine = await save('saved after the move');
    assert.ok(readFileSync(inFolder(...parts)).equals(mine), 'the save goes to the new path');
    assert.ok(!existsSync(inFolder(name)), 'nothing is created at the old path');
    assert.deepEqual(conflictCopies(), []);
    assert.equal((await served.access(parts.join('/'))).fileId, access.fileId);
  }

  it('is found by its id after it was renamed', async () => {
    renameSync(inFolder(name), inFolder('other name.docx'));
    await assertMovedTo('other name.docx');
  });

  it('is found by its id after it was moved into a nested folder', async () => {
    mkdirSync(inFolder('sub', 'deeper'), { recursive: true });
    renameSync(inFolder(name), inFolder('sub', 'deeper', 'moved.docx'));
    await assertMovedTo('sub', 'deeper', 'moved.docx');
  });

  it('is found by its id after its folder was renamed', async () => {
    mkdirSync(inFolder('sub'));
    renameSync(inFolder(name), inFolder('sub', name));
    await eventually('it is found', async () => {
      assert.equal((await client.checkFileInfo(access)).status, 200);
    });
    renameSync(inFolder('sub'), inFolder('renamed sub'));
    await assertMovedTo('renamed sub', name);
  });

  it('is saved at its new path even if the save is the first request after the move', async () => {
    renameSync(inFolder(name), inFolder('noticed late.docx'));
    const mine = await save('mine');
    assert.ok(readFileSync(inFolder('noticed late.docx')).equals(mine));
    assert.deepEqual(readdirSync(scratch.folder), ['noticed late.docx']);
  });

  it('is a 404 outside the folder, and is found again when it’s moved back', async () => {
    const away = join(scratch.outside, name);
    renameSync(inFolder(name), away);
    assert.equal((await client.checkFileInfo(access)).status, 404);
    assert.equal((await client.getFile(access)).status, 404);
    renameSync(away, inFolder('back.docx'));
    await assertMovedTo('back.docx');
    assert.ok(!existsSync(away));
  });
});

describe('a document that another program deletes while it is open', () => {
  it('is recreated together with its folder, or its save is recovered', async () => {
    mkdirSync(inFolder('sub'));
    writeFileSync(inFolder('sub', 'inner.docx'), original);
    access = await served.edit('sub/inner.docx');
    rmSync(inFolder('sub'), { recursive: true });
    const bytes = makeContent('mine', 5_000);
    const answer = await client.putFile(access, 'the lock', bytes);
    // No byte is lost either way.
    if (answer.status === 200) assert.ok(readFileSync(inFolder('sub', 'inner.docx')).equals(bytes));
    else {
      assert.equal((await recovered()).length, 1, `${answer.status} ${answer.body.toString()}`);
    }
  });
});

describe('a lock that the user force-clears during an edit', () => {
  it('makes the next save a 409 and a recovered save with every byte', async () => {
    const unlocked = await cli(scratch.dataDir, ['unlock', inFolder(name), '--yes']);
    assert.equal(unlocked.code, 0, unlocked.stderr);
    assert.equal(await client.lockId(access), '');

    const mine = makeContent('mine', 90_000);
    const answer = await client.putFile(access, 'the lock', mine);
    assert.equal(answer.status, 409, answer.body.toString());
    assert.equal(header(answer, 'x-wopi-lock'), '');
    assert.ok(readFileSync(inFolder(name)).equals(original), 'the document doesn’t change');

    const kept = await recovered();
    assert.deepEqual(
      kept.map(({ path, size }) => ({ path, size })),
      [{ path: name, size: mine.length }],
    );
    const path = await restoreRecovered(scratch.dataDir, kept[0]?.id ?? '');
    assert.notEqual(path, name);
    assert.ok(readFileSync(inFolder(path)).equals(mine));
    assert.ok(readFileSync(inFolder(name)).equals(original));
    assert.deepEqual(await recovered(), []);
  });

  it('makes the next save a recovered save even if another editor has taken the lock', async () => {
    assert.equal((await cli(scratch.dataDir, ['unlock', inFolder(name), '--yes'])).code, 0);
    assert.equal((await client.openToEdit(access, 'the second lock')).status, 200);
    const mine = makeContent('mine', 80_000);
    const answer = await client.putFile(access, 'the lock', mine);
    assert.equal(answer.status, 409);
    assert.equal(header(answer, 'x-wopi-lock'), 'the second lock');
    assert.deepEqual(
      (await recovered()).map(({ size }) => size),
      [mine.length],
    );
  });

  it('can’t be force-cleared if there is none', async () => {
    assert.equal((await client.unlock(access, 'the lock')).status, 200);
    const done = await cli(scratch.dataDir, ['unlock', inFolder(name), '--yes']);
    assert.notEqual(done.code, 0);
    assert.match(done.stderr + done.stdout, /isn’t locked/u);
  });
});
