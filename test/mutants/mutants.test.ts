// A mutant that Node can't run would count as killed, although no test noticed it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
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
