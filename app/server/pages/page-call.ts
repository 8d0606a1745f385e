// What browsers send to the host pages: a cookie, a form, small JSON bodies. All of it is untrusted.

import type { IncomingMessage } from 'node:http';
import type { AccessMode } from '../../store/access-tokens.ts';
import { AppError } from '../../contract/errors.ts';
import { readBodyText, readJsonText, requireType } from '../body-text.ts';

/** Body of a JSON call: an object that isn't validated yet. */
export type Body = Readonly<Record<string, unknown>>;

const cookieName = 'doctray-page';
const maxCookies = 8;

/** All values of that cookie name: another program on the same host name may have set one too. */
export function pageCookies(header: string | undefined): string[] {
  const values: string[] = [];
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.split('=', 2);
    if (name?.trim() === cookieName && values.length < maxCookies) values.push(value.trim());
  }
  return values;
}

/**
 * The Set-Cookie values for both pages of a document; `value` undefined removes the cookie.
 * @param base address of the host as the browser sees it
 */
export function setPageCookies(base: string, fileId: string, value: string | undefined): string[] {
  const { protocol, pathname } = new URL(base);
  const prefix = pathname.replace(/\/+$/u, '');
  // Lax, since links on other sites may lead here; calls that change something require more than the cookie.
  const rest = `HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  return ['edit', 'view'].map((way) => {
    const path = `Path=${prefix}/${way}/${fileId}`;
    return `${cookieName}=${value ?? ''}; ${path}; ${value === undefined ? 'Max-Age=0; ' : ''}${rest}`;
  });
}

/** The ticket in a link. */
export function ticketOf({ url = '' }: IncomingMessage): string | undefined {
  const query = url.indexOf('?');
  return query < 0 ? undefined : (new URLSearchParams(url.slice(query)).get('ticket') ?? undefined);
}

/** A browser that prefetches a page. */
export function isPrefetch({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers['purpose']].some((value) => String(value).includes('prefetch'));
}

/** @throws AppError invalid-argument */
export function modeOf({ mode }: Body): AccessMode | undefined {
  if (mode === undefined || mode === 'edit' || mode === 'view') return mode;
  throw new AppError('invalid-argument', { detail: 'mode must be edit or view' });
}

/** @throws AppError body-too-large, unsupported-media-type, malformed-json */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  requireType(request, 'application/x-www-form-urlencoded');
  return new URLSearchParams(await readBodyText(request));
}

/** @throws AppError as `readForm` */
export async function readObject(request: IncomingMessage): Promise<Body> {
  const value = await readJsonText(request);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('malformed-json');
  return { ...value };
}
