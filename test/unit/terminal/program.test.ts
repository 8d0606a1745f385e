// What a person at a terminal meets that a pipe does not: questions, and the password that is shown once.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createControlServer } from '../../../app/control/control-server.ts';
import { runTerminal } from '../../../app/terminal/program.ts';
import { lockOn, makeFakeHost, type FakeHost } from '../control/fake-services.ts';
import { fakeTerminal } from './fake-terminal.ts';

let fake: FakeHost;
let server: { close(): Promise<void> };
const folders: string[] = [];

before(() => {
  // no keychain of this machine is asked
  delete process.env['DBUS_SESSION_BUS_ADDRESS'];
});
beforeEach(async () => {
  fake = await makeFakeHost();
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  server = await createControlServer({ ...fake, log });
});
afterEach(async () => {
  await server.close();
  await fake.remove();
});
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

test('unlock shows the lock, asks, and clears it after a yes', async () => {
  fake.locks.push(lockOn('letter.docx', '0'.padStart(22, 'f')));
  const { terminal, answer, err, out } = fakeTerminal({ isTTY: true, cwd: fake.folder });
  const [code] = await Promise.all([
    runTerminal(['unlock', 'letter.docx', '--data', fake.dataDir], terminal),
    answer(/\[y\/N\] /, 'y\r'),
  ]);
  assert.equal(code, 0);
  assert.match(err(), /^document +letter\.docx\nlocked by +owner\n/);
  assert.equal(out(), 'The lock on letter.docx was cleared.\n');
  assert.deepEqual(fake.done, ['clear letter.docx by terminal']);
});

test('without a yes nothing is cleared or discarded', async () => {
  fake.locks.push(lockOn('letter.docx', '0'.padStart(22, 'f')));
  for (const [args, typed] of [
    [['unlock', 'letter.docx'], 'n\r'],
    [['unlock', 'letter.docx'], '\u0003'],
    [['rescued', 'discard', 'r'], '\r'],
  ] as const) {
    const { terminal, answer, err } = fakeTerminal({ isTTY: true, cwd: fake.folder });
    const [code] = await Promise.all([
      runTerminal([...args, '--data', fake.dataDir], terminal),
      answer(/\[y\/N\] /, typed),
    ]);
    assert.equal(code, 130);
    assert.match(err(), /Nothing was changed\.\n$/);
  }
  assert.deepEqual(fake.done, []);
});

test('a password is asked for unseen, and only when there is such a user', async () => {
  const { terminal, answer, err, out } = fakeTerminal({ isTTY: true });
  const [code] = await Promise.all([
    runTerminal(['users', 'password', 'owner', '--data', fake.dataDir], terminal),
    answer(/owner: $/, 'fresh and long\r').then(() => answer(/Repeat the password: $/, 'fresh and long\r')),
  ]);
  assert.equal(code, 0);
  assert.deepEqual(fake.done, ['password owner fresh and long']);
  assert.ok(!`${err()}${out()}`.includes('fresh'));
  const unknown = fakeTerminal({ isTTY: true });
  assert.equal(
    await runTerminal(['users', 'password', 'nobody', '--data', fake.dataDir], unknown.terminal),
    3,
  );
  assert.match(unknown.err(), /^There is no user of this name/);
});

test('a name that would play with the terminal is shown harmlessly', async () => {
  fake.locks.push(lockOn('a\u001b[2Jb.docx', 'x'));
  const { terminal, out } = fakeTerminal({ isTTY: true });
  await runTerminal(['locks', '--data', fake.dataDir], terminal);
  assert.ok(out().includes('b.docx') && !out().includes('\u001b'));
  const machine = fakeTerminal({ isTTY: false });
  await runTerminal(['locks', '--json', '--data', fake.dataDir], machine.terminal);
  assert.equal(JSON.parse(machine.out())[0].path, 'a\u001b[2Jb.docx');
});

test('a generated password is shown on a terminal on the first run, and not again', async () => {
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
    // as when the reader of the output has gone
    terminal.stdout.emit('error', new Error('EPIPE'));
    assert.equal(await ended, 0);
    return out();
  };
  const shown = /Sign in +owner \/ (\S+) {2}\(shown only now\)/.exec(await serve())?.[1];
  assert.ok(shown !== undefined && shown.length >= 16);
  assert.ok((await readFile(join(root, 'data', 'secrets.json'), 'utf8')).includes(shown));
  const again = await serve();
  assert.ok(!again.includes('Sign in') && !again.includes(shown));
  assert.ok(!(await serve(['--json'])).includes(shown));
});
