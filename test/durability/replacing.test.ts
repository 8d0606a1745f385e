// What a save preserves: mode and owner of the file, the replaced content as a version, and one whole content for everyone who reads
// at the same time.

import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { describeContent, labelOf, makeContent } from '../crash/content.ts';
import { fileInfo, header, open } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { restoreVersion, versionsOf } from './terminal.ts';

const served = serveHost();
const { scratch, client } = served;

async function openDocument(name: string, bytes: Buffer): Promise<{ access: Access; path: string }> {
  const path = join(scratch.folder, name);
  writeFileSync(path, bytes);
  return { access: await served.edit(name), path };
}

async function save(access: Access, bytes: Buffer): Promise<string> {
  const answer = await client.putFile(access, 'the lock', bytes);
  assert.equal(answer.status, 200, answer.body.toString());
  return header(answer, 'x-wopi-itemversion');
}

describe('mode and owner of a document', () => {
  it('don’t change with a save', async () => {
    for (const mode of [0o600, 0o640, 0o664, 0o755, 0o200]) {
      const { access, path } = await openDocument(
        `mode ${mode.toString(8)}.docx`,
        makeContent('before', 1_000),
      );
      chmodSync(path, mode);
      // Only root can change the owner of a file.
      if (process.getuid?.() === 0) chownSync(path, 12_345, 23_456);
      const before = statSync(path);
      await save(access, makeContent('after', 2_000));
      const after = statSync(path);
      assert.equal((after.mode & 0o7777).toString(8), mode.toString(8));
      assert.deepEqual([after.uid, after.gid], [before.uid, before.gid]);
      assert.equal(after.size, 2_000);
    }
  });
});

describe('the content that a save replaced', () => {
  it('is kept as a version and can be restored, byte for byte', async () => {
    const contents = [0, 1, 2, 3].map((index) => makeContent(`content ${index}`, 10_000 + index));
    const [first, second, third, last] = contents as [Buffer, Buffer, Buffer, Buffer];
    const { access, path } = await openDocument('versions.docx', first);
    for (const bytes of [second, third, last]) await save(access, bytes);
    const versions = await versionsOf(scratch.dataDir, path);
    assert.deepEqual(
      versions.map(({ size }) => size),
      [third.length, second.length, first.length],
    );

    const oldest = versions.at(-1);
    assert.ok(oldest !== undefined);
    const whileLocked = await restoreVersion(scratch.dataDir, path, oldest.id);
    assert.notEqual(whileLocked.code, 0, 'an editor would overwrite it');
    assert.ok(readFileSync(path).equals(last));

    assert.equal((await client.unlock(access, 'the lock')).status, 200);
    const { Version: before } = fileInfo(await client.checkFileInfo(access));
    const restored = await restoreVersion(scratch.dataDir, path, oldest.id);
    assert.equal(restored.code, 0, restored.stderr);
    assert.ok(readFileSync(path).equals(first));
    assert.notEqual(fileInfo(await client.checkFileInfo(access)).Version, before);
    const kept = await versionsOf(scratch.dataDir, path);
    assert.ok(
      kept.some(({ size }) => size === last.length),
      'what the restore replaced is kept too',
    );
  });

  it('is never restored with what a program wrote to the old file, which it still had open', async () => {
    const first = makeContent('first', 10_000);
    const { access, path } = await openDocument('held.docx', first);
    const held = openSync(path, 'r+');
    const last = makeContent('last', 11_000);
    await save(access, last);
    const [version] = await versionsOf(scratch.dataDir, path);
    assert.ok(version !== undefined);
    writeSync(held, 'scribbled over', 500);
    closeSync(held);
    assert.equal((await client.unlock(access, 'the lock')).status, 200);

    const restored = await restoreVersion(scratch.dataDir, path, version.id);
    if (version.kind === 'link') {
      assert.notEqual(restored.code, 0, 'a hard link shares the changed inode');
      assert.ok(readFileSync(path).equals(last), 'the document doesn’t change');
    } else {
      assert.equal(restored.code, 0, restored.stderr);
      assert.ok(readFileSync(path).equals(first));
    }
  });

  it('isn’t changed by a program that writes to the document after it was restored', async () => {
    const first = makeContent('first', 10_000);
    const { access, path } = await openDocument('restored.docx', first);
    await save(access, makeContent('second', 12_000));
    assert.equal((await client.unlock(access, 'the lock')).status, 200);
    const [version] = await versionsOf(scratch.dataDir, path);
    assert.ok(version !== undefined);
    assert.equal((await restoreVersion(scratch.dataDir, path, version.id)).code, 0);
    writeFileSync(path, 'scribbled over in place');
    assert.equal((await restoreVersion(scratch.dataDir, path, version.id)).code, 0);
    assert.ok(readFileSync(path).equals(first));
  });
});

describe('versions with the data folder on another disk', () => {
  const own = serveHost(({ folder }) => ({
    ownMounts: true,
    before: `mount -t tmpfs -o size=32m tmpfs '${folder}'`,
  }));

  it('are copies and can be restored', async () => {
    const { dataDir } = own.scratch;
    const path = own.host.inside(own.inFolder('a.docx'));
    const first = makeContent('first', 100_000);
    writeFileSync(path, first);
    const access = await own.edit('a.docx');
    const second = makeContent('second', 90_000);
    assert.equal((await own.client.putFile(access, 'the lock', second)).status, 200);
    assert.equal((await own.client.unlock(access, 'the lock')).status, 200);
    const [version] = await versionsOf(dataDir, own.inFolder('a.docx'));
    assert.deepEqual([version?.kind, version?.size], ['copy', first.length]);
    const restored = await restoreVersion(dataDir, own.inFolder('a.docx'), version?.id ?? '');
    assert.equal(restored.code, 0, restored.stderr);
    assert.ok(readFileSync(path).equals(first));
  });
});

describe('reading during saves', () => {
  it('always returns one whole content with its own item version and length', async () => {
    const { access } = await openDocument('busy.docx', makeContent('save 0', 500_000));
    const labels = new Map<string, string>([
      [fileInfo(await client.checkFileInfo(access)).Version, 'save 0'],
    ]);
    const seen = new Map<string, string>();
    let isOver = false;
    const read = async (): Promise<void> => {
      while (!isOver) {
        const answer = await client.getFile(access);
        assert.equal(answer.status, 200);
        const label = labelOf(answer.body);
        assert.ok(label !== undefined, `torn: ${describeContent(answer.body)}`);
        assert.equal(answer.headers['content-length'], String(answer.body.length));
        const version = header(answer, 'x-wopi-itemversion');
        assert.ok([undefined, label].includes(seen.get(version)), `${version} was sent with two contents`);
        seen.set(version, label);
      }
    };
    const readers = Promise.all([read(), read(), read(), read()]);
    for (let index = 1; index <= 20 || (seen.size <= 5 && index <= 500); index += 1) {
      const version = await save(access, makeContent(`save ${index}`, 300_000 + (index % 5) * 400_000));
      labels.set(version, `save ${index}`);
    }
    isOver = true;
    await readers;
    for (const [version, label] of seen) assert.equal(labels.get(version), label);
    assert.ok(seen.size > 5, `only ${seen.size} contents were read`);
  });

  it('sends a slow reader the whole content it began with', async () => {
    const first = makeContent('first', 24 * 1024 * 1024);
    const { access } = await openDocument('slow.docx', first);
    const { Version: version } = fileInfo(await client.checkFileInfo(access));
    const response = await open(client.wopiUrl(access, '/contents'));
    await delay(100);
    await save(access, makeContent('second', 2_000));
    await save(access, makeContent('third', 26 * 1024 * 1024));
    const chunks = await response.toArray();
    assert.equal(response.headers['x-wopi-itemversion'], version);
    assert.ok(Buffer.concat(chunks as Buffer[]).equals(first));
  });

  it('leaves no temporary file in the folder', () => {
    assert.deepEqual(
      readdirSync(scratch.folder).filter((name) => name.startsWith('.')),
      [],
    );
  });
});
