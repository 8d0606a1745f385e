// Reads which contents a host still has in versions and recovered saves.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHost } from '../server/test-host.ts';
import { contentOf } from './contents.ts';

/**
 * Reads the kept bytes from disk, or restores all of them as a user does. Empties the trash and the list of recovered saves, which
 * would grow with each sequence. A missing document lists no versions, but their files must be there in case it's restored from
 * the trash.
 */
export async function recover(
  test: TestHost,
  ids: readonly string[],
  { how, trashedFiles }: { how: 'read' | 'restore'; trashedFiles: string },
): Promise<Set<string>> {
  const { dataDir, host } = test;
  const found = new Set<string>();
  for (const name of existsSync(trashedFiles) ? readdirSync(trashedFiles) : []) {
    found.add(contentOf(readFileSync(join(trashedFiles, name))));
    rmSync(join(trashedFiles, name));
  }
  for (const id of ids) {
    const kept = join(dataDir, 'versions', id);
    const isThere = (await host.services.folder()!.find(id)) !== undefined;
    const trashed = !isThere && existsSync(kept) ? readdirSync(kept) : [];
    const versionIds = isThere ? host.services.versions.list(id).map((version) => version.id) : trashed;
    for (const versionId of versionIds) found.add(contentOf(readFileSync(join(kept, versionId))));
  }
  const recovered = host.services.recoveredSaves.list().filter((save) => ids.includes(save.fileId));
  for (const save of recovered) {
    if (how === 'restore') {
      const path = await host.services.recoveredSaves.restore(save.id);
      found.add(contentOf(readFileSync(join(test.folder, path))));
    } else {
      const name = readdirSync(join(dataDir, 'rescued')).find((one) => one.startsWith(save.id));
      found.add(contentOf(readFileSync(join(dataDir, 'rescued', name!))));
      await host.services.recoveredSaves.discard(save.id);
    }
  }
  if (how === 'restore') await restoreVersions(test, ids, found);
  return found;
}

/** Restores every version as the document once, and checks what is then on disk. */
async function restoreVersions(test: TestHost, ids: readonly string[], found: Set<string>): Promise<void> {
  const { versions, folder, locks } = test.host.services;
  for (const id of ids) {
    if ((await folder()!.find(id)) === undefined) continue;
    await locks.forceClear(id, 'owner').catch(() => undefined);
    for (const { id: versionId } of versions.list(id)) {
      const expected = contentOf(readFileSync(join(test.dataDir, 'versions', id, versionId)));
      const { path } = await versions.restore(id, versionId, 'owner');
      assert.equal(contentOf(readFileSync(join(test.folder, path))), expected, 'a restored version');
      found.add(expected);
    }
  }
}
