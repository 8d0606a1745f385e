// Every row of "Where a save goes" in docs/durability.md: the answer, the bytes on the disk, in versions, conflict copies and recovered
// saves, and what the host tells the document's page about the newest save.

import assert from 'node:assert/strict';
import { chmod, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { PageState } from '../../app/contract/page-state.ts';
import { startTestHost, type WopiResponse } from './test-host.ts';

const word = await readFile(new URL('../fixtures/letter.docx', import.meta.url));
const newerWord = Buffer.concat([Buffer.from('leading bytes'), word]);
const noDocument = Buffer.from('conversion failed: error -86');
const unmodified = { 'X-LOOL-WOPI-IsModifiedByUser': 'false' };

/** A document that an editor has read and locked as `L`, and the page around that editor. */
async function open(t: TestContext, content: string | Buffer = 'read', name = 'a.txt') {
  const test = await startTestHost({ files: { [name]: content, 'taken.txt': 'precious' } });
  t.after(() => test.stop());
  const { fileId, accessToken: token, hostEditUrl } = await test.access(name);
  const entered = await fetch(hostEditUrl, { redirect: 'manual' });
  const [cookie = ''] = entered.headers.getSetCookie().map((one) => one.split(';')[0]);
  const lock = { 'X-WOPI-Lock': 'L' };
  const path = join(test.folder, name);
  const services = () => test.host.services;
  const page = async (call: string, body?: object): Promise<Response> =>
    fetch(`${test.baseUrl}/edit/${fileId}/${call}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Cookie: cookie, Origin: test.baseUrl, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const state = async () => (await (await page('state')).json()) as PageState;
  await test.wopi({ fileId, token, contents: true });
  assert.equal((await test.wopi({ fileId, token, override: 'LOCK', headers: lock })).status, 200);
  return {
    test,
    fileId,
    token,
    path,
    page,
    state,
    services,
    put: (body: string | Buffer, headers: Record<string, string> = {}): Promise<WopiResponse> =>
      test.wopi({ fileId, token, contents: true, override: 'PUT', headers: { ...lock, ...headers }, body }),
    copy: (body: string | Buffer, headers: Record<string, string>): Promise<WopiResponse> =>
      test.wopi({ fileId, token, override: 'PUT_RELATIVE', headers, body }),
    /** Where the newest save is, if it isn't in the file. */
    missed: async () => (await state()).missed?.kind ?? null,
    onDisk: () => readFile(path),
    inFolder: async () =>
      Promise.all((await readdir(test.folder)).toSorted().map((one) => readFile(join(test.folder, one)))),
    async versions() {
      const list = services().folders.require(fileId).versions.list(fileId);
      return Promise.all(
        list.map(async ({ id, savedHow }) => ({
          savedHow,
          bytes: await readFile(join(test.dataDir, 'versions', fileId, id), 'latin1'),
        })),
      );
    },
    recovered: async () =>
      Promise.all(
        services()
          .recoveredSaves.list()
          .map(({ id }) => readFile(join(test.dataDir, 'rescued', `${id}.${fileId}`))),
      ),
  };
}

const text = (buffers: Buffer[]): string[] => buffers.map(String);

test('a save under its lock becomes the file, and what it replaced a version', async (t) => {
  const { put, onDisk, versions, missed } = await open(t);
  assert.equal((await put('typed')).status, 200);
  assert.equal(String(await onDisk()), 'typed');
  assert.deepEqual(
    (await versions()).map(({ bytes }) => bytes),
    ['read'],
  );
  assert.equal(await missed(), null);
});

test('a save of a changed file becomes the file, and what another program wrote a conflict copy', async (t) => {
  const { put, path, inFolder, missed } = await open(t);
  await writeFile(path, 'of another program');
  assert.equal((await put('typed')).status, 200);
  assert.deepEqual(text(await inFolder()), ['of another program', 'typed', 'precious']);
  assert.equal(await missed(), null);
});

test('a save of a changed file that reports no changes becomes a version, and its page knows', async (t) => {
  const { put, path, onDisk, versions, recovered, missed, test, fileId, token, services } = await open(t);
  await writeFile(path, 'of another program');
  // ONLYOFFICE leaves out headers that are false.
  const exits = ['true', 'TRUE'].map((value) => ({ 'X-LOOL-WOPI-IsExitSave': value }));
  for (const headers of [unmodified, ...exits, { ...unmodified, ...exits[0] }]) {
    const { status, headers: answered } = await put('typed', headers);
    assert.equal(status, 200);
    const version = services().filesTable.byId(fileId)?.version;
    assert.match(answered.get('X-WOPI-ItemVersion') ?? '', new RegExp(`^${version}\\.`));
    assert.equal(String(await onDisk()), 'of another program');
  }
  assert.deepEqual(await versions(), [{ savedHow: 'unwritten', bytes: 'typed' }], 'the same bytes once');
  assert.deepEqual(await recovered(), [], 'no alarm');
  assert.equal(await missed(), 'version');
  await test.restart();
  assert.equal(await missed(), 'version', 'also after a restart');
  const lock = { 'X-WOPI-Lock': 'L' };
  for (const override of ['UNLOCK', 'LOCK']) await test.wopi({ fileId, token, override, headers: lock });
  assert.equal(await missed(), null, 'but not for an editor that opens the document later');
  await put('typed', unmodified);
  assert.equal(await missed(), 'version');
  assert.equal((await put('typed more')).status, 200);
  assert.equal(await missed(), null, 'until a later save is in the file');
});

test('an unmodified save of an unchanged file becomes the file', async (t) => {
  const { put, onDisk, missed } = await open(t);
  assert.equal((await put('typed', unmodified)).status, 200);
  assert.deepEqual([String(await onDisk()), await missed()], ['typed', null]);
});

test('a version that wasn’t written can be restored, which decides where the newest save is', async (t) => {
  const { put, path, onDisk, versions, missed, page, test, fileId, token, services } = await open(t);
  await writeFile(path, 'of another program');
  await put('typed', unmodified);
  await test.wopi({ fileId, token, override: 'UNLOCK', headers: { 'X-WOPI-Lock': 'L' } });
  const [version] = services().folders.require(fileId).versions.list(fileId);
  assert.equal((await page('restore-version', { versionId: version?.id })).status, 204);
  assert.equal(String(await onDisk()), 'typed');
  assert.deepEqual(
    (await versions()).map(({ bytes }) => bytes),
    ['of another program', 'typed'],
  );
  assert.equal(await missed(), null);
});

test('a save that Collabora bases on another time becomes a recovered save until the same bytes are saved', async (t) => {
  const { put, path, onDisk, recovered, missed } = await open(t);
  await writeFile(path, 'of another program');
  const refused = await put('typed', { 'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' });
  assert.deepEqual([refused.status, String(await onDisk())], [409, 'of another program']);
  assert.deepEqual([text(await recovered()), await missed()], [['typed'], 'recovered']);
  assert.equal((await put('typed')).status, 200);
  assert.deepEqual([String(await onDisk()), await recovered(), await missed()], ['typed', [], null]);
});

for (const [what, status, headers, body] of [
  ['another lock id', 409, { 'X-WOPI-Lock': 'other' }, 'typed'],
  ['no lock id', 409, { 'X-WOPI-Lock': '' }, 'typed'],
  ['a lock id that isn’t one', 400, { 'X-WOPI-Lock': 'L'.repeat(1025) }, 'typed'],
  ['another size than announced', 400, { 'X-WOPI-Size': '9' }, 'typed'],
  ['a size that isn’t one', 400, { 'X-WOPI-Size': 'many' }, 'typed'],
  ['an encoding', 415, { 'Content-Encoding': 'gzip' }, gzipSync('typed')],
] as [string, number, Record<string, string>, string | Buffer][]) {
  test(`a save with ${what} becomes a recovered save, and its page knows`, async (t) => {
    const { put, onDisk, recovered, missed } = await open(t);
    assert.equal((await put(body, headers)).status, status);
    assert.equal(String(await onDisk()), 'read');
    assert.deepEqual([await recovered(), await missed()], [[Buffer.from(body)], 'recovered']);
  });
}

test('a refused save with the bytes of the file needs no recovered save', async (t) => {
  const { put, recovered, missed } = await open(t);
  assert.equal((await put('read', { 'X-WOPI-Lock': 'other' })).status, 409);
  assert.deepEqual([await recovered(), await missed()], [[], null]);
});

test('a save of a deleted document creates it again under its lock, and becomes a recovered save without', async (t) => {
  const { put, path, onDisk, recovered, missed, test, fileId, token } = await open(t);
  await rm(path);
  assert.equal((await put('typed')).status, 200);
  assert.equal(String(await onDisk()), 'typed');
  await test.wopi({ fileId, token, override: 'UNLOCK', headers: { 'X-WOPI-Lock': 'L' } });
  await rm(path);
  assert.equal((await put('typed more')).status, 404);
  assert.deepEqual(text(await recovered()), ['typed more']);
  await writeFile(path, 'back');
  assert.equal(await missed(), 'recovered');
});

test('a save that the disk refuses becomes a recovered save', async (t) => {
  const { put, path, onDisk, recovered, missed } = await open(t);
  await chmod(path, 0o444);
  assert.equal((await put('typed', unmodified)).status, 500);
  assert.deepEqual(
    [String(await onDisk()), text(await recovered()), await missed()],
    ['read', ['typed'], 'recovered'],
  );
});

test('a save that fails unexpectedly, as on a drive that is being unplugged, becomes a recovered save', async (t) => {
  const { put, recovered, missed, services, fileId } = await open(t);
  services().folders.require(fileId).content.replace = () =>
    Promise.reject(Object.assign(new Error('stale file handle'), { code: 'ESTALE' }));
  const { status, headers } = await put('typed');
  assert.equal(status, 500);
  assert.notEqual(headers.get('X-WOPI-ServerError') ?? '', '');
  assert.deepEqual([text(await recovered()), await missed()], [['typed'], 'recovered']);
});

test('a save with a revoked token isn’t received, and its page knows', async (t) => {
  const { put, recovered, missed, services } = await open(t);
  for (const { id } of services().accessTokens.list()) services().accessTokens.revoke(id);
  assert.equal((await put('typed')).status, 401);
  assert.deepEqual([await recovered(), await missed()], [[], 'nowhere']);
});

test('a save above the limit isn’t received, and its page knows', async (t) => {
  const { put, missed, services } = await open(t);
  await services().settings.update({ maxUploadMB: 1 });
  assert.equal((await put(Buffer.alloc(1_000_001))).status, 413);
  assert.equal(await missed(), 'nowhere');
});

test('a save that breaks off changes nothing, and its page knows', async (t) => {
  const { onDisk, recovered, missed, test, fileId, token } = await open(t);
  const broken = request(`${test.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
    method: 'POST',
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L', 'Content-Length': 10 },
  }).on('error', () => undefined);
  await new Promise<void>((resolve) => void broken.write('half', () => resolve()));
  broken.destroy();
  while ((await missed()) === null) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual([String(await onDisk()), await recovered(), await missed()], ['read', [], 'nowhere']);
});

test('a save with an encoding for its transfer becomes a recovered save', async (t) => {
  const { onDisk, recovered, test, fileId, token } = await open(t);
  const compressed = gzipSync('typed');
  const status = await new Promise((resolve) => {
    request(`${test.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
      method: 'POST',
      headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L', 'Transfer-Encoding': 'gzip, chunked' },
    })
      .on('response', (response) => resolve(response.statusCode))
      .end(compressed);
  });
  assert.deepEqual([status, String(await onDisk()), await recovered()], [415, 'read', [compressed]]);
});

test('a save for which the quota has no room is refused with an event, and its page knows', async (t) => {
  const { put, missed, services, test } = await open(t);
  await services().settings.update({ recoveredMB: 1, recoveredTokenMB: 1 });
  const { accessToken } = await test.access('taken.txt');
  const other = services().accessTokens.find(accessToken)?.fileId ?? '';
  const body = Buffer.alloc(900_000, 'x');
  const headers = { 'X-WOPI-Lock': 'no lock' };
  await test.wopi({ fileId: other, token: accessToken, contents: true, override: 'PUT', headers, body });
  assert.equal((await put(Buffer.alloc(900_001, 'y'), headers)).status, 409);
  assert.equal(await missed(), 'nowhere');
  assert.ok(test.events.some(({ event }) => event === 'recovered-save-refused'));
});

for (const [what, body] of [
  ['isn’t a document', noDocument],
  ['ends too early', word.subarray(0, word.length - 30)],
  ['is empty', Buffer.alloc(0)],
] as const) {
  test(`a save that ${what} doesn’t replace one that is: it becomes a recovered save`, async (t) => {
    const { put, onDisk, recovered, missed, state } = await open(t, word, 'letter.docx');
    const { status, headers } = await put(body);
    assert.equal(status, 500);
    assert.match(headers.get('X-WOPI-ServerError') ?? '', /isn't a readable document/u);
    assert.ok(word.equals(await onDisk()));
    assert.deepEqual([await recovered(), await missed()], [[body], 'unreadable']);
    assert.deepEqual(
      (await state()).recovered.map(({ isUnreadable }) => isUnreadable),
      [true],
    );
  });
}

test('an unreadable save can be saved anyway, and its session continues from it', async (t) => {
  const { put, onDisk, recovered, versions, missed, page, state, inFolder } = await open(
    t,
    word,
    'letter.docx',
  );
  await put(noDocument);
  const [save] = (await state()).recovered;
  assert.equal((await page('save-anyway', { id: save?.id })).status, 204);
  assert.ok(noDocument.equals(await onDisk()));
  assert.deepEqual([await recovered(), await missed()], [[], null]);
  assert.deepEqual(
    (await versions()).map(({ bytes }) => bytes),
    [word.toString('latin1')],
  );
  assert.equal((await put(newerWord)).status, 200);
  assert.equal((await inFolder()).length, 2, 'no conflict copy');
});

test('opening what was saved decides nothing, and keeping the good version discards it', async (t) => {
  const { put, onDisk, recovered, missed, page, state, inFolder } = await open(t, word, 'letter.docx');
  await put(noDocument);
  const [save] = (await state()).recovered;
  assert.equal((await page('restore', { id: save?.id })).status, 200);
  assert.ok((await inFolder()).some((bytes) => bytes.equals(noDocument)));
  assert.deepEqual([await recovered(), await missed()], [[noDocument], 'unreadable']);
  assert.equal((await page('keep-file', { id: save?.id })).status, 204);
  assert.deepEqual([await recovered(), await missed()], [[], null]);
  assert.ok(word.equals(await onDisk()));
  assert.equal((await page('keep-file', { id: save?.id })).status, 404);
});

test('a page discards no recovered save that a program can open, and forgets only the newest save it has shown', async (t) => {
  const { put, path, recovered, missed, page, state } = await open(t);
  await put('typed', { 'X-WOPI-Lock': 'other' });
  const [save] = (await state()).recovered;
  assert.equal((await page('keep-file', { id: save?.id })).status, 403);
  assert.deepEqual([text(await recovered()), await missed()], [['typed'], 'recovered']);
  await writeFile(path, 'of another program');
  await put('typed more', unmodified);
  const { atMs = 0 } = (await state()).missed ?? {};
  assert.equal((await page('keep-file', { missedAtMs: atMs - 1 })).status, 204);
  assert.equal(await missed(), 'version');
  assert.equal((await page('keep-file', { missedAtMs: atMs })).status, 204);
  assert.equal(await missed(), null);
  assert.equal((await page('keep-file', {})).status, 400);
});

test('an unreadable save isn’t saved anyway over a later save, or while another editor has the lock', async (t) => {
  const { put, onDisk, recovered, page, state, test, fileId, token } = await open(t, word, 'letter.docx');
  await put(noDocument);
  const [save] = (await state()).recovered;
  const { accessToken: other } = await test.access('letter.docx');
  const lock = (by: string, override: string, id: string) =>
    test.wopi({ fileId, token: by, override, headers: { 'X-WOPI-Lock': id } });
  await lock(token, 'UNLOCK', 'L');
  await lock(other, 'LOCK', 'M');
  assert.equal((await page('save-anyway', { id: save?.id })).status, 409);
  await lock(other, 'UNLOCK', 'M');
  await lock(token, 'LOCK', 'L');
  await put(newerWord);
  assert.equal((await page('save-anyway', { id: save?.id })).status, 409);
  assert.ok(newerWord.equals(await onDisk()));
  assert.deepEqual(await recovered(), [noDocument]);
});

test('a save that ends after a newer one doesn’t count as the newest', async (t) => {
  const { put, missed, test, fileId, token } = await open(t);
  const late = request(`${test.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
    method: 'POST',
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L', 'Content-Length': 10 },
  }).on('error', () => undefined);
  await new Promise<void>((resolve) => void late.write('half', () => resolve()));
  while (test.host.runningSaves() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal((await put('typed')).status, 200);
  late.destroy();
  while (test.host.runningSaves() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(await missed(), null);
});

test('a token for viewing changes nothing that the page says, not even once it’s revoked', async (t) => {
  const { missed, test, fileId, services } = await open(t);
  const { accessToken: token } = await test.access('a.txt', { mode: 'view' });
  const put = {
    fileId,
    token,
    contents: true,
    override: 'PUT',
    headers: { 'X-WOPI-Lock': 'L' },
    body: 'typed',
  };
  assert.equal((await test.wopi(put)).status, 401);
  assert.equal(await missed(), null);
  for (const { id } of services().accessTokens.list()) services().accessTokens.revoke(id);
  assert.equal((await test.wopi(put)).status, 401);
  assert.equal(await missed(), null);
});

test('unwritten versions count as versions', async (t) => {
  const { put, path, versions, services } = await open(t);
  await services().settings.update({ versionCount: 2 });
  for (let count = 1; count <= 5; count += 1) {
    await writeFile(path, `of another program ${count}`);
    await put(`typed ${count}`, unmodified);
  }
  assert.deepEqual(
    (await versions()).map(({ bytes }) => bytes),
    ['typed 5', 'typed 4'],
  );
});

test('bytes that aren’t a document replace others that aren’t, and any with the setting off', async (t) => {
  const { put, path, onDisk, missed, services } = await open(t, 'text named .docx', 'letter.docx');
  assert.equal((await put(noDocument)).status, 200);
  assert.equal((await put(word)).status, 200);
  await services().settings.update({ checkSaves: false });
  assert.equal((await put(noDocument)).status, 200);
  assert.ok(noDocument.equals(await onDisk()));
  assert.equal(await missed(), null);
  assert.equal(path.endsWith('letter.docx'), true);
});

test('an empty save replaces text', async (t) => {
  const { put, onDisk, missed } = await open(t);
  assert.equal((await put('')).status, 200);
  assert.deepEqual([String(await onDisk()), await missed()], ['', null]);
});

test('counts a refused save as begun but not as written, and a copy as neither', async (t) => {
  const { put, copy, state } = await open(t);
  const counts = async () => {
    const { begun, written } = (await state()).saves ?? {};
    return { begun, written };
  };
  await put('refused', { 'X-WOPI-Lock': 'other' });
  assert.deepEqual(await counts(), { begun: 1, written: 0 });
  await put('typed');
  await put('typed');
  assert.deepEqual(await counts(), { begun: 3, written: 3 }, 'the same bytes count, too');
  await copy('a copy', { 'X-WOPI-SuggestedTarget': '.odt' });
  assert.deepEqual(await counts(), { begun: 3, written: 3 });
});

for (const [what, status, headers] of [
  ['two targets', 501, { 'X-WOPI-SuggestedTarget': 'c.txt', 'X-WOPI-RelativeTarget': 'd.txt' }],
  ['no target', 400, {}],
  ['an illegal name', 400, { 'X-WOPI-RelativeTarget': 'CON.txt' }],
  ['a name that is taken', 409, { 'X-WOPI-RelativeTarget': 'taken.txt' }],
  ['another lock id', 409, { 'X-WOPI-SuggestedTarget': 'c.txt', 'X-WOPI-Lock': 'other' }],
  ['another size than announced', 400, { 'X-WOPI-SuggestedTarget': 'c.txt', 'X-WOPI-Size': '9' }],
] as [string, number, Record<string, string>][]) {
  test(`a copy with ${what} becomes a recovered save`, async (t) => {
    const { copy, inFolder, recovered, missed } = await open(t);
    assert.equal((await copy('the copy', headers)).status, status);
    assert.deepEqual(text(await inFolder()), ['read', 'precious']);
    assert.deepEqual([text(await recovered()), await missed()], [['the copy'], null]);
  });
}

test('a copy becomes a new file; one that isn’t a document doesn’t replace it', async (t) => {
  const { copy, inFolder, recovered, missed } = await open(t, word, 'letter.docx');
  const target = { 'X-WOPI-RelativeTarget': 'copy.docx' };
  assert.equal((await copy(word, target)).status, 200);
  const overwrite = { ...target, 'X-WOPI-OverwriteRelativeTarget': 'true' };
  assert.equal((await copy(noDocument, overwrite)).status, 500);
  assert.deepEqual([await recovered(), await missed()], [[noDocument], null]);
  assert.equal((await inFolder()).filter((bytes) => bytes.equals(word)).length, 2);
  assert.equal((await copy(newerWord, overwrite)).status, 200);
  assert.ok((await inFolder()).some((bytes) => bytes.equals(newerWord)));
});
