// `session.webRequest`: only onBeforeRequest, with which the app observes and cancels requests. The others throw.

import type {
  CallbackResponse,
  OnBeforeRequestListenerDetails,
  WebRequest,
  WebRequestFilter,
} from 'electron';

import { strict } from './strict.ts';

export interface BeforeRequest {
  matches: (url: string, type: string) => boolean;
  listener: (details: OnBeforeRequestListenerDetails, callback: (answer: CallbackResponse) => void) => void;
}

export interface WebRequestState {
  facade: WebRequest;
  beforeRequest?: BeforeRequest;
  /** Called after each change, so that open pages start to intercept their requests. */
  onChange: (() => void)[];
}

/** Chromium's match patterns: `*://*.host/*`, `app://*`, `<all_urls>`. */
export function matchesPattern(pattern: string, url: string): boolean {
  if (pattern === '<all_urls>') return true;
  const parts = /^(\*|[a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)?$/i.exec(pattern);
  if (!parts) throw new Error(`Invalid url pattern ${pattern}`);
  const escape = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  const [, scheme = '*', host = '*', path = '/*'] = parts;
  const schemeSource = scheme === '*' ? '(?:https?|wss?)' : escape(scheme);
  const hostSource =
    host === '*' ? '[^/]*' : host.startsWith('*.') ? `(?:[^/]*\\.)?${escape(host.slice(2))}` : escape(host);
  const pathSource = escape(path).replaceAll('*', '.*');
  return new RegExp(`^${schemeSource}://${hostSource}(?::\\d+)?${pathSource}$`, 'i').test(url);
}

export function createWebRequest(): WebRequestState {
  const state: WebRequestState = { facade: undefined as unknown as WebRequest, onChange: [] };
  const onBeforeRequest = (first: unknown, second?: unknown): void => {
    const isFilter = typeof first === 'object' && first !== null;
    const {
      urls,
      excludeUrls = [],
      types,
    } = (isFilter ? first : { urls: ['<all_urls>'] }) as WebRequestFilter;
    const listener = (isFilter ? second : first) as BeforeRequest['listener'] | null | undefined;
    const matches = (url: string, type: string): boolean =>
      urls.some((pattern) => matchesPattern(pattern, url)) &&
      !excludeUrls.some((pattern) => matchesPattern(pattern, url)) &&
      (!types || (types as string[]).includes(type));
    if (listener) state.beforeRequest = { matches, listener };
    else delete state.beforeRequest;
    for (const changed of state.onChange) changed();
  };
  state.facade = strict({ onBeforeRequest }, 'session.webRequest') as unknown as WebRequest;
  return state;
}
