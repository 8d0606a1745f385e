// Read-only tokens: the answer of every operation, and that nothing changes.

import assert from 'node:assert/strict';
import type { WopiClient } from '../wopi-client.ts';
import type { Exchange } from '../wire.ts';
import type { RowContext, Row } from './row.ts';

const readOnly: [name: string, run: (client: WopiClient) => Promise<Exchange>, status: number][] = [
  ['CheckFileInfo', (client) => client.checkFileInfo(), 200],
  ['GetFile', (client) => client.getFile(), 200],
  ['Lock', (client) => client.lock('mine'), 200],
  ['RefreshLock', (client) => client.refreshLock('mine'), 200],
  ['UnlockAndRelock', (client) => client.relock('next', 'mine'), 200],
  ['Unlock', (client) => client.unlock('mine'), 200],
  ['PutFile', (client) => client.put('mine', 'edited'), 401],
  ['RenameFile', (client) => client.rename('agenda'), 401],
  ['DeleteFile', (client) => client.deleteFile(), 401],
  ['PutRelativeFile', (client) => client.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' }), 501],
];

const readers: Row[] = readOnly.map(([name, run, status]) => ({
  name: `${name} with a read-only token: ${String(status)}, no lock taken, nothing changed`,
  async run(context: RowContext) {
    const client = await context.client({ mode: 'view' });
    assert.equal((await run(client)).status, status);
    assert.deepEqual(
      context.host.host.services.locks.list().filter(({ fileId }) => fileId === client.fileId),
      [],
    );
    assert.deepEqual(await client.siblings(), ['minutes.docx']);
    assert.equal(await client.onDisk(), 'as it was');
  },
}));

const readersBeside: Row[] = [
  {
    name: 'Unlock with a read-only token: 200, but the editor’s lock is still held',
    async run(context) {
      const client = await context.client();
      await client.lock('mine');
      const access = await client.openAgain('view');
      const headers = { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': 'mine' };
      assert.equal((await client.call({ operation: 'Unlock', access, headers })).status, 200);
      assert.equal(await client.heldLock(), 'mine');
    },
  },
  {
    name: 'PutFile of a template with a read-only token: 401',
    async run(context) {
      const client = await context.client({ mode: 'view', content: '' });
      assert.equal((await client.put(undefined, 'from a template')).status, 401);
      assert.equal(await client.onDisk(), '');
    },
  },
];

export const readOnlyRows: Row[] = [...readers, ...readersBeside];
