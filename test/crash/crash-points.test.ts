// Saves that are interrupted before each of their steps on disk, and after their answer.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventually } from '../durability/eventually.ts';
import { describeContent, makeContent } from './content.ts';
import type { Answer } from './host-client.ts';
import {
  assertOldOrNew,
  client,
  inFolder,
  interruptEverywhere,
  names,
  saveAgain,
  scratch,
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
});
