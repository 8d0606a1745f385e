// All rows, and how to run them: each with a new document. What has a door of its own is proven there: bodies that don't arrive as
// announced in test/durability, CheckFileInfo, GetFile and the order of the checks in test/server, desktop locks in test/unit/files.

import { suite, test } from 'node:test';
import type { WopiClient, ClientInput } from '../wopi-client.ts';
import { commonRows } from './common-rows.ts';
import { lockRows } from './lock-rows.ts';
import { putFileRows } from './put-file-rows.ts';
import { putRelativeRows } from './put-relative-rows.ts';
import { renameRows } from './rename-rows.ts';
import type { RowContext, Row } from './row.ts';
import { tokenRows } from './token-rows.ts';

const table: [title: string, rows: readonly Row[]][] = [
  ['Common conditions, reading, deleting (sections 1, 2 and 4)', commonRows],
  ['Tokens and ids (section 2)', tokenRows],
  ['Locks (section 3)', lockRows],
  ['PutFile (section 3)', putFileRows],
  ['PutRelativeFile (section 3)', putRelativeRows],
  ['RenameFile (section 3)', renameRows],
];

/** @param options.host the host, available once the tests run */
export function testRows(options: {
  host: () => RowContext['host'];
  openClient: (input: Omit<ClientInput, 'host'>) => Promise<WopiClient>;
  reachable?: RowContext['reachable'];
}): void {
  let documents = 0;
  const another: RowContext['another'] = async ({ name = 'minutes.docx', ...input } = {}) => {
    documents += 1;
    return options.openClient({ path: `row-${documents}/${name}`, ...input });
  };
  for (const [title, rows] of table) {
    suite(title, () => {
      for (const { name, document, run } of rows) {
        test(name, async () => {
          const context = { host: options.host(), reachable: options.reachable ?? {}, another };
          await run(await another(document), context);
        });
      }
    });
  }
}
