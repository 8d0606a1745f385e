// What happens only on a terminal, not with a pipe: questions, and the password that is shown once.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, test } from 'node:test';
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

test('a hint repeats the data folder, and a file isn’t one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'doctray data '));
  folders.push(folder);
  const file = join(folder, 'file');
  await writeFile(file, '');
  for (const path of [folder, file]) {
    const { terminal, err } = fakeTerminal({ isTTY: false });
    assert.equal(await runTerminal(['tokens', '--data', path], terminal), 1);
    assert.equal(
      err(),
      `DocTray isn’t running with this data folder. Start it with \`${terminal.command} serve --data '${path}'\`. ${path} isn’t a DocTray data folder.\n`,
    );
  }
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
    terminal.stdout.emit('error', new Error('EPIPE'));
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
