// What happens only on a terminal, not with a pipe: questions, and the password that is shown once. And what is the same for all
// commands.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ActivityItem } from '../../../app/contract/pushes.ts';
import { runTerminal } from '../../../app/terminal/program.ts';
import { startTestHost, type TestHost } from '../../server/test-host.ts';
import { lockOf } from '../commands/terminal-commands.ts';
import { fakeTerminal, type FakeTerminal } from './fake-terminal.ts';

let host: TestHost;
/** Outside the host's folders, with a character that a shell would split. */
let outside: string;
before(async () => {
  const names = ['letter.docx', 'a.txt', 'b.txt', 'renamed.docx', 'a\u001b[2Jb.docx'];
  host = await startTestHost({ files: Object.fromEntries(names.map((name) => [name, 'x'])) });
  outside = await mkdtemp(join(tmpdir(), 'doctray data '));
  await writeFile(join(outside, 'picture.txt'), 'x');
});
after(async () => {
  await host.stop();
  await rm(outside, { recursive: true, force: true });
});

const runOn = (fake: FakeTerminal, args: readonly string[]): Promise<number> =>
  runTerminal([...args, '--data', host.dataDir], fake.terminal);

/** Into a pipe. */
async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const fake = fakeTerminal({ cwd: host.folder, env });
  const code = await runOn(fake, args);
  return { code, out: fake.out(), err: fake.err() };
}

/** Types these answers on a terminal, each when its question is shown. */
async function ask(args: readonly string[], ...answers: [question: RegExp, typed: string][]) {
  const fake = fakeTerminal({ isTTY: true, cwd: host.folder });
  const typing = async (): Promise<void> => {
    for (const [question, typed] of answers) await fake.answer(question, typed);
  };
  const [code] = await Promise.all([runOn(fake, args), typing()]);
  return { code, out: fake.out(), err: fake.err() };
}

const yesOrNo = /\[y\/N\] /;

test('unlock shows the lock and asks; only a yes clears it', async () => {
  const lockedPaths = (): string[] => host.host.services.locks.list().map(({ path }) => path);
  await lockOf(host, 'letter.docx');
  for (const [args, typed] of [
    [['unlock', 'letter.docx'], 'n\r'],
    [['unlock', 'letter.docx'], '\u0003'],
    [['unlock', 'letter.docx'], 'yep\r'],
    [['recovered', 'discard', 'r'], '\r'],
  ] as const) {
    const { code, err } = await ask(args, [yesOrNo, typed]);
    assert.equal(code, 130);
    assert.match(err, /Nothing was changed\.\n$/);
  }
  assert.deepEqual(lockedPaths(), ['letter.docx']);
  const { code, out, err } = await ask(['unlock', 'letter.docx'], [yesOrNo, 'YES\r']);
  assert.deepEqual([code, out], [0, 'The lock on letter.docx was cleared.\n']);
  assert.match(err, /^document +letter\.docx\nlocked by +owner\n/);
  assert.deepEqual(lockedPaths(), []);
});

test('trash reports documents that were deleted while it asked, and doesn’t fail', async () => {
  const fake = fakeTerminal({ isTTY: true, cwd: host.folder });
  const [code] = await Promise.all([
    runOn(fake, ['trash', 'a.txt', 'b.txt']),
    fake
      .answer(yesOrNo, '')
      .then(() => rm(join(host.folder, 'a.txt')))
      .then(() => fake.answer(yesOrNo, 'y\r')),
  ]);
  assert.equal(code, 0);
  assert.match(fake.err(), /^a\.txt was already gone\.$/mu);
  assert.equal(fake.out(), 'b.txt was moved to the trash.\n');
});

test('accepts --data and --json before, between and after the words of a command', async () => {
  for (const args of [
    ['--data', host.dataDir, '--json', 'conflicts', 'list'],
    ['conflicts', `--data=${host.dataDir}`, 'list', '--json'],
    ['conflicts', '--json', '--data', host.dataDir],
  ]) {
    const { terminal, out, err } = fakeTerminal();
    assert.equal(await runTerminal(args, terminal), 0, `${args.join(' ')}: ${err()}`);
    assert.equal(out(), '[]\n', args.join(' '));
  }
});

test('asks to check a data folder that isn’t one, creates none, and suggests to start the host otherwise', async () => {
  const messageOf = async (args: string[], env = {}): Promise<string> => {
    const { terminal, err } = fakeTerminal({ env });
    assert.equal(await runTerminal(args, terminal), 1);
    return err();
  };
  const missing = join(outside, 'missing');
  for (const path of [outside, join(outside, 'picture.txt'), missing]) {
    // `status` needs a running host, `tokens` only the data folder.
    for (const command of ['tokens', 'status']) {
      const isNone = `${path} isn’t a DocTray data folder. Check`;
      assert.equal(await messageOf([command, '--data', path]), `${isNone} --data.\n`);
      assert.equal(await messageOf([command], { DOCTRAY_DATA: path }), `${isNone} DOCTRAY_DATA.\n`);
    }
  }
  assert.equal(
    await messageOf(['tokens'], { XDG_DATA_HOME: missing }),
    `DocTray hasn’t been started yet: there is no data in ${join(missing, 'doctray')}. Start it with \`doctray serve\`.\n`,
  );
  await assert.rejects(stat(missing));
  await writeFile(join(outside, 'settings.json'), '{}');
  assert.equal(
    await messageOf(['activity', '--data', outside]),
    `DocTray isn’t running with this data folder. Start it with \`doctray serve --data '${outside}'\`.\n`,
  );
});

test('activity shows once, in words, what a user did to a document', async () => {
  await run(['activity', 'clear', '--yes']);
  const { fileId } = await lockOf(host, 'letter.docx');
  for (const args of [
    ['unlock', 'letter.docx', '--yes'],
    ['new', 'Plan.docx'],
    ['rename', 'Plan.docx', 'Idea'],
    ['trash', 'Idea.docx', '--yes'],
    ['import', join(outside, 'picture.txt')],
  ])
    assert.equal((await run(args)).code, 0, args.join(' '));
  const items: ActivityItem[] = JSON.parse((await run(['activity', '--json'])).out);
  const actions = items.filter(({ method }) => method === '');
  assert.deepEqual(
    actions.map(({ operation, path, user }) => [operation, path, user]),
    [
      ['ForceClear', 'letter.docx', 'terminal'],
      ['CreateDocument', 'Plan.docx', 'terminal'],
      ['Rename', 'Plan.docx → Idea.docx', 'terminal'],
      ['MoveToTrash', 'Idea.docx', 'terminal'],
      ['Import', 'picture.txt', 'terminal'],
    ],
  );
  assert.equal(actions[0]?.fileId, fileId);
  const { out } = await run(['activity']);
  assert.equal(out.match(/ {2}- {4}Renamed {2,}terminal {2,}Plan\.docx → Idea\.docx$/gm)?.length, 1, out);
});

test('new and rename say so when they change the name', async () => {
  for (const [args, sentence] of [
    [['new', 'Plan: B.docx'], 'Created as Plan_ B.docx. “Plan: B.docx” isn’t a valid name.'],
    [['rename', 'renamed.docx', 'a?b'], 'Renamed to a_b.docx. “a?b” isn’t a valid name.'],
    [['new', 'Talk', '--template', 'docx'], 'Talk.docx was created.'],
    [['rename', 'Talk.docx', 'Talk.v2'], 'Renamed to Talk.v2.docx.'],
  ] as const)
    assert.deepEqual(await run([...args]), { code: 0, out: `${sentence}\n`, err: '' });
});

test('shows names without control characters, and prints them unchanged as JSON', async () => {
  await lockOf(host, 'a\u001b[2Jb.docx');
  const { out } = await ask(['locks']);
  assert.ok(out.includes('b.docx') && !out.includes('\u001b'));
  assert.equal(JSON.parse((await run(['locks', '--json'])).out)[0].path, 'a\u001b[2Jb.docx');
});

test('asks for a password twice without echo, and only if the user exists', async () => {
  const typed = 'fräsh and long\r';
  const { code, out, err } = await ask(
    ['users', 'password', 'owner'],
    [/^Password for owner: $/, typed],
    [/\nRepeat the password: $/, typed],
  );
  assert.equal(code, 0);
  await host.signIn('owner', 'fräsh and long');
  assert.ok(!`${err}${out}`.includes('fräsh'));
  const unknown = await ask(['users', 'password', 'nobody']);
  assert.equal(unknown.code, 3);
  assert.match(unknown.err, /^No user has this name/);
});

test('speaks the language of its user, and gets the running host’s answers in it', async () => {
  for (const [args, LANG, sentence] of [
    [['conflicts'], 'de_DE.UTF-8', /^Keine Konfliktkopien\.\n$/u],
    [['locks', '--help'], 'de_DE.UTF-8', /^Aufruf: .*\n\ngesperrte Dokumente .*\n\nOptionen:/u],
    [['locsk'], 'de', /^Unbekannter Befehl „locsk“ \(meinten Sie locks\?\); siehe --help\.\n$/u],
    [
      ['recovered', 'restore', 'x'],
      'de_AT',
      /^Diese gesicherte Fassung gibt es nicht\. `doctray recovered /u,
    ],
    [['doctor'], 'de', /: In .* lässt sich schreiben\.$/mu],
    [['conflicts'], 'tlh_XX', /^No conflict copies\.\n$/u],
  ] as const) {
    const { out, err } = await run([...args], { LANG });
    assert.match(out + err, sentence);
  }
});

test('shows a generated password on a terminal on the first run only', async () => {
  await mkdir(join(outside, 'documents'));
  const serve = async (): Promise<string> => {
    const { terminal, out } = fakeTerminal({ isTTY: true, cwd: outside });
    const args = ['serve', '--folder', 'documents', '--data', 'data', '--port', '0'];
    const ended = runTerminal(args, terminal);
    while (!out().includes(' Next ')) await new Promise((resolve) => setTimeout(resolve, 10));
    // The reader of the output goes away.
    terminal.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    assert.equal(await ended, 0);
    return out();
  };
  const shown = /Sign in +owner \/ (\S+) {2}\(shown only now\)/.exec(await serve())?.[1];
  assert.ok(shown !== undefined && shown.length >= 16);
  assert.ok((await readFile(join(outside, 'data', 'secrets.json'), 'utf8')).includes(shown));
  const second = await serve();
  assert.ok(!second.includes('Sign in') && !second.includes(shown));
});
