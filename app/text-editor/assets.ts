// The built script and style of the text editor. When DocTray runs from the sources, they may still be building when the first
// document opens; requests wait for that.

import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';

export interface TextEditorBuild {
  folder: string;
  /** Brings the folder up to date; resolves with the reason if that failed. Absent: the folder is up to date. */
  build?: () => Promise<string | undefined>;
}

export interface TextEditorAsset {
  type: string;
  content: Buffer;
  /** Changes with the content. */
  etag: string;
  /** The name changes with the content. */
  isLasting: boolean;
}

export interface TextEditorAssets {
  /** Starts the build, once. Requests wait for it. */
  prepare(): void;
  /** Why there are no assets; undefined if there are. */
  fault(): Promise<string | undefined>;
  /** @throws AppError not-found */
  read(name: string): Promise<TextEditorAsset>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** No path and no dot file. */
const namePattern = /^[a-z0-9_-][a-z0-9_.-]*$/iu;
/** As the bundler names its chunks: `markdown-B1x9_aQz.js`. */
const hashedName = /-[\w-]{8}\.[a-z0-9]+$/u;

export function createTextEditorAssets(
  deps: TextEditorBuild & { log: Pick<Logger, 'warn'> },
): TextEditorAssets {
  const { folder, log } = deps;
  let building: Promise<string | undefined> | undefined;

  const build = async (): Promise<string | undefined> => {
    let fault: string | undefined;
    try {
      fault = await deps.build?.();
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    if (fault !== undefined) log.warn({}, `The text editor couldn’t be built: ${fault}`);
    return fault;
  };
  const built = (): Promise<string | undefined> => (building ??= build());

  return {
    prepare: () => void built(),

    async fault() {
      const failed = await built();
      const isThere = await stat(join(folder, 'text-editor.js')).then(
        (stats) => stats.isFile(),
        () => false,
      );
      // An older build is better than none.
      return isThere ? undefined : (failed ?? 'Its files are missing.');
    },

    async read(name) {
      const { [extname(name)]: type } = types;
      if (type === undefined || !namePattern.test(name)) throw new AppError('not-found');
      await built();
      const path = join(folder, name);
      try {
        const [{ mtimeMs, size }, content] = await Promise.all([stat(path), readFile(path)]);
        const etag = `"${Math.round(mtimeMs).toString(36)}-${size.toString(36)}"`;
        return { type, content, etag, isLasting: hashedName.test(name) };
      } catch (error) {
        throw new AppError('not-found', { cause: error });
      }
    },
  };
}
