// What happens only on a terminal, not with a pipe: questions, and the password that is shown once.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
import { AppError } from '../../../app/contract/errors.ts';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { runTerminal } from '../../../app/terminal/program.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { lockOf } from '../commands/terminal-commands.ts';
import { fakeTerminal } from './fake-terminal.ts';

const files = { 'letter.docx': 'x', 'a\u001b[2Jb.docx': 'x' };
let host: TestHost;
const folders: string[] = [];

beforeEach(async () => {
  host = await startTestHost({ files });
});
afterEach(() => host.stop());
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const lockedPaths = (): string[] => host.host.services.locks.list().map(({ path }) => path);

test('unlock shows the lock, asks, and clears it after a yes', async () => {
  await lockOf(host, 'letter.docx');
  const { terminal, answer, err, out } = fakeTerminal({ isTTY: true, cwd: host.folder });
  const [code] = await Promise.all([
    runTerminal(['unlock', 'letter.docx', '--data', host.dataDir], terminal),
    answer(/\[y\/N\] /, 'y\r'),
  ]);
  assert.equal(code, 0);
  assert.match(err(), /^document +letter\.docx\nlocked by +owner\n/);
  assert.equal(out(), 'The lock on letter.docx was cleared.\n');
  assert.deepEqual(lockedPaths(), []);
});

test('trash reports documents that were deleted while it asked, and doesn’t fail', async () => {
  await writeFile(join(host.folder, 'b.txt'), 'x');
  const { terminal, answer, err, out } = fakeTerminal({ isTTY: true, cwd: host.folder });
  const deleteOne = async () => rm(join(host.folder, 'letter.docx'));
  const [code] = await Promise.all([
    runTerminal(['trash', 'letter.docx', 'b.txt', '--data', host.dataDir], terminal),
    answer(/\[y\/N\] /, '')
      .then(deleteOne)
      .then(() => answer(/\[y\/N\] /, 'y\r')),
  ]);
  assert.equal(code, 0);
  assert.match(err(), /^letter\.docx was already gone\.$/mu);
  assert.equal(out(), 'b.txt was moved to the trash.\n');

  for (const name of ['c.txt', 'd.txt']) await writeFile(join(host.folder, name), 'x');
  const asJson = fakeTerminal({ isTTY: true, cwd: host.folder });
  await Promise.all([
    runTerminal(['trash', 'c.txt', 'd.txt', '--json', '--data', host.dataDir], asJson.terminal),
    asJson
      .answer(/\[y\/N\] /, '')
      .then(async () => rm(join(host.folder, 'c.txt')))
      .then(() => asJson.answer(/\[y\/N\] /, 'y\r')),
  ]);
  assert.deepEqual(JSON.parse(asJson.out()).gone, ['c.txt']);
});

test('accepts --data and --json before, between and after the words of a command', async () => {
  for (const args of [
    ['--data', host.dataDir, '--json', 'conflicts', 'list'],
    ['conflicts', `--data=${host.dataDir}`, 'list', '--json'],
    ['conflicts', '--json', '--data', host.dataDir],
    ['--json', 'conflicts', '--data', host.dataDir],
  ]) {
    const { terminal, out, err } = fakeTerminal({ isTTY: false });
    assert.equal(await runTerminal(args, terminal), 0, `${args.join(' ')}: ${err()}`);
    assert.equal(out(), '[]\n', args.join(' '));
  }
});

test('asks to check a data folder that isn’t one, and suggests to start the host otherwise', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray data '));
  folders.push(folder);
  const file = join(folder, 'file');
  await writeFile(file, '');
  const messageOf = async (args: string[], env = {}): Promise<string> => {
    const { terminal, err } = fakeTerminal({ isTTY: false, env });
    assert.equal(await runTerminal(args, terminal), 1);
    return err();
  };
  for (const path of [folder, file]) {
    // `status` needs a running host, `tokens` only the data folder.
    for (const command of ['tokens', 'status']) {
      const isNone = `${path} isn’t a DocTray data folder. Check`;
      assert.equal(await messageOf([command, '--data', path]), `${isNone} --data.\n`);
      assert.equal(await messageOf([command], { DOCTRAY_DATA: path }), `${isNone} DOCTRAY_DATA.\n`);
    }
  }
  const notRunning = 'DocTray isn’t running with this data folder. Start it with';
  assert.equal(
    await messageOf(['tokens'], { XDG_DATA_HOME: join(folder, 'new') }),
    `DocTray hasn’t been started yet: there is no data in ${join(folder, 'new', 'doctray')}. Start it with \`doctray serve\`.\n`,
  );
  await writeFile(join(folder, 'settings.json'), '{}');
  assert.equal(
    await messageOf(['activity', '--data', folder]),
    `${notRunning} \`doctray serve --data '${folder}'\`.\n`,
  );
});

test('clears and discards nothing without a yes', async () => {
  await lockOf(host, 'letter.docx');
  for (const [args, typed] of [
    [['unlock', 'letter.docx'], 'n\r'],
    [['unlock', 'letter.docx'], '\u0003'],
    [['recovered', 'discard', 'r'], '\r'],
  ] as const) {
    const { terminal, answer, err } = fakeTerminal({ isTTY: true, cwd: host.folder });
    const [code] = await Promise.all([
      runTerminal([...args, '--data', host.dataDir], terminal),
      answer(/\[y\/N\] /, typed),
    ]);
    assert.equal(code, 130);
    assert.match(err(), /Nothing was changed\.\n$/);
  }
  assert.deepEqual(lockedPaths(), ['letter.docx']);
});

test('activity shows once, in words, what a user did to a document', async () => {
  const run = async (...args: string[]): Promise<string> => {
    const { terminal, err, out } = fakeTerminal({ isTTY: false, cwd: host.folder });
    assert.equal(await runTerminal([...args, '--data', host.dataDir], terminal), 0, err());
    return out();
  };
  const { fileId } = await lockOf(host, 'letter.docx');
  await run('unlock', 'letter.docx', '--yes');
  await run('new', 'Plan.docx');
  await run('rename', 'Plan.docx', 'Idea');
  await run('trash', 'Idea.docx', '--yes');
  const outside = await mkdtemp(join(tmpdir(), 'doctray-outside-'));
  folders.push(outside);
  await writeFile(join(outside, 'a.txt'), 'x');
  await run('import', join(outside, 'a.txt'));
  const items: ActivityItem[] = JSON.parse(await run('activity', '--json'));
  const actions = items.filter(({ method }) => method === '');
  assert.deepEqual(
    actions.map(({ operation, path, user }) => [operation, path, user]),
    [
      ['ForceClear', 'letter.docx', 'terminal'],
      ['CreateDocument', 'Plan.docx', 'terminal'],
      ['Rename', 'Plan.docx → Idea.docx', 'terminal'],
      ['MoveToTrash', 'Idea.docx', 'terminal'],
      ['Import', 'a.txt', 'terminal'],
    ],
  );
  assert.equal(actions[0]?.fileId, fileId);
  const lines = (await run('activity')).split('\n');
  for (const line of [
    / {2}- {4}Force-cleared lock {2,}terminal {2,}letter\.docx$/,
    / {2}- {4}Created document {2,}terminal {2,}Plan\.docx$/,
    / {2}- {4}Renamed {2,}terminal {2,}Plan\.docx → Idea\.docx$/,
    / {2}- {4}Moved to trash {2,}terminal {2,}Idea\.docx$/,
    / {2}- {4}Imported {2,}terminal {2,}a\.txt$/,
  ]) {
    assert.equal(lines.filter((text) => line.test(text)).length, 1, `${line}: ${lines.join('\n')}`);
  }
});

test('new and rename say so when they change the name', async () => {
  const run = async (...args: string[]): Promise<string> => {
    const { terminal, err, out } = fakeTerminal({ isTTY: false, cwd: host.folder });
    assert.equal(await runTerminal([...args, '--data', host.dataDir], terminal), 0, err());
    return out();
  };
  assert.equal(
    await run('new', 'Plan: B.docx'),
    'Created as Plan_ B.docx. “Plan: B.docx” isn’t a valid name.\n',
  );
  assert.equal(await run('rename', 'letter.docx', 'a?b'), 'Renamed to a_b.docx. “a?b” isn’t a valid name.\n');
  assert.deepEqual(JSON.parse(await run('rename', 'a_b.docx', 'c*d.docx', '--json')), { path: 'c_d.docx' });
  for (const typed of ['Talk', 'Talk 2.DOCX', ' Talk 3 ']) {
    assert.match(await run('new', typed, '--template', 'docx'), /^Talk.*\.docx was created\.\n$/i);
  }
  assert.equal(await run('rename', 'Talk.docx', 'Speech'), 'Renamed to Speech.docx.\n');
  assert.equal(await run('rename', 'Speech.docx', 'Talk.v2'), 'Renamed to Talk.v2.docx.\n');
});

test('a failed import names the setting, which the window can’t', async () => {
  const run = async (...args: string[]) => {
    const { terminal, err } = fakeTerminal({ isTTY: false, cwd: host.folder });
    return { code: await runTerminal([...args, '--data', host.dataDir], terminal), err: err() };
  };
  assert.equal((await run('settings', 'set', 'minFreeMB', '16000000')).code, 0);
  const outside = await mkdtemp(join(tmpdir(), 'doctray-outside-'));
  folders.push(outside);
  await writeFile(join(outside, 'a.txt'), 'x');
  const { code, err } = await run('import', join(outside, 'a.txt'));
  assert.equal(code, 1);
  assert.match(err, /lower the limit in the settings \(minFreeMB\)\.\n$/);
  await assert.rejects(stat(join(host.folder, 'a.txt')));
});

test('says when to try again', async (t) => {
  t.mock.method(host.host.services.sessions, 'list', () => {
    throw new AppError('too-busy', { retryAfterSeconds: 90 });
  });
  const { terminal, err } = fakeTerminal({ isTTY: false });
  assert.equal(await runTerminal(['sessions', '--data', host.dataDir], terminal), 1);
  assert.equal(err(), 'Too many sign-ins at once. Try again in a moment. Wait at least 90 s.\n');
});

test('asks for a password without echo, and only if the user exists', async () => {
  const { terminal, answer, err, out } = fakeTerminal({ isTTY: true });
  const [code] = await Promise.all([
    runTerminal(['users', 'password', 'owner', '--data', host.dataDir], terminal),
    answer(/owner: $/, 'fresh and long\r').then(() => answer(/Repeat the password: $/, 'fresh and long\r')),
  ]);
  assert.equal(code, 0);
  await host.signIn('owner', 'fresh and long');
  assert.ok(!`${err()}${out()}`.includes('fresh'));
  const unknown = fakeTerminal({ isTTY: true });
  assert.equal(
    await runTerminal(['users', 'password', 'nobody', '--data', host.dataDir], unknown.terminal),
    3,
  );
  assert.match(unknown.err(), /^No user has this name/);
});

test('speaks the language of its user, and gets the running host’s answers in it', async () => {
  const run = async (args: string[], LANG: string): Promise<string> => {
    const { terminal, out, err } = fakeTerminal({ isTTY: false, env: { LANG } });
    await runTerminal([...args, '--data', host.dataDir], terminal);
    return out() + err();
  };
  assert.equal(await run(['locks'], 'de_DE.UTF-8'), 'Kein Dokument ist gesperrt.\n');
  assert.match(
    await run(['locks', '--help'], 'de_DE.UTF-8'),
    /^Aufruf: .*\n\ngesperrte Dokumente .*\n\nOptionen:/u,
  );
  assert.equal(
    await run(['locsk'], 'de'),
    'Unbekannter Befehl „locsk“ (meinten Sie locks?); siehe --help.\n',
  );
  const unknown = ['recovered', 'restore', 'nothing'];
  assert.match(
    await run(unknown, 'de_AT'),
    /^Diese gesicherte Fassung gibt es nicht\. `doctray recovered .*` zeigt/,
  );
  assert.equal(await run(['locks'], 'tlh_XX'), 'No document is locked.\n');
});

test('shows names without control characters, and prints them unchanged as JSON', async () => {
  await lockOf(host, 'a\u001b[2Jb.docx');
  const { terminal, out } = fakeTerminal({ isTTY: true });
  await runTerminal(['locks', '--data', host.dataDir], terminal);
  assert.ok(out().includes('b.docx') && !out().includes('\u001b'));
  const piped = fakeTerminal({ isTTY: false });
  await runTerminal(['locks', '--json', '--data', host.dataDir], piped.terminal);
  assert.equal(JSON.parse(piped.out())[0].path, 'a\u001b[2Jb.docx');
});

test('shows a generated password on a terminal on the first run only', async () => {
  const root = await mkdtemp(join(tmpdir(), 'doctray-first-'));
  folders.push(root);
  await mkdir(join(root, 'documents'));
  const serve = async (args: string[] = []): Promise<string> => {
    const { terminal, out } = fakeTerminal({ isTTY: true, cwd: root });
    const ended = runTerminal(
      ['serve', '--folder', 'documents', '--data', 'data', '--port', '0', ...args],
      terminal,
    );
    while (!/ Next |listening/.test(out())) await new Promise((resolve) => setTimeout(resolve, 10));
    // The reader of the output goes away.
    terminal.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    assert.equal(await ended, 0);
    return out();
  };
  const shown = /Sign in +owner \/ (\S+) {2}\(shown only now\)/.exec(await serve())?.[1];
  assert.ok(shown !== undefined && shown.length >= 16);
  assert.ok((await readFile(join(root, 'data', 'secrets.json'), 'utf8')).includes(shown));
  const second = await serve();
  assert.ok(!second.includes('Sign in') && !second.includes(shown));
  assert.ok(!(await serve(['--json'])).includes(shown));
});
