import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import { loadSettings } from '../../../app/settings/load-settings.ts';
import { defaultSettings, type Settings } from '../../../app/settings/settings.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function dataFolder(settings?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doctray-settings-'));
  folders.push(folder);
  if (settings !== undefined) await writeFile(join(folder, 'settings.json'), settings);
  return folder;
}

function refusal(code: string, pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
  };
}

test('uses the defaults without a settings file, and writes nothing', async () => {
  const dataDir = await dataFolder();
  const settings = await loadSettings({ dataDir });
  assert.deepEqual(settings.current(), defaultSettings);
  assert.deepEqual(await readdir(dataDir), []);
});

test('saves a change with mode 0600, and loads it again', async () => {
  const dataDir = await dataFolder();
  const settings = await loadSettings({ dataDir });
  const changed = await settings.update({ port: 9000, allowedHosts: ['docs.example.org'] });
  assert.equal(changed.port, 9000);
  if (process.platform !== 'win32')
    assert.equal((await stat(join(dataDir, 'settings.json'))).mode & 0o777, 0o600);
  const reloaded = await loadSettings({ dataDir });
  assert.deepEqual(reloaded.current(), {
    ...defaultSettings,
    port: 9000,
    allowedHosts: ['docs.example.org'],
  });
  assert.deepEqual(await readdir(dataDir), ['settings.json'], 'no temporary file');
});

test('reports only the keys whose value changed', async () => {
  const reported: string[][] = [];
  const settings = await loadSettings({
    dataDir: await dataFolder(),
    onChange: (keys) => void reported.push(keys),
  });
  await settings.update({ port: 9000, maxUploadMB: defaultSettings.maxUploadMB });
  await settings.update({ port: 9000 });
  await settings.update({ allowedHosts: ['a'], versionDays: 3 });
  assert.deepEqual(reported, [['port'], ['allowedHosts', 'versionDays']]);
});

test('keeps all changes made at the same time', async () => {
  const dataDir = await dataFolder();
  const settings = await loadSettings({ dataDir });
  await Promise.all(
    [{ port: 1 }, { versionDays: 2 }, { host: '::1' }].map((change) => settings.update(change)),
  );
  const { port, versionDays, host } = (await loadSettings({ dataDir })).current();
  assert.deepEqual({ port, versionDays, host }, { port: 1, versionDays: 2, host: '::1' });
});

test('a change keeps and reports a manual edit of the file while the host runs', async () => {
  const dataDir = await dataFolder('{"port": 9000}');
  const reported: string[] = [];
  const settings = await loadSettings({ dataDir, onChange: (keys) => void reported.push(...keys) });
  await writeFile(join(dataDir, 'settings.json'), '{"port": 9000, "versionCount": 7, "newerKey": {"a": 1}}');
  await settings.update({ versionDays: 5 });
  assert.deepEqual(reported.toSorted(), ['versionCount', 'versionDays']);
  assert.deepEqual(JSON.parse(await readFile(join(dataDir, 'settings.json'), 'utf8')), {
    port: 9000,
    versionCount: 7,
    newerKey: { a: 1 },
    versionDays: 5,
  });
});

test('reports the key of an invalid setting, and leaves the file unchanged', async () => {
  const cases: [string, RegExp][] = [
    ['{"port": 9000', /isn’t valid JSON/],
    ['[]', /isn’t a JSON object/],
    ['null', /isn’t a JSON object/],
    ['{"port": "9000"}', /port: Enter a whole number from 0 to 65535/],
    ['{"port": 65536}', /port:/],
    ['{"port": 1.5}', /port:/],
    ['{"folder": "relative"}', /folder: Enter the absolute path/],
    ['{"host": "two words"}', /host:/],
    ['{"publicUrl": "ftp://x"}', /publicUrl:/],
    ['{"publicUrl": "ftp://x"}', /trailing slash\.$/],
    ['{"allowedHosts": ["fine", "no/no"]}', /allowedHosts: Enter host names .* “no\/no” isn’t one\.$/],
    ['{"allowedAddresses": [7]}', /allowedAddresses: Enter addresses .* “7” isn’t one\.$/],
    ['{"allowedHosts": "fine"}', /allowedHosts: Enter a list\.$/],
    ['{"notifyErrors": "yes"}', /notifyErrors: Enter true or false/],
    ['{"appearance": "pink"}', /appearance: Enter system, light or dark/],
    ['{"desktopLocks": "maybe"}', /desktopLocks: Enter block, warn or ignore/],
  ];
  for (const [body, pattern] of cases) {
    const dataDir = await dataFolder(body);
    await assert.rejects(loadSettings({ dataDir }), refusal('settings-invalid', pattern));
    assert.equal(await readFile(join(dataDir, 'settings.json'), 'utf8'), body);
  }
});

test('doesn’t overwrite a file that became invalid while the host runs', async () => {
  const dataDir = await dataFolder();
  const settings = await loadSettings({ dataDir });
  await writeFile(join(dataDir, 'settings.json'), '{"port": true}');
  await assert.rejects(settings.update({ versionDays: 5 }), refusal('settings-invalid', /port:/));
  assert.equal(await readFile(join(dataDir, 'settings.json'), 'utf8'), '{"port": true}');
  assert.equal(settings.current().versionDays, defaultSettings.versionDays);
});

test('an invalid value or unknown setting changes nothing', async () => {
  const dataDir = await dataFolder();
  const settings = await loadSettings({ dataDir });
  await assert.rejects(
    settings.update({ port: -1 }),
    refusal('setting-invalid', /port: Enter a whole number/),
  );
  const unknown = { colour: 'red' } as Partial<Settings>;
  await assert.rejects(settings.update(unknown), refusal('setting-unknown', /no setting colour/));
  assert.deepEqual(await readdir(dataDir), []);
  await settings.update({ port: 1 });
});

test('accepts valid values and rejects invalid ones', async () => {
  const settings = await loadSettings({ dataDir: await dataFolder() });
  const pem = (name: string): string => join(tmpdir(), name);
  const good: { [Key in keyof Settings]?: Settings[Key][] } = {
    host: ['0.0.0.0', '::', 'my-machine.local', 'My_Machine.local.', '3com'],
    publicUrl: ['https://docs.example.org', 'http://192.168.1.7:8790/tray', null],
    allowedAddresses: [['10.0.0.0/8', '192.168.1.7', 'fe80::/64', '::1']],
    trustedProxies: [['10.0.0.1', '10.1.0.0/16', '::1']],
    folder: [tmpdir(), null],
    port: [0],
    notifyErrors: [false],
    appearance: ['dark'],
    windowFirstRunDone: [true],
    textEditorPort: [9001, null],
    textEditorUrl: ['https://edit.example.org:8443', null],
    tlsCertificate: [pem('c.pem')],
    tlsKey: [pem('k.pem')],
    tls: ['files', 'off'],
  };
  for (const [key, values] of Object.entries(good))
    for (const value of values) await settings.update({ [key]: value });
  const bad: typeof good = {
    host: ['', 'http://x', '10.0.0.300', '127.0.0.1.', '0x7f'],
    publicUrl: [
      'https://docs.example.org/',
      'https://me:secret@docs.example.org',
      'https://docs.example.org?x=1',
      'docs.example.org',
    ],
    textEditorUrl: ['https://docs.example.org/edit', 'docs.example.org'],
    textEditorPort: [70_000],
    allowedAddresses: [['10.0.0.0/33'], ['10.0.0.0/8/8'], ['example.org']],
    allowedHosts: [['host:80']],
    trustedProxies: [['proxy.example.org'], ['0.0.0.0/0'], ['::/0']],
    tlsCertificate: ['relative.pem'],
    tlsKey: [''],
    folder: [''],
    maxUploadMB: [0],
    versionCount: [Number.NaN],
  };
  for (const [key, values] of Object.entries(bad))
    for (const value of values)
      await assert.rejects(settings.update({ [key]: value }), refusal('setting-invalid', /Enter/), key);
});

test('reports a settings file that cannot be read', async () => {
  const dataDir = await dataFolder();
  await mkdir(join(dataDir, 'settings.json'));
  await assert.rejects(loadSettings({ dataDir }), refusal('data-folder-invalid', /settings file/));
});

test('rejects a change that creates a conflict, but no other change of settings that conflict already', async () => {
  const { port } = defaultSettings;
  const conflict = refusal('setting-invalid', /can’t use the same/u);
  const fresh = await loadSettings({ dataDir: await dataFolder() });
  await assert.rejects(fresh.update({ textEditorPort: port }), conflict);
  // Edited by hand.
  const broken = { textEditorPort: port, textEditorUrl: 'https://x.example', publicUrl: 'https://x.example' };
  const settings = await loadSettings({ dataDir: await dataFolder(JSON.stringify(broken)) });
  assert.equal((await settings.update({ host: '0.0.0.0' })).host, '0.0.0.0');
  await assert.rejects(settings.update({ port: 9000, textEditorPort: 9000 }), conflict);
  assert.equal((await settings.update({ port: 9000 })).port, 9000);
  await assert.rejects(settings.update({ textEditorUrl: 'http://localhost:9000' }), conflict);
});

test('rejects a text editor address whose default port is the host’s port', async () => {
  const conflict = refusal('setting-invalid', /can’t use the same address/u);
  for (const [port, textEditorUrl] of [
    [80, 'http://localhost'],
    [443, 'https://localhost'],
  ] as const) {
    const settings = await loadSettings({ dataDir: await dataFolder() });
    await settings.update({ port });
    await assert.rejects(settings.update({ textEditorUrl }), conflict);
  }
});
