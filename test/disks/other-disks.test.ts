// exFAT, as on a USB stick or memory card, ignores case, has no hard links, and gives a file another inode number after the cache was
// dropped. A document keeps its id, its lock and its version there too.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { createHostClient, fileInfo, header, json, responseOf } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { cliJson, makeScratch, serve } from '../crash/serve-process.ts';
import type { ServeProcess } from '../crash/serve-process.ts';
import { eventually } from '../durability/eventually.ts';
import { mountExFat, type OwnDisk } from './own-disk.ts';

describe('a hosted folder on exFAT', () => {
  const scratch = makeScratch();
  const client = createHostClient(() => host.baseUrl);
  const hosted = join(scratch.folder, 'documents');
  const at = (...parts: string[]): string => join(disk.inside(hosted), ...parts);
  let disk: OwnDisk;
  let host: ServeProcess;
  let apiToken: string;

  before(async () => {
    disk = await mountExFat(scratch.folder, scratch.outside);
    mkdirSync(at());
    host = await serve({ ...scratch, folder: hosted, entering: disk.entering });
    // The disk is smaller than the minimum free space for new documents.
    await cliJson(scratch.dataDir, ['settings', 'set', 'minFreeMB', '0']);
    apiToken = await client.signIn();
  });

  after(async () => {
    await host.stop();
    await disk.unmount();
    scratch.remove();
  });

  async function openLocked(path: string, content: Buffer): Promise<Access> {
    writeFileSync(at(path), content);
    const access = await client.access(path, apiToken);
    assert.equal((await client.lock(access, 'the lock')).status, 200);
    assert.ok((await client.getFile(access)).body.equals(content));
    return access;
  }

  async function listed(): Promise<{ id: string; name: string; itemVersion: string }[]> {
    const answer = await client.list(apiToken, { path: '', count: '100' });
    assert.equal(answer.status, 200, answer.body.toString());
    return (responseOf(answer) as { items: { id: string; name: string; itemVersion: string }[] }).items;
  }

  const versionOf = async (access: Access): Promise<string> =>
    fileInfo(await client.checkFileInfo(access)).Version;
  const namesLike = (word: string): string[] => readdirSync(at()).filter((name) => name.includes(word));

  for (const isUncached of [false, true]) {
    const when = isUncached ? 'after the cache was dropped' : 'while it is cached';
    const stem = isUncached ? 'later' : 'report';

    it(`keeps id and lock when another program changes the case of a name, ${when}`, async () => {
      const access = await openLocked(`${stem}.docx`, makeContent('original', 20_000));
      if (isUncached) disk.forgetInodes();
      renameSync(at(`${stem}.docx`), at(`${stem.toUpperCase()}.DOCX`));
      const found = (await listed()).filter(({ name }) => name.toLowerCase() === `${stem}.docx`);
      assert.deepEqual(
        found.map(({ id, name }) => [id, name]),
        [[access.fileId, `${stem.toUpperCase()}.DOCX`]],
      );
      for (const spelling of [`${stem}.docx`, `${stem.toUpperCase()}.DOCX`, `${stem}.DOCX`]) {
        assert.equal((await client.access(spelling, apiToken)).fileId, access.fileId, spelling);
      }
      assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, `${stem.toUpperCase()}.DOCX`);
      assert.equal(await client.lockId(access), 'the lock');
      const edit = makeContent('edit', 30_000);
      assert.equal((await client.putFile(access, 'the lock', edit)).status, 200);
      assert.ok(readFileSync(at(`${stem.toUpperCase()}.DOCX`)).equals(edit));
      assert.deepEqual(namesLike('conflict'), []);
    });
  }

  it('opens a document under its own name if the path has another case', async () => {
    writeFileSync(at('Minutes.docx'), makeContent('minutes', 5_000));
    const access = await client.access('MINUTES.DOCX', apiToken);
    assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, 'Minutes.docx');
    const found = (await listed()).filter(({ name }) => name.toLowerCase() === 'minutes.docx');
    assert.deepEqual(
      found.map(({ id }) => id),
      [access.fileId],
    );
  });

  it('gives a document created at the path of a deleted one a new id', async () => {
    const access = await openLocked('old.docx', makeContent('old', 5_000));
    assert.equal((await client.unlock(access, 'the lock')).status, 200);
    rmSync(at('old.docx'));
    const other = await openLocked('other.docx', makeContent('other', 5_000));
    const copied = await client.operate(
      other,
      'PUT_RELATIVE',
      { 'X-WOPI-SuggestedTarget': 'OLD.docx' },
      makeContent('new', 6_000),
    );
    assert.equal(copied.status, 200, copied.body.toString());
    assert.equal((json(copied) as { Name: string }).Name, 'OLD.docx');
    const [found] = (await listed()).filter(({ name }) => name === 'OLD.docx');
    assert.notEqual(found?.id, access.fileId);
    assert.equal((await client.checkFileInfo(access)).status, 404);
  });

  it('renames a document in case only', async () => {
    const access = await openLocked('letter é.docx', makeContent('letter', 5_000));
    const answer = await client.operate(access, 'RENAME_FILE', {
      'X-WOPI-Lock': 'the lock',
      'X-WOPI-RequestedName': 'LETTER +AMk-',
    });
    assert.equal(answer.status, 200, answer.body.toString());
    assert.equal((json(answer) as { Name: string }).Name, 'LETTER É');
    assert.deepEqual(namesLike('LETTER'), ['LETTER É.docx']);
    assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, 'LETTER É.docx');
  });

  it('keeps the version of an unchanged document whose inode number changed', async () => {
    const access = await openLocked('same.docx', makeContent('same', 20_000));
    writeFileSync(at('unread.docx'), makeContent('unread', 20_000));
    const unread = await client.access('unread.docx', apiToken);
    await eventually('the hash is known', async () => {
      assert.ok(fileInfo(await client.checkFileInfo(access)).SHA256 !== undefined);
    });
    const before = [await versionOf(access), await versionOf(unread)];
    disk.forgetInodes();
    await listed();
    assert.deepEqual([await versionOf(access), await versionOf(unread)], before);
    assert.ok(fileInfo(await client.checkFileInfo(access)).SHA256 !== undefined, 'the hash is kept');
    const edit = makeContent('edit', 20_000);
    const saved = await client.putFile(access, 'the lock', edit);
    assert.equal(saved.status, 200, saved.body.toString());
    disk.forgetInodes();
    await listed();
    assert.equal(await versionOf(access), header(saved, 'x-wopi-itemversion'));
    assert.ok((await client.getFile(access)).body.equals(edit));
    assert.equal((await client.putFile(access, 'the lock', makeContent('again', 20_000))).status, 200);
    assert.deepEqual(namesLike('conflict'), []);
  });

  it('detects another program’s change of the same length under another inode number', async () => {
    const access = await openLocked('changed.docx', makeContent('mine', 20_000));
    const before = await versionOf(access);
    disk.forgetInodes();
    const theirs = makeContent('theirs', 20_000);
    writeFileSync(at('changed.docx'), theirs);
    utimesSync(at('changed.docx'), new Date(), new Date(2021, 2, 3));
    assert.notEqual(await versionOf(access), before);
    const edit = makeContent('edit', 21_000);
    assert.equal((await client.putFile(access, 'the lock', edit)).status, 200);
    const [copy] = namesLike('changed (conflict');
    assert.ok(copy !== undefined && readFileSync(at(copy)).equals(theirs));
    assert.ok(readFileSync(at('changed.docx')).equals(edit));
  });
});
