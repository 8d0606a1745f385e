// The host's own pages for a browser: where HostEditUrl, HostViewUrl and CloseUrl lead. They show no document and need no
// sign-in: nothing on them depends on who asks or on whether the document exists.

import Router from '@koa/router';
import type { Context } from 'koa';
import type { RequestState } from '../request-state.ts';

export function createPagesRoutes(): Router<RequestState> {
  const router = new Router<RequestState>();
  router.get(['/edit/:id', '/view/:id'], (context) => {
    context.state.operation = 'HostPage';
    sendPage(
      context,
      501,
      'This address has no page of its own',
      'DocTray gives this document to an editor (ONLYOFFICE Docs, Collabora Online, Office Online Server) that opens it by ' +
        'its WOPI address. On the machine that runs DocTray, "open FILE" prints that address and a token for it.',
    );
  });
  router.get('/closed', (context) => {
    context.state.operation = 'HostPage';
    sendPage(context, 200, 'The document is closed', 'You can close this tab.');
  });
  return router;
}

function sendPage(context: Context, status: number, title: string, text: string): void {
  context.status = status;
  context.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy':
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  context.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title} – DocTray</title><h1>${title}</h1><p>${text}</p></html>\n`;
  context.set('Content-Type', 'text/html; charset=utf-8');
}
