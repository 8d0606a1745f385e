// DeleteFile moves to the user's trash. The runner gives every test a home of its own; a file that is run without it gets a folder.

import { after, before } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function useOwnTrash(): void {
  if (process.env['DOCTRAY_TEST_RUN'] !== undefined) return;
  const usual = process.env['XDG_DATA_HOME'];
  let trash = '';

  before(async () => {
    trash = await mkdtemp(join(tmpdir(), 'doctray-trash-'));
    process.env['XDG_DATA_HOME'] = trash;
  });
  after(async () => {
    if (usual === undefined) delete process.env['XDG_DATA_HOME'];
    else process.env['XDG_DATA_HOME'] = usual;
    await rm(trash, { recursive: true, force: true });
  });
}
