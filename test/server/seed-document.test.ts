// The rows of the service description in its own terms: section 4.3 (file operations) and 7 (errors). The states of section 3 are in
// lock-table.test.ts, documents that a desktop program has open in desktop-programs.test.ts.

import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost, type WopiResponse } from './test-host.ts';

let host: TestHost;
let count = 0;
before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

/** Creates a document, and returns the operations on it. */
async function open(content = 'old') {
  count += 1;
  const name = `doc-${count}.docx`;
  await writeFile(join(host.folder, name), content);
  const document = await host.document(name);
  return { ...document, name, lock: (id: string) => document.lock({ 'X-WOPI-Lock': id }) };
}

function assertDone(answer: WopiResponse): void {
  assert.equal(answer.status, 200);
  for (const name of ['X-WOPI-Lock', 'X-WOPI-LockFailureReason', 'X-WOPI-InvalidFileNameError']) {
    assert.equal(answer.headers.get(name), null, name);
  }
}

const json = (answer: WopiResponse): Record<string, string> => JSON.parse(answer.body.toString());

test('PutFile on a file of 0 bytes: written while unlocked, 409 with the current id without it', async () => {
  const { call, content, lock, lockId } = await open('');
  await lock('A');
  for (const headers of [{}, { 'X-WOPI-Lock': '' }]) {
    const refused = await call('PUT', headers, 'new');
    assert.deepEqual([refused.status, refused.headers.get('X-WOPI-Lock')], [409, 'A']);
  }
  await call('UNLOCK', { 'X-WOPI-Lock': 'A' });
  const answer = await call('PUT', {}, 'new');
  assertDone(answer);
  assert.ok(answer.headers.get('X-WOPI-ItemVersion'));
  assert.deepEqual([await content(), await lockId()], ['new', '']);
});

test('records the editors and the three flags of a save, from the headers of every vendor; its token’s user if the header names no user of this host', async () => {
  const { users } = host.host.services;
  const owner = users.byLogin('owner')?.id ?? '';
  const { id: ana } = await users.add({ login: 'ana', role: 'editor', password: 'a long enough password' });
  for (const vendor of ['EXT', 'LOOL', 'COOL']) {
    const { call, fileId, read, lock } = await open('old');
    await lock('A');
    await read();
    const headers = {
      'X-WOPI-Lock': 'A',
      'X-WOPI-Editors': `nobody, ${ana}, <b>,${owner},${ana}`,
      [`X-${vendor}-WOPI-IsModifiedByUser`]: 'false',
      [`X-${vendor}-WOPI-IsAutosave`]: 'true',
      [`X-${vendor}-WOPI-IsExitSave`]: 'true',
    };
    assertDone(await call('PUT', headers, 'one'));
    assertDone(await call('PUT', { 'X-WOPI-Lock': 'A', 'X-WOPI-Editors': 'nobody' }, 'two'));
    assertDone(await call('PUT', { 'X-WOPI-Lock': 'A' }, 'three'));
    const [last, version] = host.host.services.versions.list(fileId);
    assert.equal(last?.savedBy, owner);
    assert.equal(version?.savedBy, `${ana},${owner}`, vendor);
    assert.deepEqual(
      (version.savedHow ?? '').split(',').toSorted(),
      ['autosave', 'exit', 'unmodified'],
      vendor,
    );
  }
});

for (const isLocked of [false, true]) {
  test(`${isLocked ? 'Locked' : 'Unlocked'}, PutRelativeFile without a lock id: a new file, the original unchanged`, async () => {
    const document = await open('old');
    if (isLocked) await document.lock('A');
    const answer = await document.call('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': '.pdf' }, 'copy');
    assertDone(answer);
    const name = document.name.replace('.docx', '.pdf');
    const { Name, Url, HostViewUrl, HostEditUrl, ...others } = json(answer);
    assert.deepEqual([Name, others], [name, {}]);
    const id = /\/wopi\/files\/([A-Za-z0-9_-]{22})\?access_token=([A-Za-z0-9_-]{43})$/.exec(Url ?? '');
    assert.ok(id !== null && Url?.startsWith(host.baseUrl), Url);
    assert.deepEqual(
      [HostViewUrl, HostEditUrl],
      [`${host.baseUrl}/view/${id[1]}`, `${host.baseUrl}/edit/${id[1]}`],
    );
    assert.notEqual(id[1], document.fileId);
    assert.equal(await (await fetch(String(Url).replace('?', '/contents?'))).text(), 'copy');
    assert.equal(await document.content(), 'old');
    assert.equal(await document.lockId(), isLocked ? 'A' : '');
  });
}

test('PutRelativeFile with a suggested name: uses it, or another if it is taken', async () => {
  const { call } = await open();
  const headers = { 'X-WOPI-SuggestedTarget': 'Copy +AOk.docx' };
  assert.equal(json(await call('PUT_RELATIVE', headers, 'one'))['Name'], 'Copy é.docx');
  const second = json(await call('PUT_RELATIVE', headers, 'two'))['Name'] ?? '';
  assert.match(second, /^Copy é.+\.docx$/);
  assert.equal(await readFile(join(host.folder, 'Copy é.docx'), 'utf8'), 'one');
  assert.equal(await readFile(join(host.folder, second), 'utf8'), 'two');
});

test('PutRelativeFile with an illegal suggested name: creates a legal one in the folder', async () => {
  const { call } = await open();
  for (const target of [
    '../../evil.docx',
    '..\\..\\evil.docx',
    '/etc/evil.docx',
    'C:\\evil.docx',
    'a:b*c?.docx',
  ]) {
    const name = json(await call('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': target }, 'x'))['Name'] ?? '';
    assert.doesNotMatch(name, /[/\\:*?]|^\.|\.\./, target);
    assert.ok((await readdir(host.folder)).includes(name), name);
  }
});

test('PutRelativeFile with the name of a hidden, lock or system file: 400 with a valid name, nothing created', async () => {
  const { call } = await open();
  const target = async (name: string): Promise<WopiResponse> =>
    call('PUT_RELATIVE', { 'X-WOPI-RelativeTarget': name, 'X-WOPI-OverwriteRelativeTarget': 'True' }, 'x');
  for (const name of ['.zshenv', '.~lock.doc-1.docx#', '~$doc-1.docx', 'desktop.ini', 'nul', '..', 'a/b']) {
    const answer = await target(name);
    assert.equal(answer.status, 400, name);
    assert.ok(answer.headers.get('X-WOPI-ValidRelativeTarget'), name);
  }
  const created = (await readdir(host.folder)).filter((name) => /^[.~]|^(desktop\.ini|nul)$/.test(name));
  assert.deepEqual(created, []);
});

test('X-WOPI-Size that is not the size of the body: 400, nothing created', async () => {
  const { call } = await open();
  const before = await readdir(host.folder);
  const copy = (size: string) =>
    call('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': '.pdf', 'X-WOPI-Size': size }, 'four');
  for (const size of ['3', '5', '-4', '4.0', 'x', '4e0', '99999999999999999999'])
    assert.equal((await copy(size)).status, 400, size);
  assert.deepEqual(await readdir(host.folder), before);
  assertDone(await copy('4'));
});

for (const isLocked of [false, true]) {
  test(`${isLocked ? 'Locked, with the current id' : 'Unlocked'}, RenameFile: 200 and renamed, extension kept`, async () => {
    const document = await open('old');
    if (isLocked) await document.lock('A');
    const name = `Neu +APw-ber ${count}`;
    const headers = { 'X-WOPI-RequestedName': name, ...(isLocked && { 'X-WOPI-Lock': 'A' }) };
    const answer = await document.call('RENAME_FILE', headers);
    assertDone(answer);
    assert.equal(json(answer)['Name'], `Neu über ${count}`);
    assert.equal(await readFile(join(host.folder, `Neu über ${count}.docx`), 'utf8'), 'old');
    assert.equal(await document.lockId(), isLocked ? 'A' : '', 'the same id, the same lock');
    await assert.rejects(document.content());
  });
}

test('RenameFile to a name that is taken or illegal: uses another valid name that is based on it', async () => {
  const other = await open('other');
  const document = await open('old');
  const name = other.name.replace('.docx', '');
  const taken = json(await document.call('RENAME_FILE', { 'X-WOPI-RequestedName': name }));
  assert.match(taken['Name'] ?? '', new RegExp(`^${name}.+`));
  assert.equal(await other.content(), 'other');
  const illegal = json(await document.call('RENAME_FILE', { 'X-WOPI-RequestedName': 'a/b:c' }));
  assert.ok(illegal['Name'] !== undefined && !/[/:]/.test(illegal['Name']));
});

test('RenameFile to a name that can’t be made valid: 400 with X-WOPI-InvalidFileNameError', async () => {
  const document = await open('old');
  for (const name of ['', '...', ' ']) {
    const answer = await document.call('RENAME_FILE', { 'X-WOPI-RequestedName': name });
    assert.equal(answer.status, 400, JSON.stringify(name));
    assert.ok(answer.headers.get('X-WOPI-InvalidFileNameError'));
    assert.equal(answer.headers.get('X-WOPI-Lock'), null);
  }
  assert.equal(await document.content(), 'old');
});
