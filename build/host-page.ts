// Makes the browser side of the host pages ready to be served as it is: the modules keep their names and lose their types,
// the rest is copied. Nothing is bundled.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformSync } from 'amaro';

export const hostPageSources = join(import.meta.dirname, '..', 'app', 'host-page');

/** The module as a browser takes it; lines and columns stay those of the source. */
export function stripped(source: string): string {
  return transformSync(source, { mode: 'strip-only' }).code;
}

/** What a browser asks for, without what is only for the compiler. */
function isServed(name: string): boolean {
  return /\.(ts|css|svg)$/.test(name) && !name.endsWith('.d.ts');
}

/** @param output a folder that holds nothing else; it is made anew */
export async function buildHostPage(output: string): Promise<string[]> {
  const names = (await readdir(hostPageSources)).filter(isServed);
  await rm(output, { recursive: true, force: true });
  await mkdir(output, { recursive: true });
  for (const name of names) {
    const source = await readFile(join(hostPageSources, name), 'utf8');
    await writeFile(join(output, name), name.endsWith('.ts') ? stripped(source) : source);
  }
  return names;
}
