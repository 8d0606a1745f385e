// The page's calls to its host. The browser adds the cookie; access tokens are only in bodies, never in an address. All addresses
// are below the page's own, so the path prefix of a reverse proxy makes no difference.

import { t } from '../../app/contract/messages.ts';
import type { IssuedToken, OpenedPage, PageCalls, PageVersions } from '../../app/contract/page-calls.ts';
import type { PageState } from '../../app/contract/page-state.ts';

interface LocalExpiry {
  /** `accessTokenTtl` by this computer's clock, which may differ from the host's. */
  endsAtMs: number;
}

export type PageToken = IssuedToken & LocalExpiry;
export type ShownDocument = OpenedPage & LocalExpiry;
export type HostApi = ReturnType<typeof createHostApi>;

/** `status` 0: the host didn't answer. */
export class HostError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function asHostError(error: unknown): HostError {
  return error instanceof HostError ? error : new HostError(0, 'unknown', String(error));
}

const limitMs = 15_000;

/** @param base the page's own address, without a trailing slash */
export function createHostApi(base: string) {
  /** All that this tab was given. */
  const tokens: IssuedToken[] = [];
  const accessTokens = (): string[] => tokens.map(({ accessToken }) => accessToken);

  /** How far this computer's clock is ahead of the host's. */
  let aheadMs = 0;

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(limitMs);
    let response;
    try {
      response = await fetch(`${base}/${path}`, { signal, ...init, cache: 'no-store', redirect: 'error' });
    } catch {
      throw new HostError(0, 'unreachable', t('common.doctray-isnt-responding'));
    }
    const { ok, status, headers } = response;
    const hostMs = Date.parse(headers.get('date') ?? '');
    if (!Number.isNaN(hostMs)) aheadMs = Date.now() - hostMs;
    if (ok) return response;
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>;
    const words = t('page.doctray-answered-with-status-status', { status: `${status}` });
    const { code = 'unknown', message = words } = body;
    throw new HostError(status, String(code), String(message));
  }

  /** In fetch's default mode: in any other, a page without referrers sends `Origin: null`. @throws HostError */
  async function call<Name extends keyof PageCalls>(
    name: Name,
    sent: PageCalls[Name]['sent'],
    init: RequestInit = {},
  ): Promise<PageCalls[Name]['answer']> {
    const headers = { 'content-type': 'application/json' };
    const response = await request(name, { method: 'POST', headers, body: JSON.stringify(sent), ...init });
    return response.status === 204 ? undefined : ((await response.json()) as PageCalls[Name]['answer']);
  }

  async function withToken<Name extends 'open' | 'token'>(name: Name, sent: PageCalls[Name]['sent']) {
    const answer = await call(name, sent);
    tokens.push(answer);
    const { accessTokenTtl } = answer;
    return { ...answer, endsAtMs: accessTokenTtl === 0 ? 0 : accessTokenTtl + aheadMs };
  }

  return {
    call,
    open: async (what: PageCalls['open']['sent']): Promise<ShownDocument> => withToken('open', what),
    token: async ({ mode, editorId }: OpenedPage): Promise<PageToken> =>
      withToken('token', { mode, editorId }),
    versions: async () => (await (await request('versions')).json()) as PageVersions,
    /** @param editorId the editor the document is open in */
    async state(editorId: string | undefined): Promise<PageState> {
      const query = new URLSearchParams(tokens.map(({ tokenId }) => ['token', tokenId]));
      if (editorId !== undefined) query.set('editor', editorId);
      const state = (await (await request(`state?${query}`)).json()) as PageState;
      if (state.hasEnded) throw new HostError(401, 'not-authenticated', '');
      return state;
    },
    restoreVersion: async (versionId: string) =>
      call('restore-version', { versionId, accessTokens: accessTokens() }),
    /** This call and `close` are completed after the page is gone. @param isKept the browser may show the page again as it is */
    left: async (isKept: boolean) =>
      call('left', isKept ? {} : { accessTokens: accessTokens() }, { keepalive: true }),
    close: async () => call('close', {}, { keepalive: true }),
  };
}
