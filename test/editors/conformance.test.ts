// The behaviour page row by row, as Microsoft's own validator would walk it: one host, a document of its own for every
// row, and the clock moved by the rows that need it.

import { after, before } from 'node:test';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { testRows } from './conformance/rows.ts';
import { openDesk } from './desk.ts';
import { useOwnTrash } from './own-trash.ts';

let host: TestHost;

useOwnTrash();
before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

testRows({ host: () => host, openDesk: (input) => openDesk({ host, ...input }) });
