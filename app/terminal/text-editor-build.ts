// The text editor's built files for a host in the terminal. From the sources they are built in the background at the start: the
// host serves, and the first document waits for them.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TextEditorBuild } from '../text-editor/assets.ts';

export function textEditorBuild(env: NodeJS.ProcessEnv): TextEditorBuild {
  const projectRoot = ownRoot();
  return {
    folder: join(projectRoot, 'out', 'text-editor'),
    async build() {
      const { buildTextEditor } = await import('./start-build.ts');
      return buildTextEditor({ projectRoot, nodePath: process.execPath, env });
    },
  };
}

/** The root of the sources, or of the packed app. */
function ownRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
