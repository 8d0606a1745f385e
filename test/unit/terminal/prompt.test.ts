import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interrupted } from '../../../app/terminal/exit-code.ts';
import { confirm, readPassword } from '../../../app/terminal/prompt.ts';
import { fakeTerminal } from './fake-terminal.ts';

test('rejects two different passwords, and stops at Ctrl+C and at the end of the input', async () => {
  const ask = async (first: string, error: RegExp | typeof Interrupted, second?: string): Promise<void> => {
    const { terminal, answer } = fakeTerminal({ isTTY: true });
    await Promise.all([
      assert.rejects(readPassword(terminal, { fromStdin: false, login: 'eva' }), error),
      answer(/eva: $/, first),
      ...(second === undefined ? [] : [answer(/Repeat the password: $/, second)]),
    ]);
  };
  await ask('one\r', /don’t match/, 'two\r');
  await ask('\u0003', Interrupted);
  await ask('half\u0003', Interrupted);
  const { terminal, answer } = fakeTerminal({ isTTY: true });
  const asked = assert.rejects(confirm(terminal, 'Really?'), Interrupted);
  await answer(/Really/, '');
  (terminal.stdin as unknown as NodeJS.WritableStream).end();
  await asked;
});
