// CheckFileInfo returns exactly the properties that docs/protocol.md lists.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
before(async () => {
  host = await startTestHost({
    files: { 'reports/Q1.docx': 'report', README: 'x', 'é日本 😀.odt': 'y', 'a.txt': 'z', 'poll.txt': 'p' },
  });
});
after(() => host.stop());

const infoOf = async (path: string) => (await host.document(path)).info();

for (const mode of ['edit', 'view'] as const) {
  test(`in ${mode} mode, returns the values of the file, the user and the host, and nothing else`, async () => {
    const { fileId, call } = await host.document('reports/Q1.docx', { mode });
    const { status, headers, body } = await call();
    assert.equal(status, 200);
    assert.equal(headers.get('Content-Type'), 'application/json; charset=utf-8');
    const { LastModifiedTime, Version, SHA256: _sha256, ...others } = JSON.parse(body.toString());
    assert.match(LastModifiedTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
    assert.match(Version, /^\d+\.[0-9a-f]{8}$/);
    const owner = host.host.services.users.byLogin('owner');
    assert.match(owner?.id ?? '', /^[A-Za-z0-9]+$/);
    const canWrite = mode === 'edit';
    assert.deepEqual(others, {
      BaseFileName: 'Q1.docx',
      OwnerId: owner?.id,
      Size: 6,
      UserId: owner?.id,
      UserFriendlyName: 'owner',
      FileExtension: '.docx',
      FileNameMaxLength: 250,
      SupportsLocks: true,
      SupportsGetLock: true,
      SupportsExtendedLockLength: true,
      SupportsUpdate: true,
      SupportsRename: true,
      SupportsDeleteFile: true,
      SupportsUserInfo: true,
      UserCanWrite: canWrite,
      ReadOnly: !canWrite,
      UserCanRename: canWrite,
      UserCanNotWriteRelative: !canWrite,
      HostEditUrl: `${host.baseUrl}/edit/${fileId}`,
      HostViewUrl: `${host.baseUrl}/view/${fileId}`,
      CloseUrl: `${host.baseUrl}/closed`,
      PostMessageOrigin: host.baseUrl,
      ClosePostMessage: true,
      BreadcrumbBrandName: 'DocTray',
      BreadcrumbFolderName: 'reports',
      BreadcrumbDocName: 'Q1.docx',
    });
  });
}

test('returns names without an extension and names in other scripts unchanged', async () => {
  assert.equal((await infoOf('README'))['BaseFileName'], 'README');
  const { BaseFileName, FileExtension, BreadcrumbFolderName } = await infoOf('é日本 😀.odt');
  assert.deepEqual(
    [BaseFileName, FileExtension, BreadcrumbFolderName],
    ['é日本 😀.odt', '.odt', 'documents'],
  );
});

test('SHA256 is the hash of the saved content in base64, and never that of what another program replaced', async () => {
  const { save, info, path } = await host.edit('a.txt');
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  await save('saved');
  const { SHA256, Size } = await info();
  assert.deepEqual([SHA256, Size], [hashOf('saved'), 5]);
  await writeFile(path, 'other');
  assert.ok([undefined, hashOf('other')].includes((await info())['SHA256'] as string | undefined));
});

test('shows a poll what changed since the last one, and each user their own name', async (t) => {
  const { info, call, path } = await host.document('poll.txt');
  const { settings, users } = host.host.services;
  t.after(async () => settings.update({ publicUrl: null }));
  await users.add({ login: 'emil', role: 'editor', password: 'editor password' });
  const emil = await host.document('poll.txt', { apiToken: await host.signIn('emil', 'editor password') });
  const changes: [property: string, change: () => Promise<unknown>, to: unknown][] = [
    ['ReadOnly', async () => chmod(path, 0o444), true],
    ['ReadOnly', async () => chmod(path, 0o644), false],
    [
      'CloseUrl',
      async () => settings.update({ publicUrl: 'http://docs.example' }),
      'http://docs.example/closed',
    ],
    ['Size', async () => writeFile(path, 'longer'), 6],
    ['BaseFileName', async () => call('RENAME_FILE', { 'X-WOPI-RequestedName': 'other' }), 'other.txt'],
    ['UserInfo', async () => call('PUT_USER_INFO', {}, 'zoom'), 'zoom'],
  ];
  for (const [property, change, to] of changes) {
    assert.notEqual((await info())[property], to, property);
    await change();
    assert.equal((await info())[property], to, property);
    assert.equal((await emil.info())['UserFriendlyName'], 'emil');
    assert.equal((await info())['UserFriendlyName'], 'owner');
  }
  users.setRole('emil', 'viewer');
  assert.equal((await emil.info())['UserCanWrite'], false);
});

test('returns what PutUserInfo stored as UserInfo, unchanged, in every document of the user', async () => {
  const body = `{"zoom":1.5,"quote":"\\"é"}`;
  const { call } = await host.document('a.txt');
  assert.equal((await call('PUT_USER_INFO', {}, body)).status, 200);
  assert.equal((await infoOf('README'))['UserInfo'], body);
  for (const length of [1024, 1025]) await call('PUT_USER_INFO', {}, 'x'.repeat(length));
  assert.equal((await infoOf('README'))['UserInfo'], 'x'.repeat(1024), 'a longer one changes nothing');
});

test('PostMessageOrigin is the origin that a browser derives from the public URL', async () => {
  const { settings } = host.host.services;
  for (const [publicUrl, origin] of [
    ['https://docs.example/tray', 'https://docs.example'],
    ['https://docs.example:8443', 'https://docs.example:8443'],
    ['https://docs.example:443/tray', 'https://docs.example'],
    ['http://docs.example:80', 'http://docs.example'],
    ['HTTPS://Docs.Example', 'https://docs.example'],
  ] as const) {
    await settings.update({ publicUrl });
    assert.equal((await infoOf('a.txt'))['PostMessageOrigin'], origin, publicUrl);
  }
  await settings.update({ publicUrl: null });
});
