import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createLogger, readable, toStream } from '../../../app/log/logger.ts';

const loggerPath = join(import.meta.dirname, '../../../app/log/logger.ts');

function collect(): { stream: PassThrough; text: () => string } {
  const stream = new PassThrough();
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { stream, text: () => text };
}

test('writes JSON lines with time, level name, fields and text', async () => {
  const { stream, text } = collect();
  const log = createLogger([toStream(stream)]);
  log.info({ status: 200, durationMs: 3 }, 'GetFile');
  const lines = text().trimEnd().split('\n');
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0]!);
  assert.deepEqual(Object.keys(line), ['level', 'time', 'status', 'durationMs', 'msg']);
  assert.equal(line.level, 'info');
  assert.equal(line.msg, 'GetFile');
});

for (const pretty of [false, true]) {
  test(`redacts secrets in every field and message, as ${pretty ? 'text' : 'JSON'}`, async () => {
    const { stream, text } = collect();
    const log = createLogger([toStream(stream, pretty ? readable : undefined)]);
    const token = randomBytes(32).toString('base64url');
    const password = 'correct horse "battery" \\ staple';
    const error = new Error(`failed at /x?access_token=${token}`, {
      cause: new Error(`cause: password=${password}`),
    });
    Object.assign(error, { password, response: { headers: { authorization: token } } });

    log.info({ token, password }, 'fields');
    log.info({ user: { password, deep: { deeper: { accessToken: token } } } }, 'nested');
    log.info({ list: [{ password }, ['authorization', password]] }, 'lists');
    log.warn(
      { url: `/wopi/files/x?access_token=${token}` },
      `message with ${token} and password: ${password}`,
    );
    log.error({ err: error }, 'err');
    log.error({ error, cause: error.cause }, 'error');
    log.error(error, 'the error itself');
    log.info({ body: JSON.stringify({ userName: 'me', password }) }, JSON.stringify({ password, token }));
    log.info({ headers: { Authorization: `Bearer ${token}`, cookie: password } }, 'headers');
    log.info({ [token]: 1 }, 'as a key');
    log.info({ bytes: Buffer.from('x'), map: new Map([['password', password]]), big: 12n }, 'odd values');

    const written = text();
    assert.ok(!written.includes(token), written);
    for (const part of ['horse', 'battery', 'staple']) assert.ok(!written.includes(part), written);
    for (const message of ['fields', 'nested', 'the error itself', 'as a key', 'odd values']) {
      assert.ok(written.includes(message), message);
    }
  });
}

test('logs an error with its code and causes, without the objects it carries', () => {
  const { stream, text } = collect();
  const log = createLogger([toStream(stream)]);
  const cause = Object.assign(new TypeError('inner'), { code: 'ENOENT', errno: -2, socket: {} });
  log.error({ err: new Error('outer', { cause }) }, 'failed');
  log.error({ err: new AggregateError([cause], 'all') }, 'failed');
  const [one, all] = text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).err);
  assert.equal(one.message, 'outer');
  assert.match(one.stack, /logger\.test/);
  const { stack: _stack, ...inner } = one.cause;
  assert.deepEqual(inner, { type: 'TypeError', message: 'inner', code: 'ENOENT', errno: -2 });
  assert.equal(all.errors[0].message, 'inner');
});

test('pretty output has the time, level and message on one line, and the fields below', () => {
  const { stream, text } = collect();
  const log = createLogger([toStream(stream, readable)]);
  log.warn({ code: 'x', err: new Error('why') }, 'It failed\u001b[2J\u009b2J.');
  const [first = '', ...beneath] = text().split('\n');
  assert.match(first, /^\d\d:\d\d:\d\d .*WARN.* It failed\ufffd\[2J\ufffd2J\.$/u);
  assert.equal(beneath[0], '    code: "x"');
  assert.ok(
    beneath.some((line) => /^ +at .*logger\.test/u.test(line)),
    text(),
  );
});

test('drops a field whose getter throws, but not the line', async () => {
  const { stream, text } = collect();
  const log = createLogger([toStream(stream)]);
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  log.info(circle, 'a circle');
  log.info(
    {
      get broken() {
        throw new Error('no');
      },
    },
    'a trap',
  );
  assert.match(text(), /a circle/);
  assert.match(text(), /a trap/);
});

test('ignores a destination that has ended', async () => {
  const stream = new PassThrough();
  const log = createLogger([toStream(stream)]);
  stream.destroy(new Error('gone'));
  log.info({}, 'into nothing');
  log.flush();
  await new Promise((resolve) => setImmediate(resolve));
});

/** Runs a script with a `log` in a separate process. */
async function runLogging(
  body: string,
  options: { read: boolean },
): Promise<{ stdout: string; stderr: string; code: unknown }> {
  const script = `
    import { createLogger, toStream } from ${JSON.stringify(loggerPath)};
    const log = createLogger([toStream(process.stderr)]);
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  if (options.read) child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  else child.stderr.pause();
  const [code] = (await once(child, 'exit')) as [unknown];
  child.stderr.destroy();
  return { stdout, stderr, code };
}

test('writes buffered lines before the process exits', async () => {
  const { stderr, code } = await runLogging(
    `log.info({}, 'first'); log.info({}, 'last'); log.flush(); process.exit(0);`,
    {
      read: true,
    },
  );
  assert.equal(code, 0);
  assert.match(stderr, /first[^\n]*\n.*last/);
  const quiet = await runLogging(`log.info({}, 'without a flush');`, { read: true });
  assert.match(quiet.stderr, /without a flush/);
});

test('neither blocks nor delays exit if standard error isn’t read', async () => {
  const { stdout, code } = await runLogging(
    `for (let at = 0; at < 60_000; at += 1) log.info({ at, filler: 'x'.repeat(200) }, 'line');
     await new Promise((resolve) => setTimeout(resolve, 100));
     log.flush();
     process.stdout.write('alive', () => process.exit(0));`,
    { read: false },
  );
  assert.equal(stdout, 'alive');
  assert.equal(code, 0);
});

test('ignores a closed standard error', async () => {
  const { stdout, code } = await runLogging(
    `const { closeSync } = await import('node:fs');
     closeSync(2);
     for (let at = 0; at < 100; at += 1) { log.info({ at }, 'line'); log.flush(); }
     process.stdout.write('alive');`,
    { read: true },
  );
  assert.equal(stdout, 'alive');
  assert.equal(code, 0);
});
