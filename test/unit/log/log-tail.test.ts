import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readLogTail } from '../../../app/log/log-file.ts';
import { createLogger } from '../../../app/log/logger.ts';

function createLog(earlier: string[] = []) {
  return createLogger({ destination: new PassThrough().resume(), pretty: false, earlier });
}

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
  const folder = mkdtempSync(join(tmpdir(), 'doctray-log-'));
  try {
    const path = join(folder, 'doctray.log');
    assert.deepEqual(readLogTail(path), []);
    const line = '{"level":"error","time":"2026-03-04T12:00:00.000Z","msg":"DocTray is closing."}';
    writeFileSync(path, `${'x'.repeat(300)}\n${line}\nnot JSON\n`);
    assert.deepEqual(readLogTail(path, 100), [line, 'not JSON'], 'a line that is cut off is left out');
    assert.deepEqual(
      createLog(readLogTail(path))
        .tail?.lines()
        .map(({ text }) => text),
      ['DocTray is closing.'],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
