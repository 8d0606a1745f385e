// Section 2 of the behaviour page, the read-only token: what it is told, and that nothing happens.

import assert from 'node:assert/strict';
import type { Desk } from '../desk.ts';
import type { Exchange } from '../wire.ts';
import type { Ground, Row } from './row.ts';

/** What a token that may not write is told. */
const readOnly: [name: string, run: (desk: Desk) => Promise<Exchange>, status: number][] = [
  ['CheckFileInfo', (desk) => desk.checkFileInfo(), 200],
  ['GetFile', (desk) => desk.getFile(), 200],
  ['Lock', (desk) => desk.lock('mine'), 200],
  ['RefreshLock', (desk) => desk.refreshLock('mine'), 200],
  ['UnlockAndRelock', (desk) => desk.relock('next', 'mine'), 200],
  ['Unlock', (desk) => desk.unlock('mine'), 200],
  ['PutFile', (desk) => desk.put('mine', 'edited'), 401],
  ['RenameFile', (desk) => desk.rename('agenda'), 401],
  ['DeleteFile', (desk) => desk.deleteFile(), 401],
  ['PutRelativeFile', (desk) => desk.putRelative({ 'X-WOPI-SuggestedTarget': 'copy.docx' }), 501],
];

const readers: Row[] = readOnly.map(([name, run, status]) => ({
  name: `${name} with a read-only token: ${String(status)}, no lock taken, nothing changed`,
  async run(ground: Ground) {
    const desk = await ground.desk({ mode: 'view' });
    assert.equal((await run(desk)).status, status);
    assert.deepEqual(
      ground.host.host.services.locks.list().filter(({ fileId }) => fileId === desk.fileId),
      [],
    );
    assert.deepEqual(await desk.neighbours(), ['minutes.docx']);
    assert.equal(await desk.onDisk(), 'as it was');
  },
}));

const readersBeside: Row[] = [
  {
    name: 'Unlock with a read-only token leaves the lock of an editor alone',
    async run(ground) {
      const desk = await ground.desk();
      await desk.lock('mine');
      const access = await desk.openAgain('view');
      const headers = { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': 'mine' };
      assert.equal((await desk.call({ operation: 'Unlock', access, headers })).status, 200);
      assert.equal(await desk.heldLock(), 'mine');
    },
  },
  {
    name: 'A read-only token of 0 bytes saves no template: 401',
    async run(ground) {
      const desk = await ground.desk({ mode: 'view', content: '' });
      assert.equal((await desk.put(undefined, 'from a template')).status, 401);
      assert.equal(await desk.onDisk(), '');
    },
  },
];

export const readOnlyRows: Row[] = [...readers, ...readersBeside];
