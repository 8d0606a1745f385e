// The whole table, and its run: a document of its own for every row.

import { suite, test } from 'node:test';
import type { Desk, DeskInput } from '../desk.ts';
import { bodyRows } from './body-rows.ts';
import { commonRows } from './common-rows.ts';
import { desktopLockRows } from './desktop-lock-rows.ts';
import { lockRows } from './lock-rows.ts';
import { putFileRows } from './put-file-rows.ts';
import { putRelativeRows } from './put-relative-rows.ts';
import { readOnlyRows } from './read-only-rows.ts';
import { readRows } from './read-rows.ts';
import { renameRows } from './rename-rows.ts';
import type { Ground, Row } from './row.ts';
import { tokenRows } from './token-rows.ts';

const table: [title: string, rows: readonly Row[]][] = [
  ['Common conditions (sections 1 and 2)', commonRows],
  ['Tokens and ids (section 2)', tokenRows],
  ['Bodies (section 2)', bodyRows],
  ['Read-only tokens (section 2)', readOnlyRows],
  ['Locks (section 3)', lockRows],
  ['PutFile (section 3)', putFileRows],
  ['PutRelativeFile (section 3)', putRelativeRows],
  ['RenameFile (section 3)', renameRows],
  ['Reading, deleting, user information (sections 3 and 4)', readRows],
  ['Desktop locks (section 3)', desktopLockRows],
];

/** @param door the host, once it runs, and how a document is opened there */
export function testRows(door: {
  host: () => Ground['host'];
  openDesk: (input: Omit<DeskInput, 'host'>) => Promise<Desk>;
  reachable?: Ground['reachable'];
}): void {
  let rowsRun = 0;
  for (const [title, rows] of table) {
    suite(title, () => {
      for (const row of rows) {
        test(row.name, async () => {
          rowsRun += 1;
          const folder = `row-${String(rowsRun)}`;
          let desks = 0;
          await row.run({
            host: door.host(),
            reachable: door.reachable ?? {},
            desk: async ({ name = 'minutes.docx', ...input } = {}) => {
              desks += 1;
              const path = `${folder}${desks > 1 ? `-${String(desks)}` : ''}/${name}`;
              return door.openDesk({ path, ...input });
            },
          });
        });
      }
    });
  }
}
