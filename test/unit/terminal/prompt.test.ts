import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Interrupted, UsageError } from '../../../app/terminal/exit-code.ts';
import { confirm, readPassword } from '../../../app/terminal/prompt.ts';
import { fakeTerminal } from './fake-terminal.ts';

test('accepts only y and yes, in any case', async () => {
  for (const [typed, expected] of [
    ['y\r', true],
    ['YES\r', true],
    ['\r', false],
    ['n\r', false],
    ['yep\r', false],
  ] as const) {
    const { terminal, answer, out } = fakeTerminal({ isTTY: true });
    const [isAgreed] = await Promise.all([confirm(terminal, 'Really?'), answer(/Really\? \[y\/N\] /, typed)]);
    assert.equal(isAgreed, expected, JSON.stringify(typed));
    assert.equal(out(), '');
  }
});

test('rejects questions without a terminal', async () => {
  const { terminal } = fakeTerminal({ isTTY: false });
  await assert.rejects(confirm(terminal, 'Really?'), UsageError);
  await assert.rejects(readPassword(terminal, { fromStdin: false, login: 'eva' }), UsageError);
});

test('asks for a password twice without echo', async () => {
  const { terminal, answer, err, out } = fakeTerminal({ isTTY: true });
  const [password] = await Promise.all([
    readPassword(terminal, { fromStdin: false, login: 'eva' }),
    answer(/Password for eva: $/, 'pässword one\r').then(() =>
      answer(/Repeat the password: $/, 'pässword one\r'),
    ),
  ]);
  assert.equal(password, 'pässword one');
  assert.equal(err(), 'Password for eva: \nRepeat the password: \n');
  assert.equal(out(), '');
});

test('rejects two different passwords', async () => {
  const { terminal, answer } = fakeTerminal({ isTTY: true });
  await Promise.all([
    assert.rejects(readPassword(terminal, { fromStdin: false, login: 'eva' }), /don’t match/),
    answer(/eva: $/, 'one\r').then(() => answer(/Repeat the password: $/, 'two\r')),
  ]);
});

test('Ctrl+C and the end of the input interrupt a question', async () => {
  for (const typed of ['\u0003', 'half\u0003']) {
    const { terminal, answer } = fakeTerminal({ isTTY: true });
    await Promise.all([
      assert.rejects(readPassword(terminal, { fromStdin: false, login: 'eva' }), Interrupted),
      answer(/eva: $/, typed),
    ]);
  }
  const { terminal } = fakeTerminal({ isTTY: true });
  setTimeout(() => (terminal.stdin as unknown as NodeJS.WritableStream).end(), 20);
  await assert.rejects(confirm(terminal, 'Really?'), Interrupted);
});

test('strips one line ending from a piped password, and rejects an empty or too long one', async () => {
  for (const [piped, expected] of [
    ['secret\n', 'secret'],
    ['secret\r\n', 'secret'],
    [' two words \n\n', ' two words \n'],
  ] as const) {
    const { terminal } = fakeTerminal({ isTTY: false });
    (terminal.stdin as unknown as NodeJS.WritableStream).end(piped);
    assert.equal(await readPassword(terminal, { fromStdin: true, login: 'eva' }), expected);
  }
  for (const piped of ['', '\n', 'x'.repeat(5000)]) {
    const { terminal } = fakeTerminal({ isTTY: false });
    (terminal.stdin as unknown as NodeJS.WritableStream).end(piped);
    await assert.rejects(readPassword(terminal, { fromStdin: true, login: 'eva' }), UsageError);
  }
});
