// Random input for tests. It is the same in every run, so that a failure is caused by a change; SEED=random tries other input, and
// SEED=N repeats it. A failure of fast-check prints the seed and the smallest input that fails.

import { createHash } from 'node:crypto';
import fc from 'fast-check';

const { SEED: chosen = '1' } = process.env;
export const seed = chosen === 'random' ? Date.now() % 2 ** 31 : Number(chosen);

fc.configureGlobal({ seed });
export { fc };

/** The same numbers for the same seed. */
export function createRandom(): { fraction(): number; between(low: number, high: number): number } {
  let counter = 0;
  const fraction = (): number => {
    counter += 1;
    return createHash('sha256').update(`${seed} ${counter}`).digest().readUInt32BE() / 2 ** 32;
  };
  return { fraction, between: (low, high) => low + Math.floor(fraction() * (high - low + 1)) };
}
