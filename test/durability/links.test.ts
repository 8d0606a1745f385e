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
import { after, before, describe, it } from 'node:test';
import { makeContent } from '../crash/content.ts';
import { createHostClient, fileInfo, json, responseOf } from '../crash/host-client.ts';
import type { Answer } from '../crash/host-client.ts';
import { makeScratch, serve } from '../crash/serve-process.ts';
import type { ServeProcess } from '../crash/serve-process.ts';

const scratch = makeScratch();
const client = createHostClient(() => host.baseUrl);
const inFolder = (...parts: string[]): string => join(scratch.folder, ...parts);
const secret = Buffer.from('a secret that lies outside of the folder');
const secretPath = join(scratch.outside, 'secret.docx');
let host: ServeProcess;
let apiToken: string;

before(async () => {
  writeFileSync(secretPath, secret);
  host = await serve(scratch);
  apiToken = await client.signIn();
});

after(async () => {
  await host.kill();
  scratch.remove();
});

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
  const answer = await client.list(apiToken, { path });
  assert.equal(answer.status, 200, answer.body.toString());
  return namesIn((responseOf(answer) as { items: unknown }).items);
}

function namesIn(items: unknown): string[] {
  return (items as { name: string }[]).map(({ name }) => name);
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
    const behind = await client.list(apiToken, { path: 'outside-folder' });
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
      const answer = await client.post('/api/2.0/files/access', { path, mode: 'edit' }, apiToken);
      assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status} ${answer.body.toString()}`);
      assertSecretIsSafe(answer);
    }
  });

  it('isn’t written by a copy or a rename to its name', async () => {
    const access = await client.access('plain.docx', apiToken);
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
    const access = await client.access('swapped.docx', apiToken);
    assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
    rmSync(inFolder('swapped.docx'));
    symlinkSync(secretPath, inFolder('swapped.docx'));

    const info = await client.checkFileInfo(access);
    const read = await client.getFile(access);
    assert.ok(info.status >= 400, info.body.toString());
    assert.ok(read.status >= 400, read.body.toString());
    const saved = await client.putFile(access, 'the lock', makeContent('after the swap', 5_000));
    assertSecretIsSafe(info, read, saved);
    const renamed = await client.operate(access, 'RENAME_FILE', {
      'X-WOPI-Lock': 'the lock',
      'X-WOPI-RequestedName': 'elsewhere',
    });
    assertSecretIsSafe(renamed);
  });

  it('isn’t followed when it replaces the document’s folder during an edit', async () => {
    mkdirSync(inFolder('swapped-folder'));
    writeFileSync(inFolder('swapped-folder', 'secret.docx'), 'inside');
    const access = await client.access('swapped-folder/secret.docx', apiToken);
    assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
    rmSync(inFolder('swapped-folder'), { recursive: true });
    symlinkSync(scratch.outside, inFolder('swapped-folder'));

    const info = await client.checkFileInfo(access);
    const read = await client.getFile(access);
    assert.ok(info.status >= 400 && read.status >= 400, `${info.status} ${read.status}`);
    const saved = await client.putFile(access, 'the lock', makeContent('after the swap', 5_000));
    const copy = await client.operate(
      access,
      'PUT_RELATIVE',
      { 'X-WOPI-SuggestedTarget': 'new.docx' },
      'copy',
    );
    const renamed = await client.operate(access, 'RENAME_FILE', {
      'X-WOPI-Lock': 'the lock',
      'X-WOPI-RequestedName': 'new',
    });
    const deleted = await client.operate(access, 'DELETE');
    assertSecretIsSafe(info, read, saved, copy, renamed, deleted);
  });

  it('isn’t followed when it replaces a folder that was moved out', async () => {
    mkdirSync(inFolder('moved-out'));
    writeFileSync(inFolder('moved-out', 'b.docx'), 'inside');
    const access = await client.access('moved-out/b.docx', apiToken);
    assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
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

    const real = await client.access('real/target.docx', apiToken);
    const byLink = await client.access('inside.docx', apiToken);
    const byFolder = await client.access('inside-folder/target.docx', apiToken);
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
