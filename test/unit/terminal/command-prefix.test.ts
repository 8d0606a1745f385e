import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCommandLine } from '../../../app/terminal/command-line.ts';
import { commandNames, withCommandPrefix } from '../../../app/terminal/command-prefix.ts';
import { ownTerminal } from '../../../app/terminal/terminal.ts';

const terminal = { command: 'npm run cli --' };

test('every command that a sentence can name gets the prefix', () => {
  const { commands } = createCommandLine(ownTerminal(), () => undefined);
  assert.deepEqual(commands.map((command) => command.name()).toSorted(), [...commandNames].toSorted());
});

test('commands in a sentence get what a person types before them', () => {
  assert.equal(
    withCommandPrefix('Run `settings set textEditor true`, or `tokens`.', terminal),
    'Run `npm run cli -- settings set textEditor true`, or `npm run cli -- tokens`.',
  );
});

test('everything else between backticks stays', () => {
  for (const text of ['`none` clears it', '`--folder`', '`opened`', '`open\nx`', 'a `settings']) {
    assert.equal(withCommandPrefix(text, terminal), text);
  }
});
