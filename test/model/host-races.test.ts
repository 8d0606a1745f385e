// Concurrent requests on one file must be linearizable: one after another in some order, they explain all answers and the bytes on
// disk afterwards. Two or three requests run at a time.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { requestChoice, resolve } from './choices.ts';
import { openSharedHost, startSequence } from './host-driver.ts';
import { applyEvent } from './model-events.ts';
import { lockLifetimeMs } from './model-state.ts';
import type { Answer, ModelState, Request } from './model-state.ts';
import { assertNothingLost, matchingDisk, nameFor } from './run-sequence.ts';
import { explain } from './wopi-model.ts';
import { fc } from '../random.ts';

const numRuns = Number(process.env['MODEL_RACES'] ?? 120);

type Exchange = readonly [Request, Answer];

/**
 * An expired token is accepted for the lock that its request names. If that lock was released or replaced before the request's turn,
 * the answer is 409; a moment later it would be 401.
 * @param held the locks that the file may have had during the round
 */
function interpretations(
  state: ModelState,
  held: ReadonlySet<string>,
  { token, lock }: Request,
  answer: Answer,
): Answer[] {
  const isExpired = state.nowMs >= (state.tokens[token]?.expiresAtMs ?? Number.POSITIVE_INFINITY);
  if (!isExpired || answer.status !== 409 || !held.has(lock)) return [answer];
  return [answer, { status: 401, lock: undefined, version: undefined, facts: {} }];
}

/** The states reached by any order of the requests that explains every answer. */
function explainInSomeOrder(
  states: ModelState[],
  held: ReadonlySet<string>,
  exchanges: readonly Exchange[],
): ModelState[] {
  if (exchanges.length === 0 || states.length === 0) return states;
  return exchanges.flatMap(([request, answer], index) => {
    const next = states.flatMap((state) =>
      interpretations(state, held, request, answer).flatMap((interpretation) =>
        explain(state, request, interpretation),
      ),
    );
    return explainInSomeOrder(next, held, exchanges.toSpliced(index, 1));
  });
}

const concurrentRequest = fc
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
  requests: fc.array(concurrentRequest, { minLength: 2, maxLength: 3 }),
  lapses: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

describe('a host under concurrent requests', () => {
  let shared: Awaited<ReturnType<typeof openSharedHost>>;
  before(async () => {
    shared = await openSharedHost();
  });
  after(() => shared.close());

  it(`answers as if they had come one after another in ${numRuns} runs`, async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 8 }), async (rounds) => {
        number += 1;
        const driver = await startSequence(shared, number);
        let states: ModelState[] = [driver.initial];
        let disk = await driver.disk();
        let contents = 0;
        let turn = 0;
        const log: string[] = [];
        for (const { requests, lapses } of rounds) {
          if (lapses) {
            shared.test.clock.advance(lockLifetimeMs + 1);
            states = states.flatMap((state) =>
              applyEvent(state, { kind: 'advance', ms: lockLifetimeMs + 1 }),
            );
          }
          const resolved = requests.map((choice) =>
            resolve(states[0]!, choice, () => `r${number}-${(contents += 1)}`),
          );
          const exchanges: Exchange[] = await Promise.all(
            resolved.map(async (request): Promise<Exchange> => [
              request,
              await driver.request(request, nameFor(states[0]!, request, (turn += 1))),
            ]),
          );
          log.push(...(lapses ? ['31 minutes'] : []), ...exchanges.map((one) => JSON.stringify(one)), '--');
          const before = states.flatMap(({ files }) => files['a']?.lock?.id ?? []);
          const locked = exchanges.filter(
            ([{ kind }, { status }]) => (kind === 'lock' || kind === 'relock') && status === 200,
          );
          const held = new Set([...before, ...locked.map(([{ lock }]) => lock)]);
          const explained = explainInSomeOrder(states, held, exchanges);
          assert.ok(explained.length > 0, `no order explains the answers\n  ${log.join('\n  ')}`);
          disk = await driver.disk();
          states = deduplicated(matchingDisk(explained, disk));
          assert.ok(
            states.length > 0,
            `no order explains the disk ${[...disk.values()].map((file) => file.content).join()}\n  ${log.join('\n  ')}`,
          );
        }
        await assertNothingLost(driver, states, disk, number, log);
        await driver.end();
      }),
      { numRuns },
    );
  });
});

function deduplicated(states: readonly ModelState[]): ModelState[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
