import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { LoginItemSettings } from 'electron';
import { autostartEntry, createAutostart, execLine } from '../../../app/desktop/autostart.ts';
import type { AutostartDeps } from '../../../app/desktop/autostart.ts';
import { fc } from '../../random.ts';

type App = AutostartDeps['app'];

function fakeApp(change: Partial<App> = {}): App {
  return {
    isPackaged: true,
    getAppPath: () => '/home/ana/src/doctray',
    getLoginItemSettings: () => assert.fail('there are no login items on Linux'),
    setLoginItemSettings: () => assert.fail('there are no login items on Linux'),
    ...change,
  };
}

async function onLinux(t: TestContext, change: Partial<AutostartDeps> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'doctray-autostart-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const deps: AutostartDeps = {
    platform: 'linux',
    env: {},
    app: fakeApp(),
    execPath: '/opt/DocTray/doctray',
    homeDir: home,
    args: ['--hidden'],
    ...change,
  };
  return { deps, home, entry: join(home, '.config', 'autostart', 'doctray.desktop') };
}

/** Parses Exec like the Desktop Entry specification: string escapes first, then quoted arguments, then field codes. */
function argumentsOf(exec: string): string[] {
  const text = exec.replaceAll(/\\(.)/gsu, (_all, letter: string) => {
    const plain = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' }[letter];
    assert.notEqual(plain, undefined, `\\${letter} is no escape of a string`);
    return plain!;
  });
  const found: string[] = [];
  for (let rest = text; rest !== '';) {
    const quoted = /^"((?:[^"\\`$]|\\["`$\\])*)"(?: |$)/su.exec(rest);
    const plain = /^[^\s"'\\><~|&;$*?#()`]+(?= |$) ?/u.exec(rest);
    const match = quoted ?? plain;
    assert.ok(match, `not readable: ${rest}`);
    const value = quoted === null ? match[0].trimEnd() : quoted[1]!.replaceAll(/\\(.)/gsu, '$1');
    assert.doesNotMatch(value.replaceAll('%%', ''), /%/u);
    found.push(value.replaceAll('%%', '%'));
    rest = rest.slice(match[0].length);
  }
  return found;
}

test('ignores an XDG_CONFIG_HOME that isn’t absolute, and removes an entry that is gone', async (t) => {
  const { deps, entry } = await onLinux(t, { env: { XDG_CONFIG_HOME: 'config' } });
  const autostart = createAutostart(deps);
  await autostart.set(true);
  assert.deepEqual([autostart.isOn(), await readdir(dirname(entry))], [true, ['doctray.desktop']]);
  for (let times = 0; times < 2; times += 1) await autostart.set(false);
  assert.deepEqual([autostart.isOn(), await readdir(dirname(entry))], [false, []]);
});

test('starts an AppImage by its own path, and an unpackaged app by Electron with the app’s path', async (t) => {
  const { deps, entry } = await onLinux(t, { args: ['--hidden', '--data', '/home/ana/my data'] });
  const started = async (APPIMAGE: string, APPDIR: string, isPackaged = true): Promise<string[]> => {
    const change = { env: { APPIMAGE, APPDIR }, app: fakeApp({ isPackaged }) };
    await createAutostart({ ...deps, ...change }).set(true);
    const [, exec = ''] = /^Exec=(.*)$/mu.exec(await readFile(entry, 'utf8')) ?? [];
    const command = argumentsOf(exec);
    assert.deepEqual(command.splice(-3), ['--hidden', '--data', '/home/ana/my data']);
    return command;
  };
  const own = '/opt/DocTray';
  assert.deepEqual(await started('/ana/Doc Tray.AppImage', own), ['/ana/Doc Tray.AppImage']);
  assert.deepEqual(await started('relative', own), ['/opt/DocTray/doctray']);
  assert.deepEqual(await started('/ana/Terminal.AppImage', '/tmp/.mount_Termin'), ['/opt/DocTray/doctray']);
  assert.deepEqual(await started('/x', own, false), ['/opt/DocTray/doctray', '/home/ana/src/doctray']);
});

test('reports autostart as off if the entry was disabled or is invalid', async (t) => {
  const { deps, entry } = await onLinux(t);
  const autostart = createAutostart(deps);
  await autostart.set(true);
  const text = await readFile(entry, 'utf8');
  for (const [isOn, changed] of [
    [false, `${text}Hidden=true\n`],
    [false, `${text}Hidden = true \r\n`],
    [false, text.replace('enabled=true', 'enabled=false')],
    [false, text.replace(/^Exec=.*$/mu, '')],
    [true, `${text}[Desktop Action x]\nHidden=true\n`],
    [true, `# Hidden=true\n${text}`],
    [false, ''],
  ] as const) {
    await writeFile(entry, changed);
    assert.equal(autostart.isOn(), isOn, changed);
  }
});

test('repairs the path of an entry that is on, if the app is installed', async (t) => {
  const { deps, entry } = await onLinux(t);
  const appImage = (APPIMAGE: string) => ({ ...deps, env: { APPIMAGE, APPDIR: '/opt/DocTray' } });
  const exec = async (): Promise<string | undefined> =>
    /^Exec=(.*)$/mu.exec(await readFile(entry, 'utf8'))?.[1];
  await createAutostart(appImage('/old.AppImage')).set(true);
  await createAutostart({ ...appImage('/new.AppImage'), app: fakeApp({ isPackaged: false }) }).repair();
  assert.equal(await exec(), '/old.AppImage --hidden');
  await createAutostart(appImage('/new.AppImage')).repair();
  assert.equal(await exec(), '/new.AppImage --hidden');
  await writeFile(entry, `${await readFile(entry, 'utf8')}Hidden=true\n`);
  await createAutostart(appImage('/third.AppImage')).repair();
  assert.equal(await exec(), '/new.AppImage --hidden');
});

test('set rejects if the autostart folder can’t be written to, and repair ignores it', async (t) => {
  const { deps, home } = await onLinux(t);
  await mkdir(join(home, '.config'));
  await writeFile(join(home, '.config', 'autostart'), 'a file');
  const autostart = createAutostart(deps);
  await assert.rejects(autostart.set(true), { code: 'disk-refused' });
  assert.equal(autostart.isOn(), false);
  await autostart.repair();
});

test('escapes any command so that the entry is parsed back unchanged', () => {
  const argument = fc.string({
    minLength: 1,
    unit: fc.oneof(
      fc.constantFrom(...'"`$\\%;&| \t\n\r\'~=<>#*?()é/a'.split('')),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(argument, { minLength: 1, maxLength: 4 }), (command) => {
      const started = argumentsOf(execLine(command));
      assert.deepEqual(command[0]!.includes('%') ? started.slice(1) : started, command);
      const entry = autostartEntry(command);
      assert.equal(entry.split('\n').length, autostartEntry(['/a']).split('\n').length);
      assert.ok(entry.includes(`\nExec=${execLine(command)}\n`));
    }),
  );
});

test('on Windows, reads the login item with the arguments it was created with', async () => {
  const calls: unknown[] = [];
  let isAllowed = true;
  const app = fakeApp({
    getLoginItemSettings(options) {
      calls.push(options);
      return { openAtLogin: true, status: 'enabled', executableWillLaunchAtLogin: isAllowed };
    },
    setLoginItemSettings: (settings) => void calls.push(settings),
  });
  const execPath = 'C:\\Apps\\DocTray.exe';
  const args = ['--hidden', '--data', 'D:\\my data\\'];
  const autostart = createAutostart({ platform: 'win32', env: {}, app, execPath, homeDir: '', args });
  const which = { path: execPath, args: ['--hidden', '--data', '"D:\\my data\\\\"'] };
  assert.equal(autostart.isOn(), true);
  isAllowed = false;
  assert.equal(autostart.isOn(), false, 'switched off in the task manager');
  await autostart.set(true);
  await autostart.set(false);
  await autostart.repair();
  assert.deepEqual(calls, [
    which,
    which,
    { openAtLogin: true, ...which, name: 'DocTray', enabled: true },
    { openAtLogin: false, ...which, name: 'DocTray', enabled: false },
  ]);
});

test('on macOS, sets a login item for the installed app, and rejects one for an unpackaged app', async () => {
  const calls: unknown[] = [];
  let status: LoginItemSettings['status'] = 'enabled';
  const app = fakeApp({
    getLoginItemSettings: () => ({ openAtLogin: true, executableWillLaunchAtLogin: false, status }),
    setLoginItemSettings: (settings) => void calls.push(settings),
  });
  const place = { execPath: '/x', homeDir: '/', args: ['--hidden'] };
  const deps: AutostartDeps = { platform: 'darwin', env: {}, app, ...place };
  const autostart = createAutostart(deps);
  assert.equal(autostart.isOn(), true);
  await autostart.set(true);
  assert.deepEqual(calls, [{ openAtLogin: true }]);
  status = 'requires-approval';
  await assert.rejects(autostart.set(true), { code: 'login-item-refused' });
  await autostart.set(false);
  const unpackaged = createAutostart({ ...deps, app: { ...app, isPackaged: false } });
  assert.equal(unpackaged.isOn(), null);
  await assert.rejects(unpackaged.set(true), { code: 'not-found' });
});

test('a Flatpak doesn’t offer start at login, and writes no entry', async (t) => {
  const { deps, home } = await onLinux(t, { env: { FLATPAK_ID: 'org.doctray.DocTray' } });
  const autostart = createAutostart(deps);
  await assert.rejects(autostart.set(true), /A Flatpak can’t start DocTray at login/);
  await autostart.repair();
  assert.equal(autostart.isOn(), null);
  assert.deepEqual(await readdir(home), []);
});
