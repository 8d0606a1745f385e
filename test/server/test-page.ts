// The page around an editor, in a browser that followed a link.

import assert from 'node:assert/strict';

export interface TestPage {
  /** Without a query. */
  url: string;
  cookie: string;
  headers: Record<string, string>;
  /** Calls of the page's script: `state`, `open`, … */
  get(call: string): Promise<Response>;
  post(call: string, body?: object): Promise<Response>;
}

export async function enterPage(link: string): Promise<TestPage> {
  const entered = await fetch(link, { redirect: 'manual' });
  assert.equal(entered.status, 303);
  const [cookie = ''] = entered.headers.getSetCookie().map((one) => one.split(';')[0]);
  const url = new URL(entered.headers.get('Location') ?? '', link).href;
  const headers = { Cookie: cookie, Origin: new URL(link).origin, 'Content-Type': 'application/json' };
  return {
    url,
    cookie,
    headers,
    get: (call) => fetch(`${url}/${call}`, { headers }),
    post: (call, body = {}) =>
      fetch(`${url}/${call}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}
