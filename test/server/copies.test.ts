// Copies that an editor creates (PutRelativeFile): what they may replace, how many are accepted, and how much space must stay free.

import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startTestHost, type WopiResponse } from './test-host.ts';

const overwriting = (name: string) => ({
  'X-WOPI-RelativeTarget': name,
  'X-WOPI-OverwriteRelativeTarget': 'True',
});

/** The document and the token from the answer. */
function created({ status, body }: WopiResponse): { fileId: string; token: string } {
  assert.equal(status, 200, body.toString());
  const { Url: url } = JSON.parse(body.toString()) as { Url: string };
  const { pathname, searchParams } = new URL(url);
  return { fileId: pathname.split('/').at(-1) ?? '', token: searchParams.get('access_token') ?? '' };
}

const refusedAsTaken = (answer: WopiResponse): void => {
  assert.equal(answer.status, 409, answer.body.toString());
  assert.equal(answer.headers.get('X-WOPI-Lock'), '');
  assert.notEqual(answer.headers.get('X-WOPI-ValidRelativeTarget') ?? '', '');
};

test('a session replaces its own copies, even after a restart, and no other documents, as neither does the token of a copy', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'mine', 'secret.docx': 'secret' } }, t);
  const [one, two] = [await host.document('a.docx'), await host.document('a.docx')];
  const headers = overwriting('copy.docx');
  const first = created(await two.copy('copied', headers));
  refusedAsTaken(await one.copy('replaced', headers));
  refusedAsTaken(await one.copy('replaced', overwriting('secret.docx')));
  const child = created(await two.copy('copied', { 'X-WOPI-RelativeTarget': 'child.docx' }));
  refusedAsTaken(await host.wopi({ ...child, override: 'PUT_RELATIVE', headers, body: 'replaced' }));
  for (const body of ['second', 'third']) {
    assert.equal(created(await two.copy(body, headers)).fileId, first.fileId);
    assert.equal(await readFile(join(host.folder, 'copy.docx'), 'utf8'), body);
    await host.restart();
  }
  assert.equal(await readFile(join(host.folder, 'secret.docx'), 'utf8'), 'secret');
  assert.equal(host.host.services.versions.list(first.fileId).length, 2);
  const locked = { ...first, override: 'LOCK', headers: { 'X-WOPI-Lock': 'theirs' } };
  assert.equal((await host.wopi(locked)).status, 200);
  const refused = await two.copy('replaced', headers);
  assert.deepEqual([refused.status, refused.headers.get('X-WOPI-Lock')], [409, 'theirs']);
});

test('the token of a copy is for the copy only, and expires with the token that created it', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'mine' } }, t);
  const { copy, fileId, token } = await host.document('a.docx');
  host.clock.advance(3 * 60 * 60_000);
  const made = created(await copy('', { 'X-WOPI-SuggestedTarget': 'copy.docx', 'X-WOPI-Size': '0' }));
  assert.equal((await host.wopi({ ...made, fileId })).status, 404);
  const { accessTokens } = host.host.services;
  assert.equal(accessTokens.find(made.token)?.expiresAtMs, accessTokens.find(token)?.expiresAtMs);
  assert.ok(accessTokens.find(made.token) !== undefined);
});

test('the first save with the token of a copy conflicts with nothing', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'mine' } }, t);
  const { copy } = await host.document('a.docx');
  const made = created(await copy('copied', { 'X-WOPI-SuggestedTarget': 'copy.docx' }));
  const headers = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ ...made, override: 'LOCK', headers });
  await host.wopi({ ...made, override: 'PUT', contents: true, headers, body: 'typed' });
  assert.equal(await readFile(join(host.folder, 'copy.docx'), 'utf8'), 'typed');
  assert.deepEqual(await readdir(host.folder), ['a.docx', 'copy.docx']);
});

test('doesn’t take a new document with the name of a deleted copy for that copy', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'mine' } }, t);
  const { copy } = await host.document('a.docx');
  const first = created(await copy('copied', overwriting('copy.docx')));
  await host.wopi({ ...first, override: 'DELETE' });
  await rm(join(host.folder, 'copy.docx'), { force: true });
  await writeFile(join(host.folder, 'copy.docx'), 'the secret of somebody else');
  refusedAsTaken(await copy('replaced', overwriting('copy.docx')));
  assert.equal((await host.wopi({ ...first, contents: true })).status, 404);
});

test('limits how many copies a session can create in a row, and allows more later', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'mine' } }, t);
  const { copy } = await host.document('a.docx');
  const other = await host.document('a.docx');
  const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
  const answers: WopiResponse[] = [];
  for (let number = 0; number < 600; number += 1) answers.push(await copy('copied', headers));
  const accepted = answers.filter(({ status }) => status === 200);
  assert.ok(accepted.length >= 60 && accepted.length <= 70, String(accepted.length));
  const refused = answers.at(-1);
  assert.equal(refused?.status, 500);
  assert.match(refused.headers.get('X-WOPI-ServerError') ?? '', /^Too many copies .* Wait /);
  assert.equal((await readdir(host.folder)).length, accepted.length + 1);

  const child = created(accepted[0] as WopiResponse);
  const { status } = await host.wopi({ ...child, override: 'PUT_RELATIVE', headers, body: 'copied' });
  assert.equal(status, 500, 'a copy’s token shares the limit of its session');
  created(await other.copy('copied', headers));
  host.clock.advance(60_000);
  created(await copy('copied', headers));
});

test('below minFreeMB, creates no copy but still saves existing documents', async (t) => {
  const host = await startTestHost({ files: { 'a.docx': 'mine' } }, t);
  const { copy, lock, save, content } = await host.document('a.docx');
  const { settings, recoveredSaves } = host.host.services;
  await settings.update({ minFreeMB: 16_000_000 });
  const refused = await copy('copied', { 'X-WOPI-SuggestedTarget': 'copy.docx' });
  assert.equal(refused.status, 500);
  assert.match(refused.headers.get('X-WOPI-ServerError') ?? '', /almost full.*minFreeMB/);
  assert.deepEqual(await readdir(host.folder), ['a.docx']);
  assert.deepEqual(recoveredSaves.list(), []);
  await lock();
  for (const body of ['two', 'three']) assert.equal((await save(body)).status, 200);
  assert.equal(await content(), 'three');
  await settings.update({ minFreeMB: 0 });
  created(await copy('copied', { 'X-WOPI-SuggestedTarget': 'copy.docx' }));
});
