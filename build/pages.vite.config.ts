// Bundles a page into out/: `vite build --mode host-page`, `--mode text-editor`, or `--mode window`, which the app's window and the
// dashboard in a browser share. The names that the host's HTML contains are fixed; only other chunks have a hash in their name.

import react from '@vitejs/plugin-react';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defineConfig, type PluginOption, type UserConfig, type Plugin } from 'vite';

const projectRoot = join(import.meta.dirname, '..');
/** The packages in a bundle, for build/licenses.ts. */
const licenses = (name: string) => ({ fileName: `.vite/licenses${name}.json` });
const target = ['chrome120', 'edge120', 'firefox128', 'safari17.5'];

export default defineConfig(({ mode }) => {
  switch (mode) {
    case 'host-page':
      return pageConfig(mode, {
        entry: 'main.ts',
        base: './',
        plugins: [latinLetters(), messages('page'), copied(mode, 'icon.svg'), react()],
      });
    case 'text-editor':
      return pageConfig(mode, {
        entry: 'main.ts',
        base: '/assets/',
        plugins: [latinLetters(), messages('editor'), copied(mode, 'preview.html'), docxPreview(), react()],
      });
    case 'window':
      return pageConfig(mode, {
        entry: 'index.html',
        base: './',
        plugins: [
          latinLetters(),
          messages('window', 'setting', 'host', 'error', 'recovered', 'request', 'status'),
          react(),
        ],
      });
    default:
      throw new Error(`--mode must be host-page, text-editor or window, not ${mode}.`);
  }
});

function pageConfig(
  page: string,
  { entry, base, plugins }: { entry: string; base: string; plugins: PluginOption[] },
): UserConfig {
  const root = join(projectRoot, 'renderer', page);
  return {
    root,
    base,
    plugins,
    build: {
      outDir: join(projectRoot, 'out', page),
      emptyOutDir: true,
      license: licenses(''),
      target,
      minify: true,
      cssCodeSplit: false,
      // the content security policy has no data: addresses
      assetsInlineLimit: 0,
      modulePreload: false,
      assetsDir: '',
      rolldownOptions: {
        input: { [page]: join(root, entry) },
        output: {
          entryFileNames: '[name].js',
          // The HTML preloads what draws a page around a document.
          chunkFileNames: ({ name }) => (name === 'page' ? 'page.js' : 'chunk-[name]-[hash].js'),
          // a font with a hash may be cached for good
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.woff2')) ? '[name]-[hash][extname]' : `${page}[extname]`,
        },
      },
    },
  };
}

/** Leaves the font's Latin letters, which mix within a word. Words in other scripts look right in the system's font. */
function latinLetters(): Plugin {
  return {
    name: 'latin-letters',
    enforce: 'pre',
    transform: {
      filter: { id: /\/@fontsource-variable\/inter\/wght\.css$/u },
      handler: (css) => css.replaceAll(/\/\* inter-(?:cyrillic|greek)[^]*?\}\n/gu, ''),
    },
  };
}

/** Leaves the messages that the page can show: those whose keys begin with one of its groups. No module may use another. */
function messages(...own: string[]): Plugin {
  const groups = [...own, 'kit', 'common', 'shared'];
  const known = JSON.parse(readFileSync(join(projectRoot, 'locales', 'en.json'), 'utf8')) as object;
  const isShown = (key: string): boolean => groups.includes(key.split('.')[0] ?? '');
  return {
    name: 'messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(?:locales\/[a-z]+\.json|(?:app|renderer)\/.+\.tsx?)$/u },
      handler(source, id) {
        if (id.endsWith('.json')) {
          const catalog = Object.entries(JSON.parse(source) as object);
          return JSON.stringify(Object.fromEntries(catalog.filter(([key]) => isShown(key))));
        }
        for (const [, key = ''] of source.matchAll(/['"]([a-z]+\.[a-z\d.-]+)['"]/gu)) {
          if (Object.hasOwn(known, key) && !isShown(key))
            this.error(`${id}: ${key} isn’t among ${groups.join(', ')}.`);
        }
        return undefined;
      },
    },
  };
}

/** A file that the page needs as it is. */
function copied(page: string, fileName: string): Plugin {
  return {
    name: `copied-${fileName}`,
    generateBundle() {
      const source = readFileSync(join(projectRoot, 'renderer', page, fileName));
      this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** The script of the frame that previews a .docx. It is a classic one: the frame has no origin, and a module would need CORS. */
function docxPreview(): Plugin {
  const root = join(projectRoot, 'renderer', 'text-editor');
  let outDir = '';
  return {
    name: 'docx-preview-frame',
    configResolved(config) {
      ({ outDir } = config.build);
    },
    async closeBundle() {
      await build({
        configFile: false,
        root,
        logLevel: 'warn',
        build: {
          outDir,
          emptyOutDir: false,
          license: licenses('-preview'),
          target,
          lib: {
            entry: join(root, 'preview.ts'),
            formats: ['iife'],
            name: 'doctrayPreview',
            fileName: () => 'preview.js',
          },
        },
      });
    },
  };
}
