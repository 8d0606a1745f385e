// DeleteFile moves to the user's trash: a test file's own.

import { after, before } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function useOwnTrash(): void {
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
