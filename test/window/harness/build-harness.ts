// Builds the renderer with the harness loaded before it, and serves it with the app's content security policy.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../../app/desktop/protocol.ts';
import { listen, type Site } from '../../listen.ts';

const projectRoot = join(import.meta.dirname, '..', '..', '..');

const entry = join(projectRoot, 'renderer', 'window', 'main.tsx');

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

async function buildHarness(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: join(projectRoot, 'renderer', 'window'),
    base: './',
    logLevel: 'error',
    plugins: [
      react(),
      {
        name: 'harness',
        enforce: 'pre',
        resolveId: (source, importer) =>
          source === 'react-dom/client' && importer === entry ? join(import.meta.dirname, 'root.ts') : null,
        transformIndexHtml: {
          order: 'pre',
          handler: (html) =>
            html.replace(
              '<script type="module"',
              `<script type="module" src="/@fs/${join(import.meta.dirname, 'main.ts')}"></script>\n    <script type="module"`,
            ),
        },
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome140',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
}

/** Longer than a build on a busy computer. */
const buildLimitMs = 120_000;

/** Built once for all files of a test run; a file that runs without the runner builds its own. */
async function builtHarness(): Promise<{ folder: string; remove(): Promise<void> }> {
  const sharedRoot = process.env['DOCTRAY_TEST_RUN'];
  if (sharedRoot === undefined) {
    const own = await mkdtemp(join(tmpdir(), 'doctray-window-'));
    await buildHarness(own);
    return { folder: own, remove: async () => rm(own, { recursive: true, force: true }) };
  }
  const folder = join(sharedRoot, 'window-harness');
  const building = `${folder}-building`;
  const endsAtMs = Date.now() + buildLimitMs;
  while (!existsSync(folder)) {
    if (await isOurs(building)) {
      try {
        await buildHarness(building);
        await rename(building, folder);
      } finally {
        await rm(building, { recursive: true, force: true });
      }
    } else if (Date.now() > endsAtMs) throw new Error(`No test file has built ${folder} in time.`);
    else await pause(50);
  }
  return { folder, remove: async () => undefined };
}

/** Creates the folder. False if another file has created it, which is then building. */
async function isOurs(building: string): Promise<boolean> {
  try {
    await mkdir(building);
    return true;
  } catch {
    return false;
  }
}

export async function startHarnessSite(): Promise<Site> {
  const { folder, remove } = await builtHarness();
  const { url, close } = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://harness');
    const path = normalize(join(folder, pathname === '/' ? 'index.html' : pathname));
    const type = types[extname(path)];
    if (!path.startsWith(folder) || type === undefined) {
      // browsers request /favicon.ico automatically
      response.writeHead(204).end();
      return;
    }
    readFile(path).then(
      (body) =>
        response
          .writeHead(200, {
            'content-type': type,
            'content-security-policy': contentSecurityPolicy,
            ...(pathname.startsWith('/assets/') && { 'cache-control': 'max-age=3600' }),
          })
          .end(body),
      () => response.writeHead(404).end(),
    );
  });
  return {
    url,
    close: async () => {
      await close();
      await remove();
    },
  };
}
