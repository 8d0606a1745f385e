// A browser without a window: it does with an editor's page what a host page and its frame would do, by HTTP alone. Every
// session it opens is the page's; what the server calls the host with is the server's own doing.

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';
import type { DeedResult, PageConfig, PageState } from './page-config.ts';

export interface PostedForm {
  /** The whole address, WOPISrc and all. */
  action: string;
  accessToken: string;
  accessTokenTtl: number;
  /** What the host posts besides. */
  formFields?: Record<string, string>;
}

export interface Visit {
  /** As the page shows it now. */
  state(): PageState;
  until(isSo: (state: PageState) => boolean, what: string): Promise<PageState>;
  do(verb: string, body?: Record<string, unknown>): Promise<DeedResult>;
  /** The tab is closed; what the server does then takes a moment. */
  goAway(): void;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const patienceMs = 60_000;

/** One exchange, no redirect followed. `authority` is trusted beside those of the system. */
export function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; authority?: string } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, authority } = options;
    const open = url.startsWith('https:') ? httpsRequest : httpRequest;
    const sized =
      body === undefined ? headers : { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
    const trust = authority === undefined ? {} : { ca: authority };
    const request = open(url, { method, headers: sized, agent: false, ...trust }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.setTimeout(patienceMs, () => request.destroy(new Error(`${url} did not answer`)));
    request.on('error', reject);
    request.end(body);
  });
}

/** What a host page's form sends. */
export function postForm({
  action,
  accessToken,
  accessTokenTtl,
  formFields = {},
}: PostedForm): Promise<Answered> {
  const form = { access_token: accessToken, access_token_ttl: String(accessTokenTtl), ...formFields };
  return ask(action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** Posts the form, and runs the page as far as it matters to the server. @throws where it is no page */
export async function visit(form: PostedForm): Promise<Visit> {
  const page = await postForm(form);
  const json = /<script type="application\/json" id="config">(.*?)<\/script>/su.exec(page.text)?.[1];
  if (page.status !== 200 || json === undefined) throw new Error(`no page: ${page.status} ${page.text}`);
  const config = JSON.parse(json) as PageConfig;
  const base = new URL(config.session, form.action).href;
  const stream = await follow(`${base}/events`);
  await stream.until(() => true, 'the page has a document or a failure');

  return {
    state: stream.last,
    until: stream.until,
    async do(verb, body = {}) {
      const answer = await ask(`${base}/${verb}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status !== 200) throw new Error(`${verb}: ${answer.status} ${answer.text}`);
      return JSON.parse(answer.text) as DeedResult;
    },
    goAway: stream.end,
  };
}

async function follow(
  url: string,
): Promise<{ last: Visit['state']; until: Visit['until']; end: () => void }> {
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
      for (const look of waiting) look();
    });
  });
  request.on('error', () => undefined);
  request.end();
  const known = (): PageState => {
    if (last === undefined) throw new Error('the page has heard nothing yet');
    return last;
  };
  return {
    last: known,
    until: (isSo, what) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`Not so: ${what}. ${JSON.stringify(last)}`));
        }, patienceMs);
        const look = (): void => {
          if (last === undefined || !isSo(last)) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(last);
        };
        waiting.add(look);
        look();
      }),
    end: () => controller.abort(),
  };
}
