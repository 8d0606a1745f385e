// The help pages from docs/help, for any client. They are the same for all users, and only listed pages are served.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Router from '@koa/router';
import { AppError, errorCode } from '../../contract/errors.ts';
import type { RequestState } from '../request-state.ts';

const pages: ReadonlySet<string> = new Set([
  'start',
  'text-editor',
  'onlyoffice',
  'collabora',
  'network',
  'linux-window',
  'troubleshooting',
]);

const style = `:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.25; } h2 { margin-top: 2rem; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; background: light-dark(#f0f1f3, #2a2c30); border-radius: 4px; }
code { padding: 0.1em 0.3em; } pre { padding: 0.8em 1em; overflow-x: auto; } pre code { padding: 0; }
nav a { margin-right: 1rem; }
`;
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
};

export interface HelpRoutesDeps {
  /** The folder of the texts, in Markdown. */
  helpFolder: string;
  /** The licenses of all packages, which a build collects. */
  licensesFile: string;
}

const noLicenses = 'From the sources, run “npm run build” to collect the licenses in out/licenses.txt.\n';

export function createHelpRoutes({ helpFolder, licensesFile }: HelpRoutesDeps): Router<RequestState> {
  const router = new Router<RequestState>();

  router.get('/help/style.css', (context) => {
    context.state.operation = 'HelpPage';
    context.set(headers);
    context.type = 'text/css';
    context.body = style;
  });

  router.get('/help', (context) => {
    context.state.operation = 'HelpPage';
    context.redirect('/help/start');
  });

  router.get('/help/licenses', async (context) => {
    context.state.operation = 'HelpPage';
    context.set(headers);
    context.type = 'text/plain; charset=utf-8';
    context.body = await readFile(licensesFile, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return noLicenses;
      throw error;
    });
  });

  router.get('/help/:page', async (context) => {
    context.state.operation = 'HelpPage';
    const { page = '' } = context.params;
    if (!pages.has(page)) throw new AppError('not-found');
    const text = await readFile(join(helpFolder, `${page}.md`), 'utf8');
    const { marked } = await import('marked');
    const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Help';
    context.set(headers);
    context.type = 'text/html; charset=utf-8';
    context.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – DocTray</title>
<link rel="icon" href="../host-page/icon.svg">
<link rel="stylesheet" href="style.css">
<nav><a href="start">Getting started</a><a href="text-editor">Text editor</a><a href="onlyoffice">ONLYOFFICE</a><a href="collabora">Collabora</a><a href="network">Network</a><a href="troubleshooting">Troubleshooting</a></nav>
<main>
${await marked.parse(text)}</main>
</html>
`;
  });
  return router;
}
