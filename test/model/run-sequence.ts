// Runs one sequence on a host and on the model, and fails when no state of the model explains the host's behavior.

import assert from 'node:assert/strict';
import { pickContent, resolve, tokenKey } from './choices.ts';
import type { Choice, Edge } from './choices.ts';
import { startSequence } from './host-driver.ts';
import type { Disk, Driver, SharedHost } from './host-driver.ts';
import { applyEvent } from './model-events.ts';
import { expiredTokenCarryMs } from './model-state.ts';
import type { Answer, ModelEvent, ModelState, Request } from './model-state.ts';
import { allowed, explain } from './wopi-model.ts';

/** Longer than an expired token is accepted, and shorter than a host keeps an expired lock or an unused version. */
const longestMs = 47 * 60 * 60_000;

export interface SequenceRun {
  shared: SharedHost;
  number: number;
  /** How often each rule of docs/protocol.md applied. */
  met: Map<string, number>;
}

/** The states whose files are exactly those on disk. */
export function matchingDisk(states: readonly ModelState[], disk: Disk): ModelState[] {
  return states.filter((state) => {
    const rest = new Map([...disk].map(([name, { content }]) => [name, content]));
    for (const { name, content } of Object.values(state.files)) {
      if (content === undefined) continue;
      if (rest.get(name) !== content) return false;
      rest.delete(name);
    }
    return JSON.stringify([...rest.values()].toSorted()) === JSON.stringify(state.extras.toSorted());
  });
}

const diskText = (disk: Disk): string =>
  JSON.stringify(Object.fromEntries([...disk].map(([name, { content }]) => [name, content])));

function expectation(states: readonly ModelState[], request: Request): string {
  const ways = states.flatMap((state) => allowed(state, request));
  return ways
    .map(
      ({ clause, status, lock, facts }) =>
        `${status} lock=${lock ?? 'absent'} ${JSON.stringify(facts)} [${clause}]`,
    )
    .join(' or ');
}

/** Throws an AssertionError with the steps so far, what docs/protocol.md allows and what the host did. */
export async function runSequence(run: SequenceRun, choices: readonly Choice[]): Promise<void> {
  const driver = await startSequence(run.shared, run.number);
  try {
    await runWith(driver, run, choices);
  } finally {
    await driver.end();
  }
}

async function runWith(
  driver: Driver,
  { shared, number, met }: SequenceRun,
  choices: readonly Choice[],
): Promise<void> {
  const steps: string[] = [];
  let states: ModelState[] = [driver.initial];
  let disk = await driver.disk();
  let contents = 0;
  let turn = 0;
  // The host finds a moved file by its inode: it must have seen the file before, and the file must stay until it's found.
  const hasNewInode = new Set<string>();
  const isMoved = new Set<string>();
  const fresh = (): string => `w${number}-${(contents += 1)}`;
  const keepStates = (next: ModelState[], problem: () => string): void => {
    if (next.length === 0) assert.fail(`${problem()}\n  after: ${steps.join('\n         ')}`);
    states = next;
  };
  const checkDisk = async (): Promise<void> => {
    disk = await driver.disk();
    const next = matchingDisk(states, disk);
    const wanted = (): string =>
      states
        .map(({ files, extras }) =>
          JSON.stringify([Object.values(files).map(({ name, content }) => [name, content]), extras]),
        )
        .join(' or ');
    keepStates(next, () => `the disk has ${diskText(disk)}, expected ${wanted()}`);
  };
  const apply = (event: ModelEvent): void => {
    keepStates(
      states.flatMap((state) => applyEvent(state, event)),
      () => `not explained: ${JSON.stringify(event)}`,
    );
  };

  for (const choice of choices) {
    const state = states[0]!;
    steps.push(JSON.stringify(choice));
    switch (choice.step) {
      case 'request': {
        const request = resolve(state, choice, fresh);
        const before = disk;
        const name = nameFor(state, request, (turn += 1));
        const answer = await driver.request(request, name);
        steps[steps.length - 1] = `${JSON.stringify(request)} → ${JSON.stringify(answer)}`;
        const expected = expectation(states, request);
        for (const clause of new Set(states.flatMap((one) => clausesMet(one, request, answer)))) {
          met.set(clause, (met.get(clause) ?? 0) + 1);
        }
        keepStates(
          states.flatMap((one) => explain(one, request, answer)),
          () => `expected ${expected}`,
        );
        if (answer.version !== undefined) {
          hasNewInode.delete(request.file);
          isMoved.delete(request.file);
        }
        await checkDisk();
        if (request.kind === 'put' && answer.status === 200) {
          const saved = states[0]!.files[request.file]!.name;
          const old = before.get(saved);
          if (old?.content === request.content) {
            assert.equal(
              disk.get(saved)?.mtimeNs,
              old.mtimeNs,
              `equal bytes don’t change the file\n  after: ${steps.join('\n         ')}`,
            );
          }
        }
        break;
      }
      case 'advance': {
        const ms = durationOf(state, choice.by);
        if (ms <= 0 || state.nowMs + ms - driver.initial.nowMs > longestMs) break;
        shared.test.clock.advance(ms);
        apply({ kind: 'advance', ms });
        break;
      }
      case 'outside-write': {
        const file = state.files[choice.file]!;
        if (file.trashed) break;
        const content = pickContent(choice.content, file.content, fresh);
        const inPlace = choice.inPlace || isMoved.has(choice.file);
        if (!inPlace || file.content === undefined) hasNewInode.add(choice.file);
        driver.writeOutside(file.name, content, inPlace);
        apply({ kind: 'outside-write', file: choice.file, content });
        await checkDisk();
        break;
      }
      case 'outside-delete': {
        const file = state.files[choice.file]!;
        if (file.content === undefined || isMoved.has(choice.file)) break;
        driver.deleteOutside(file.name);
        apply({ kind: 'outside-delete', file: choice.file });
        await checkDisk();
        break;
      }
      case 'outside-rename': {
        const file = state.files[choice.file]!;
        if (file.content === undefined || hasNewInode.has(choice.file)) break;
        const name = `moved-${(turn += 1)}.docx`;
        driver.renameOutside(file.name, name);
        isMoved.add(choice.file);
        apply({ kind: 'outside-rename', file: choice.file, name });
        await checkDisk();
        break;
      }
      case 'force-clear':
        apply({ kind: await driver.forceClear(choice.file), file: choice.file });
        break;
      case 'undo-clear':
        apply({ kind: await driver.undoClear(choice.file), file: choice.file });
        break;
      case 'revoke': {
        const token = tokenKey(choice.file, choice.token);
        driver.revoke(token);
        apply({ kind: 'revoke', token });
        break;
      }
      case 'abort-put':
        await driver.abortPut(
          choice.file,
          tokenKey(choice.file, 'long'),
          state.files[choice.file]!.lock?.id ?? '',
        );
        await checkDisk();
        break;
      case 'restart':
        await shared.test.restart();
        apply({ kind: 'restart' });
        break;
    }
  }
  await assertNothingLost(driver, states, disk, number, steps);
}

function clausesMet(state: ModelState, request: Request, answer: Answer): string[] {
  return allowed(state, request)
    .filter(({ status, lock }) => status === answer.status && (lock === '*' || lock === answer.lock))
    .map(({ clause }) => clause);
}

/** Fails unless everything that the host accepted or replaced is on disk, in a version or in a recovered save. */
export async function assertNothingLost(
  driver: Driver,
  states: ModelState[],
  disk: Disk,
  number: number,
  steps: string[],
): Promise<void> {
  const found = await driver.recover(number % 20 === 0 ? 'restore' : 'read');
  for (const { content } of disk.values()) found.add(content);
  const lost = states.map(({ kept }) => kept.filter((content) => content !== '' && !found.has(content)));
  if (lost.every((contents) => contents.length > 0)) {
    assert.fail(`lost: ${lost[0]!.join(', ')}\n  after: ${steps.join('\n         ')}`);
  }
}

/** Milliseconds to advance; never exactly to a limit, because docs/protocol.md doesn't define which side of it that is. */
function durationOf({ nowMs, files, tokens }: ModelState, by: number | Edge): number {
  const expiries = Object.values(files).flatMap(({ lock }) =>
    lock === undefined || lock.lapse ? [] : [lock.expiresAtMs],
  );
  const ends = Object.values(tokens).flatMap(({ expiresAtMs }) => [
    expiresAtMs,
    expiresAtMs + expiredTokenCarryMs,
  ]);
  const next = (edges: number[]): number => Math.min(...edges.filter((atMs) => atMs > nowMs)) - nowMs;
  let ms =
    typeof by === 'number'
      ? by
      : next(by.endsWith('lapse') ? expiries : ends) + (by.startsWith('before') ? -1 : 1);
  while ([...expiries, ...ends].includes(nowMs + ms)) ms += 1;
  return Number.isFinite(ms) ? ms : 0;
}

/**
 * The name that a RenameFile or PutRelativeFile requests. Never that of a document that another program deleted: which document
 * then has its path is a question of identity, not of locks.
 */
export function nameFor(state: ModelState, request: Request, turn: number): string {
  const own = state.files[request.file]!;
  const other = Object.entries(state.files).find(([key]) => key !== request.file)![1];
  const sibling = other.content === undefined ? 'copy.docx' : other.name;
  if (request.kind !== 'put-relative') {
    return [`renamed-${turn}.docx`, sibling, own.name.toUpperCase(), own.name.toLowerCase()][turn % 4]!.slice(
      0,
      -'.docx'.length,
    );
  }
  return request.over === undefined ? ['.docx', 'copy.docx', sibling][turn % 3]! : other.name;
}
