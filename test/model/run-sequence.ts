// Plays one sequence on a host and on the model side by side, and stops where no state of the model explains the host.

import assert from 'node:assert/strict';
import { pickContent, resolve, tokenKey } from './choices.ts';
import type { Choice, Edge } from './choices.ts';
import { startSequence } from './host-driver.ts';
import type { Disk, Driver, Place } from './host-driver.ts';
import { happen } from './model-happenings.ts';
import { expiredTokenCarryMs } from './model-state.ts';
import type { Answer, Happening, ModelState, Request } from './model-state.ts';
import { allowed, explain } from './wopi-model.ts';

/** Longer than an expired token is carried, shorter than any host keeps a lapsed lock or a version that nobody asks for. */
const longestMs = 47 * 60 * 60_000;

export interface Play {
  place: Place;
  number: number;
  /** Counts which rules of the page were met. */
  met: Map<string, number>;
}

/** The states whose files, and nothing else, lie on the disk. */
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

/** Throws an AssertionError that tells the steps so far, what the page allows and what the host did. */
export async function play(play: Play, choices: readonly Choice[]): Promise<void> {
  const driver = await startSequence(play.place, play.number);
  try {
    await playWith(driver, play, choices);
  } finally {
    await driver.end();
  }
}

async function playWith(
  driver: Driver,
  { place, number, met }: Play,
  choices: readonly Choice[],
): Promise<void> {
  const told: string[] = [];
  let states: ModelState[] = [driver.initial];
  let disk = await driver.disk();
  let contents = 0;
  let turn = 0;
  // A moved file is found again by its inode: the host has to have seen it before the move, and it stays until it is found.
  const hasNewInode = new Set<string>();
  const isMoved = new Set<string>();
  const fresh = (): string => `w${number}-${(contents += 1)}`;
  const demand = (next: ModelState[], problem: () => string): void => {
    if (next.length === 0) assert.fail(`${problem()}\n  after: ${told.join('\n         ')}`);
    states = next;
  };
  const lookAtDisk = async (): Promise<void> => {
    disk = await driver.disk();
    const next = matchingDisk(states, disk);
    const wanted = (): string =>
      states
        .map(({ files, extras }) =>
          JSON.stringify([Object.values(files).map(({ name, content }) => [name, content]), extras]),
        )
        .join(' or ');
    demand(next, () => `the disk holds ${diskText(disk)}, expected ${wanted()}`);
  };
  const occur = (happening: Happening): void => {
    demand(
      states.flatMap((state) => happen(state, happening)),
      () => `not explained: ${JSON.stringify(happening)}`,
    );
  };

  for (const choice of choices) {
    const state = states[0]!;
    told.push(JSON.stringify(choice));
    switch (choice.step) {
      case 'request': {
        const request = resolve(state, choice, fresh);
        const before = disk;
        const name = nameFor(state, request, (turn += 1));
        const answer = await driver.request(request, name);
        told[told.length - 1] = `${JSON.stringify(request)} → ${JSON.stringify(answer)}`;
        const expected = expectation(states, request);
        for (const clause of new Set(states.flatMap((one) => clausesMet(one, request, answer)))) {
          met.set(clause, (met.get(clause) ?? 0) + 1);
        }
        demand(
          states.flatMap((one) => explain(one, request, answer)),
          () => `expected ${expected}`,
        );
        if (answer.version !== undefined) {
          hasNewInode.delete(request.file);
          isMoved.delete(request.file);
        }
        await lookAtDisk();
        if (request.kind === 'put' && answer.status === 200) {
          const saved = states[0]!.files[request.file]!.name;
          const old = before.get(saved);
          if (old?.content === request.content) {
            assert.equal(
              disk.get(saved)?.mtimeNs,
              old.mtimeNs,
              `equal bytes leave the file alone\n  after: ${told.join('\n         ')}`,
            );
          }
        }
        break;
      }
      case 'advance': {
        const ms = leapOf(state, choice.by);
        if (ms <= 0 || state.nowMs + ms - driver.initial.nowMs > longestMs) break;
        place.test.clock.advance(ms);
        occur({ kind: 'advance', ms });
        break;
      }
      case 'outside-write': {
        const file = state.files[choice.file]!;
        if (file.trashed) break;
        const content = pickContent(choice.content, file.content, fresh);
        const inPlace = choice.inPlace || isMoved.has(choice.file);
        if (!inPlace || file.content === undefined) hasNewInode.add(choice.file);
        driver.writeOutside(file.name, content, inPlace);
        occur({ kind: 'outside-write', file: choice.file, content });
        await lookAtDisk();
        break;
      }
      case 'outside-delete': {
        const file = state.files[choice.file]!;
        if (file.content === undefined || isMoved.has(choice.file)) break;
        driver.deleteOutside(file.name);
        occur({ kind: 'outside-delete', file: choice.file });
        await lookAtDisk();
        break;
      }
      case 'outside-rename': {
        const file = state.files[choice.file]!;
        if (file.content === undefined || hasNewInode.has(choice.file)) break;
        const name = `moved-${(turn += 1)}.docx`;
        driver.renameOutside(file.name, name);
        isMoved.add(choice.file);
        occur({ kind: 'outside-rename', file: choice.file, name });
        await lookAtDisk();
        break;
      }
      case 'force-clear':
        occur({ kind: await driver.forceClear(choice.file), file: choice.file });
        break;
      case 'undo-clear':
        occur({ kind: await driver.undoClear(choice.file), file: choice.file });
        break;
      case 'revoke': {
        const token = tokenKey(choice.file, choice.token);
        driver.revoke(token);
        occur({ kind: 'revoke', token });
        break;
      }
      case 'abort-put':
        await driver.abortPut(
          choice.file,
          tokenKey(choice.file, 'long'),
          state.files[choice.file]!.lock?.id ?? '',
        );
        await lookAtDisk();
        break;
      case 'restart':
        await place.test.restart();
        occur({ kind: 'restart' });
        break;
    }
  }
  await findEverything(driver, states, disk, number, told);
}

function clausesMet(state: ModelState, request: Request, answer: Answer): string[] {
  return allowed(state, request)
    .filter(({ status, lock }) => status === answer.status && (lock === '*' || lock === answer.lock))
    .map(({ clause }) => clause);
}

/** Never lose a byte: whatever the host took or replaced lies on the disk, among the versions or the recovered saves. */
export async function findEverything(
  driver: Driver,
  states: ModelState[],
  disk: Disk,
  number: number,
  told: string[],
): Promise<void> {
  const found = await driver.recover(number % 20 === 0 ? 'restore' : 'read');
  for (const { content } of disk.values()) found.add(content);
  const lost = states.map(({ kept }) => kept.filter((content) => content !== '' && !found.has(content)));
  if (lost.every((contents) => contents.length > 0)) {
    assert.fail(`lost: ${lost[0]!.join(', ')}\n  after: ${told.join('\n         ')}`);
  }
}

/** Milliseconds to go; never onto a limit itself, as the page does not say which side of it that is. */
function leapOf({ nowMs, files, tokens }: ModelState, by: number | Edge): number {
  const lapses = Object.values(files).flatMap(({ lock }) =>
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
      : next(by.endsWith('lapse') ? lapses : ends) + (by.startsWith('before') ? -1 : 1);
  while ([...lapses, ...ends].includes(nowMs + ms)) ms += 1;
  return Number.isFinite(ms) ? ms : 0;
}

/**
 * The name that a RenameFile or PutRelativeFile asks for. Never that of a document another program deleted: whoever then
 * lies at its path is a question of identity, not of locks.
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
