// Section 3, Lock while a desktop program has the document open. Its lock file counts unless its process no longer exists.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { WopiClient } from '../wopi-client.ts';
import { withSettings } from './row.ts';
import type { RowContext, Row } from './row.ts';

const libreOfficeLock = (machine: string): string =>
  `Ana Novak,ana,${machine},20.11.2026 15:03,file:///home/ana/.config/libreoffice/4;`;

/** Word's owner file of 162 bytes: the length of the name and the name in Latin-1, then both again in UTF-16. */
function officeOwner(name: string): Buffer {
  const owner = Buffer.alloc(162, ' ');
  owner.writeUInt8(name.length, 0);
  owner.write(name, 1, 'latin1');
  owner.writeUInt16LE(name.length, 54);
  owner.write(name, 56, 'utf16le');
  return owner;
}

async function putBeside(
  context: RowContext,
  client: WopiClient,
  name: string,
  content: string | Buffer,
): Promise<string> {
  const path = join(context.host.folder, dirname(client.path), name);
  await writeFile(path, content);
  return path;
}

/** Runs `work` while another process has the file open, as Word does. */
async function heldOpen(path: string, work: () => Promise<void>): Promise<void> {
  const handle = await open(path, 'r+');
  const holder = spawn('sleep', ['300'], { stdio: [handle.fd, 'ignore', 'ignore'] });
  try {
    await once(holder, 'spawn');
    await handle.close();
    await work();
  } finally {
    const exited = once(holder, 'exit');
    holder.kill();
    await exited;
  }
}

async function assertHeldByDesktop(client: WopiClient, program: RegExp): Promise<void> {
  const refused = await client.lock('mine');
  assert.equal(refused.status, 409);
  assert.match(String(refused.received['x-wopi-lock']), /^desktop:\S+$/);
  const reason = String(refused.received['x-wopi-lockfailurereason']);
  assert.match(reason, program);
  assert.match(reason, /Ana Novak/);
}

const wordNames: [document: string, ownerFile: string][] = [
  ['memo.docx', '~$memo.docx'],
  ['seventy.docx', '~$eventy.docx'],
  ['protocol.docx', '~$otocol.docx'],
  ['protocol.xlsx', '~$protocol.xlsx'],
];

export const desktopLockRows: Row[] = [
  {
    name: 'Lock while LibreOffice on another computer has the file open: 409, desktop:…, program and user',
    async run(context) {
      const client = await context.client();
      const lockFile = await putBeside(context, client, '.~lock.minutes.docx#', libreOfficeLock('desk-7'));
      await assertHeldByDesktop(client, /LibreOffice/);
      await rm(lockFile);
      assert.equal((await client.lock('mine')).status, 200);
    },
  },
  {
    name: 'Lock with a LibreOffice lock file of this computer without a running process: 200',
    async run(context) {
      const client = await context.client();
      await putBeside(context, client, '.~lock.minutes.docx#', libreOfficeLock(hostname()));
      assert.equal((await client.lock('mine')).status, 200);
    },
  },
  ...(['warn', 'ignore'] as const).map((value) => ({
    name: `Lock while LibreOffice has the file open, desktopLocks ${value}: 200`,
    async run(context: RowContext) {
      const client = await context.client();
      await putBeside(context, client, '.~lock.minutes.docx#', libreOfficeLock('desk-7'));
      await withSettings(context, { desktopLocks: value }, async () =>
        assert.equal((await client.lock('mine')).status, 200),
      );
    },
  })),
  ...wordNames.map(([name, ownerFile]) => ({
    name: `Lock of ${name} while Microsoft Office has ${ownerFile} open: 409, desktop:…, program and user`,
    async run(context: RowContext) {
      const client = await context.client({ name });
      const path = await putBeside(context, client, ownerFile, officeOwner('Ana Novak'));
      await heldOpen(path, async () => assertHeldByDesktop(client, /Office|Word|Excel/));
    },
  })),
  {
    name: 'Lock with a Microsoft Office owner file that no process has open: 200',
    async run(context) {
      const client = await context.client({ name: 'memo.docx' });
      await putBeside(context, client, '~$memo.docx', officeOwner('Ana Novak'));
      assert.equal((await client.lock('mine')).status, 200);
    },
  },
  {
    name: 'A desktop lock after the editor’s own lock: RefreshLock, PutFile and Unlock succeed',
    async run(context) {
      const client = await context.client();
      assert.equal((await client.lock('mine')).status, 200);
      await putBeside(context, client, '.~lock.minutes.docx#', libreOfficeLock('desk-7'));
      assert.equal((await client.refreshLock('mine')).status, 200);
      assert.equal((await client.put('mine', 'edited')).status, 200);
      assert.equal((await client.unlock('mine')).status, 200);
    },
  },
];
