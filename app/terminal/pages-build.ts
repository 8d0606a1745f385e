// The browser pages of a host in the terminal. In a source checkout they are built in the background while the host serves; the
// first document to be opened waits for them.

import { join } from 'node:path';
import type { PagesBuild } from '../server/pages/built-pages.ts';
import { findProjectRoot, isFromSources } from '../project-root.ts';

export function pagesBuild(env: NodeJS.ProcessEnv): PagesBuild {
  const projectRoot = findProjectRoot();
  const folder = join(projectRoot, 'out');
  if (!isFromSources()) return { folder };
  return {
    folder,
    async build(page) {
      const { buildPage } = await import('./start-build.ts');
      return buildPage(page, { projectRoot, nodePath: process.execPath, env });
    },
  };
}
