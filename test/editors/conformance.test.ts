// The behaviour page row by row, as Microsoft's own validator would walk it: one host, a document of its own for every
// row, and the clock moved by the rows that need it.

import { after, before, suite, test } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestHost } from '../server/test-host.ts';
import type { TestHost } from '../server/test-host.ts';
import { bodyRows } from './conformance/body-rows.ts';
import { commonRows } from './conformance/common-rows.ts';
import { desktopLockRows } from './conformance/desktop-lock-rows.ts';
import { lockRows } from './conformance/lock-rows.ts';
import { putFileRows } from './conformance/put-file-rows.ts';
import { putRelativeRows } from './conformance/put-relative-rows.ts';
import { readOnlyRows } from './conformance/read-only-rows.ts';
import { readRows } from './conformance/read-rows.ts';
import { renameRows } from './conformance/rename-rows.ts';
import type { Row } from './conformance/row.ts';
import { tokenRows } from './conformance/token-rows.ts';
import { openDesk } from './desk.ts';

let host: TestHost;
let trash: string;
let rowsRun = 0;
const trashBefore = process.env['XDG_DATA_HOME'];

before(async () => {
  // DeleteFile moves to the user's trash: this test's own.
  trash = await mkdtemp(join(tmpdir(), 'doctray-trash-'));
  process.env['XDG_DATA_HOME'] = trash;
  host = await startTestHost();
});

after(async () => {
  await host.stop();
  if (trashBefore === undefined) delete process.env['XDG_DATA_HOME'];
  else process.env['XDG_DATA_HOME'] = trashBefore;
  await rm(trash, { recursive: true, force: true });
});

function testRows(title: string, rows: readonly Row[]): void {
  suite(title, () => {
    for (const row of rows) {
      test(row.name, async () => {
        rowsRun += 1;
        const folder = `row-${String(rowsRun)}`;
        let desks = 0;
        await row.run({
          host,
          desk: async ({ name = 'minutes.docx', ...input } = {}) => {
            desks += 1;
            const path = `${folder}${desks > 1 ? `-${String(desks)}` : ''}/${name}`;
            return openDesk({ host, path, ...input });
          },
        });
      });
    }
  });
}

testRows('Common conditions (sections 1 and 2)', commonRows);
testRows('Tokens and ids (section 2)', tokenRows);
testRows('Bodies (section 2)', bodyRows);
testRows('Read-only tokens (section 2)', readOnlyRows);
testRows('Locks (section 3)', lockRows);
testRows('PutFile (section 3)', putFileRows);
testRows('PutRelativeFile (section 3)', putRelativeRows);
testRows('RenameFile (section 3)', renameRows);
testRows('Reading, deleting, user information (sections 3 and 4)', readRows);
testRows('Desktop locks (section 3)', desktopLockRows);
