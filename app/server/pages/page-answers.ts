// How the host pages answer: pages in words, JSON for the page's script, and the way on.

import type { Context } from 'koa';
import type { AppError } from '../../contract/errors.ts';
import { pageHeaders } from './csp.ts';
import { wordsPage, type RootPath } from './html.ts';

const howToConnect =
  'On the computer that runs DocTray, open Settings, then Editors, and connect a document server for this type. Then reload this page.';

export function sendHtml(context: Context, status: number, html: string, headers = pageHeaders()): void {
  context.status = status;
  context.set(headers);
  context.body = html;
  context.set('Content-Type', 'text/html; charset=utf-8');
}

export function sendFailureInWords(context: Context, error: AppError, root: RootPath): void {
  const texts = error.code === 'no-editor' ? [error.message, howToConnect] : [error.message];
  sendHtml(context, error.status, wordsPage({ title: titleOf(error), texts, root }));
}

function titleOf({ code }: AppError): string {
  if (code === 'no-editor') return 'No editor opens this document';
  if (code === 'file-missing' || code === 'not-found') return 'There is no such document';
  if (code === 'paused') return 'DocTray is paused';
  return 'The document cannot be opened';
}

/** @param location relative, so that a path before the pages (a proxy's) makes no difference */
export function sendAway(context: Context, location: string): void {
  context.status = 303;
  context.set(pageHeaders());
  context.set('Location', location);
  context.body = '';
}

export function sendJson(context: Context, status: number, body: object): void {
  context.status = status;
  context.body = JSON.stringify(body);
  context.set('Content-Type', 'application/json; charset=utf-8');
}
