// Symbolic links inside the folder. One that leads out of it is never read, written or listed, not even when it replaces a document
// or a folder during an edit; one that stays inside is the document it points to.

import assert from 'node:assert/strict';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { fileInfo, json, responseOf } from '../crash/host-client.ts';
import type { Answer } from '../crash/host-client.ts';
import { serveHost } from '../crash/serve-host.ts';

const served = serveHost(({ outside }) => writeFileSync(join(outside, 'secret.docx'), secret));
const { scratch, client, inFolder, access: accessTo, edit } = served;
const secret = Buffer.from('a secret that lies outside of the folder');
const lock = { 'X-WOPI-Lock': 'the lock' };
const secretPath = join(scratch.outside, 'secret.docx');

function assertSecretIsSafe(...answers: Answer[]): void {
  assert.ok(readFileSync(secretPath).equals(secret), 'the file outside was written');
  assert.deepEqual(readdirSync(scratch.outside), ['secret.docx'], 'something was created outside');
  for (const answer of answers) {
    const summary = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.body.toString()}`;
    assert.ok(!summary.includes(secret.toString()), summary);
    assert.ok(!summary.includes(scratch.outside), summary);
  }
}

async function listed(path: string): Promise<string[]> {
  const answer = await client.list(served.apiToken, { path });
  assert.equal(answer.status, 200, answer.body.toString());
  const { items } = responseOf(answer) as { items: { name: string }[] };
  return items.map(({ name }) => name);
}

describe('a symbolic link that leads out of the folder', () => {
  before(() => {
    mkdirSync(inFolder('sub'));
    writeFileSync(inFolder('plain.docx'), 'plain');
    symlinkSync(secretPath, inFolder('link.docx'));
    symlinkSync('../../outside/secret.docx', inFolder('sub', 'relative.docx'));
    symlinkSync(scratch.outside, inFolder('outside-folder'));
    symlinkSync(inFolder('nothing'), inFolder('dangling.docx'));
    symlinkSync('loop.docx', inFolder('loop.docx'));
    symlinkSync('link.docx', inFolder('link-to-link.docx'));
  });

  it('is not listed', async () => {
    assert.deepEqual((await listed('')).toSorted(), ['plain.docx', 'sub']);
    assert.deepEqual(await listed('sub'), []);
    const behind = await client.list(served.apiToken, { path: 'outside-folder' });
    assert.ok([400, 404].includes(behind.status), behind.body.toString());
    assertSecretIsSafe(behind);
  });

  it('can’t be opened, nor can any path through it', async () => {
    for (const path of [
      'link.docx',
      'sub/relative.docx',
      'outside-folder',
      'outside-folder/secret.docx',
      'outside-folder/../outside/secret.docx',
      'dangling.docx',
      'loop.docx',
      'link-to-link.docx',
    ]) {
      const answer = await client.post('/api/2.0/files/access', { path, mode: 'edit' }, served.apiToken);
      assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status} ${answer.body.toString()}`);
      assertSecretIsSafe(answer);
    }
  });

  it('isn’t written by a copy or a rename to its name', async () => {
    const access = await accessTo('plain.docx');
    const bytes = makeContent('copy', 5_000);
    for (const target of ['link.docx', 'dangling.docx', 'loop.docx']) {
      const headers = { 'X-WOPI-SuggestedTarget': target };
      const copy = await client.operate(access, 'PUT_RELATIVE', headers, bytes);
      assert.equal(copy.status, 200, copy.body.toString());
      const { Name: name } = json(copy) as { Name: string };
      assert.notEqual(name, target);
      assert.ok(readFileSync(inFolder(name)).equals(bytes));
      assertSecretIsSafe(copy);

      const exact = { 'X-WOPI-RelativeTarget': target, 'X-WOPI-OverwriteRelativeTarget': 'True' };
      const overwrite = await client.operate(access, 'PUT_RELATIVE', exact, bytes);
      assert.ok(lstatSync(inFolder(target)).isSymbolicLink() || overwrite.status === 200);
      assertSecretIsSafe(overwrite);
    }
    const renamed = await client.operate(access, 'RENAME_FILE', { 'X-WOPI-RequestedName': 'link' });
    assert.equal(renamed.status, 200, renamed.body.toString());
    assert.equal(readlinkSync(inFolder('link-to-link.docx')), 'link.docx');
    assertSecretIsSafe(renamed);
  });

  it('isn’t followed when it replaces a document during an edit', async () => {
    writeFileSync(inFolder('swapped.docx'), 'before the swap');
    const access = await edit('swapped.docx');
    rmSync(inFolder('swapped.docx'));
    symlinkSync(secretPath, inFolder('swapped.docx'));

    const info = await client.checkFileInfo(access);
    const read = await client.getFile(access);
    assert.ok(info.status >= 400, info.body.toString());
    assert.ok(read.status >= 400, read.body.toString());
    const saved = await client.putFile(access, 'the lock', makeContent('after the swap', 5_000));
    assertSecretIsSafe(info, read, saved);
    const renamed = await client.operate(access, 'RENAME_FILE', {
      ...lock,
      'X-WOPI-RequestedName': 'elsewhere',
    });
    assertSecretIsSafe(renamed);
  });

  it('isn’t followed when it replaces the document’s folder during an edit', async () => {
    mkdirSync(inFolder('swapped-folder'));
    writeFileSync(inFolder('swapped-folder', 'secret.docx'), 'inside');
    const access = await edit('swapped-folder/secret.docx');
    rmSync(inFolder('swapped-folder'), { recursive: true });
    symlinkSync(scratch.outside, inFolder('swapped-folder'));

    const info = await client.checkFileInfo(access);
    const read = await client.getFile(access);
    assert.ok(info.status >= 400 && read.status >= 400, `${info.status} ${read.status}`);
    const saved = await client.putFile(access, 'the lock', makeContent('after the swap', 5_000));
    const target = { 'X-WOPI-SuggestedTarget': 'new.docx' };
    const copy = await client.operate(access, 'PUT_RELATIVE', target, 'copy');
    const renamed = await client.operate(access, 'RENAME_FILE', { ...lock, 'X-WOPI-RequestedName': 'new' });
    const deleted = await client.operate(access, 'DELETE');
    assertSecretIsSafe(info, read, saved, copy, renamed, deleted);
  });

  it('isn’t followed when it replaces a folder that was moved out', async () => {
    mkdirSync(inFolder('moved-out'));
    writeFileSync(inFolder('moved-out', 'b.docx'), 'inside');
    const access = await edit('moved-out/b.docx');
    const away = `${scratch.outside}-2`;
    renameSync(inFolder('moved-out'), away);
    symlinkSync(away, inFolder('moved-out'));
    assert.ok((await client.getFile(access)).status >= 400);
    await client.putFile(access, 'the lock', makeContent('after the move', 5_000));
    assert.equal(readFileSync(join(away, 'b.docx'), 'utf8'), 'inside', 'the same file, which is now outside');
    assert.deepEqual(readdirSync(away), ['b.docx']);
  });
});

describe('a symbolic link that stays inside the folder', () => {
  it('is the same document with the same lock, and stays a link after a save', async () => {
    mkdirSync(inFolder('real'));
    writeFileSync(inFolder('real', 'target.docx'), 'target');
    symlinkSync('real/target.docx', inFolder('inside.docx'));
    symlinkSync('real', inFolder('inside-folder'));

    const real = await accessTo('real/target.docx');
    const byLink = await accessTo('inside.docx');
    const byFolder = await accessTo('inside-folder/target.docx');
    assert.equal(byLink.fileId, real.fileId);
    assert.equal(byFolder.fileId, real.fileId);
    assert.equal((await client.openToEdit(byLink, 'the lock')).status, 200);
    assert.equal((await client.lock(real, 'another lock')).status, 409);

    const bytes = makeContent('through the link', 5_000);
    assert.equal((await client.putFile(byLink, 'the lock', bytes)).status, 200);
    assert.ok(readFileSync(inFolder('real', 'target.docx')).equals(bytes));
    assert.equal(readlinkSync(inFolder('inside.docx')), 'real/target.docx');
    assert.equal(fileInfo(await client.checkFileInfo(byLink)).BaseFileName, 'target.docx');
  });
});
