// A minimal browser for host pages: it follows redirects, stores cookies by path, and makes the calls of the page's script. The
// function that sends requests is a parameter, because in the network tests they come from another machine.

import type { OpenedPage } from '../../../app/contract/page-calls.ts';
import type { PageState } from '../../../app/contract/page-state.ts';
import { ask, type Answer, type PostedForm } from './visitor.ts';

export type Ask = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>;

export type Browser = ReturnType<typeof createBrowser>;
export type HostPage = Awaited<ReturnType<Browser['go']>>;

export function createBrowser(sendRequest: Ask = ask) {
  const jar: { name: string; path: string; host: string; value: string }[] = [];

  function storeCookies(url: URL, answer: Answer): void {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const path = attributes.find((part) => /^path=/iu.test(part))?.slice(5) ?? '/';
      const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path, host: url.hostname };
      const known = jar.findIndex(
        ({ name, path, host }) => name === cookie.name && path === cookie.path && host === cookie.host,
      );
      if (known >= 0) jar.splice(known, 1);
      jar.push(cookie);
    }
  }

  function cookiesFor(address: string): string {
    const { hostname, pathname } = new URL(address);
    return jar
      .filter(({ host, path }) => host === hostname && (pathname === path || pathname.startsWith(`${path}/`)))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  async function request(url: string, options: Parameters<Ask>[1] = {}): Promise<Answer> {
    const cookie = cookiesFor(url);
    const headers = { ...options.headers, ...(cookie !== '' && { Cookie: cookie }) };
    const answer = await sendRequest(url, { ...options, headers });
    storeCookies(new URL(url), answer);
    return answer;
  }

  return {
    cookiesFor,
    async go(address: string) {
      let url = address;
      let page = await request(url);
      for (let hops = 0; page.status === 303 && hops < 3; hops += 1) {
        url = new URL(page.headers.location ?? '', url).href;
        page = await request(url);
      }
      /** A call of the page's script. */
      const call = async (name: string, body?: object): Promise<unknown> => {
        const post = body && {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: new URL(url).origin },
          body: JSON.stringify(body),
        };
        const { status, text } = await request(`${url}/${name}`, post);
        if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
        return JSON.parse(text);
      };
      const tokenIds: string[] = [];
      return {
        /** Without the ticket. */
        url,
        page,
        async open(): Promise<OpenedPage> {
          const opened = (await call('open', {})) as OpenedPage;
          tokenIds.push(opened.tokenId);
          return opened;
        },
        /** The form that the page posts into the editor's frame. */
        form: ({ action, accessToken, accessTokenTtl, formFields }: OpenedPage): PostedForm => ({
          action,
          accessToken,
          accessTokenTtl,
          formFields,
        }),
        state: async () =>
          (await call(`state?${tokenIds.map((id) => `token=${id}`).join('&')}`)) as PageState,
        token: async ({ mode, editorId }: OpenedPage) =>
          (await call('token', { mode, editorId })) as Pick<OpenedPage, 'accessToken' | 'accessTokenTtl'>,
        ticket: async (input: { fileId: string; mode: 'edit' | 'view' }) =>
          ((await call('ticket', input)) as { url: string }).url,
      };
    },
  };
}
