import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, test } from 'node:test';
import { buffered, createLogger, readable, toFile, toStream } from '../../../app/log/logger.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'doctray-log-'));
  path = join(folder, 'doctray.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (file = path) => readFileSync(file, 'utf8');

/** A log whose lines are collected. */
function collect(format?: typeof readable) {
  const stream = new PassThrough();
  let written = '';
  stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const lines = () => written.trimEnd().split('\n');
  return { log: createLogger([toStream(stream, format)]), text: () => written, lines };
}

for (const pretty of [false, true]) {
  test(`redacts secrets in every field and message, as ${pretty ? 'text' : 'JSON'}`, () => {
    const { log, text: written } = collect(pretty ? readable : undefined);
    const token = randomBytes(32).toString('base64url');
    const password = 'correct horse "battery" \\ staple';
    const error = new Error(`failed at /x?access_token=${token}`, {
      cause: new Error(`cause: password=${password}`),
    });
    Object.assign(error, { password, response: { headers: { authorization: token } } });
    const body = JSON.stringify({ password, token });
    for (const fields of [
      { token, password },
      { user: { password, deep: { deeper: { accessToken: token } } } },
      { list: [{ password }, ['authorization', password]] },
      { url: `/wopi/files/x?access_token=${token}` },
      { err: error },
      { error, cause: error.cause },
      error,
      { body: JSON.stringify({ userName: 'me', password }) },
      { headers: { Authorization: `Bearer ${token}`, cookie: password } },
      { [token]: 1 },
      { bytes: Buffer.from('x'), map: new Map([['password', password]]), big: 12n },
    ])
      log.error(fields, `with ${token}, password: ${password}`);
    log.info({}, body);
    for (const part of [token, 'horse', 'battery', 'staple']) assert.ok(!written().includes(part), written());
    assert.equal(written().match(/with \[redacted\]/gu)?.length, 11);
  });
}

test('writes fields and text as JSON: an error with its code and causes, without the objects it carries, and an odd field as far as it can', () => {
  const { log, lines } = collect();
  log.info({ status: 200, durationMs: 3 }, 'GetFile');
  const cause = Object.assign(new TypeError('inner'), { code: 'ENOENT', errno: -2, socket: {} });
  log.error({ err: new Error('outer', { cause }) }, 'failed');
  log.error({ err: new AggregateError([cause], 'all') }, 'failed');
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  log.info(circle, 'a circle');
  const [{ time: _, ...plain }, one, all, odd] = lines().map((line) => JSON.parse(line));
  assert.deepEqual(plain, { level: 'info', status: 200, durationMs: 3, msg: 'GetFile' });
  assert.equal(one.err.message, 'outer');
  assert.match(one.err.stack, /logger\.test/);
  const { stack: __, ...inner } = one.err.cause;
  assert.deepEqual(inner, { type: 'TypeError', message: 'inner', code: 'ENOENT', errno: -2 });
  assert.deepEqual([all.err.errors[0].message, odd.msg], ['inner', 'a circle']);
});

test('readable output has the time, level and message on one line, and the fields below', () => {
  const { log, lines } = collect(readable);
  log.warn({ code: 'x', err: new Error('why') }, 'It failed\u001b[2J\u009b2J.');
  const [first = '', ...beneath] = lines();
  assert.match(first, /^\d\d:\d\d:\d\d .*WARN.* It failed\ufffd\[2J\ufffd2J\.$/u);
  assert.equal(beneath[0], '    code: "x"');
  assert.ok(beneath.some((line) => /^ +at .*logger\.test/u.test(line)));
});

/** Runs a script with a `log` to standard error in a separate process. */
async function runLogging(body: string, isRead = true) {
  const logger = JSON.stringify(join(import.meta.dirname, '../../../app/log/logger.ts'));
  const script = `
    import { createLogger, toStream } from ${logger};
    const log = createLogger([toStream(process.stderr)]);
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr = isRead ? text(child.stderr) : '';
  const stdout = text(child.stdout);
  const [code] = (await once(child, 'exit')) as [unknown];
  if (!isRead) child.stderr.destroy();
  return { code, stdout: await stdout, stderr: await stderr };
}

test('writes the last lines before the process exits, which nobody who doesn’t read standard error blocks or delays', async () => {
  const { stderr, code: ended } = await runLogging(
    `log.info({}, 'one'); log.info({}, 'last'); process.exit(3);`,
  );
  assert.match(stderr, /one[^\n]*\n.*last/);
  assert.equal(ended, 3);
  const lines = (count: number) =>
    `for (let at = 0; at < ${count}; at += 1) log.info({ at, filler: 'x'.repeat(200) }, 'line'); log.flush();`;
  const unread = await runLogging(
    `${lines(60_000)} process.stdout.write('alive', () => process.exit(0));`,
    false,
  );
  assert.deepEqual([unread.code, unread.stdout], [0, 'alive']);
  const closed = `(await import('node:fs')).closeSync(2); ${lines(100)} process.stdout.write('alive');`;
  const { code, stdout } = await runLogging(closed);
  assert.deepEqual([code, stdout], [0, 'alive']);
  const gone = new PassThrough();
  const log = createLogger([toStream(gone)]);
  gone.destroy(new Error('gone'));
  log.info({}, 'into nothing');
  await new Promise((resolve) => setImmediate(resolve));
});

test('writes to a file that only this user can access, renames a large one, and survives one it can’t write', () => {
  const write = (line: string, dataDir = folder) => {
    const log = toFile(dataDir, 20);
    log.write(line, 'info');
    log.flush();
  };
  write('one');
  write('two');
  assert.equal(read(), 'one\ntwo\n');
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  write('äöüäöüäöü');
  write('three');
  assert.deepEqual([read(), read(`${path}.old`)], ['three\n', 'one\ntwo\näöüäöüäöü\n'], 'by its bytes');
  write('lost', join(folder, 'later'));
  assert.equal(readdirSync(folder).length, 2);
});

test('drops lines beyond the limit, and logs how many; a reader that takes a part gets the rest', () => {
  let taken = '';
  let room = 4;
  let code = 'EAGAIN';
  const writer = buffered(
    (bytes) => {
      if (room === 0) throw Object.assign(new Error(code), { code });
      const part = bytes.subarray(0, room).toString();
      taken += part;
      room -= part.length;
      return part.length;
    },
    60_000,
    9,
  );
  const reader = (): string => taken;
  for (const line of ['12345', '123', '1', '2', '3']) writer.write(line);
  assert.equal(reader(), '');
  writer.flush();
  assert.equal(reader(), '1234');
  room = 1000;
  writer.flush();
  const [first, second, third] = reader().split('\n');
  assert.deepEqual([first, second], ['12345', '123']);
  assert.match(third ?? '', /3 log lines were dropped/);
  [code, room] = ['EPIPE', 0];
  writer.write('67890');
  writer.flush();
  room = 1000;
  writer.write('more');
  writer.flush();
  assert.match(reader(), /\nmore\n$/u, 'what a reader that was gone has missed is lost');
  assert.doesNotMatch(reader(), /67890/u);
});

/** The messages of a log's latest lines. */
const tailOf = (log: ReturnType<typeof createLogger>) =>
  (log.tail?.() ?? []).map((line) => /"msg":"([^"]*)"/u.exec(line)?.[1]);

test('keeps the latest lines, and problems also when thousands of other lines follow', () => {
  const log = createLogger([]);
  log.warn({ path: 'a.odt' }, 'The lock is stale.');
  for (let at = 0; at < 5000; at += 1) log.info({}, `line ${at}`);
  log.error({}, 'A save failed.');
  const texts = tailOf(log);
  assert.ok(texts.length < 2000, String(texts.length));
  assert.deepEqual([texts[0], ...texts.slice(-2)], ['The lock is stale.', 'line 4999', 'A save failed.']);
});

test('begins with the last lines that a crash left in the file', () => {
  const texts = () => tailOf(createLogger([toFile(folder)])).filter(Boolean);
  assert.deepEqual(texts(), []);
  const line = '{"level":"error","time":"2026-03-04T12:00:00.000Z","msg":"DocTray is closing."}';
  writeFileSync(path, `${line}\n${'x'.repeat(300_000)}\n${line}`);
  assert.deepEqual(texts(), ['DocTray is closing.']);
});
