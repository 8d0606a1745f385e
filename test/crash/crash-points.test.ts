// Saves, renames, copies and a start that recovers, interrupted before each of their steps on disk, and after their answer.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../durability/eventually.ts';
import { describeContent, makeContent } from './content.ts';
import { fileInfo } from './host-client.ts';
import type { Answer } from './host-client.ts';
import {
  assertOldOrNew,
  client,
  inFolder,
  interruptEverywhere,
  killBefore,
  killHost,
  names,
  openDocument,
  recoveredOf,
  restart,
  saveAgain,
  scratch,
  start,
  stepLimit,
} from './interrupted-host.ts';
import type { Point, Scenario } from './interrupted-host.ts';

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
      firstStep: 4,
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
      firstStep: 3,
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
      firstStep: 3,
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
      firstStep: 3,
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
      act({ access }) {
        const headers = { 'X-WOPI-Lock': 'the lock', 'X-WOPI-RequestedName': 'new name' };
        return client.operate(access, 'RENAME_FILE', headers);
      },
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
      firstStep: 3,
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
      firstStep: 3,
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
    // A save that arrived completely and is interrupted before its rename.
    await killBefore('renameSync');
    await assert.rejects(client.putFile(point.access, 'the lock', point.mine));
    await killHost();
    const leftover = readdirSync(scratch.folder).find((name) => name.startsWith('.~doctray-'));
    assert.ok(leftover !== undefined, 'the body is there');

    // Before that, it only opens its folders.
    for (let step = 3; ; step += 1) {
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
      await restart();
      await eventually(`the leftover is recovered once (${killedAt})`, () => {
        assert.equal(existsSync(inFolder(leftover)), false);
        const recovered = recoveredOf(point.access);
        assert.equal(recovered.length, 1, `${recovered.length} recovered saves`);
        assert.ok(recovered[0]?.equals(point.mine));
      });
      assert.ok(
        readFileSync(inFolder(point.name)).equals(point.original),
        `${killedAt}: the document doesn’t change`,
      );
      await killHost();
      if (killedAt === undefined) break;
    }
  });
});
