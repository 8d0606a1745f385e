// Not at random but one by one: each operation that writes is cut off before each of its steps on the disk and before its
// answer. Whatever the step, the document is wholly old or wholly new, its lock is held, nothing is left behind, and the same
// editor saves again without a conflict with its own unheard save.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { describeContent, makeContent } from './content.ts';
import { createHostClient, fileInfo, header } from './host-client.ts';
import type { Access, Answer } from './host-client.ts';
import { makeScratch, serve } from './serve-process.ts';
import type { ServeProcess } from './serve-process.ts';

const killAtUrl = new URL('kill-at.ts', import.meta.url).href;
const lock = { 'X-WOPI-Lock': 'the lock' };
/** More steps than any operation has; an operation that is never cut off would never end the test. */
const stepLimit = 60;

const scratch = makeScratch();
const inFolder = (name: string): string => join(scratch.folder, name);
const client = createHostClient(() => host.baseUrl);
let host: ServeProcess;
let apiToken: string | undefined;
let documents = 0;

after(() => {
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
  /** Brings the document, open and locked, into the state before the operation. */
  prepare?: (point: Point) => Promise<void>;
  act: (point: Point) => Promise<Answer>;
  /** After the restart. `answer` is undefined when the operation was cut off. */
  verify: (point: Point, answer: Answer | undefined) => Promise<void>;
}

function start(killAt: number): Promise<ServeProcess> {
  return serve({ ...scratch, nodeArgs: ['--import', killAtUrl], env: { KILL_AT: String(killAt) } });
}

/** What was cut off before it was saved is kept when it came whole, and only then. */
function assertRecoveredWhole({ access, mine }: Point, answer: Answer | undefined): void {
  const folder = join(scratch.dataDir, 'rescued');
  const names = readdirSync(folder).filter((name) => name.endsWith(`.${access.fileId}`));
  const recovered = names.map((name) => readFileSync(join(folder, name)));
  if (answer !== undefined) assert.deepEqual(recovered.length, 0, 'an acknowledged save is not recovered');
  for (const bytes of recovered) assert.ok(bytes.equals(mine), `recovered: ${describeContent(bytes)}`);
}

/** Cuts the operation off before its first step, its second, and so on until it ends unharmed. */
async function cutEverywhere(scenario: Scenario): Promise<void> {
  host = await start(1);
  try {
    for (let step = 1; !(await cutAt(step, scenario)); step += 1) {
      assert.ok(step <= stepLimit, 'the operation has more steps than it should');
    }
  } finally {
    await host.kill();
  }
}

/** Answers whether the operation ended unharmed. The host that is there afterwards is armed for the next step. */
async function cutAt(step: number, scenario: Scenario): Promise<boolean> {
  const point = await openDocument();
  await scenario.prepare?.(point);
  point.version = fileInfo(await client.checkFileInfo(point.access)).Version;
  host.signal('SIGUSR2');
  await eventually('the trap is armed', () => {
    assert.ok(host.stderr().includes('armed\n'));
  });
  const answer = await scenario.act(point).catch(() => undefined);
  await host.kill();
  const trapped = /killed before step .*/.exec(host.stderr())?.[0];
  assert.equal(answer === undefined, trapped !== undefined, `${step}: ${trapped} ${host.stderr()}`);

  host = await start(step + 1);
  try {
    if (answer !== undefined) {
      assert.equal(answer.status, 200, answer.body.toString());
      assert.ok(step > 2, `only ${step} steps were seen`);
    }
    // The start is given the time to clear up; that requests may come before that, the random kills try.
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
    throw new Error(trapped ?? 'not killed', { cause: error });
  }
  return answer !== undefined;
}

/** A document of its own for each point, open and locked, alone in the folder. */
async function openDocument(): Promise<Point> {
  apiToken ??= await client.signIn();
  for (const each of readdirSync(scratch.folder)) rmSync(inFolder(each));
  documents += 1;
  const name = `document ${documents}.docx`;
  const original = makeContent(`original ${documents}`, 20_000);
  writeFileSync(inFolder(name), original);
  const access = await client.access(name, apiToken);
  assert.equal((await client.openToEdit(access, 'the lock')).status, 200);
  return { access, name, original, mine: makeContent(`mine ${documents}`, 30_000), version: '' };
}

/** Old or new, new when that was acknowledged, and told by its item version. */
async function assertOldOrNew(point: Point, old: Buffer, answer: Answer | undefined): Promise<void> {
  const bytes = readFileSync(inFolder(point.name));
  const isNew = bytes.equals(point.mine);
  assert.ok(isNew || (answer === undefined && bytes.equals(old)), describeContent(bytes));
  const { Version: version } = fileInfo(await client.checkFileInfo(point.access));
  if (answer !== undefined) assert.equal(version, header(answer, 'x-wopi-itemversion'));
  else if (isNew) assert.notEqual(version, point.version, 'a new content has a new item version');
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

describe('an operation that is cut off before each of its steps', () => {
  it('as the first save of a document', async () => {
    await cutEverywhere({
      act: ({ access, mine }) => client.putFile(access, 'the lock', mine),
      async verify(point, answer) {
        await assertOldOrNew(point, point.original, answer);
        await saveAgain(point);
        assert.deepEqual(names(), [point.name], 'the editor conflicts with nobody');
      },
    });
  });

  it('as the second save under a lock', async () => {
    await cutEverywhere({
      async prepare(point) {
        point.original = makeContent('first', 25_000);
        assert.equal((await client.putFile(point.access, 'the lock', point.original)).status, 200);
      },
      act: ({ access, mine }) => client.putFile(access, 'the lock', mine),
      async verify(point, answer) {
        await assertOldOrNew(point, point.original, answer);
        await saveAgain(point);
        assert.deepEqual(names(), [point.name], 'the editor conflicts with nobody');
      },
    });
  });

  it('as a save over a content that another program wrote', async () => {
    const theirs = makeContent('theirs', 15_000);
    await cutEverywhere({
      async prepare({ name }) {
        writeFileSync(inFolder(name), theirs);
      },
      act: ({ access, mine }) => client.putFile(access, 'the lock', mine),
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

  it('as a save of a document that another program deleted', async () => {
    await cutEverywhere({
      act({ access, name, mine }) {
        rmSync(inFolder(name));
        return client.putFile(access, 'the lock', mine);
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

  it('as a rename', async () => {
    await cutEverywhere({
      act: ({ access }) =>
        client.operate(access, 'RENAME_FILE', { ...lock, 'X-WOPI-RequestedName': 'new name' }),
      async verify(point, answer) {
        const { BaseFileName: name, Version: version } = fileInfo(await client.checkFileInfo(point.access));
        // The documents of the points before are gone but still locked: their editors may make them again under that name.
        const isRenamed = /^new name( \(\d+\))?\.docx$/.test(name);
        assert.ok(isRenamed || (answer === undefined && name === point.name), name);
        assert.equal(version, point.version, 'a rename leaves the item version');
        await eventually('it has one name', () => {
          assert.deepEqual(names(), [name]);
        });
        assert.ok(readFileSync(inFolder(name)).equals(point.original));
        await saveAgain({ ...point, name });
        assert.deepEqual(names(), [name]);
      },
    });
  });

  it('as a copy', async () => {
    await cutEverywhere({
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

  it('as a copy over an earlier copy of the same session', async () => {
    const old = makeContent('the other one', 12_000);
    const over = { 'X-WOPI-RelativeTarget': 'other.docx', 'X-WOPI-OverwriteRelativeTarget': 'True' };
    await cutEverywhere({
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
  it('is cut off before each of its steps, and the next one loses nothing', async () => {
    // A save that came whole and was cut off before its rename.
    let point: Point;
    let trapped: string | undefined;
    for (let step = 1, tries = 1; ; tries += 1) {
      assert.ok(tries <= stepLimit, 'no save was cut off before its rename');
      host = await start(step);
      point = await openDocument();
      // Until the start has cleared up: its own steps would be counted.
      await delay(200);
      host.signal('SIGUSR2');
      await eventually('the trap is armed', () => assert.ok(host.stderr().includes('armed\n')));
      const { access, mine } = point;
      const answer = await client.putFile(access, 'the lock', mine).catch(() => undefined);
      await host.kill();
      trapped = /killed before step .*/.exec(host.stderr())?.[0];
      if (/: rename(?:Sync)?$/u.test(trapped ?? '')) break;
      step = answer === undefined ? step + 1 : 1;
    }
    const leftover = readdirSync(scratch.folder).find((name) => name.startsWith('.~doctray-'));
    assert.ok(leftover !== undefined, 'the body is there');

    for (let step = 1; ; step += 1) {
      assert.ok(step <= 3 * stepLimit, 'the start has more steps than it should');
      writeFileSync(inFolder(leftover), point.mine);
      const env = { KILL_AT: String(step), KILL_ARMED: '1' };
      const output = await serve({ ...scratch, nodeArgs: ['--import', killAtUrl], env }).then(
        async (cut) => {
          await eventually('it is killed or done', () => {
            assert.ok(!cut.isRunning() || !existsSync(inFolder(leftover)));
          });
          await delay(100);
          await cut.kill();
          return cut.stderr();
        },
        (error: unknown) => String(error),
      );
      const cutAt = /killed before step .*/.exec(output)?.[0];
      host = await start(0);
      await eventually(`the leftover is dealt with (${cutAt})`, () => {
        assert.equal(existsSync(inFolder(leftover)), false);
      });
      await delay(50);
      assert.ok(
        readFileSync(inFolder(point.name)).equals(point.original),
        `${cutAt}: the document is as it was`,
      );
      const recovered = readdirSync(join(scratch.dataDir, 'rescued')).filter((name) =>
        name.endsWith(`.${point.access.fileId}`),
      );
      assert.equal(recovered.length, 1, `${cutAt}: ${recovered.length} recovered saves`);
      assert.ok(readFileSync(join(scratch.dataDir, 'rescued', recovered[0] ?? '')).equals(point.mine), cutAt);
      await host.kill();
      if (cutAt === undefined) break;
    }
  });
});
