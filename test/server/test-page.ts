// The page around an editor, in a browser that followed a link: it sends its cookie and its origin, and follows no redirects.

import assert from 'node:assert/strict';

export interface PageAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface TestPage {
  /** Without a query. */
  url: string;
  fileId: string;
  cookie: string;
  headers: Record<string, string>;
  /** The page itself, or a call of its script: `/state`, … */
  get(call?: string): Promise<Response>;
  /** A call of its script: `open`, … */
  post(call: string, body?: unknown, headers?: Record<string, string>): Promise<PageAnswer>;
  state(query?: string): Promise<Record<string, unknown>>;
  /** The same for the page at the other address of the document. */
  at(way: 'edit' | 'view'): TestPage;
}

export const cookieOf = (answer: Response): string =>
  (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';

export async function enterPage(link: string): Promise<TestPage> {
  const entered = await fetch(link, { redirect: 'manual' });
  assert.equal(entered.status, 303);
  return pageAt(new URL(entered.headers.get('Location') ?? '', link).href, cookieOf(entered));
}

/** An empty cookie isn't sent. */
export function pageAt(url: string, cookie: string): TestPage {
  const headers = {
    'Content-Type': 'application/json',
    Origin: new URL(url).origin,
    ...(cookie !== '' && { Cookie: cookie }),
  };
  const get: TestPage['get'] = (call = '') => fetch(url + call, { headers, redirect: 'manual' });
  return {
    url,
    fileId: url.split('/').at(-1) ?? '',
    cookie,
    headers,
    get,
    async post(call, body = {}, more = {}) {
      const answer = await fetch(`${url}/${call}`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await answer.text();
      const value = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
      return { status: answer.status, headers: answer.headers, body: value };
    },
    state: async (query = '') => (await (await get(`/state${query}`)).json()) as Record<string, unknown>,
    at: (way) => pageAt(url.replace(/\/(?:edit|view)\//u, `/${way}/`), cookie),
  };
}
