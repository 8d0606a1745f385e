// Bundles the built-in text editor for browsers into out/text-editor: text-editor.js with its chunks, text-editor.css, and preview.html
// with its script. The script of the preview is a classic one: its frame has no origin, and a module would need CORS.

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { build, defineConfig, type Plugin } from 'vite';

const projectRoot = join(import.meta.dirname, '..');
const sources = join(projectRoot, 'renderer', 'text-editor');
const target = ['chrome120', 'edge120', 'firefox128', 'safari17.5'];

/** The frame that previews a .docx, beside the editor's own bundle. */
function docxPreview(): Plugin {
  let out = '';
  return {
    name: 'docx-preview-frame',
    configResolved(config) {
      out = config.build.outDir;
    },
    async closeBundle() {
      await build({
        configFile: false,
        root: sources,
        logLevel: 'warn',
        build: {
          outDir: out,
          emptyOutDir: false,
          target,
          lib: {
            entry: join(sources, 'preview.ts'),
            formats: ['iife'],
            name: 'doctrayPreview',
            fileName: () => 'preview.js',
          },
        },
      });
      await cp(join(sources, 'preview.html'), join(out, 'preview.html'));
    },
  };
}

export default defineConfig({
  root: sources,
  base: '/assets/',
  plugins: [docxPreview()],
  build: {
    outDir: join(projectRoot, 'out', 'text-editor'),
    emptyOutDir: true,
    target,
    minify: true,
    cssCodeSplit: false,
    // the content security policy has no data: addresses
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: {
      input: { 'text-editor': join(sources, 'main.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunk-[name]-[hash].js',
        assetFileNames: 'text-editor[extname]',
      },
    },
  },
});
