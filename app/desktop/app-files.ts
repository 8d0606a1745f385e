// The window's files by their addresses, listed once. An address is looked up in the list and never turned into a path, so
// no spelling of one leads out of the folder.

import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { appOrigin } from './app-address.ts';

export interface AppFile {
  path: string;
  contentType: string;
}

/** By whole address, such as `app://doctray/assets/main.js`. */
export type AppFiles = ReadonlyMap<string, AppFile>;

/** What a window is made of; nothing else that should lie in the folder is served. */
const contentTypes: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** Such a name is the same in an address; another would have several spellings. */
const plainName = /^[\w.-]+$/;

export async function listAppFiles(folder: string): Promise<AppFiles> {
  const files = new Map<string, AppFile>();
  await addFolder(files, folder, `${appOrigin}/`);
  return files;
}

async function addFolder(files: Map<string, AppFile>, folder: string, address: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const contentType = contentTypes[extname(entry.name)];
    if (!plainName.test(entry.name)) continue;
    // a link is neither, wherever it leads
    if (entry.isDirectory()) await addFolder(files, path, `${address}${entry.name}/`);
    else if (entry.isFile() && contentType !== undefined)
      files.set(address + entry.name, { path, contentType });
  }
}
