// A minimal browser for editor pages: it posts the form of a host page, and makes the calls of the editor page's script.

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
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

const timeoutMs = 60_000;

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
export function postForm({
  action,
  accessToken,
  accessTokenTtl,
  formFields = {},
}: PostedForm): Promise<Answer> {
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
  const stream = await follow(`${base}/events`);
  await stream.until(() => true, 'the page has a document or a failure');

  return {
    /** The current state of the page. */
    state: stream.last,
    until: stream.until,
    async do(verb: string, body: Record<string, unknown> = {}): Promise<PageCallResult> {
      const answer = await ask(`${base}/${verb}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status !== 200) throw new Error(`${verb}: ${answer.status} ${answer.text}`);
      return JSON.parse(answer.text) as PageCallResult;
    },
    /** Closes the tab. The server saves and unlocks asynchronously. */
    goAway: stream.end,
  };
}

async function follow(url: string) {
  const controller = new AbortController();
  let last: PageState | undefined;
  const waiting = new Set<() => void>();
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  const request = open(url, { agent: false, signal: controller.signal }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    response.on('data', (chunk: string) => {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/mu.exec(event)?.[1];
        if (data !== undefined) last = JSON.parse(data) as PageState;
      }
      for (const check of waiting) check();
    });
  });
  request.on('error', () => undefined);
  request.end();
  const known = (): PageState => {
    if (last === undefined) throw new Error('the page has received no state yet');
    return last;
  };
  return {
    last: known,
    until: (isSo: (state: PageState) => boolean, what: string) =>
      new Promise<PageState>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`Timed out: ${what}. ${JSON.stringify(last)}`));
        }, timeoutMs);
        const check = (): void => {
          if (last === undefined || !isSo(last)) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(last);
        };
        waiting.add(check);
        check();
      }),
    end: (): void => controller.abort(),
  };
}
