// A browser without a window at one of the host's pages: follows the way in, keeps the cookies by their paths, and makes the
// calls that the page's own script makes. How it asks is given, since in the network tests another machine does.

import { ask, type Answered, type PostedForm } from './visitor.ts';

export type Ask = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answered>;

/** What POST …/open answers, as far as an editor's form needs it. */
export interface Opened {
  name: string;
  mode: 'edit' | 'view';
  canEdit: boolean;
  kind: string;
  editorId: string;
  editorName: string;
  action: string;
  editorOrigins: string[];
  accessToken: string;
  accessTokenTtl: number;
  formFields: Record<string, string>;
  canConvert: boolean;
  convertAction: string | null;
  closeUrl: string;
}

export interface HostPageState {
  name: string;
  saves: number;
  isLocked: boolean;
  lockedBy: string | null;
  copies: { fileId: string; name: string; path: string }[];
  hasEnded: boolean;
}

export interface HostPage {
  /** Without the ticket. */
  readonly url: string;
  /** The page as it came. */
  readonly page: Answered;
  open(): Promise<Opened>;
  /** What its form sends to the editor's frame. */
  form(opened: Opened): PostedForm;
  state(): Promise<HostPageState>;
  token(opened: Opened): Promise<{ accessToken: string; accessTokenTtl: number }>;
  ticket(input: { fileId: string; mode: 'edit' | 'view' }): Promise<string>;
  /** Any of the script's calls, whatever comes of it. */
  call(name: string, body?: object): Promise<Answered>;
}

/** A cookie jar of one browser: name, path and value. */
export interface Browser {
  go(url: string): Promise<HostPage>;
  cookiesFor(url: string): string;
}

export function createBrowser(asking: Ask = ask): Browser {
  const jar: { name: string; path: string; host: string; value: string }[] = [];

  function keep(url: URL, answer: Answered): void {
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

  async function request(url: string, options: Parameters<Ask>[1] = {}): Promise<Answered> {
    const cookie = cookiesFor(url);
    const headers = { ...options.headers, ...(cookie !== '' && { Cookie: cookie }) };
    const answer = await asking(url, { ...options, headers });
    keep(new URL(url), answer);
    return answer;
  }

  return {
    cookiesFor,
    async go(address) {
      let url = address;
      let page = await request(url);
      for (let hops = 0; page.status === 303 && hops < 3; hops += 1) {
        url = new URL(page.headers.location ?? '', url).href;
        page = await request(url);
      }
      const call = (name: string, body?: object): Promise<Answered> =>
        body === undefined
          ? request(`${url}/${name}`)
          : request(`${url}/${name}`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', Origin: new URL(url).origin },
              body: JSON.stringify(body),
            });
      const told = async (name: string, body?: object): Promise<unknown> => {
        const { status, text } = await call(name, body);
        if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
        return JSON.parse(text);
      };
      return {
        url,
        page,
        call,
        open: async () => (await told('open', {})) as Opened,
        form: ({ action, accessToken, accessTokenTtl, formFields }) => ({
          action,
          accessToken,
          accessTokenTtl,
          formFields,
        }),
        state: async () => (await told('state')) as HostPageState,
        token: async ({ mode, editorId }) =>
          (await told('token', { mode, editorId })) as Awaited<ReturnType<HostPage['token']>>,
        ticket: async (input) => ((await told('ticket', input)) as { url: string }).url,
      };
    },
  };
}
