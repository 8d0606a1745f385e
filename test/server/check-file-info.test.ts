// CheckFileInfo returns exactly the properties that docs/protocol.md lists.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestHost, type TestHost } from './test-host.ts';

let host: TestHost;
before(async () => {
  host = await startTestHost({
    files: { 'reports/Q1.docx': 'report', README: 'x', 'é日本 😀.odt': 'y', 'a.txt': 'z' },
  });
});
after(() => host.stop());

const always = [
  'BaseFileName',
  'OwnerId',
  'Size',
  'UserId',
  'Version',
  'UserFriendlyName',
  'LastModifiedTime',
  'FileExtension',
  'FileNameMaxLength',
  'SupportsLocks',
  'SupportsGetLock',
  'SupportsExtendedLockLength',
  'SupportsUpdate',
  'SupportsRename',
  'SupportsDeleteFile',
  'SupportsUserInfo',
  'UserCanWrite',
  'ReadOnly',
  'UserCanRename',
  'UserCanNotWriteRelative',
  'HostEditUrl',
  'HostViewUrl',
  'CloseUrl',
  'PostMessageOrigin',
  'ClosePostMessage',
  'BreadcrumbBrandName',
  'BreadcrumbFolderName',
  'BreadcrumbDocName',
];
const sometimes = ['SHA256', 'UserInfo'];

async function info(path: string, mode: 'edit' | 'view' = 'edit') {
  const access = await host.access(path, { mode });
  const { status, headers, body } = await host.wopi({ fileId: access.fileId, token: access.accessToken });
  assert.equal(status, 200);
  assert.equal(headers.get('Content-Type'), 'application/json; charset=utf-8');
  return { access, value: JSON.parse(body.toString()) as Record<string, string | number | boolean> };
}

for (const mode of ['edit', 'view'] as const) {
  test(`in ${mode} mode, returns every required property, no unknown one, and no null`, async () => {
    const { value } = await info('reports/Q1.docx', mode);
    for (const name of always) assert.ok(name in value, `${name} is missing`);
    for (const [name, property] of Object.entries(value)) {
      assert.ok(always.includes(name) || sometimes.includes(name), `${name} is not in section 4`);
      assert.ok(['string', 'number', 'boolean'].includes(typeof property), `${name} is ${property}`);
      assert.notEqual(property, '', `${name} is empty`);
    }
  });
}

test('returns the values of the file, the user and the host', async () => {
  const { access, value } = await info('reports/Q1.docx');
  const owner = host.host.services.users.byLogin('owner');
  const { LastModifiedTime, Version, SHA256: _sha256, ...others } = value;
  assert.match(String(LastModifiedTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/);
  assert.match(String(Version), /^\d+\.[0-9a-f]{8}$/);
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
    UserCanWrite: true,
    ReadOnly: false,
    UserCanRename: true,
    UserCanNotWriteRelative: false,
    HostEditUrl: `${host.baseUrl}/edit/${access.fileId}`,
    HostViewUrl: `${host.baseUrl}/view/${access.fileId}`,
    CloseUrl: `${host.baseUrl}/closed`,
    PostMessageOrigin: host.baseUrl,
    ClosePostMessage: true,
    BreadcrumbBrandName: 'DocTray',
    BreadcrumbFolderName: 'reports',
    BreadcrumbDocName: 'Q1.docx',
  });
  assert.match(String(value['UserId']), /^[A-Za-z0-9]+$/);
});

test('a read-only token has no write permission in any property', async () => {
  const { value } = await info('reports/Q1.docx', 'view');
  const { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative } = value;
  assert.deepEqual(
    { UserCanWrite, ReadOnly, UserCanRename, UserCanNotWriteRelative },
    { UserCanWrite: false, ReadOnly: true, UserCanRename: false, UserCanNotWriteRelative: true },
  );
});

test('returns names without an extension and names in other scripts unchanged', async () => {
  const plain = (await info('README')).value;
  assert.equal(plain['BaseFileName'], 'README');
  const other = (await info('é日本 😀.odt')).value;
  assert.deepEqual([other['BaseFileName'], other['FileExtension']], ['é日本 😀.odt', '.odt']);
  assert.equal(other['BreadcrumbFolderName'], 'documents');
});

test('after a save, SHA256 is the hash of the content in base64', async () => {
  const { createHash } = await import('node:crypto');
  const { access } = await info('a.txt');
  const { fileId, accessToken: token } = access;
  const headers = { 'X-WOPI-Lock': 'L' };
  await host.wopi({ fileId, token, override: 'LOCK', headers });
  await host.wopi({ fileId, token, contents: true, override: 'PUT', headers, body: 'saved' });
  const { value } = await info('a.txt');
  assert.equal(value['SHA256'], createHash('sha256').update('saved').digest('base64'));
  assert.equal(value['Size'], 5);
});

test('returns what PutUserInfo stored as UserInfo, unchanged, in every document of the user', async () => {
  const { access } = await info('a.txt');
  const body = `{"zoom":1.5,"quote":"\\"é"}`;
  const put = await host.wopi({
    fileId: access.fileId,
    token: access.accessToken,
    override: 'PUT_USER_INFO',
    body,
  });
  assert.equal(put.status, 200);
  assert.equal((await info('README')).value['UserInfo'], body);
});

test('PostMessageOrigin is the origin that a browser derives from the public URL', async () => {
  const { settings } = host.host.services;
  try {
    for (const [publicUrl, origin] of [
      ['https://docs.example/tray', 'https://docs.example'],
      ['https://docs.example:8443', 'https://docs.example:8443'],
      ['https://docs.example:443/tray', 'https://docs.example'],
      ['http://docs.example:80', 'http://docs.example'],
      ['HTTPS://Docs.Example', 'https://docs.example'],
    ] as const) {
      await settings.update({ publicUrl });
      const { value } = await info('a.txt');
      assert.equal(value['PostMessageOrigin'], origin, publicUrl);
    }
  } finally {
    await settings.update({ publicUrl: null });
  }
});
