// Names that file systems handle differently: the same name in another case, names of the maximum length, names in another
// normalization form.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo, header, json } from '../crash/host-client.ts';
import type { Access } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';
import { encodeUtf7 } from '../editors/utf7-encoder.ts';
import { eventually } from './eventually.ts';

const served = serveHost();
const { scratch, client, inFolder } = served;
const lock = { 'X-WOPI-Lock': 'the lock' };

async function openDocument(name: string): Promise<{ access: Access; bytes: Buffer }> {
  const bytes = makeContent('document', 10_000);
  writeFileSync(inFolder(name), bytes);
  return { access: await served.edit(name), bytes };
}

async function rename(access: Access, requestedName: string): Promise<string> {
  const headers = { ...lock, 'X-WOPI-RequestedName': requestedName };
  const answer = await client.operate(access, 'RENAME_FILE', headers);
  assert.equal(answer.status, 200, answer.body.toString());
  return (json(answer) as { Name: string }).Name;
}

async function assertWhole(access: Access, name: string, bytes: Buffer): Promise<void> {
  assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, name);
  assert.ok(readFileSync(inFolder(name)).equals(bytes));
  assert.equal(await client.lockId(access), 'the lock');
  assert.equal((await served.access(name)).fileId, access.fileId);
}

describe('a name in another case', () => {
  it('can be set by a rename, which keeps id, lock, version and bytes', async () => {
    const { access, bytes } = await openDocument('report.docx');
    const { Version: version } = fileInfo(await client.checkFileInfo(access));
    for (const name of ['Report', 'REPORT', 'rEPORT', 'report']) {
      assert.equal(await rename(access, name), name);
      const shown = readdirSync(scratch.folder).filter((each) => each.toLowerCase() === 'report.docx');
      assert.deepEqual(shown, [`${name}.docx`], 'there is one file, under the new name');
      await assertWhole(access, `${name}.docx`, bytes);
    }
    assert.equal(fileInfo(await client.checkFileInfo(access)).Version, version);
    const saved = await client.putFile(access, 'the lock', makeContent('saved', 9_000));
    assert.equal(saved.status, 200);
    assert.deepEqual(
      readdirSync(scratch.folder).filter((each) => /report/i.test(each)),
      ['report.docx'],
    );
  });

  it('set by another program doesn’t change the document’s id', async () => {
    const { access, bytes } = await openDocument('minutes.docx');
    renameSync(inFolder('minutes.docx'), inFolder('Minutes.docx'));
    await eventually('it has its new name', async () => {
      assert.equal(fileInfo(await client.checkFileInfo(access)).BaseFileName, 'Minutes.docx');
    });
    await assertWhole(access, 'Minutes.docx', bytes);
  });

  it('counts as taken if another document has it', async () => {
    writeFileSync(inFolder('Taken.docx'), 'the other one');
    const { access } = await openDocument('mine.docx');
    const name = await rename(access, 'tAKEN');
    assert.notEqual(name.toLowerCase(), 'taken');
    assert.equal(readFileSync(inFolder('Taken.docx'), 'utf8'), 'the other one');
  });
});

describe('a name of 255 bytes', () => {
  const longest = [
    `${'n'.repeat(250)}.docx`,
    // Two bytes per letter, so that a cut in the middle of one shows.
    `${'é'.repeat(125)}.docx`,
    `${'日'.repeat(83)}x.docx`,
  ];

  for (const name of longest) {
    it(`can be opened, saved and copied (${name.slice(0, 4)}…)`, async () => {
      assert.equal(Buffer.byteLength(name), 255);
      const { access } = await openDocument(name);
      const bytes = makeContent('saved', 8_000);
      const saved = await client.putFile(access, 'the lock', bytes);
      assert.equal(saved.status, 200, saved.body.toString());
      await assertWhole(access, name, bytes);

      const headers = { 'X-WOPI-SuggestedTarget': '.docx' };
      const copied = await client.operate(access, 'PUT_RELATIVE', headers, bytes);
      assert.equal(copied.status, 200, copied.body.toString());
      const { Name: copy } = json(copied) as { Name: string };
      assert.notEqual(copy, name);
      assert.ok(copy.endsWith('.docx') && Buffer.byteLength(copy) <= 255, copy);
      assert.ok(copy.isWellFormed() && !copy.includes('\ufffd'), copy);
      assert.ok(readFileSync(inFolder(copy)).equals(bytes));
    });
  }

  it('gets a conflict copy when another program changed the document', async () => {
    const name = `${'c'.repeat(250)}.docx`;
    const { access } = await openDocument(name);
    assert.equal((await client.getFile(access)).status, 200);
    const theirs = makeContent('theirs', 7_000);
    writeFileSync(inFolder(name), theirs);
    const mine = makeContent('mine', 8_000);
    const saved = await client.putFile(access, 'the lock', mine);
    assert.equal(saved.status, 200, saved.body.toString());
    assert.ok(readFileSync(inFolder(name)).equals(mine));
    const [copy] = readdirSync(scratch.folder).filter((each) => each.includes('(conflict '));
    assert.ok(copy !== undefined && Buffer.byteLength(copy) <= 255 && copy.endsWith('.docx'));
    assert.ok(readFileSync(inFolder(copy)).equals(theirs));
  });

  it('is the limit for a rename to a longer one, which keeps the extension', async () => {
    const { access, bytes } = await openDocument('short.docx');
    const name = await rename(access, 'r'.repeat(400));
    assert.ok(name.length > 200 && Buffer.byteLength(`${name}.docx`) <= 255, name);
    assert.ok(!existsSync(inFolder('short.docx')));
    await assertWhole(access, `${name}.docx`, bytes);
  });
});

describe('a name in decomposed normalization form', () => {
  it('is opened and saved under the name it has on disk', async () => {
    const name = 're\u0301sume\u0301.docx';
    const { access } = await openDocument(name);
    const bytes = makeContent('saved', 6_000);
    assert.equal((await client.putFile(access, 'the lock', bytes)).status, 200);
    await assertWhole(access, name, bytes);
    assert.ok(!existsSync(inFolder(name.normalize('NFC'))));
  });

  it('isn’t confused with the composed form that another document has', async () => {
    const forms = ['twin e\u0301.docx', 'twin \u00e9.docx'];
    for (const name of forms) {
      writeFileSync(inFolder(name), makeContent(name.normalize('NFC'), 5_000));
      const twin = await served.access(name);
      assert.equal((await client.lock(twin, `lock of ${name.length}`)).status, 200);
    }
    const { access } = await openDocument('copied.docx');
    for (const name of forms) {
      const headers = {
        'X-WOPI-RelativeTarget': encodeUtf7(name, 'closed'),
        'X-WOPI-OverwriteRelativeTarget': 'True',
      };
      const answer = await client.operate(access, 'PUT_RELATIVE', headers, makeContent('copy', 5_000));
      assert.equal(answer.status, 409, answer.body.toString());
      assert.equal(header(answer, 'x-wopi-lock'), `lock of ${name.length}`);
    }
  });
});
