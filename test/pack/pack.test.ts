import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const projectRoot = join(import.meta.dirname, '..', '..');

test('the packed app has its fuses set, holds what it needs and nothing else, starts and quits', () => {
  const output = mkdtempSync(join(tmpdir(), 'doctray-packed-'));
  try {
    const run = spawnSync(process.execPath, [join(projectRoot, 'build', 'pack.ts'), '--output', output], {
      cwd: projectRoot,
      encoding: 'utf8',
      timeout: 240_000,
    });
    const told = `${run.stdout}\n${run.stderr}`;
    assert.equal(run.status, 0, told);
    assert.match(run.stdout, /^\d+ checks passed, 0 failed$/m, told);
    assert.match(run.stdout, /MiB {2}the whole$/m, told);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
});
