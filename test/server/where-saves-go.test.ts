// Every row of "Where a save goes" in docs/durability.md: the answer, the bytes on the disk, in versions, conflict copies and recovered
// saves, and what the host tells the document's page about the newest save.

import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { AppError } from '../../app/contract/errors.ts';
import type { PageState } from '../../app/contract/page-state.ts';
import { lockLifeMs } from '../../app/wopi/lock-rules.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { startTestHost, type TestHost } from './test-host.ts';
import { enterPage } from './test-page.ts';

const word = await readFile(new URL('../fixtures/letter.docx', import.meta.url));
const newerWord = Buffer.concat([Buffer.from('leading bytes'), word]);
const noDocument = Buffer.from('conversion failed: error -86');
const unmodified = { 'X-LOOL-WOPI-IsModifiedByUser': 'false' };
const password = 'a long enough password';

let host: TestHost;
let places = 0;
before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

const services = () => host.host.services;

/** Changes settings for one test. */
async function set(t: TestContext, change: Partial<Settings>): Promise<void> {
  const { settings } = services();
  const before = settings.current();
  const names = Object.keys(change) as (keyof Settings)[];
  t.after(() => settings.update(Object.fromEntries(names.map((name) => [name, before[name]]))));
  await settings.update(change);
}

function revokeAll(): void {
  for (const { id } of services().accessTokens.list()) services().accessTokens.revoke(id);
}

/**
 * A document that an editor has read and locked as `L`, in a folder of its own with `taken.txt`, and the page around that editor.
 * `login`: a new user instead of the owner.
 */
async function open(content: string | Buffer = 'read', name = 'a.txt', login?: string) {
  places += 1;
  const folder = String(places);
  await mkdir(join(host.folder, folder));
  await writeFile(join(host.folder, folder, name), content);
  await writeFile(join(host.folder, folder, 'taken.txt'), 'precious');
  if (login !== undefined)
    await services().users.add({ login, displayName: 'Ana', role: 'editor', password });
  const apiToken = login === undefined ? {} : { apiToken: await host.signIn(login, password) };
  const document = await host.edit(`${folder}/${name}`, apiToken);
  const { fileId, path, hostEditUrl } = document;
  const page = await enterPage(hostEditUrl);
  const state = async (query = '') => (await page.state(query)) as unknown as PageState;
  return {
    ...document,
    page,
    state,
    /** Another file of its folder. */
    at: (file: string) => `${folder}/${file}`,
    /** Where the newest save is, if it isn't in the file. */
    missed: async () => (await state()).missed?.kind ?? null,
    onDisk: () => readFile(path),
    async inFolder() {
      const names = (await readdir(join(host.folder, folder))).toSorted();
      return Promise.all(names.map((one) => readFile(join(host.folder, folder, one))));
    },
    async versions() {
      const list = services().folders.require(fileId).versions.list(fileId);
      return Promise.all(
        list.map(({ id }) => readFile(join(host.dataDir, 'versions', fileId, id), 'latin1')),
      );
    },
    async recovered() {
      const own = services()
        .recoveredSaves.list()
        .filter((one) => one.fileId === fileId);
      return Promise.all(own.map(({ id }) => readFile(join(host.dataDir, 'rescued', `${id}.${fileId}`))));
    },
  };
}

const text = (buffers: Buffer[]): string[] => buffers.map(String);

test('a save under its lock becomes the file, and what it replaced a version', async () => {
  const { save, content, versions, missed } = await open();
  assert.equal((await save('typed')).status, 200);
  assert.equal(await content(), 'typed');
  assert.deepEqual(await versions(), ['read']);
  assert.equal(await missed(), null);
  for (const [body, headers] of [
    ['plain', { 'Content-Encoding': 'identity' }],
    ['sized', { 'X-WOPI-Size': '5' }],
    ['unmodified', unmodified],
    ['', {}],
  ] as [string, Record<string, string>][]) {
    assert.equal((await save(body, headers)).status, 200, body);
    assert.deepEqual([await content(), await missed()], [body, null]);
  }
});

test('a save of a changed file becomes the file, and what another program wrote a conflict copy', async () => {
  const { save, path, inFolder, missed } = await open();
  await writeFile(path, 'of another program');
  assert.equal((await save('typed')).status, 200);
  assert.deepEqual(text(await inFolder()), ['of another program', 'typed', 'precious']);
  assert.equal(await missed(), null);
});

test('a save of a changed file that reports no changes becomes a version, and its page knows', async () => {
  const { save, path, content, versions, recovered, missed, fileId, unlock, lock } = await open();
  await writeFile(path, 'of another program');
  // ONLYOFFICE leaves out headers that are false.
  const exits = ['true', 'TRUE'].map((value) => ({ 'X-LOOL-WOPI-IsExitSave': value }));
  for (const headers of [unmodified, ...exits, { ...unmodified, ...exits[0] }]) {
    const { status, headers: answered } = await save('typed', headers);
    assert.equal(status, 200);
    const version = services().filesTable.byId(fileId)?.version;
    assert.match(answered.get('X-WOPI-ItemVersion') ?? '', new RegExp(`^${version}\\.`));
    assert.equal(await content(), 'of another program');
  }
  assert.deepEqual(await versions(), ['typed'], 'the same bytes once');
  assert.equal(services().versions.list(fileId)[0]?.savedHow, 'unwritten');
  assert.deepEqual(await recovered(), [], 'no alarm');
  assert.equal(await missed(), 'version');
  for (const _ of ['lives on', 'and on']) {
    host.clock.advance(lockLifeMs - 60_000);
    assert.equal(services().locks.isHeld(fileId), true, 'the editor is alive');
    assert.equal((await save('typed', unmodified)).status, 200);
  }
  host.listenOn({ port: host.port });
  await host.restart();
  assert.equal(await missed(), 'version', 'also after a restart');
  for (const step of [unlock, lock]) await step();
  assert.equal(await missed(), null, 'but not for an editor that opens the document later');
  await save('typed', unmodified);
  assert.equal(await missed(), 'version');
  assert.equal((await save('typed more')).status, 200);
  assert.equal(await missed(), null, 'until a later save is in the file');
});

test('a version that wasn’t written can be restored, which decides where the newest save is', async () => {
  const { save, path, content, versions, missed, page, fileId, unlock } = await open();
  await writeFile(path, 'of another program');
  await save('typed', unmodified);
  await unlock();
  const [version] = services().folders.require(fileId).versions.list(fileId);
  assert.equal((await page.post('restore-version', { versionId: version?.id })).status, 204);
  assert.equal(await content(), 'typed');
  assert.deepEqual(await versions(), ['of another program', 'typed']);
  assert.equal(await missed(), null);
});

test('a save that Collabora bases on another time becomes a recovered save until the same bytes are saved', async () => {
  const { save, path, content, recovered, missed } = await open();
  await writeFile(path, 'of another program');
  const refused = await save('typed', { 'X-COOL-WOPI-Timestamp': '2020-01-01T00:00:00.0000000Z' });
  assert.deepEqual([refused.status, await content()], [409, 'of another program']);
  assert.deepEqual([text(await recovered()), await missed()], [['typed'], 'recovered']);
  assert.equal((await save('typed')).status, 200);
  assert.deepEqual([await content(), await recovered(), await missed()], ['typed', [], null]);
});

for (const [what, status, headers, body] of [
  ['another lock id', 409, { 'X-WOPI-Lock': 'other' }, 'typed'],
  ['no lock id', 409, { 'X-WOPI-Lock': '' }, 'typed'],
  ['a lock id that isn’t one', 400, { 'X-WOPI-Lock': 'L'.repeat(1025) }, 'typed'],
  ['another size than announced', 400, { 'X-WOPI-Size': '9' }, 'typed'],
  ['a size that isn’t one', 400, { 'X-WOPI-Size': 'many' }, 'typed'],
  ['an encoding', 415, { 'Content-Encoding': 'gzip' }, gzipSync('typed')],
] as [string, number, Record<string, string>, string | Buffer][]) {
  test(`a save with ${what} becomes a recovered save, and its page knows`, async () => {
    const { save, content, recovered, missed } = await open();
    assert.equal((await save(body, headers)).status, status);
    assert.equal(await content(), 'read');
    assert.deepEqual([await recovered(), await missed()], [[Buffer.from(body)], 'recovered']);
  });
}

test('a refused save with the bytes of the file needs no recovered save', async () => {
  const { save, recovered, missed } = await open();
  assert.equal((await save('read', { 'X-WOPI-Lock': 'other' })).status, 409);
  assert.deepEqual([await recovered(), await missed()], [[], null]);
});

test('a save of a deleted document creates it again under its lock, and becomes a recovered save without', async () => {
  const { call, read, save, path, content, recovered, missed, unlock } = await open();
  await rm(path);
  for (const answer of [await call(), await read(), await save('other', { 'X-WOPI-Lock': 'other' })])
    assert.equal(answer.status, 404);
  assert.deepEqual(text(await recovered()), ['other']);
  assert.equal((await save('typed')).status, 200);
  assert.equal(await content(), 'typed');
  await unlock();
  await rm(path);
  assert.equal((await save('typed more')).status, 404);
  assert.deepEqual(text(await recovered()).toSorted(), ['other', 'typed more']);
  await writeFile(path, 'back');
  assert.equal(await missed(), 'recovered');
});

test('a save of a read-only file becomes a recovered save, and the file isn’t renamed', async () => {
  const { save, path, content, recovered, missed, info, call } = await open();
  await chmod(path, 0o444);
  assert.equal((await info())['UserCanWrite'], false);
  assert.equal((await save('typed', unmodified)).status, 500);
  await call('RENAME_FILE', { 'X-WOPI-Lock': 'L', 'X-WOPI-RequestedName': 'other' });
  assert.deepEqual(
    [await content(), text(await recovered()), await missed()],
    ['read', ['typed'], 'recovered'],
  );
});

test('a save that fails unexpectedly, as on a drive that is being unplugged, becomes a recovered save', async (t) => {
  const { save, recovered, missed, fileId } = await open();
  t.mock.method(services().folders.require(fileId).content, 'replace', () =>
    Promise.reject(Object.assign(new Error('stale file handle'), { code: 'ESTALE' })),
  );
  const { status, headers } = await save('typed');
  assert.equal(status, 500);
  assert.notEqual(headers.get('X-WOPI-ServerError') ?? '', '');
  assert.deepEqual([text(await recovered()), await missed()], [['typed'], 'recovered']);
});

test('a save with a revoked token isn’t received, and its page knows', async () => {
  const { save, recovered, missed } = await open();
  revokeAll();
  assert.equal((await save('typed')).status, 401);
  assert.deepEqual([await recovered(), await missed()], [[], 'nowhere']);
});

test('a save during which its token is revoked changes nothing', async () => {
  const { beginSave, content } = await open();
  const { end, answer } = await beginSave();
  revokeAll();
  end();
  assert.equal((await answer).status, 401);
  assert.equal(await content(), 'read');
});

test('a save whose user loses the permission to edit, even while it is sent, becomes a recovered save', async () => {
  const { save, copy, beginSave, content, recovered } = await open('read', 'a.txt', 'ana');
  const { end, answer } = await beginSave();
  services().users.setRole('ana', 'viewer');
  end();
  assert.equal((await answer).status, 401);
  assert.equal(await content(), 'read');
  assert.deepEqual(text(await recovered()), ['half, half']);
  assert.equal((await save('edited')).status, 401);
  assert.deepEqual(text(await recovered()).toSorted(), ['edited', 'half, half']);
  assert.equal((await copy('copied', { 'X-WOPI-SuggestedTarget': 'copy.txt' })).status, 501);
  assert.deepEqual(text(await recovered()).toSorted(), ['copied', 'edited', 'half, half']);
});

test('a user who lost the permission to edit can still unlock with the right token and lock id', async () => {
  const { fileId, at, unlock } = await open('read', 'a.txt', 'ben');
  services().users.setRole('ben', 'viewer');
  const viewing = await host.document(at('a.txt'), { mode: 'view' });
  for (const by of [unlock({ 'X-WOPI-Lock': 'other' }), viewing.unlock()])
    assert.equal((await by).status, 200);
  assert.equal(services().locks.isHeld(fileId), true);
  assert.equal((await unlock()).status, 200);
  assert.equal(services().locks.isHeld(fileId), false);
});

test('a save that the disk didn’t confirm is in the file, and its page shows no unsaved one', async (t) => {
  const { save, content, recovered, missed, fileId } = await open();
  const { content: replacer } = services().folders.require(fileId);
  const { replace } = replacer;
  t.mock.method(replacer, 'replace', async (input: Parameters<typeof replace>[0]) => {
    await replace(input);
    throw new AppError('save-unconfirmed');
  });
  assert.equal((await save('typed')).status, 500);
  assert.deepEqual([await content(), await recovered(), await missed()], ['typed', [], null]);
});

test('a save above the limit isn’t received, whatever its lock id, and its page knows', async (t) => {
  const { save, missed, fileId, token } = await open();
  const code = () => services().journal.newest(1)[0]?.code;
  await set(t, { maxUploadMB: 1 });
  for (const lockId of ['L', 'other']) {
    assert.equal((await save(Buffer.alloc(1_000_001), { 'X-WOPI-Lock': lockId })).status, 413);
    assert.equal(code(), 'upload-too-large', 'for the sentence and the setting in Activity');
    assert.equal(await missed(), 'nowhere');
  }
  const inChunks = await fetch(`${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
    method: 'POST',
    headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L' },
    body: new Blob([Buffer.alloc(1_000_001)]).stream(),
    duplex: 'half',
  });
  assert.deepEqual([inChunks.status, code()], [413, 'upload-too-large']);
});

test('a save that breaks off changes nothing, and its page knows', async () => {
  const { content, recovered, missed, beginSave } = await open();
  (await beginSave()).destroy();
  while ((await missed()) === null) await pause(10);
  assert.deepEqual([await content(), await recovered(), await missed()], ['read', [], 'nowhere']);
});

test('a save with an encoding for its transfer becomes a recovered save', async () => {
  const { content, recovered, fileId, token } = await open();
  const compressed = gzipSync('typed');
  const status = await new Promise((resolve) => {
    request(`${host.baseUrl}/wopi/files/${fileId}/contents?access_token=${token}`, {
      method: 'POST',
      headers: { 'X-WOPI-Override': 'PUT', 'X-WOPI-Lock': 'L', 'Transfer-Encoding': 'gzip, chunked' },
    })
      .on('response', (response) => resolve(response.statusCode))
      .end(compressed);
  });
  assert.deepEqual([status, await content(), await recovered()], [415, 'read', [compressed]]);
});

test('a save for which the quota has no room is refused with an event, and its page knows', async (t) => {
  const { save, at, missed } = await open();
  for (const { id } of services().recoveredSaves.list()) await services().recoveredSaves.discard(id);
  await set(t, { recoveredMB: 1, recoveredTokenMB: 1 });
  const headers = { 'X-WOPI-Lock': 'no lock' };
  await (await host.document(at('taken.txt'))).save(Buffer.alloc(900_000, 'x'), headers);
  assert.equal((await save(Buffer.alloc(900_001, 'y'), headers)).status, 409);
  assert.equal(await missed(), 'nowhere');
  assert.ok(host.events.some(({ event }) => event === 'recovered-save-refused'));
});

for (const [what, body] of [
  ['isn’t a document', noDocument],
  ['ends too early', word.subarray(0, word.length - 30)],
  ['is empty', Buffer.alloc(0)],
] as const) {
  test(`a save that ${what} doesn’t replace one that is: it becomes a recovered save`, async () => {
    const { save, onDisk, recovered, missed, state } = await open(word, 'letter.docx');
    const { status, headers } = await save(body);
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

test('an unreadable save can be saved anyway, and its session continues from it', async () => {
  const document = await open(word, 'letter.docx');
  const { save, onDisk, recovered, versions, missed, page, state, inFolder } = document;
  await save(noDocument);
  const [saved] = (await state()).recovered;
  assert.equal((await page.post('save-anyway', { id: saved?.id })).status, 204);
  assert.ok(noDocument.equals(await onDisk()));
  assert.deepEqual([await recovered(), await missed()], [[], null]);
  assert.deepEqual(await versions(), [word.toString('latin1')]);
  assert.equal((await save(newerWord)).status, 200);
  assert.equal((await inFolder()).length, 2, 'no conflict copy');
});

test('opening what was saved decides nothing, and keeping the good version discards it', async () => {
  const { save, onDisk, recovered, missed, page, state, inFolder } = await open(word, 'letter.docx');
  await save(noDocument);
  const id = (await state()).recovered[0]?.id;
  assert.equal((await page.post('restore', { id })).status, 200);
  assert.ok((await inFolder()).some((bytes) => bytes.equals(noDocument)));
  assert.deepEqual([await recovered(), await missed()], [[noDocument], 'unreadable']);
  assert.equal((await page.post('keep-file', { id })).status, 204);
  assert.deepEqual([await recovered(), await missed()], [[], null]);
  assert.ok(word.equals(await onDisk()));
  assert.equal((await page.post('keep-file', { id })).status, 404);
});

test('a page discards no recovered save that a program can open, and forgets only the newest save it has shown, if it may edit', async () => {
  const { save, path, recovered, missed, page, state, at } = await open();
  const keep = async (what: object) => (await page.post('keep-file', what)).status;
  await save('typed', { 'X-WOPI-Lock': 'other' });
  const id = (await state()).recovered[0]?.id;
  assert.equal(await keep({ id }), 403);
  assert.equal((await page.post('save-anyway', { id })).status, 400, 'it may be meant as a copy');
  assert.deepEqual([text(await recovered()), await missed()], [['typed'], 'recovered']);
  await writeFile(path, 'of another program');
  await save('typed more', unmodified);
  const { atMs = 0 } = (await state()).missed ?? {};
  const viewing = await enterPage((await host.document(at('a.txt'), { mode: 'view' })).hostEditUrl);
  assert.equal((await viewing.post('keep-file', { missedAtMs: atMs })).status, 403);
  assert.equal(await keep({ missedAtMs: atMs - 1 }), 204);
  assert.equal(await missed(), 'version');
  assert.equal(await keep({ missedAtMs: atMs }), 204);
  assert.equal(await missed(), null);
  assert.equal(await keep({}), 400);
});

test('an unreadable save isn’t saved anyway over a later save, or while another editor has the lock', async () => {
  const document = await open(word, 'letter.docx');
  const { save, onDisk, recovered, missed, page, state, at, lock, unlock } = document;
  await save(noDocument);
  const id = (await state()).recovered[0]?.id;
  const other = await host.document(at('letter.docx'), { lockId: 'M' });
  for (const step of [unlock, other.lock]) await step();
  assert.equal((await page.post('save-anyway', { id })).status, 409);
  for (const step of [other.unlock, lock]) await step();
  await save(newerWord);
  assert.equal(await missed(), null, 'the newest save is in the file');
  assert.equal((await page.post('save-anyway', { id })).status, 409);
  assert.ok(newerWord.equals(await onDisk()));
  assert.deepEqual(await recovered(), [noDocument]);
});

test('a save that ends after a newer one doesn’t count as the newest', async () => {
  const { save, missed, state, beginSave } = await open();
  const [late, cut] = [await beginSave(), await beginSave()];
  assert.equal((await save('typed')).status, 200);
  late.end();
  assert.equal((await late.answer).status, 200);
  cut.destroy();
  while (host.host.runningSaves() > 0) await pause(5);
  assert.equal(await missed(), null);
  const { run, ...counts } = (await state()).saves ?? {};
  assert.deepEqual([typeof run, counts], ['string', { begun: 3, written: 3 }]);
  assert.deepEqual((await state('?editor=another')).saves, { run, begun: 0, written: 0 });
});

test('a save with a token for viewing is kept nowhere and changes nothing that the page says, not even once it’s revoked', async () => {
  const { missed, at, recovered } = await open();
  const viewing = await host.document(at('a.txt'), { mode: 'view' });
  assert.equal((await viewing.save('typed')).status, 401);
  revokeAll();
  assert.equal((await viewing.save('typed')).status, 401);
  assert.deepEqual([await recovered(), await missed()], [[], null]);
});

test('unwritten versions count as versions', async (t) => {
  const { save, path, versions } = await open();
  await set(t, { versionCount: 2 });
  for (let count = 1; count <= 5; count += 1) {
    await writeFile(path, `of another program ${count}`);
    await save(`typed ${count}`, unmodified);
  }
  assert.deepEqual(await versions(), ['typed 5', 'typed 4']);
});

test('bytes that aren’t a document replace others that aren’t, and any with the setting off', async (t) => {
  const { save, onDisk, missed } = await open('text named .docx', 'letter.docx');
  assert.equal((await save(noDocument)).status, 200);
  assert.equal((await save(word)).status, 200);
  await set(t, { checkSaves: false });
  assert.equal((await save(noDocument)).status, 200);
  assert.ok(noDocument.equals(await onDisk()));
  assert.equal(await missed(), null);
});

test('counts a refused save as begun but not as written, and a copy as neither', async () => {
  const { save, copy, state } = await open();
  const counts = async () => {
    const { begun, written } = (await state()).saves ?? {};
    return { begun, written };
  };
  await save('refused', { 'X-WOPI-Lock': 'other' });
  assert.deepEqual(await counts(), { begun: 1, written: 0 });
  await save('typed');
  await save('typed');
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
  test(`a copy with ${what} becomes a recovered save`, async () => {
    const { copy, inFolder, recovered, missed } = await open();
    assert.equal((await copy('the copy', headers)).status, status);
    assert.deepEqual(text(await inFolder()), ['read', 'precious']);
    assert.deepEqual([text(await recovered()), await missed()], [['the copy'], null]);
  });
}

test('a copy becomes a new file; one that isn’t a document doesn’t replace it', async () => {
  const { copy, inFolder, recovered, missed, state } = await open(word, 'letter.docx');
  const target = { 'X-WOPI-RelativeTarget': 'copy.docx' };
  assert.equal((await copy(word, target)).status, 200);
  const overwrite = { ...target, 'X-WOPI-OverwriteRelativeTarget': 'true' };
  assert.equal((await copy(noDocument, overwrite)).status, 500);
  assert.deepEqual([await recovered(), await missed()], [[noDocument], null]);
  assert.equal((await state()).recovered[0]?.isUnreadable, false, 'no “save anyway”');
  assert.equal((await inFolder()).filter((bytes) => bytes.equals(word)).length, 2);
  assert.equal((await copy(newerWord, overwrite)).status, 200);
  assert.ok((await inFolder()).some((bytes) => bytes.equals(newerWord)));
});

test('a copy during which its token is revoked overwrites nothing, gets no token, and becomes a recovered save', async () => {
  const { at, recovered, inFolder } = await open();
  for (const target of [
    { 'X-WOPI-RelativeTarget': 'taken.txt', 'X-WOPI-OverwriteRelativeTarget': 'True' },
    { 'X-WOPI-SuggestedTarget': 'c.txt', 'X-WOPI-FileConversion': 'true' },
  ]) {
    const { beginSave } = await host.document(at('a.txt'));
    const { end, answer } = await beginSave({ 'X-WOPI-Override': 'PUT_RELATIVE', ...target });
    revokeAll();
    end();
    assert.deepEqual(await answer, { status: 401, text: '' });
    assert.deepEqual(services().accessTokens.list(), []);
    assert.equal((await recovered()).length, 1, 'the same bytes once');
  }
  assert.deepEqual(text(await inFolder()), ['read', 'precious']);
});

test('a copy after which its token is revoked is answered with 200, but no valid token', async (t) => {
  const { copy, at, recovered } = await open();
  t.after(services().events.on('file-created', revokeAll));
  const { status, body } = await copy('the copy', { 'X-WOPI-SuggestedTarget': 'c.txt' });
  assert.equal(status, 200);
  const { Name, Url } = JSON.parse(body.toString()) as { Name: string; Url: string };
  assert.equal(Name, 'c.txt');
  assert.equal((await fetch(Url)).status, 401);
  assert.deepEqual(services().accessTokens.list(), []);
  assert.equal(await readFile(join(host.folder, at('c.txt')), 'utf8'), 'the copy');
  assert.deepEqual(await recovered(), []);
});
