// The text editor's built files for a host in the terminal. From the sources they are built in the background at the start: the
// host serves, and the first document waits for them.

import { join } from 'node:path';
import type { TextEditorBuild } from '../text-editor/assets.ts';
import { findProjectRoot } from './project-root.ts';

export function textEditorBuild(env: NodeJS.ProcessEnv): TextEditorBuild {
  const projectRoot = findProjectRoot();
  return {
    folder: join(projectRoot, 'out', 'text-editor'),
    async build() {
      const { buildTextEditor } = await import('./start-build.ts');
      return buildTextEditor({ projectRoot, nodePath: process.execPath, env });
    },
  };
}
