// The host pages' own script and style, the same for all users. Types are stripped from the sources on request; a built app
// contains plain scripts.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Amaro from 'amaro';
import { AppError } from '../../contract/errors.ts';

export interface Asset {
  type: string;
  content: Buffer;
}

export interface Assets {
  /** @throws AppError not-found */
  read(name: string): Promise<Asset>;
  /** Names of all scripts: a page that lists them all needn't load them one after the other. */
  scripts(): Promise<readonly string[]>;
}

const types: Readonly<Record<string, string>> = {
  ts: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
/** In a variable so that bundlers don't follow it: the built app has nothing to strip, and doesn't include the package. */
const stripper: string = 'amaro';
const loadAmaro = async () => (await import(stripper)) as typeof Amaro;

/** No path, no dot file, no configuration. */
const namePattern = /^[a-z0-9-]+\.(ts|css|svg)$/u;

/** @param deps.isBuilt the folder contains scripts that browsers can run as they are */
export function createAssets(deps: { folder: string; isBuilt: boolean }): Assets {
  let scripts: Promise<readonly string[]> | undefined;
  const stripped = new Map<string, { source: string; content: Buffer }>();

  const strip = async (name: string, source: string): Promise<Buffer> => {
    const known = stripped.get(name);
    if (known?.source === source) return known.content;
    const { transformSync } = await loadAmaro();
    const content = Buffer.from(transformSync(source, { mode: 'strip-only', filename: name }).code);
    stripped.set(name, { source, content });
    return content;
  };

  const list = async (): Promise<readonly string[]> => {
    const names = await readdir(deps.folder).catch(() => []);
    return names.filter((name) => namePattern.exec(name)?.[1] === 'ts');
  };

  const read = async (name: string): Promise<Asset> => {
    const extension = namePattern.exec(name)?.[1] ?? '';
    const type = types[extension];
    if (type === undefined) throw new AppError('not-found');
    let content;
    try {
      content = await readFile(join(deps.folder, name));
    } catch (error) {
      throw new AppError('not-found', { cause: error });
    }
    const isSource = extension === 'ts' && !deps.isBuilt;
    return { type, content: isSource ? await strip(name, content.toString('utf8')) : content };
  };

  return { read, scripts: () => (scripts ??= list()) };
}
