// Copies that an editor creates (PutRelativeFile): what they may replace, how many are accepted, and how much space must stay free.

import assert from 'node:assert/strict';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { startTestHost, type TestAccess, type TestHost, type WopiResponse } from './test-host.ts';

const overwriting = { 'X-WOPI-OverwriteRelativeTarget': 'True' };

async function start(t: TestContext, files: Record<string, string>): Promise<TestHost> {
  const host = await startTestHost({ files });
  t.after(() => host.stop());
  return host;
}

type Copier = Pick<TestAccess, 'fileId' | 'accessToken'>;

function copy(
  host: TestHost,
  { fileId, accessToken: token }: Copier,
  headers: Record<string, string>,
  body = 'copied',
): Promise<WopiResponse> {
  return host.wopi({ fileId, token, override: 'PUT_RELATIVE', headers, body });
}

/** The document and the token from the answer. */
function created({ status, body }: WopiResponse): Copier {
  assert.equal(status, 200, body.toString());
  const { Url: url } = JSON.parse(body.toString()) as { Url: string };
  const { pathname, searchParams } = new URL(url);
  return { fileId: pathname.split('/').at(-1) ?? '', accessToken: searchParams.get('access_token') ?? '' };
}

const refusedAsTaken = (answer: WopiResponse): void => {
  assert.equal(answer.status, 409, answer.body.toString());
  assert.equal(answer.headers.get('X-WOPI-Lock'), '');
  assert.notEqual(answer.headers.get('X-WOPI-ValidRelativeTarget') ?? '', '');
};

test('a copy doesn’t replace a document that its session didn’t create', async (t) => {
  const host = await start(t, { 'a.docx': 'mine', 'secret.docx': 'secret' });
  const one = await host.access('a.docx');
  const two = await host.access('a.docx');
  const headers = { 'X-WOPI-RelativeTarget': 'copy.docx', ...overwriting };
  created(await copy(host, two, headers));
  refusedAsTaken(await copy(host, one, headers, 'replaced'));
  refusedAsTaken(await copy(host, one, { 'X-WOPI-RelativeTarget': 'secret.docx', ...overwriting }));
  assert.equal(await readFile(join(host.folder, 'copy.docx'), 'utf8'), 'copied');
  assert.equal(await readFile(join(host.folder, 'secret.docx'), 'utf8'), 'secret');
});

test('a session can replace its own copy, even after a restart: same id, new version', async (t) => {
  const host = await start(t, { 'a.docx': 'mine' });
  const access = await host.access('a.docx');
  const headers = { 'X-WOPI-RelativeTarget': 'copy.docx', ...overwriting };
  const first = created(await copy(host, access, headers));
  const again = created(await copy(host, access, headers, 'second'));
  assert.equal(again.fileId, first.fileId);
  await host.restart();
  assert.equal(created(await copy(host, access, headers, 'third')).fileId, first.fileId);
  assert.equal(await readFile(join(host.folder, 'copy.docx'), 'utf8'), 'third');
  assert.equal(host.host.services.versions.list(first.fileId).length, 2);
});

test('a copy’s token doesn’t replace another copy that the parent session created', async (t) => {
  const host = await start(t, { 'a.docx': 'mine' });
  const access = await host.access('a.docx');
  const headers = { 'X-WOPI-RelativeTarget': 'sibling.docx', ...overwriting };
  const child = created(await copy(host, access, { 'X-WOPI-RelativeTarget': 'copy.docx' }));
  created(await copy(host, access, headers));
  refusedAsTaken(await copy(host, child, headers, 'replaced'));
});

test('doesn’t take a new document with the name of a deleted copy for that copy', async (t) => {
  const host = await start(t, { 'a.docx': 'mine' });
  const access = await host.access('a.docx');
  const headers = { 'X-WOPI-RelativeTarget': 'copy.docx', ...overwriting };
  const first = created(await copy(host, access, headers));
  await host.wopi({ fileId: first.fileId, token: first.accessToken, override: 'DELETE' });
  await rm(join(host.folder, 'copy.docx'), { force: true });
  await writeFile(join(host.folder, 'copy.docx'), 'the secret of somebody else');
  refusedAsTaken(await copy(host, access, headers, 'replaced'));
  const read = await host.wopi({ fileId: first.fileId, token: first.accessToken, contents: true });
  assert.equal(read.status, 404);
});

test('limits how many copies a session can create in a row, and allows more later', async (t) => {
  const host = await start(t, { 'a.docx': 'mine' });
  const access = await host.access('a.docx');
  const other = await host.access('a.docx');
  const headers = { 'X-WOPI-SuggestedTarget': 'copy.docx' };
  const answers: WopiResponse[] = [];
  for (let number = 0; number < 600; number += 1) answers.push(await copy(host, access, headers));
  const accepted = answers.filter(({ status }) => status === 200);
  assert.ok(accepted.length >= 60 && accepted.length <= 70, String(accepted.length));
  const refused = answers.at(-1);
  assert.equal(refused?.status, 500);
  assert.match(refused.headers.get('X-WOPI-ServerError') ?? '', /^Too many copies .* Wait /);
  assert.equal((await readdir(host.folder)).length, accepted.length + 1);

  const child = created(accepted[0] as WopiResponse);
  assert.equal(
    (await copy(host, child, headers)).status,
    500,
    'a copy’s token shares the limit of its session',
  );
  created(await copy(host, other, headers));
  host.clock.advance(60_000);
  created(await copy(host, access, headers));
});

test('below minFreeMB, creates no copy but still saves existing documents', async (t) => {
  const host = await start(t, { 'a.docx': 'mine' });
  const access = await host.access('a.docx');
  const { fileId, accessToken: token } = access;
  await host.host.services.settings.update({ minFreeMB: 16_000_000 });
  const refused = await copy(host, access, { 'X-WOPI-SuggestedTarget': 'copy.docx' });
  assert.equal(refused.status, 500);
  assert.match(refused.headers.get('X-WOPI-ServerError') ?? '', /almost full.*minFreeMB/);
  assert.deepEqual(await readdir(host.folder), ['a.docx']);
  assert.deepEqual(host.host.services.recoveredSaves.list(), []);

  const lock = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, override: 'LOCK', headers: lock });
  for (const body of ['two', 'three']) {
    const saved = await host.wopi({ fileId, token, contents: true, override: 'PUT', headers: lock, body });
    assert.equal(saved.status, 200, saved.body.toString());
  }
  assert.equal(await readFile(join(host.folder, 'a.docx'), 'utf8'), 'three');
  await host.host.services.settings.update({ minFreeMB: 0 });
  created(await copy(host, access, { 'X-WOPI-SuggestedTarget': 'copy.docx' }));
});
