// All rows, and how to run them: each with a new document.

import { suite, test } from 'node:test';
import type { WopiClient, ClientInput } from '../wopi-client.ts';
import { bodyRows } from './body-rows.ts';
import { commonRows } from './common-rows.ts';
import { desktopLockRows } from './desktop-lock-rows.ts';
import { lockRows } from './lock-rows.ts';
import { putFileRows } from './put-file-rows.ts';
import { putRelativeRows } from './put-relative-rows.ts';
import { readOnlyRows } from './read-only-rows.ts';
import { readRows } from './read-rows.ts';
import { renameRows } from './rename-rows.ts';
import type { RowContext, Row } from './row.ts';
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

/** @param options.host the host, available once the tests run */
export function testRows(options: {
  host: () => RowContext['host'];
  openClient: (input: Omit<ClientInput, 'host'>) => Promise<WopiClient>;
  reachable?: RowContext['reachable'];
}): void {
  let rowsRun = 0;
  for (const [title, rows] of table) {
    suite(title, () => {
      for (const row of rows) {
        test(row.name, async () => {
          rowsRun += 1;
          const folder = `row-${String(rowsRun)}`;
          let clients = 0;
          await row.run({
            host: options.host(),
            reachable: options.reachable ?? {},
            client: async ({ name = 'minutes.docx', ...input } = {}) => {
              clients += 1;
              const path = `${folder}${clients > 1 ? `-${String(clients)}` : ''}/${name}`;
              return options.openClient({ path, ...input });
            },
          });
        });
      }
    });
  }
}
