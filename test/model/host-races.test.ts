// Requests started at the same moment on one file: whatever the answers, some order of them, one after the other, must
// explain all of them and the bytes on the disk afterwards (linearizability, on windows of two and three requests).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { requestChoice, resolve } from './choices.ts';
import { openPlace, startSequence } from './host-driver.ts';
import { happen } from './model-happenings.ts';
import { lockLifetimeMs } from './model-state.ts';
import type { Answer, ModelState, Request } from './model-state.ts';
import { findEverything, matchingDisk, nameFor } from './play.ts';
import { explain } from './wopi-model.ts';

const numRuns = Number(process.env['MODEL_RACES'] ?? 300);
/** The same races every time, so that a red run speaks of the change; MODEL_SEED=random looks for new ones. */
const chosenSeed = process.env['MODEL_SEED'] ?? '1540462840';
const seed = chosenSeed === 'random' ? {} : { seed: Number(chosenSeed) };

type Told = readonly [Request, Answer];

/**
 * An expired token is let in for the lock it names. When that lock is gone by the time its turn comes, 409 refuses it as 401
 * would have a moment later.
 */
function readings(state: ModelState, { token }: Request, answer: Answer): Answer[] {
  const isExpired = state.nowMs >= (state.tokens[token]?.expiresAtMs ?? Number.POSITIVE_INFINITY);
  if (!isExpired || answer.status !== 409 || answer.lock !== '') return [answer];
  return [answer, { status: 401, lock: undefined, version: undefined, facts: {} }];
}

/** The states reached by any order of the requests that explains every answer. */
function explainInSomeOrder(states: ModelState[], told: readonly Told[]): ModelState[] {
  if (told.length === 0 || states.length === 0) return states;
  return told.flatMap(([request, answer], index) => {
    const next = states.flatMap((state) =>
      readings(state, request, answer).flatMap((reading) => explain(state, request, reading)),
    );
    return explainInSomeOrder(next, told.toSpliced(index, 1));
  });
}

const racing = fc
  .tuple(
    fc.constantFrom<Request['kind'][]>(
      'lock',
      'put',
      'put',
      'unlock',
      'refresh-lock',
      'relock',
      'get-lock',
      'get-file',
      'rename',
    ),
    fc.constantFrom<('current' | 0 | 1)[]>('current', 'current', 0, 1),
    fc.constantFrom<('long' | 'short')[]>('long', 'short'),
  )
  .chain(([kind, id, token]) =>
    requestChoice(fc.constant(kind)).map((choice) => ({
      ...choice,
      id,
      token,
      flag: false,
      file: 'a' as const,
    })),
  );
const round = fc.record({
  requests: fc.array(racing, { minLength: 2, maxLength: 3 }),
  lapses: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

describe('a host under requests at the same moment', () => {
  let place: Awaited<ReturnType<typeof openPlace>>;
  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  it(`answers as if they had come one after the other, in ${numRuns} runs`, async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
        number += 1;
        const driver = await startSequence(place, number);
        let states: ModelState[] = [driver.initial];
        let disk = await driver.disk();
        let contents = 0;
        let turn = 0;
        const story: string[] = [];
        for (const { requests, lapses } of rounds) {
          if (lapses) {
            place.test.clock.advance(lockLifetimeMs + 1);
            states = states.flatMap((state) => happen(state, { kind: 'advance', ms: lockLifetimeMs + 1 }));
          }
          const resolved = requests.map((choice) =>
            resolve(states[0]!, choice, () => `r${number}-${(contents += 1)}`),
          );
          const told: Told[] = await Promise.all(
            resolved.map(async (request): Promise<Told> => [
              request,
              await driver.request(request, nameFor(states[0]!, request, (turn += 1))),
            ]),
          );
          story.push(...(lapses ? ['31 minutes'] : []), ...told.map((one) => JSON.stringify(one)), '--');
          const explained = explainInSomeOrder(states, told);
          assert.ok(explained.length > 0, `no order explains the answers\n  ${story.join('\n  ')}`);
          disk = await driver.disk();
          states = deduplicated(matchingDisk(explained, disk));
          assert.ok(
            states.length > 0,
            `no order explains the disk ${[...disk.values()].map((file) => file.content).join()}\n  ${story.join('\n  ')}`,
          );
        }
        await findEverything(driver, states, disk, number, story);
        await driver.end();
      }),
      { numRuns, ...seed },
    );
  });
});

function deduplicated(states: readonly ModelState[]): ModelState[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
