// Node reads no asar: the archive is unpacked beside Chromium's profile, with what electron-builder left outside it, and
// leaves with that folder.

import { registerHooks } from 'node:module';
import { join } from 'node:path';

export async function openArchive(archive: string, folder: string): Promise<string> {
  // Inside Electron the package reads archives past Electron's own view of them; Node has but one.
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'original-fs' ? 'node:fs' : specifier, context),
  });
  const { extractAll } = await import('@electron/asar');
  const target = join(folder, 'app.asar');
  extractAll(archive, target);
  return target;
}
