// What the app understands of the arguments it was started with, and hands to the running one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  claimSingleInstance,
  isForTerminal,
  ownArguments,
  readLaunch,
  restartArguments,
  terminalCommands,
  type HandedOver,
} from '../../../app/desktop/launch.ts';
import { createCommandLine } from '../../../app/terminal/command-line.ts';
import { ownTerminal } from '../../../app/terminal/terminal.ts';

test('an unpackaged app leaves out what leads to it, a packaged one only its program', () => {
  assert.deepEqual(ownArguments(['electron', '--inspect=0', '--x', '/app', '--data', 'd'], false), [
    '--data',
    'd',
  ]);
  assert.deepEqual(ownArguments(['electron', '--inspect=0'], false), []);
  assert.deepEqual(ownArguments(['/opt/DocTray/doctray', 'locks'], true), ['locks']);
});

test('options, links and documents are told apart, whatever Chromium put between them', () => {
  const args = [
    '--no-first-run',
    'letter.docx',
    '--folder',
    'documents',
    '--data=/srv/a=b',
    '--host=::1',
    '--port=0',
    '--public-url',
    'https://a.example',
    '--owner=ana',
    '--json',
    '--hidden',
    '-psn_0_1',
    'doctray:open',
    '--',
    '--odd name.docx',
  ];
  assert.deepEqual(readLaunch(args, '/home/ana'), {
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

test('restarts after an error with the same options and switches, without the documents', () => {
  const launch = readLaunch(['--disable-gpu', 'letter.docx', '--data', '/srv/a=b', '--port=0'], '/');
  const args = restartArguments(launch, true);
  assert.deepEqual(args, ['--disable-gpu', '--data=/srv/a=b', '--port=0', '--hidden', '--after-failure']);
  const again = readLaunch(args, '/');
  assert.deepEqual(
    [again.options, again.targets, again.isHidden, again.isAfterFailure],
    [launch.options, [], true, true],
  );
  assert.deepEqual(restartArguments(again, false), [
    '--disable-gpu',
    '--data=/srv/a=b',
    '--port=0',
    '--after-failure',
  ]);
});

test('an option without its value is told', () => {
  for (const args of [['--data'], ['--data='], ['--folder', '']]) {
    assert.throws(() => readLaunch(args, '/'), { name: 'UsageError', message: /needs a value/ });
  }
});

test('names of Object’s own are options of nobody', () => {
  const launch = readLaunch(['--__proto__', 'a', '--constructor=b', 'constructor', 'c'], '/');
  assert.deepEqual(launch.options, {});
  assert.deepEqual(launch.targets, ['a', 'constructor', 'c']);
});

test('the commands of the terminal are those of its command line, but for `start`', () => {
  const { commands } = createCommandLine(ownTerminal(), () => undefined);
  const known = commands.map((command) => command.name()).filter((name) => name !== 'start');
  assert.deepEqual(terminalCommands.toSorted(), known.toSorted());
});

test('only the first argument makes the app a terminal command', () => {
  assert.equal(isForTerminal(['locks', '--json']), true);
  assert.equal(isForTerminal(['--help']), true);
  assert.equal(isForTerminal(['--version']), true);
  assert.equal(isForTerminal(['--data', 'locks']), false);
  assert.equal(isForTerminal(['letter.docx', 'open']), false);
  assert.equal(isForTerminal([]), false);
});

function claim(hasLock: boolean, data: unknown) {
  const given: unknown[] = [];
  const received: HandedOver[] = [];
  let listener: (event: unknown, argv: string[], cwd: string, data: unknown) => void = () => undefined;
  const app = {
    requestSingleInstanceLock: (own: unknown) => {
      given.push(own);
      return hasLock;
    },
    on: (_event: string, heard: typeof listener) => {
      listener = heard;
    },
  };
  const own = readLaunch(['--data=/secret', 'letter.docx'], '/home/ana');
  const isOnly = claimSingleInstance(app as never, own, (other) => received.push(other));
  listener({}, ['electron', '/etc/passwd'], '/elsewhere', data);
  return { given, received, isOnly };
}

test('a second launch hands over its documents and its place, and ends', () => {
  const { given, received, isOnly } = claim(false, { targets: ['x'] });
  assert.equal(isOnly, false);
  assert.deepEqual(given, [{ targets: ['letter.docx'], cwd: '/home/ana', isHidden: false }]);
  assert.deepEqual(received, []);
});

test('what a second launch hands over is taken by its shape alone', () => {
  const whole = { targets: ['a.docx'], cwd: '/b', isHidden: true };
  assert.deepEqual(claim(true, whole).received, [whole]);
  const nothing = { targets: [], cwd: '/', isHidden: false };
  for (const data of [undefined, null, 'text', 5, {}, { targets: 'a', cwd: 1, isHidden: 1 }]) {
    assert.deepEqual(claim(true, data).received, [nothing]);
  }
  assert.deepEqual(claim(true, { targets: ['a', 1, null] }).received, [{ ...nothing, targets: ['a'] }]);
});
