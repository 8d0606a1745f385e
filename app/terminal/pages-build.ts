// The pages for browsers of a host in the terminal. From the sources they are built in the background at the start: the host
// serves, and the first document waits for them.

import { join } from 'node:path';
import type { PagesBuild } from '../server/pages/built-pages.ts';
import { findProjectRoot } from '../project-root.ts';

export function pagesBuild(env: NodeJS.ProcessEnv): PagesBuild {
  const projectRoot = findProjectRoot();
  return {
    folder: join(projectRoot, 'out'),
    async build(page) {
      const { buildPage } = await import('./start-build.ts');
      return buildPage(page, { projectRoot, nodePath: process.execPath, env });
    },
  };
}
