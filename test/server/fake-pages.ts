// A minimal build output of the pages, for hosts whose pages aren't run in a browser.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const fakeScript = 'export const isBuilt = true;\n';

/** @param folder created if it's missing */
export async function writeFakePages(folder: string): Promise<void> {
  const files = {
    'host-page/host-page.js': fakeScript,
    'host-page/host-page.css': 'body { margin: 0 }\n',
    'host-page/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
    'text-editor/text-editor.js': fakeScript,
    'text-editor/text-editor.css': 'body { margin: 0 }\n',
    'window/window.js': fakeScript,
    'window/window.css': 'body { margin: 0 }\n',
    'window/index.html': '<!doctype html>\n<title>DocTray</title>\n',
    'text-editor/preview.html': '<!doctype html>\n<title>Preview</title>\n',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
