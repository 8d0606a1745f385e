// How the host pages respond: pages with a message, JSON for the page's script, and redirects.

import type { Context } from 'koa';
import { messageFor, type AppError } from '../../contract/errors.ts';
import { t } from '../../contract/messages.ts';
import { isSwitchedOff } from '../../editors/choose-for-file.ts';
import type { RequestState } from '../request-state.ts';
import type { PageFile } from './built-pages.ts';
import { pageHeaders } from './csp.ts';
import { textPage, type RootPath } from './html.ts';

export function sendHtml(context: Context, status: number, html: string, headers = pageHeaders()): void {
  context.status = status;
  context.set(headers);
  context.body = html;
  context.set('Content-Type', 'text/html; charset=utf-8');
}

const lastingSeconds = 365 * 24 * 60 * 60;

/** Sends a file of a built page, or 304 if the browser has it. Call it after `context.set(pageHeaders())`. */
export function sendPageFile(context: Context, { type, content, etag, isLasting }: PageFile): void {
  context.set('Cache-Control', isLasting ? `public, max-age=${lastingSeconds}, immutable` : 'no-cache');
  context.set('ETag', etag);
  if (context.headers['if-none-match'] === etag) {
    context.status = 304;
    return;
  }
  context.body = content;
  context.set('Content-Type', type);
}

export function sendFailurePage(
  context: Context & { state: RequestState },
  error: AppError,
  root: RootPath,
): void {
  const texts = failureTexts(error, context.state.isOwner === true);
  const title = titleOf(error);
  const { id } = context['params'] as Record<string, string | undefined>;
  if (error.code === 'no-editor' && id !== undefined) {
    const html = textPage({ title, texts, root, download: `${id}/download` });
    sendHtml(context, error.status, html, pageHeaders({ forms: ['self'] }));
  } else sendHtml(context, error.status, textPage({ title, texts, root }));
}

/** What happened, and what to do. */
export function failureTexts(error: AppError, isOwner: boolean): string[] {
  const message = messageFor('window', error);
  // Others can't force-clear a lock.
  if (error.code === 'file-locked' && !isOwner)
    return [t('web.file-locked'), ...(error.detail === undefined ? [] : [error.detail])];
  if (error.code !== 'no-editor') return [message];
  if (isSwitchedOff(error)) return [message, t(isOwner ? 'web.switch-on' : 'web.ask-to-switch-on')];
  return [message, t(isOwner ? 'web.connect' : 'web.ask-to-connect')];
}

function titleOf({ code }: AppError): string {
  if (code === 'no-editor') return t('web.no-editor-can-open-this');
  if (code === 'file-missing' || code === 'not-found') return t('web.this-document-doesnt-exist');
  if (code === 'paused') return t('web.doctray-is-paused');
  return t('common.this-document-cant-be-opened');
}

/** @param location relative, so that a proxy's path prefix makes no difference */
export function redirectTo(context: Context, location: string): void {
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
