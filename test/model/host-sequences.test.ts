// Random sequences on one real host, compared with the model after every step. MODEL_RUNS sets how many, SEED
// repeats a run; a failure prints the seed, the shrunk sequence and what docs/protocol.md allows.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sequence } from './choices.ts';
import { openSharedHost } from './host-driver.ts';
import { runSequence } from './run-sequence.ts';
import { fc } from '../random.ts';

const numRuns = Number(process.env['MODEL_RUNS'] ?? 150);

describe('a host under random sequences of several editors', () => {
  let shared: Awaited<ReturnType<typeof openSharedHost>>;
  before(async () => {
    shared = await openSharedHost();
  });
  after(() => shared.close());

  it(`answers as docs/protocol.md defines and loses no byte in ${numRuns} sequences`, async () => {
    const met = new Map<string, number>();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(sequence, async (choices) => {
        number += 1;
        await runSequence({ shared, number, met }, choices);
      }),
      { numRuns },
    );
    if (process.env['MODEL_REPORT'] !== undefined)
      console.log([...met].toSorted(([, one], [, other]) => other - one));
    // A run proves little unless it reaches the rare rules too.
    const rareRules = [
      'put resumable',
      'put not none, recovered',
      'relock',
      'unlock resumable',
      'copy name taken',
      'put with an old timestamp',
    ];
    if (numRuns >= 500)
      for (const rule of rareRules) assert.ok(met.has(rule), `no sequence reached: ${rule}`);
  });
});
