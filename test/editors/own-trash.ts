// DeleteFile moves files to the user's trash. The test runner sets up a separate home folder, but a file can be run without it.

import { after, before } from 'node:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function useOwnTrash(): void {
  if (process.env['DOCTRAY_TEST_RUN'] !== undefined) return;
  const original = process.env['XDG_DATA_HOME'];
  let trash = '';

  before(async () => {
    trash = await mkdtemp(join(tmpdir(), 'doctray-trash-'));
    process.env['XDG_DATA_HOME'] = trash;
  });
  after(async () => {
    if (original === undefined) delete process.env['XDG_DATA_HOME'];
    else process.env['XDG_DATA_HOME'] = original;
    await rm(trash, { recursive: true, force: true });
  });
}
