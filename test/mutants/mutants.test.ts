// A mutant that Node can't run would count as killed, although no test noticed it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { idsOfRun } from './covering.ts';
import { chooseMutants, mutated } from './mutants.ts';

const projectRoot = join(import.meta.dirname, '..', '..');

test('every mutant differs in one line, and Node can run it', () => {
  for (const mutant of chooseMutants(['app/store'], 1000, '1')) {
    const source = readFileSync(join(projectRoot, mutant.file), 'utf8');
    const [before, after] = [source.split('\n'), mutated(source, mutant).split('\n')];
    const changed = after.flatMap((line, index) => (line === before[index] ? [] : [index + 1]));
    assert.deepEqual(changed, [mutant.line]);
    assert.equal(after.length, before.length);
    stripTypeScriptTypes(after.join('\n'));
  }
});

test('a seed always chooses the same mutants, and fewer of them first', () => {
  const ids = (count: number, seed: string) => chooseMutants(['app/store'], count, seed).map(({ id }) => id);
  assert.deepEqual(ids(20, '1'), ids(40, '1').slice(0, 20));
  assert.notDeepEqual(ids(20, '1'), ids(20, '2'));
});

test('knows the mutants whose line a process ran', (t) => {
  const coverage = mkdtempSync(join(tmpdir(), 'doctray-coverage-'));
  t.after(() => {
    rmSync(coverage, { recursive: true });
  });
  const file = 'app/wopi/lock-rules.ts';
  const code = `(await import('./${file}')).heldLockId({ kind: 'unlocked' })`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: projectRoot,
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const mutants = chooseMutants(['app/wopi'], 1000, '1').filter((mutant) => mutant.file === file);
  const ids = idsOfRun(mutants, projectRoot, coverage);
  const isRun = (part: string): boolean[] =>
    mutants.filter(({ before }) => before.includes(part)).map(({ id }) => ids.has(id));
  assert.deepEqual(isRun("state.kind === 'locked'"), [true]);
  assert.deepEqual(isRun('lock.lockId === given'), [false]);
  assert.deepEqual(isRun('export const lockLifeMs'), [true]);
});
