import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLineWriter } from '../../../app/log/line-writer.ts';

test('buffers lines until a flush writes them in order', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-log-'));
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'w');
  t.after(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  const writer = createLineWriter(descriptor, { delayMs: 60_000 });
  writer.write('one\n');
  writer.write('two\n');
  assert.equal(readFileSync(path, 'utf8'), '');
  writer.flush();
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
});

test('drops lines beyond the limit, and logs how many', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'doctray-log-'));
  const path = join(folder, 'log');
  const descriptor = openSync(path, 'w');
  t.after(() => {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });
  const writer = createLineWriter(descriptor, { delayMs: 60_000, maxPending: 10 });
  for (const line of ['12345\n', '123\n', '1\n', '2\n', '3\n']) writer.write(line);
  writer.flush();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, 2), ['12345', '123']);
  assert.match(lines[2]!, /3 log lines were dropped/);
  writer.write('after\n');
  writer.flush();
  assert.match(readFileSync(path, 'utf8'), /after\n$/);
});
