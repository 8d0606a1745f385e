// How the host pages respond: pages with a message, JSON for the page's script, and redirects.

import type { Context } from 'koa';
import type { AppError } from '../../contract/errors.ts';
import { isSwitchedOff } from '../../editors/choose-for-file.ts';
import type { RequestState } from '../request-state.ts';
import type { PageFile } from './built-pages.ts';
import { pageHeaders } from './csp.ts';
import { textPage, type RootPath } from './html.ts';
import { pageLanguage, type PageLanguage } from './page-language.ts';

/** What to do about a missing editor, for the owner and for everyone else. */
const howTo = {
  connect: {
    owner:
      'On the computer that runs DocTray, open Settings, then Editors, and connect a document server for this type. Then reload this page.',
    other: 'Ask the owner of this DocTray to connect a document server for this type. Then reload this page.',
  },
  switchOn: {
    owner:
      'Switch on the text editor on the computer that runs DocTray: in Settings → Editors, or with the setting textEditor. Or connect a document server for this type there. Then reload this page.',
    other:
      'Ask the owner of this DocTray to switch on the text editor or to connect a document server for this type. Then reload this page.',
  },
} as const;

/** For users who can't force-clear a lock. */
const heldText =
  'The document is being edited. Close it in the editor, or ask the owner of this DocTray to force-clear its lock.';

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

export async function sendFailurePage(
  context: Context & { state: RequestState },
  error: AppError,
  root: RootPath,
): Promise<void> {
  const language = await pageLanguage(context.headers['accept-language']);
  const texts = failureTexts(error, context.state.isOwner === true).map(language.translated);
  const title = titleOf(error, language);
  const { id } = context['params'] as Record<string, string | undefined>;
  if (error.code === 'no-editor' && id !== undefined) {
    const html = textPage({ title, texts, root, language, download: `${id}/download` });
    sendHtml(context, error.status, html, pageHeaders({ forms: ['self'] }));
  } else sendHtml(context, error.status, textPage({ title, texts, root, language }));
}

/** What happened, and what to do. */
export function failureTexts(error: AppError, isOwner: boolean): string[] {
  if (error.code === 'file-locked' && !isOwner)
    return [heldText, ...(error.detail === undefined ? [] : [error.detail])];
  if (error.code !== 'no-editor') return [error.message];
  const what = isSwitchedOff(error) ? 'switchOn' : 'connect';
  return [error.message, howTo[what][isOwner ? 'owner' : 'other']];
}

function titleOf({ code }: AppError, { t }: PageLanguage): string {
  if (code === 'no-editor') return t('No editor can open this document');
  if (code === 'file-missing' || code === 'not-found') return t('This document doesn’t exist');
  if (code === 'paused') return t('DocTray is paused');
  return t('This document can’t be opened');
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
