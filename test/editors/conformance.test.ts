// The rules of docs/protocol.md, like Microsoft's WOPI validator: one host, a new document for every row, and a fake clock.

import { after, before } from 'node:test';
import { startTestHost, type TestHost } from '../server/test-host.ts';
import { testRows } from './conformance/rows.ts';
import { openClient } from './wopi-client.ts';

let host: TestHost;

before(async () => {
  host = await startTestHost();
});
after(() => host.stop());

testRows({ host: () => host, openClient: (input) => openClient({ host, ...input }) });
