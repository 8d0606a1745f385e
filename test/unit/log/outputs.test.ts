// Where lines go: the file and its rotation, the buffer before a slow reader, and the latest lines for the window.

import assert from 'node:assert/strict';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, test } from 'node:test';
import { buffered, createLogger, endOfFile, toFile, toStream } from '../../../app/log/logger.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'doctray-log-'));
  path = join(folder, 'doctray.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (file = path) => readFileSync(file, 'utf8');

test('writes to a file that only this user can access, and rotates a large one when it is opened', () => {
  const log = toFile(folder, 20);
  log.write('one');
  log.write('two');
  log.flush();
  assert.equal(read(), 'one\ntwo\n');
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  log.write('a line that is long');
  log.flush();
  const again = toFile(folder, 20);
  again.write('three');
  again.flush();
  assert.equal(read(), 'three\n');
  assert.equal(read(`${path}.old`), 'one\ntwo\na line that is long\n');
  assert.equal(readdirSync(folder).length, 2);
});

test('measures a large file in bytes, not characters', () => {
  const log = toFile(folder, 20);
  for (const line of ['äöüäöüäöüäöü', 'next']) {
    log.write(line);
    log.flush();
  }
  assert.equal(read(`${path}.old`), 'äöüäöüäöüäöü\n');
  assert.equal(read(), 'next\n');
});

test('drops lines without an error while the file can’t be written, and continues afterwards', () => {
  const log = toFile(join(folder, 'later'));
  log.write('one');
  assert.doesNotThrow(() => log.flush());
  const again = toFile(folder);
  again.write('two');
  again.flush();
  assert.equal(read(), 'two\n');
});

function openBuffer(t: { after(end: () => void): void }, max?: number) {
  const descriptor = openSync(path, 'w');
  t.after(() => closeSync(descriptor));
  return buffered((bytes) => writeSync(descriptor, bytes), 60_000, max);
}

test('buffers lines until a flush writes them in order', (t) => {
  const writer = openBuffer(t);
  writer.write('one');
  writer.write('two');
  assert.equal(read(), '');
  writer.flush();
  assert.equal(read(), 'one\ntwo\n');
});

test('drops lines beyond the limit, and logs how many', (t) => {
  const writer = openBuffer(t, 8);
  for (const line of ['12345', '123', '1', '2', '3']) writer.write(line);
  writer.flush();
  const lines = read().trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, 2), ['12345', '123']);
  assert.match(lines[2]!, /3 log lines were dropped/);
  writer.write('after');
  writer.flush();
  assert.match(read(), /after\n$/);
});

test('writes the rest to a reader that takes a part, and nothing more to one that is gone', () => {
  let taken = '';
  let code = 'EAGAIN';
  const writer = buffered((bytes) => {
    if (taken.length >= 4) throw Object.assign(new Error(code), { code });
    taken += bytes.subarray(0, 2).toString();
    return 2;
  }, 60_000);
  writer.write('12345');
  writer.flush();
  assert.equal(taken, '1234');
  taken = '';
  writer.flush();
  assert.equal(taken, '5\n');
  code = 'EPIPE';
  writer.write('67890');
  writer.flush();
  taken = '';
  writer.write('more');
  writer.flush();
  assert.equal(taken, '');
});

const createLog = () => createLogger([toStream(new PassThrough().resume())]);

test('keeps the latest lines as level, time and text, without secrets', () => {
  const log = createLog();
  log.warn({ path: 'a.odt', token: 'abc123' }, 'The lock is stale.');
  log.error({ err: new TypeError('It broke.') }, 'A save failed.');
  const [stale, failed] = log.tail?.lines() ?? [];
  assert.equal(stale?.level, 'warn');
  assert.equal(stale?.text, 'The lock is stale.  path=a.odt  token=[redacted]');
  assert.equal(failed?.text, 'A save failed.  err=TypeError: It broke.');
  assert.ok(Math.abs((failed?.atMs ?? 0) - Date.now()) < 60_000);
});

test('keeps problems when thousands of other lines follow, in their order', () => {
  const log = createLog();
  log.warn({}, 'first');
  for (let at = 0; at < 5000; at += 1) log.info({}, `line ${at}`);
  log.error({}, 'last');
  const lines = log.tail?.lines() ?? [];
  assert.ok(lines.length < 2000, String(lines.length));
  assert.equal(lines[0]?.text, 'first');
  assert.equal(lines.at(-2)?.text, 'line 4999');
  assert.equal(lines.at(-1)?.text, 'last');
});

test('begins with the lines that a crash left in the file', () => {
  assert.deepEqual(endOfFile(path), []);
  const line = '{"level":"error","time":"2026-03-04T12:00:00.000Z","msg":"DocTray is closing."}';
  writeFileSync(path, `${'x'.repeat(300)}\n${line}\nnot JSON\n`);
  assert.deepEqual(endOfFile(path, 100), [line, 'not JSON'], 'a line that is cut off is left out');
  assert.deepEqual(
    createLogger([toFile(folder)])
      .tail?.lines()
      .map(({ text }) => text),
    ['DocTray is closing.'],
  );
});

test('an output gets the lines from its level on', () => {
  const [all, problems] = [new PassThrough(), new PassThrough()];
  const log = createLogger([toStream(all), { ...toStream(problems), level: 'warn' }]);
  log.info({}, 'all is well');
  log.warn({}, 'not so well');
  assert.match(String(all.read()), /all is well.*\n.*not so well/);
  assert.doesNotMatch(String(problems.read()), /all is well/);
});
