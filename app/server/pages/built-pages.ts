// The built scripts and styles of the pages for browsers. When DocTray runs from the sources, they may still be building when the
// first document opens; requests wait for that.

import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import { t } from '../../contract/messages.ts';
import { speaking } from '../../languages.ts';
import type { Logger } from '../../log/logger.ts';

/** `host-page` frames an editor, `text-editor` is the built-in one, `window` is what the app's window and the dashboard show. */
export type PageName = 'host-page' | 'text-editor' | 'window';

export interface PagesBuild {
  /** Has a folder for each page. */
  folder: string;
  /** Brings a page's folder up to date; resolves with the reason if that failed. Absent: the folders are up to date. */
  build?: (page: PageName) => Promise<string | undefined>;
}

export interface PageFile {
  type: string;
  content: Buffer;
  /** Changes with the content. */
  etag: string;
  /** The name changes with the content. */
  isLasting: boolean;
}

export interface BuiltPage {
  /** Starts the build, once. Requests wait for it. */
  prepare(): void;
  /** Why the page can't be shown. */
  fault(): Promise<string | undefined>;
  /** @throws AppError not-found */
  read(name: string): Promise<PageFile>;
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const pageTitles: Readonly<Record<PageName, string>> = {
  'host-page': 'host page',
  'text-editor': 'text editor',
  window: 'window',
};
/** No path and no dot file. */
const namePattern = /^[a-z0-9_-][a-z0-9_.-]*$/iu;
/** The bundler names chunks like `markdown-B1x9_aQz.js`. */
const hashedName = /-[\w-]{8}\.[a-z0-9]+$/u;

export function createBuiltPage(page: PageName, deps: PagesBuild & { log: Pick<Logger, 'warn'> }): BuiltPage {
  const folder = join(deps.folder, page);
  let building: Promise<string | undefined> | undefined;
  let isReported = false;

  const build = async (): Promise<string | undefined> => {
    let fault: string | undefined;
    try {
      // In English, for the log and like the bundler's own errors.
      fault = await speaking(['en'], () => deps.build?.(page));
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    if (fault !== undefined) deps.log.warn({}, `The ${pageTitles[page]} couldn’t be built: ${fault}`);
    return fault;
  };
  const built = (): Promise<string | undefined> => (building ??= build());

  return {
    prepare: () => void built(),

    async fault() {
      const failed = await built();
      const isThere = await stat(join(folder, `${page}.js`)).then(
        (stats) => stats.isFile(),
        () => false,
      );
      // An older build is better than none.
      if (isThere) return undefined;
      if (failed === undefined && !isReported) {
        isReported = true;
        deps.log.warn(
          { folder },
          `The files of the ${pageTitles[page]} are missing. DocTray may have been updated or removed.`,
        );
      }
      return failed ?? t('host.files-are-missing');
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
