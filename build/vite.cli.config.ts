// Bundles the terminal's entry for Node 24: our sources become dist/cli.js and the chunks it loads when a command needs
// them; npm packages stay outside (two of them carry native binaries) and are found in node_modules as usual.

import { join } from 'node:path';
import { defineConfig } from 'vite';

const projectRoot = join(import.meta.dirname, '..');

export default defineConfig({
  root: projectRoot,
  logLevel: 'warn',
  build: {
    ssr: 'app/cli.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
  },
});
