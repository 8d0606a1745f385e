// Section 3, Lock where a desktop program holds the file: its lock file is found, named, and stops counting when nobody
// is behind it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Desk } from '../desk.ts';
import { withSettings } from './row.ts';
import type { Ground, Row } from './row.ts';

const libreOfficeLock = (machine: string): string =>
  `Ana Novak,ana,${machine},20.11.2026 15:03,file:///home/ana/.config/libreoffice/4;`;

/** Word's owner file: the name's length and the name, one byte a letter, then both once more in UTF-16, 162 bytes. */
function officeOwner(name: string): Buffer {
  const owner = Buffer.alloc(162, ' ');
  owner.writeUInt8(name.length, 0);
  owner.write(name, 1, 'latin1');
  owner.writeUInt16LE(name.length, 54);
  owner.write(name, 56, 'utf16le');
  return owner;
}

async function putBeside(
  ground: Ground,
  desk: Desk,
  name: string,
  content: string | Buffer,
): Promise<string> {
  const path = join(ground.host.folder, dirname(desk.path), name);
  await writeFile(path, content);
  return path;
}

/** Another process holds the file open, as Word does. */
async function heldOpen(path: string, work: () => Promise<void>): Promise<void> {
  const handle = await open(path, 'r+');
  const holder = spawn('sleep', ['300'], { stdio: [handle.fd, 'ignore', 'ignore'] });
  try {
    await once(holder, 'spawn');
    await handle.close();
    await work();
  } finally {
    const gone = once(holder, 'exit');
    holder.kill();
    await gone;
  }
}

async function assertHeldByDesktop(desk: Desk, program: RegExp): Promise<void> {
  const refused = await desk.lock('mine');
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
    name: 'Lock while LibreOffice on another machine holds the file: 409, desktop:…, program and person',
    async run(ground) {
      const desk = await ground.desk();
      const lockFile = await putBeside(ground, desk, '.~lock.minutes.docx#', libreOfficeLock('desk-7'));
      await assertHeldByDesktop(desk, /LibreOffice/);
      await rm(lockFile);
      assert.equal((await desk.lock('mine')).status, 200);
    },
  },
  {
    name: 'Lock while a LibreOffice lock file of this machine has no process behind it: 200',
    async run(ground) {
      const desk = await ground.desk();
      await putBeside(ground, desk, '.~lock.minutes.docx#', libreOfficeLock(hostname()));
      assert.equal((await desk.lock('mine')).status, 200);
    },
  },
  ...(['warn', 'ignore'] as const).map((value) => ({
    name: `Lock while LibreOffice holds the file, setting ${value}: 200`,
    async run(ground: Ground) {
      const desk = await ground.desk();
      await putBeside(ground, desk, '.~lock.minutes.docx#', libreOfficeLock('desk-7'));
      await withSettings(ground, { desktopLocks: value }, async () =>
        assert.equal((await desk.lock('mine')).status, 200),
      );
    },
  })),
  ...wordNames.map(([name, ownerFile]) => ({
    name: `Lock of ${name} while Microsoft Office holds ${ownerFile} open: 409, desktop:…, program and person`,
    async run(ground: Ground) {
      const desk = await ground.desk({ name });
      const path = await putBeside(ground, desk, ownerFile, officeOwner('Ana Novak'));
      await heldOpen(path, async () => assertHeldByDesktop(desk, /Office|Word|Excel/));
    },
  })),
  {
    name: 'Lock while a Microsoft Office owner file is held open by nobody: 200',
    async run(ground) {
      const desk = await ground.desk({ name: 'memo.docx' });
      await putBeside(ground, desk, '~$memo.docx', officeOwner('Ana Novak'));
      assert.equal((await desk.lock('mine')).status, 200);
    },
  },
  {
    name: 'A desktop lock that comes after the own lock disturbs neither refresh nor save',
    async run(ground) {
      const desk = await ground.desk();
      assert.equal((await desk.lock('mine')).status, 200);
      await putBeside(ground, desk, '.~lock.minutes.docx#', libreOfficeLock('desk-7'));
      assert.equal((await desk.refreshLock('mine')).status, 200);
      assert.equal((await desk.put('mine', 'edited')).status, 200);
      assert.equal((await desk.unlock('mine')).status, 200);
    },
  },
];
