import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { systemDesktopLockDeps } from '../../../app/files/desktop-lock-system.ts';
import {
  desktopLockReason,
  findDesktopLock,
  type DesktopLock,
  type DesktopLockDeps,
} from '../../../app/files/desktop-lock.ts';

const real = systemDesktopLockDeps();

/** System queries with these answers; any other query fails the test. */
function systemWith(answers: Partial<DesktopLockDeps> = {}): DesktopLockDeps {
  return {
    stat: real.stat,
    hostName: 'desk',
    bootTimeMs: () => Date.now() - 86_400_000,
    libreOfficeProcesses: async () => assert.fail('asked for processes'),
    isHeldOpen: async () => assert.fail('asked for open files'),
    ...answers,
  };
}

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'doctray-desktop-lock-'));
  t.after(async () => rm(path, { recursive: true, force: true }));
  return path;
}

/** Waits until the process is ready. The returned function ends it, and so does the end of the test. */
async function startProcess(
  t: TestContext,
  program: string,
  parameters: string[],
  options: { argv0?: string } = {},
): Promise<() => Promise<void>> {
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  t.after(stop);
  await once(child.stdout, 'data');
  return stop;
}

async function holdOpen(t: TestContext, path: string): Promise<() => Promise<void>> {
  const script = `
    require('node:fs').openSync(process.argv[1], 'r+');
    process.stdin.resume().on('end', () => process.exit());
    console.log('ready');`;
  return startProcess(t, process.execPath, ['-e', script, path]);
}

function lockText(owner: { person?: string; user?: string; host?: string; profile?: string }): string {
  const {
    person = 'Anna',
    user = 'anna',
    host = 'desk',
    profile = 'file:///home/anna/.config/libreoffice/4',
  } = owner;
  return `${person},${user},${host},20.11.2026 15:03,${profile};`;
}

test('finds no lock without a lock file, and makes no system queries', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, 'Report.docx'), '');
  assert.equal(await findIn(systemWith(), root, 'Report.docx'), undefined);
  assert.equal(await findIn(systemWith(), join(root, 'missing'), 'Report.docx'), undefined);
  assert.equal(await findIn(systemWith(), root, `${'x'.repeat(250)}.docx`), undefined);
});

test('a LibreOffice lock of another computer counts without system queries', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, '.~lock.Report.odt#'), lockText({ host: 'laptop' }));
  const lock = await findIn(systemWith(), root, 'Report.odt');
  assert.ok(lock);
  assert.equal(lock.program, 'LibreOffice');
  assert.equal(lock.person, 'Anna');
  assert.match(lock.id, /^desktop:[A-Za-z0-9_-]{22}$/);
  assert.equal(desktopLockReason(lock), 'The document is open in LibreOffice by Anna.');
});

test('the id stays while the same person has the document open, and changes with the person', async (t) => {
  const root = await folder(t);
  const path = join(root, '.~lock.Report.odt#');
  const idNow = async (): Promise<string | undefined> => (await findIn(systemWith(), root, 'Report.odt'))?.id;
  await writeFile(path, lockText({ host: 'laptop' }));
  const first = await idNow();
  await writeFile(path, lockText({ host: 'laptop' }).replace('15:03', '16:11'));
  assert.equal(await idNow(), first);
  await writeFile(path, lockText({ host: 'laptop', person: 'Bob' }));
  assert.notEqual(await idNow(), first);
});

test('a LibreOffice lock of this computer counts only while a process that can have written it runs', async (t) => {
  const root = await folder(t);
  const path = join(root, '.~lock.Report.odt#');
  await writeFile(path, lockText({ host: 'DESK.local' }));
  const uid = userInfo().uid;
  const now = Date.now();
  const isHeld = async (
    processes: Awaited<ReturnType<DesktopLockDeps['libreOfficeProcesses']>>,
  ): Promise<boolean> => {
    const deps = systemWith({ libreOfficeProcesses: async () => processes });
    return (await findIn(deps, root, 'Report.odt')) !== undefined;
  };
  assert.ok(!(await isHeld([])), 'none runs');
  assert.ok(await isHeld(undefined), 'not known');
  assert.ok(await isHeld([{}]), 'nothing known of it');
  assert.ok(await isHeld([{ uid, startedAtMs: now - 5000 }]), 'the same user');
  assert.ok(!(await isHeld([{ uid, startedAtMs: now + 600_000 }])), 'started after the lock was written');
  assert.ok(await isHeld([{ uid, userName: 'bob' }]), 'the same user under another name');
  const another = [{ uid: uid + 1, userName: 'bob' }];
  assert.ok(!(await isHeld(another)), 'another user');
  assert.ok(await isHeld([{ uid: uid + 1, userName: 'anna' }]), 'the user the lock names');
  assert.ok(await isHeld([{ uid: uid + 1 }]), 'a user without a known name');
  assert.ok(!(await isHeld([{ uid, profileUrl: 'file:///tmp/other' }])), 'another profile');
  assert.ok(
    await isHeld([{ uid, profileUrl: 'file:///home/anna/.config/libreoffice/4/' }]),
    'the same profile',
  );
  await writeFile(path, lockText({ user: '' }));
  assert.ok(await isHeld(another), 'the lock names no user');
});

test('a lock of this computer that is older than its boot time doesn’t count', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, '.~lock.Report.docx#'), lockText({}));
  await writeFile(join(root, '~$Report.docx'), '\u0004Anna');
  const dayBefore = Date.now() / 1000 - 2 * 86_400;
  await utimes(join(root, '.~lock.Report.docx#'), dayBefore, dayBefore);
  await utimes(join(root, '~$Report.docx'), dayBefore, dayBefore);
  assert.equal(await findIn(systemWith(), root, 'Report.docx'), undefined);
});

test('malformed content never throws, and a LibreOffice lock without a host name counts', async (t) => {
  const root = await folder(t);
  const path = join(root, '.~lock.Report.odt#');
  for (const content of [
    '',
    ';;;',
    '\0'.repeat(10_000),
    `${'x'.repeat(1_000_000)},a,b,c,d;`,
    '\ud83d,,,,;',
  ]) {
    await writeFile(path, content);
    const lock = await findIn(systemWith(), root, 'Report.odt');
    assert.equal(lock?.program, 'LibreOffice');
    assert.ok((lock.person ?? '').length <= 100);
  }
  await writeFile(path, lockText({ person: '\u001b[31mAnna\u202e', host: 'laptop' }));
  assert.equal((await findIn(systemWith(), root, 'Report.odt'))?.person, '[31mAnna');
});

test('ignores links, folders and pipes in place of a lock file', async (t) => {
  const root = await folder(t);
  const path = join(root, '.~lock.Report.odt#');
  await writeFile(join(root, 'elsewhere'), lockText({ host: 'laptop' }));
  await symlink(join(root, 'elsewhere'), path);
  assert.equal(await findIn(systemWith(), root, 'Report.odt'), undefined);
  await rm(path);
  await mkdir(path);
  assert.equal(await findIn(systemWith(), root, 'Report.odt'), undefined);
  await rename(path, join(root, 'folder'));
  if (spawnSync('mkfifo', [path]).status === 0) {
    assert.equal(await findIn(systemWith(), root, 'Report.odt'), undefined);
  }
});

test('an Office owner file counts while a process has it open, or if that is unknown', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, '~$ntract.docx'), '\u0004Anna');
  const asked: string[] = [];
  const find = async (isHeldOpen: boolean | undefined): ReturnType<typeof findDesktopLock> =>
    findDesktopLock(
      systemWith({
        isHeldOpen: async (path) => {
          asked.push(path);
          return isHeldOpen;
        },
      }),
      { at: (entry) => join(root, entry) },
      'Contract.docx',
    );
  assert.equal(await find(false), undefined);
  const lock = await find(true);
  assert.equal(lock?.program, 'Microsoft Office');
  assert.equal(lock.person, 'Anna');
  assert.equal((await find(undefined))?.id, lock.id);
  assert.deepEqual(new Set(asked), new Set([join(root, '~$ntract.docx')]));
});

test('a lock counts if the system queries fail', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, '.~lock.a.docx#'), lockText({}));
  await writeFile(join(root, '~$b.docx'), '\u0004Anna');
  const deps = systemWith({
    libreOfficeProcesses: async () => Promise.reject(new Error('no')),
    isHeldOpen: async () => Promise.reject(new Error('no')),
  });
  assert.equal((await findIn(deps, root, 'a.docx'))?.program, 'LibreOffice');
  assert.equal((await findIn(deps, root, 'b.docx'))?.program, 'Microsoft Office');
});

test('reports a LibreOffice lock rather than the owner file that LibreOffice also writes', async (t) => {
  const root = await folder(t);
  await writeFile(join(root, '.~lock.Report.docx#'), lockText({ host: 'laptop' }));
  await writeFile(join(root, '~$Report.docx'), '\u0004Anna');
  assert.equal((await findIn(systemWith(), root, 'Report.docx'))?.program, 'LibreOffice');
});

if (process.platform === 'linux') {
  /** On a busy computer, checking all processes can take longer than the time after which a lock counts. */
  const takeTime = (t: TestContext) => t.mock.method(performance, 'now', () => 0);

  test('an owner file counts while a real process has it open', async (t) => {
    takeTime(t);
    const root = await folder(t);
    const owner = join(root, '~$Report.docx');
    await writeFile(owner, '\u0004Anna');
    assert.equal(await findIn(real, root, 'Report.docx'), undefined);
    const stop = await holdOpen(t, owner);
    assert.equal(await real.isHeldOpen(owner), true);
    assert.equal((await findIn(real, root, 'Report.docx'))?.person, 'Anna');
    await stop();
    assert.equal(await findIn(real, root, 'Report.docx'), undefined);
  });

  test('an owner file doesn’t count while a real process has another file of that name open', async (t) => {
    takeTime(t);
    const root = await folder(t);
    await mkdir(join(root, 'other'));
    await writeFile(join(root, '~$Report.docx'), '');
    await writeFile(join(root, 'other', '~$Report.docx'), '');
    await holdOpen(t, join(root, 'other', '~$Report.docx'));
    assert.equal(await findIn(real, root, 'Report.docx'), undefined);
  });

  test('a LibreOffice lock counts while a real soffice.bin of this user runs', async (t) => {
    takeTime(t);
    const root = await folder(t);
    const profile = `file://${root}/profile`;
    // Leaves out any other LibreOffice that runs on this computer.
    const deps: DesktopLockDeps = {
      ...real,
      libreOfficeProcesses: async (uid) =>
        (await real.libreOfficeProcesses(uid))?.filter(({ profileUrl }) => profileUrl === profile),
    };
    const path = join(root, '.~lock.Report.odt#');
    const text = lockText({ user: userInfo().username, host: hostname(), profile });
    const isHeld = async (): Promise<boolean> => (await findIn(deps, root, 'Report.odt')) !== undefined;
    await writeFile(path, text);
    assert.ok(!(await isHeld()), 'not started');

    // A shell under that name, because Node renames its main thread and thus the process.
    await symlink('/bin/sh', join(root, 'soffice.bin'));
    const stop = await startProcess(
      t,
      join(root, 'soffice.bin'),
      ['-c', 'echo ready; read line', 'sh', `-env:UserInstallation=${profile}`],
      { argv0: 'sh' },
    );
    assert.ok(await isHeld());
    const [running] = (await deps.libreOfficeProcesses(userInfo().uid)) ?? [];
    assert.equal(running?.uid, userInfo().uid);
    assert.equal(running.userName, userInfo().username);
    assert.ok(Math.abs((running.startedAtMs ?? 0) - Date.now()) < 60_000, 'started about now');

    await writeFile(path, text.replace('/profile;', '/other;'));
    assert.ok(!(await isHeld()), 'another profile');
    await writeFile(path, text);
    const tenMinutesAgo = Date.now() / 1000 - 600;
    await utimes(path, tenMinutesAgo, tenMinutesAgo);
    assert.ok(!(await isHeld()), 'written before it started');
    await writeFile(path, text);
    await stop();
    assert.ok(!(await isHeld()), 'ended');
  });
}

function findIn(deps: DesktopLockDeps, root: string, name: string): Promise<DesktopLock | undefined> {
  return findDesktopLock(deps, { at: (entry) => join(root, entry) }, name);
}
