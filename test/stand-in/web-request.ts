// `session.webRequest`: the three listeners a desktop app sets to see and stop requests. The others throw.

import type {
  BeforeSendResponse,
  CallbackResponse,
  HeadersReceivedResponse,
  OnBeforeRequestListenerDetails,
  OnBeforeSendHeadersListenerDetails,
  OnHeadersReceivedListenerDetails,
  WebRequest,
  WebRequestFilter,
} from 'electron';

import { strict } from './strict.ts';

interface Entry<Details, Answer> {
  matches: (url: string, type: string) => boolean;
  listener: (details: Details, callback: (answer: Answer) => void) => void;
}

export interface WebRequestState {
  facade: WebRequest;
  beforeRequest: Entry<OnBeforeRequestListenerDetails, CallbackResponse> | undefined;
  beforeSendHeaders: Entry<OnBeforeSendHeadersListenerDetails, BeforeSendResponse> | undefined;
  headersReceived: Entry<OnHeadersReceivedListenerDetails, HeadersReceivedResponse> | undefined;
  /** Called after each change, so that open pages start to pause their requests. */
  onChange: (() => void)[];
}

/** `*://*.host/*`, `app://*`, `<all_urls>` as in Chromium's match patterns. */
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
  const state: WebRequestState = {
    facade: undefined as unknown as WebRequest,
    beforeRequest: undefined,
    beforeSendHeaders: undefined,
    headersReceived: undefined,
    onChange: [],
  };

  type Name = 'beforeRequest' | 'beforeSendHeaders' | 'headersReceived';
  const setter =
    (name: Name) =>
    (first: unknown, second?: unknown): void => {
      const isFilter = typeof first === 'object' && first !== null;
      const filter = (isFilter ? first : { urls: ['<all_urls>'] }) as WebRequestFilter;
      const listener = (isFilter ? second : first) as
        ((details: never, callback: never) => void) | null | undefined;
      const matches = (url: string, type: string): boolean =>
        filter.urls.some((pattern) => matchesPattern(pattern, url)) &&
        !(filter.excludeUrls ?? []).some((pattern) => matchesPattern(pattern, url)) &&
        (!filter.types || (filter.types as string[]).includes(type));
      state[name] = (listener ? { matches, listener } : undefined) as never;
      for (const changed of state.onChange) changed();
    };

  state.facade = strict(
    {
      onBeforeRequest: setter('beforeRequest'),
      onBeforeSendHeaders: setter('beforeSendHeaders'),
      onHeadersReceived: setter('headersReceived'),
    } satisfies Pick<WebRequest, 'onBeforeRequest' | 'onBeforeSendHeaders' | 'onHeadersReceived'>,
    'session.webRequest',
  ) as unknown as WebRequest;
  return state;
}
