// Bundles the desktop app and the command line: the main process as ES modules, and the preload script as the one CommonJS file a sandboxed process can
// load. npm packages of the main process stay outside. The window's page is built by pages.vite.config.ts.

import { defineConfig } from 'electron-vite';
import { cp } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const projectRoot = join(import.meta.dirname, '..');
/** The packages in a bundle, for build/licenses.ts. */
const license = { fileName: '.vite/licenses.json' };

/** Pictures that the main process opens as files, beside its own folder. */
function filesBeside(): Plugin {
  let out = '';
  return {
    name: 'files-beside',
    configResolved({ root, build }) {
      out = dirname(resolve(root, build.outDir));
    },
    async writeBundle() {
      await cp(join(projectRoot, 'build', 'tray'), join(out, 'tray'), { recursive: true });
      await cp(join(projectRoot, 'build', 'icons', 'png', '512x512.png'), join(out, 'icon.png'));
    },
  };
}

export default defineConfig({
  main: {
    root: projectRoot,
    plugins: [filesBeside()],
    build: {
      emptyOutDir: true,
      license,
      // The npm package runs on Node 22.
      target: 'node22',
      minify: false,
      rolldownOptions: {
        input: { main: join(projectRoot, 'app', 'main.ts'), cli: join(projectRoot, 'app', 'cli.ts') },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    root: projectRoot,
    build: {
      emptyOutDir: true,
      license,
      target: 'node24',
      minify: false,
      // a sandboxed preload script can require nothing but Electron
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: join(projectRoot, 'app', 'desktop', 'preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
});
