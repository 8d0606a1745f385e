// Interrupts a host before each of its steps on disk. At every step, the document is entirely old or entirely new, its lock is held, nothing
// is left behind, and the same editor can save again without a conflict with its own unacknowledged save.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { describeContent, makeContent } from './content.ts';
import { createHostClient, fileInfo, header } from './host-client.ts';
import type { Access, Answer } from './host-client.ts';
import { makeScratch, serve } from './serve-process.ts';
import type { ServeProcess } from './serve-process.ts';

const killAtUrl = new URL('kill-at.ts', import.meta.url).href;
/** More steps than any operation has, so that a test ends even if an operation never completes. */
export const stepLimit = 60;

export const scratch = makeScratch();
const killAtFile = join(scratch.outside, 'kill-at');
export const inFolder = (name: string): string => join(scratch.folder, name);
export const client = createHostClient(() => host.baseUrl);
let host: ServeProcess;
let apiToken: string | undefined;
let documents = 0;

before(async () => {
  // A host that exits by itself leaves compiled code for the starts of those that are killed.
  await restart();
  assert.equal((await host.stop()).code, 0, host.stderr());
  await restart();
});
after(async () => {
  await host.kill();
  scratch.remove();
});

export interface Point {
  access: Access;
  name: string;
  original: Buffer;
  mine: Buffer;
  version: string;
}

export interface Scenario {
  /** Before that step, the disk is as in another scenario: an open document, and at most an empty or half-written body. */
  firstStep?: number;
  /** Of the saved body. */
  bytes?: number;
  /** Prepares the open, locked document for the operation. */
  prepare?: (point: Point) => Promise<void>;
  act: (point: Point) => Promise<Answer>;
  /** Runs after the restart. `answer` is undefined if the operation was interrupted. */
  verify: (point: Point, answer: Answer | undefined) => Promise<void>;
}

/** Starts the host that the client calls, again after `killHost`. */
export async function restart(): Promise<void> {
  host = await start();
}

export const killHost = (): Promise<void> => host.kill();

export function start(env: Record<string, string> = { KILL_AT_FILE: killAtFile }): Promise<ServeProcess> {
  const database = join(scratch.dataDir, 'doctray.db');
  return serve({
    ...scratch,
    nodeArgs: ['--import', killAtUrl],
    env: { ...env, KILL_AT_DATABASE: database },
  });
}

/** The host is killed before this step of what it does next: its number, or the name of a call. */
export async function killBefore(step: number | string): Promise<void> {
  writeFileSync(killAtFile, String(step));
  host.signal('SIGUSR2');
  await eventually('the kill is armed', () => assert.ok(host.stderr().includes('armed\n')));
}

/** An interrupted save may be recovered only with its whole body, and an acknowledged one not at all. */
function assertRecoveredWhole({ access, mine }: Point, answer: Answer | undefined): void {
  const recovered = recoveredOf(access);
  if (answer !== undefined)
    assert.deepEqual(recovered.length, 0, 'an acknowledged save isn’t a recovered save');
  for (const bytes of recovered) assert.ok(bytes.equals(mine), `recovered: ${describeContent(bytes)}`);
}

/** Interrupts the operation before its first step, its second, and so on until it completes. */
export async function interruptEverywhere(scenario: Scenario): Promise<void> {
  // A failed test may have left none.
  if (!host.isRunning()) await restart();
  for (let step = scenario.firstStep ?? 1; !(await interruptAt(step, scenario)); step += 1) {
    assert.ok(step <= stepLimit, 'the operation has too many steps');
  }
}

/** Returns whether the operation completed. Afterwards a new host runs. */
async function interruptAt(step: number, scenario: Scenario): Promise<boolean> {
  const point = await openDocument(scenario.bytes);
  await scenario.prepare?.(point);
  point.version = fileInfo(await client.checkFileInfo(point.access)).Version;
  await killBefore(step);
  const answer = await scenario.act(point).catch(() => undefined);
  await host.kill();
  const killedBefore = /killed before step .*/.exec(host.stderr())?.[0];
  assert.equal(answer === undefined, killedBefore !== undefined, `${step}: ${killedBefore} ${host.stderr()}`);

  await restart();
  try {
    if (answer !== undefined) {
      assert.equal(answer.status, 200, answer.body.toString());
      assert.ok(step > 2, `only ${step} steps were seen`);
    }
    // The random kills test requests that arrive before that.
    const left = () => readdirSync(scratch.folder).filter((each) => each.startsWith('.'));
    await eventually('no temporary file is left', () => assert.deepEqual(left(), []));
    await scenario.verify(point, answer);
    assert.equal(await client.lockId(point.access), 'the lock');
    assertRecoveredWhole(point, answer);
  } catch (error) {
    throw new Error(killedBefore ?? 'not killed', { cause: error });
  }
  return answer !== undefined;
}

/** A new document for each point, open and locked, and the only one in the folder. */
export async function openDocument(bytes = 30_000): Promise<Point> {
  apiToken ??= await client.signIn();
  for (const each of readdirSync(scratch.folder)) rmSync(inFolder(each));
  documents += 1;
  const name = `document ${documents}.docx`;
  const original = makeContent(`original ${documents}`, 20_000);
  writeFileSync(inFolder(name), original);
  const access = await client.access(name, apiToken);
  assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
  return { access, name, original, mine: makeContent(`mine ${documents}`, bytes), version: '' };
}

/** The content is old or new, new if that was acknowledged, and its item version matches. */
export async function assertOldOrNew(point: Point, old: Buffer, answer: Answer | undefined): Promise<void> {
  const bytes = readFileSync(inFolder(point.name));
  const isNew = bytes.equals(point.mine);
  assert.ok(isNew || (answer === undefined && bytes.equals(old)), describeContent(bytes));
  const { Version: version } = fileInfo(await client.checkFileInfo(point.access));
  if (answer !== undefined) assert.equal(version, header(answer, 'x-wopi-itemversion'));
  else if (isNew) assert.notEqual(version, point.version, 'new content has a new item version');
  else if (old.equals(point.original)) {
    assert.equal(version, point.version, 'the old content keeps its item version');
  }
}

export async function saveAgain(point: Point): Promise<void> {
  const again = makeContent('again', 10_000);
  const answer = await client.putFile(point.access, 'the lock', again);
  assert.equal(answer.status, 200, answer.body.toString());
  assert.ok(readFileSync(inFolder(point.name)).equals(again));
}

export function names(): string[] {
  return readdirSync(scratch.folder).filter((name) => !name.startsWith('.'));
}

/** The bodies of the document's recovered saves. */
export function recoveredOf({ fileId }: Access): Buffer[] {
  const folder = join(scratch.dataDir, 'rescued');
  const own = readdirSync(folder).filter((name) => name.endsWith(`.${fileId}`));
  return own.map((name) => readFileSync(join(folder, name)));
}
