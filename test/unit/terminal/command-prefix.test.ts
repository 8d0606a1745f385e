import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCommandPrefix } from '../../../app/terminal/command-prefix.ts';

test('commands in a sentence get the prefix and the data folder that was given; other text between backticks stays', () => {
  const terminal = { command: 'npm run cli --', dataOption: "--data 'my data'" };
  for (const [text, expected] of [
    [
      'Run `settings set textEditor true`, or `copy-version`.',
      "Run `npm run cli -- settings set textEditor true --data 'my data'`, or `npm run cli -- copy-version --data 'my data'`.",
    ],
    ...['`none` clears it', '`--folder`', '`opened`', '`open\nx`', 'a `settings'].map(
      (other) => [other, other] as const,
    ),
  ] as const)
    assert.equal(withCommandPrefix(text, terminal), expected);
  assert.equal(withCommandPrefix('`tokens`', { command: 'doctray' }), '`doctray tokens`');
});
