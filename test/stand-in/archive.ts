// Node reads no asar: the archive is unpacked beside Chromium's profile, with what electron-builder left outside it, and
// leaves with that folder.

import { join } from 'node:path';

export async function openArchive(archive: string, folder: string): Promise<string> {
  const { extractAll } = await import('@electron/asar');
  const target = join(folder, 'app.asar');
  extractAll(archive, target);
  return target;
}
