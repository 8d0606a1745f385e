import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandLine } from '../../../app/terminal/command-line.ts';
import { commandNames, withCommandPrefix } from '../../../app/terminal/command-prefix.ts';
import { ownTerminal } from '../../../app/terminal/terminal.ts';

const terminal = { command: 'npm run cli --' };

test('knows the names of all commands', () => {
  const { commands } = createCommandLine(ownTerminal(), () => undefined);
  assert.deepEqual(commands.map((command) => command.name()).toSorted(), [...commandNames].toSorted());
});

test('puts the prefix before commands in a sentence', () => {
  assert.equal(
    withCommandPrefix('Run `settings set textEditor true`, or `tokens`.', terminal),
    'Run `npm run cli -- settings set textEditor true`, or `npm run cli -- tokens`.',
  );
});

test('repeats the data folder that was given', () => {
  assert.equal(
    withCommandPrefix('Start it with `serve`, or see `--help`.', {
      ...terminal,
      dataOption: "--data 'my data'",
    }),
    "Start it with `npm run cli -- serve --data 'my data'`, or see `--help`.",
  );
});

test('leaves other text between backticks unchanged', () => {
  for (const text of ['`none` clears it', '`--folder`', '`opened`', '`open\nx`', 'a `settings']) {
    assert.equal(withCommandPrefix(text, terminal), text);
  }
});
