// How the app parses its arguments, and what a second launch passes to the running app.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  handedOver,
  ownArguments,
  readLaunch,
  restartArguments,
  terminalArguments,
} from '../../../app/desktop/launch.ts';
import { createCommandLine } from '../../../app/terminal/command-line.ts';
import { ownTerminal } from '../../../app/terminal/terminal.ts';

test('skips Electron’s switches and the app path if unpackaged, and only the binary if packaged', () => {
  const unpackaged = ['electron', '--inspect=0', '--x', '/app', '--data', 'd'];
  assert.deepEqual(ownArguments(unpackaged, false), ['--data', 'd']);
  assert.deepEqual(ownArguments(['electron', '--inspect=0'], false), []);
  assert.deepEqual(ownArguments(['/opt/DocTray/doctray', 'locks'], true), ['locks']);
});

test('distinguishes options, links and documents from Chromium’s switches', () => {
  const args =
    '--no-first-run letter.docx --folder documents --data=/srv/a=b --host=::1 --port=0 --public-url https://a.example --owner=ana --json --hidden -psn_0_1 doctray:open --';
  assert.deepEqual(readLaunch([...args.split(' '), '--odd name.docx'], '/home/ana'), {
    options: {
      folder: 'documents',
      data: '/srv/a=b',
      host: '::1',
      port: '0',
      publicUrl: 'https://a.example',
      owner: 'ana',
      json: true,
    },
    isHidden: true,
    isAfterFailure: false,
    targets: ['letter.docx', 'doctray:open', '--odd name.docx'],
    cwd: '/home/ana',
    switches: ['--no-first-run', '-psn_0_1'],
  });
});

test('`start` opens the window, and no document', () => {
  assert.deepEqual(readLaunch(['start', '--port=0', './start'], '/').targets, ['./start']);
});

test('restarts after an error with the same options and switches, without the documents', () => {
  const launch = readLaunch(['--disable-gpu', 'letter.docx', '--data', '/srv/a=b', '--port=0'], '/');
  const args = restartArguments(launch, true);
  assert.deepEqual(args, ['--disable-gpu', '--data=/srv/a=b', '--port=0', '--hidden', '--after-failure']);
  const again = readLaunch(args, '/');
  assert.deepEqual(
    [again.options, again.targets, again.isHidden, again.isAfterFailure],
    [launch.options, [], true, true],
  );
  assert.deepEqual(
    restartArguments(again, false),
    args.filter((arg) => arg !== '--hidden'),
  );
});

test('rejects an option without its value', () => {
  for (const args of [['--data'], ['--data='], ['--folder', '']]) {
    assert.throws(() => readLaunch(args, '/'), { name: 'UsageError', message: /needs a value/ });
  }
});

test('doesn’t treat property names of Object as options', () => {
  const launch = readLaunch(['--__proto__', 'a', '--constructor=b', 'constructor', 'c'], '/');
  assert.deepEqual(launch.options, {});
  assert.deepEqual(launch.targets, ['a', 'constructor', 'c']);
});

test('every command of the command line is one, even if a document has its name; `start` opens the window', () => {
  const { commands } = createCommandLine(ownTerminal(), () => undefined);
  for (const name of [...commands.map((command) => command.name()), 'help'])
    assert.deepEqual(
      terminalArguments([name], () => true),
      name === 'start' ? undefined : [name],
    );
});

test('the first argument after Chromium’s switches, --data and --json decides whether it’s a terminal command', () => {
  const commands = [
    'locks --json',
    '--help',
    'help open',
    '--version',
    '--data=d --json locks',
    '--data locks locks',
  ];
  for (const args of commands) {
    assert.deepEqual(terminalArguments(args.split(' ')), args.split(' '));
    const afterSwitches = `--no-sandbox --disable-gpu ${args}`;
    assert.deepEqual(terminalArguments(afterSwitches.split(' ')), args.split(' '), afterSwitches);
  }
  const others = [
    '--data locks',
    '--data=d letter.docx',
    '--hidden locks',
    '-- locks',
    'letter.docx open',
    '--no-sandbox',
  ];
  for (const args of [...others, '--no-sandbox letter.docx locks'])
    assert.equal(terminalArguments(args.split(' ')), undefined, args);
  assert.equal(terminalArguments([]), undefined);
});

test('passes a mistyped command or option to the terminal, which suggests the right one', () => {
  const isPath = (word: string): boolean => word === 'notes';
  const parsed = (args: string) => terminalArguments(args.split(' '), isPath)?.join(' ');
  for (const args of ['locsk --json', 'new-foldr a']) assert.equal(parsed(`--no-sandbox ${args}`), args);
  for (const mistyped of ['--flder', '--prot=0', '--hlep', '--fodler', '--dataa=d', '-v'])
    assert.equal(parsed(`--no-sandbox ${mistyped}`), `start ${mistyped}`);
  const switches = '--ozone-platform=wayland --disable-gpu --lang=de --v=1 --enable-logging -psn_0_1';
  for (const args of [
    'notes',
    'start',
    'letter.docx',
    './locsk',
    'doctray:open',
    '-- locsk --flder',
    switches,
  ])
    assert.equal(parsed(args), undefined, args);
});

test('validates the data of a second launch', () => {
  const whole = { targets: ['a.docx'], cwd: '/b', isHidden: true };
  assert.deepEqual(handedOver(whole), whole);
  const nothing = { targets: [], cwd: '/', isHidden: false };
  for (const data of [undefined, null, 'text', 5, {}, { targets: 'a', cwd: 1, isHidden: 1 }])
    assert.deepEqual(handedOver(data), nothing);
  assert.deepEqual(handedOver({ targets: ['a', 1, null] }), { ...nothing, targets: ['a'] });
});
