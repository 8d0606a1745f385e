// The built script and style of the text editor, the same for everybody. From the sources they may still be built while the
// first document opens: then that is waited for.

import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { AppError } from '../contract/errors.ts';
import type { Logger } from '../log/logger.ts';

export interface TextEditorBuild {
  folder: string;
  /** Brings the folder up to date. Resolves with the reason where that failed. Absent: it is as it should be. */
  build?: () => Promise<string | undefined>;
}

export interface TextEditorAsset {
  type: string;
  content: Buffer;
  /** Another for another content. */
  etag: string;
  /** Its name changes with its content. */
  isLasting: boolean;
}

export interface TextEditorAssets {
  /** Has them built, once; what is asked for meanwhile waits. */
  prepare(): void;
  /** Why there are none; undefined: they are there. */
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
    if (fault !== undefined) log.warn({}, `The text editor could not be built: ${fault}`);
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
      // An older build does until somebody mends the newer one.
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
