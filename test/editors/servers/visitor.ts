// A minimal browser for editor pages: it posts the form of a host page, and makes the calls of the editor page's script.

import type { IncomingHttpHeaders } from 'node:http';
import { send } from '../wire.ts';
import type { PageCallResult, PageConfig, PageState } from './page-config.ts';

export interface PostedForm {
  /** The complete URL, with WOPISrc. */
  action: string;
  accessToken: string;
  accessTokenTtl: number;
  /** Additional fields. */
  formFields?: Record<string, string>;
}

export type Visit = Awaited<ReturnType<typeof visit>>;

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request without following redirects. `authority` is an additional trusted certificate. */
export async function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; authority?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers: own = {}, authority } = options;
  const body = options.body === undefined ? undefined : Buffer.from(options.body);
  const headers = body === undefined ? own : { ...own, 'Content-Length': String(body.length) };
  const answer = await send({ url: new URL(url), method, headers, body, authority });
  return { status: answer.status, headers: answer.received, text: answer.body.toString() };
}

/** Posts the form of a host page. */
export function postForm({ action, accessToken, accessTokenTtl, formFields = {} }: PostedForm) {
  const form = { access_token: accessToken, access_token_ttl: String(accessTokenTtl), ...formFields };
  return ask(action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** Posts the form, and runs the page as far as the server can notice. @throws if the answer isn't a page */
export async function visit(form: PostedForm) {
  const page = await postForm(form);
  const json = /<script type="application\/json" id="config">(.*?)<\/script>/su.exec(page.text)?.[1];
  if (page.status !== 200 || json === undefined) throw new Error(`no page: ${page.status} ${page.text}`);
  const config = JSON.parse(json) as PageConfig;
  const base = new URL(config.session, form.action).href;
  const call = async (verb: string, body: object = {}): Promise<unknown> => {
    const answer = await ask(`${base}/${verb}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${verb}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text);
  };
  const state = async () => (await call('state')) as PageState;
  await state();
  return {
    /** The current state of the page. */
    state,
    do: async (verb: string, body?: Record<string, unknown>) => (await call(verb, body)) as PageCallResult,
  };
}
