// Each operation that writes is interrupted before each of its steps on disk, and after its answer. At every step, the document is
// entirely old or entirely new, its lock is held, nothing is left behind, and the same editor can save again without a conflict with
// its own unacknowledged save.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { quickStart } from '../cli/running-process.ts';
import { eventually } from '../durability/eventually.ts';
import { describeContent, makeContent } from './content.ts';
import { createHostClient, fileInfo, header } from './host-client.ts';
import type { Access, Answer } from './host-client.ts';
import { makeScratch, serve } from './serve-process.ts';
import type { ServeProcess } from './serve-process.ts';

const killAtUrl = new URL('kill-at.ts', import.meta.url).href;
const lock = { 'X-WOPI-Lock': 'the lock' };
/** More steps than any operation has, so that a test ends even if an operation never completes. */
const stepLimit = 60;

const scratch = makeScratch();
const killAtFile = join(scratch.outside, 'kill-at');
const inFolder = (name: string): string => join(scratch.folder, name);
const client = createHostClient(() => host.baseUrl);
let host: ServeProcess;
let apiToken: string | undefined;
let documents = 0;

before(async () => {
  // A host that exits by itself leaves compiled code for the starts of those that are killed.
  host = await start();
  assert.equal((await host.stop()).code, 0, host.stderr());
  host = await start();
});
after(async () => {
  await host.kill();
  scratch.remove();
});

interface Point {
  access: Access;
  name: string;
  original: Buffer;
  mine: Buffer;
  version: string;
}

interface Scenario {
  /** 2 if another scenario starts a host on the same disk as before the first step: with an open document that was saved, copied or neither. */
  firstStep?: number;
  /** Of the saved body. */
  bytes?: number;
  /** Prepares the open, locked document for the operation. */
  prepare?: (point: Point) => Promise<void>;
  act: (point: Point) => Promise<Answer>;
  /** Runs after the restart. `answer` is undefined if the operation was interrupted. */
  verify: (point: Point, answer: Answer | undefined) => Promise<void>;
}

function start(env: Record<string, string> = { KILL_AT_FILE: killAtFile }): Promise<ServeProcess> {
  const database = join(scratch.dataDir, 'doctray.db');
  return serve({
    ...scratch,
    nodeArgs: [quickStart, '--import', killAtUrl],
    env: { ...env, KILL_AT_DATABASE: database },
  });
}

/** The host is killed before this step of what it does next: its number, or the name of a call. */
async function killBefore(step: number | string): Promise<void> {
  writeFileSync(killAtFile, String(step));
  host.signal('SIGUSR2');
  await eventually('the kill is armed', () => {
    assert.ok(host.stderr().includes('armed\n'));
  });
}

/** An interrupted save may be recovered only with its whole body, and an acknowledged one not at all. */
function assertRecoveredWhole({ access, mine }: Point, answer: Answer | undefined): void {
  const recovered = recoveredOf(access);
  if (answer !== undefined)
    assert.deepEqual(recovered.length, 0, 'an acknowledged save isn’t a recovered save');
  for (const bytes of recovered) assert.ok(bytes.equals(mine), `recovered: ${describeContent(bytes)}`);
}

/** Interrupts the operation before its first step, its second, and so on until it completes. */
async function interruptEverywhere(scenario: Scenario): Promise<void> {
  // A failed test may have left none.
  if (!host.isRunning()) host = await start();
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

  host = await start();
  try {
    if (answer !== undefined) {
      assert.equal(answer.status, 200, answer.body.toString());
      assert.ok(step > 2, `only ${step} steps were seen`);
    }
    // Gives the host time to clean up. The random kills test requests that arrive before that.
    await delay(100);
    await scenario.verify(point, answer);
    assert.equal(await client.lockId(point.access), 'the lock');
    await eventually('no temporary file is left', () => {
      assert.deepEqual(
        readdirSync(scratch.folder).filter((each) => each.startsWith('.')),
        [],
      );
    });
    assertRecoveredWhole(point, answer);
  } catch (error) {
    throw new Error(killedBefore ?? 'not killed', { cause: error });
  }
  return answer !== undefined;
}

/** A new document for each point, open and locked, and the only one in the folder. */
async function openDocument(bytes = 30_000): Promise<Point> {
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
async function assertOldOrNew(point: Point, old: Buffer, answer: Answer | undefined): Promise<void> {
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

async function saveAgain(point: Point): Promise<void> {
  const again = makeContent('again', 10_000);
  const answer = await client.putFile(point.access, 'the lock', again);
  assert.equal(answer.status, 200, answer.body.toString());
  assert.ok(readFileSync(inFolder(point.name)).equals(again));
}

function names(): string[] {
  return readdirSync(scratch.folder).filter((name) => !name.startsWith('.'));
}

/** The bodies of the document's recovered saves. */
function recoveredOf({ fileId }: Access): Buffer[] {
  const folder = join(scratch.dataDir, 'rescued');
  const own = readdirSync(folder).filter((name) => name.endsWith(`.${fileId}`));
  return own.map((name) => readFileSync(join(folder, name)));
}

const save: Scenario['act'] = ({ access, mine }) => client.putFile(access, 'the lock', mine);

/** Old or new, and saved again without a conflict copy. */
async function assertSaved(point: Point, answer: Answer | undefined): Promise<void> {
  await assertOldOrNew(point, point.original, answer);
  await saveAgain(point);
  assert.deepEqual(names(), [point.name], 'there is no conflict copy');
}

describe('interrupted before each of its steps', () => {
  it('the first save of a document leaves it old or new', async () => {
    await interruptEverywhere({ act: save, verify: assertSaved });
  });

  // Written in several pieces and hashed by another thread.
  it('the second save under a lock, a large one, leaves the document old or new', async () => {
    await interruptEverywhere({
      firstStep: 2,
      bytes: 2_000_000,
      async prepare(point) {
        point.original = makeContent('first', 25_000);
        assert.equal((await client.putFile(point.access, 'the lock', point.original)).status, 200);
      },
      act: save,
      verify: assertSaved,
    });
  });

  it('a save over what another program wrote keeps that in a conflict copy', async () => {
    const theirs = makeContent('theirs', 15_000);
    await interruptEverywhere({
      async prepare({ name }) {
        writeFileSync(inFolder(name), theirs);
      },
      act: save,
      async verify(point, answer) {
        await assertOldOrNew(point, theirs, answer);
        await saveAgain(point);
        const copies = names().filter((name) => name !== point.name);
        assert.ok(copies.length > 0, 'the other content is in a conflict copy');
        for (const copy of copies) {
          const bytes = readFileSync(inFolder(copy));
          assert.ok(bytes.equals(theirs), `${copy}: ${describeContent(bytes)}`);
        }
      },
    });
  });

  it('an unmodified save over what another program wrote becomes a version, whole or not at all', async () => {
    const theirs = makeContent('theirs', 15_000);
    await interruptEverywhere({
      async prepare({ name }) {
        writeFileSync(inFolder(name), theirs);
      },
      act: ({ access, mine }) =>
        client.putFile(access, 'the lock', mine, { 'X-COOL-WOPI-IsModifiedByUser': 'false' }),
      async verify({ access, name, mine }, answer) {
        assert.ok(readFileSync(inFolder(name)).equals(theirs));
        const versions = join(scratch.dataDir, 'versions', access.fileId);
        // The host removes a torn copy after it has started.
        await eventually('the version is whole, or there is none', () => {
          const kept = existsSync(versions) ? readdirSync(versions) : [];
          assert.ok(
            kept.length === 1 || (answer === undefined && kept.length === 0),
            `${kept.length} versions`,
          );
          for (const version of kept) assert.ok(readFileSync(join(versions, version)).equals(mine));
        });
        assert.deepEqual(names(), [name]);
      },
    });
  });

  it('a save of a document that another program deleted recreates it whole or not at all', async () => {
    await interruptEverywhere({
      act(point) {
        rmSync(inFolder(point.name));
        return save(point);
      },
      async verify(point, answer) {
        if (answer !== undefined) assert.ok(existsSync(inFolder(point.name)));
        if (existsSync(inFolder(point.name)))
          assert.ok(readFileSync(inFolder(point.name)).equals(point.mine));
        await saveAgain(point);
        assert.deepEqual(names(), [point.name]);
      },
    });
  });

  it('a rename leaves one of the two names', async () => {
    await interruptEverywhere({
      firstStep: 2,
      act: ({ access }) =>
        client.operate(access, 'RENAME_FILE', { ...lock, 'X-WOPI-RequestedName': 'new name' }),
      async verify(point, answer) {
        const { BaseFileName: name, Version: version } = fileInfo(await client.checkFileInfo(point.access));
        // Documents of earlier points are deleted but still locked, so their names stay reserved for their editors.
        const isRenamed = /^new name( \(\d+\))?\.docx$/.test(name);
        assert.ok(isRenamed || (answer === undefined && name === point.name), name);
        assert.equal(version, point.version, 'a rename keeps the item version');
        await eventually('it has one name', () => {
          assert.deepEqual(names(), [name]);
        });
        assert.ok(readFileSync(inFolder(name)).equals(point.original));
        await saveAgain({ ...point, name });
        assert.deepEqual(names(), [name]);
      },
    });
  });

  it('a copy leaves the document unchanged, and itself whole or not at all', async () => {
    await interruptEverywhere({
      firstStep: 2,
      act: ({ access, mine }) =>
        client.operate(access, 'PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': 'copy.docx' }, mine),
      async verify(point, answer) {
        assert.ok(readFileSync(inFolder(point.name)).equals(point.original));
        const copies = names().filter((name) => name !== point.name);
        if (answer !== undefined) assert.deepEqual(copies, ['copy.docx']);
        for (const copy of copies) assert.ok(readFileSync(inFolder(copy)).equals(point.mine));
        assert.equal(fileInfo(await client.checkFileInfo(point.access)).Version, point.version);
      },
    });
  });

  it('a copy over an earlier copy of the same session leaves that old or new', async () => {
    const old = makeContent('the other one', 12_000);
    const over = { 'X-WOPI-RelativeTarget': 'other.docx', 'X-WOPI-OverwriteRelativeTarget': 'True' };
    await interruptEverywhere({
      firstStep: 2,
      async prepare({ access }) {
        assert.equal((await client.operate(access, 'PUT_RELATIVE', over, old)).status, 200);
      },
      act: ({ access, mine }) => client.operate(access, 'PUT_RELATIVE', over, mine),
      async verify(point, answer) {
        assert.deepEqual(names().toSorted(), [point.name, 'other.docx'].toSorted());
        const bytes = readFileSync(inFolder('other.docx'));
        assert.ok(
          bytes.equals(point.mine) || (answer === undefined && bytes.equals(old)),
          describeContent(bytes),
        );
        assert.ok(readFileSync(inFolder(point.name)).equals(point.original));
      },
    });
  });
});

describe('a start that recovers', () => {
  it('loses nothing if it’s interrupted before each of its steps', async () => {
    const point = await openDocument();
    // Waits until the start has cleaned up, whose rename would count otherwise.
    await delay(200);
    // A save that arrived completely and is interrupted before its rename.
    await killBefore('renameSync');
    await assert.rejects(client.putFile(point.access, 'the lock', point.mine));
    await host.kill();
    const leftover = readdirSync(scratch.folder).find((name) => name.startsWith('.~doctray-'));
    assert.ok(leftover !== undefined, 'the body is there');

    for (let step = 1; ; step += 1) {
      assert.ok(step <= 3 * stepLimit, 'the start has too many steps');
      writeFileSync(inFolder(leftover), point.mine);
      const output = await start({ KILL_AT: String(step) }).then(
        async (interrupted) => {
          await eventually('it was killed or has recovered', () => {
            assert.ok(!interrupted.isRunning() || !existsSync(inFolder(leftover)));
          });
          await delay(100);
          await interrupted.kill();
          return interrupted.stderr();
        },
        (error: unknown) => String(error),
      );
      const killedAt = /killed before step .*/.exec(output)?.[0];
      host = await start();
      await eventually(`the leftover is recovered (${killedAt})`, () => {
        assert.equal(existsSync(inFolder(leftover)), false);
      });
      await delay(50);
      assert.ok(
        readFileSync(inFolder(point.name)).equals(point.original),
        `${killedAt}: the document doesn’t change`,
      );
      const recovered = recoveredOf(point.access);
      assert.equal(recovered.length, 1, `${killedAt}: ${recovered.length} recovered saves`);
      assert.ok(recovered[0]?.equals(point.mine), killedAt);
      await host.kill();
      if (killedAt === undefined) break;
    }
  });
});
