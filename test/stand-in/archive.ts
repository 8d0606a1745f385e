// Node can't read asar files, so the archive is unpacked next to Chromium's profile, together with the files that electron-builder left
// outside of it, and removed with that folder.

import { registerHooks } from 'node:module';
import { join } from 'node:path';

export async function openArchive(archive: string, folder: string): Promise<string> {
  // In Electron, the asar package uses original-fs to bypass Electron's asar support, which Node doesn't have.
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'original-fs' ? 'node:fs' : specifier, context),
  });
  const { extractAll } = await import('@electron/asar');
  const target = join(folder, 'app.asar');
  extractAll(archive, target);
  return target;
}
