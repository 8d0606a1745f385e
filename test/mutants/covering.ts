// Which tests run the line of a mutant. The others can't notice it, so `npm run mutants` doesn't run them.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mutated, type Mutant } from './mutants.ts';

/** What Node writes into the folder named by NODE_V8_COVERAGE, one file for each process. A range inside another one rules there. */
interface Coverage {
  result: {
    url: string;
    functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
  }[];
}

/**
 * Of some mutants, the ids of those whose line ran.
 * @param root of the tree in which the tests ran
 * @param coverage the folder with their coverage
 */
export function idsOfRun(mutants: readonly Mutant[], root: string, coverage: string): Set<string> {
  const ids = new Set<string>();
  for (const file of globSync(join(coverage, '*.json'))) {
    const scripts = (JSON.parse(readFileSync(file, 'utf8')) as Coverage).result;
    for (const script of scripts) {
      const ofScript = mutants.filter((mutant) => pathToFileURL(join(root, mutant.file)).href === script.url);
      const ranges = ofScript.length === 0 ? [] : script.functions.flatMap((each) => each.ranges);
      for (const mutant of ofScript) {
        const at = offsetOf(mutant, root);
        const inner = ranges
          .filter(({ startOffset, endOffset }) => startOffset <= at && at < endOffset)
          .toSorted((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0];
        if (inner === undefined || inner.count > 0) ids.add(mutant.id);
      }
    }
  }
  return ids;
}

/** Of the first changed character, which Node keeps in its place when it removes types. */
function offsetOf(mutant: Mutant, root: string): number {
  const source = readFileSync(join(root, mutant.file), 'utf8');
  const changed = mutated(source, mutant);
  let at = 0;
  while (source[at] === changed[at]) at += 1;
  return at;
}
