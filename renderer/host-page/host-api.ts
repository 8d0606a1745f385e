// The page's calls to its host. The browser adds the cookie; access tokens are only in bodies, never in an address. All addresses
// are below the page's own, so the path prefix of a reverse proxy makes no difference.

import { t } from '../../app/contract/messages.ts';
import type { IssuedToken, OpenedPage, PageComparison, PageVersions } from '../../app/contract/page-calls.ts';
import type { PageState } from '../../app/contract/page-state.ts';

interface LocalExpiry {
  /** `accessTokenTtl` by this computer's clock, which may differ from the host's. */
  endsAtMs: number;
}

export type PageToken = IssuedToken & LocalExpiry;
export type ShownDocument = OpenedPage & LocalExpiry;

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

export interface HostApi {
  open(mode: 'edit' | 'view'): Promise<ShownDocument>;
  /** Opens an earlier version read-only. */
  openVersion(versionId: string): Promise<ShownDocument>;
  versions(): Promise<PageVersions>;
  compareVersion(versionId: string): Promise<PageComparison>;
  /** The document itself. */
  download(): Promise<Blob>;
  /** Also while it's open here: its editor keeps the lock. */
  rename(name: string): Promise<{ name: string }>;
  restoreVersion(versionId: string): Promise<void>;
  /** As a new document next to this one. */
  copyVersion(versionId: string): Promise<{ fileId: string; name: string }>;
  /** A new one for the document that `open` opened. */
  token(page: Pick<OpenedPage, 'mode' | 'editorId'>): Promise<PageToken>;
  /** @param editorId the editor the document is open in */
  state(editorId: string | undefined): Promise<PageState>;
  /** Creates a document next to this one from a recovered save. */
  restore(recoveredId: string): Promise<{ fileId: string; name: string }>;
  /** Makes a recovered save that isn't a readable document the document's content. */
  saveAnyway(recoveredId: string): Promise<void>;
  /** The user decides for the file as it is, and against a recovered save or the newest save, by its time. */
  keepFile(what: { id: string } | { missedAtMs: number }): Promise<void>;
  ticket(fileId: string, mode: 'edit' | 'view'): Promise<{ url: string }>;
  /**
   * The browser leaves the page, perhaps to reload it. This call and `close` are completed after the page is gone.
   * @param isKept the browser may show it again as it is, so its tokens stay valid
   */
  left(isKept: boolean): Promise<void>;
  close(): Promise<void>;
}

const limitMs = 15_000;

/** @param base the page's own address, without a trailing slash */
export function createHostApi(base: string): HostApi {
  async function call(path: string, init: RequestInit): Promise<Response> {
    let response;
    try {
      response = await fetch(`${base}/${path}`, {
        ...init,
        cache: 'no-store',
        redirect: 'error',
        signal: init.signal ?? AbortSignal.timeout(limitMs),
      });
    } catch {
      throw new HostError(0, 'unreachable', t('common.doctray-isnt-responding'));
    }
    if (response.ok) return response;
    const { code, message } = await response
      .json()
      .then((body: unknown) => body as { code?: unknown; message?: unknown })
      .catch(() => ({ code: undefined, message: undefined }));
    throw new HostError(
      response.status,
      typeof code === 'string' ? code : 'unknown',
      typeof message === 'string'
        ? message
        : t('page.doctray-answered-with-status-status', { status: String(response.status) }),
    );
  }

  // In fetch's default mode: in any other, a page without referrers sends `Origin: null`.
  async function post(path: string, body: object, isKeptAlive = false): Promise<Response> {
    return call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: isKeptAlive,
    });
  }

  /** All tokens that this tab was given. */
  const tokens: IssuedToken[] = [];
  const accessTokens = (): string[] => tokens.map(({ accessToken }) => accessToken);

  async function withToken<Answer extends IssuedToken>(response: Response): Promise<Answer & LocalExpiry> {
    const hostMs = Date.parse(response.headers.get('date') ?? '');
    const aheadMs = Number.isNaN(hostMs) ? 0 : Date.now() - hostMs;
    const answer = (await response.json()) as Answer;
    tokens.push(answer);
    return { ...answer, endsAtMs: answer.accessTokenTtl === 0 ? 0 : answer.accessTokenTtl + aheadMs };
  }

  return {
    open: async (mode) => withToken<OpenedPage>(await post('open', { mode })),
    openVersion: async (versionId) => withToken<OpenedPage>(await post('open', { versionId })),
    versions: async () => (await (await call('versions', { method: 'GET' })).json()) as PageVersions,
    compareVersion: async (versionId) =>
      (await (await post('compare-version', { versionId })).json()) as PageComparison,
    // No time limit: a large document takes longer.
    async download() {
      const response = await call('download', { method: 'POST', signal: new AbortController().signal });
      return response.blob().catch(() => {
        throw new HostError(0, 'unreachable', t('common.doctray-isnt-responding'));
      });
    },
    rename: async (name) => (await (await post('rename', { name })).json()) as { name: string },
    restoreVersion: async (versionId) => {
      await post('restore-version', { versionId, accessTokens: accessTokens() });
    },
    copyVersion: async (versionId) =>
      (await (await post('copy-version', { versionId })).json()) as { fileId: string; name: string },
    token: async ({ mode, editorId }) => withToken<IssuedToken>(await post('token', { mode, editorId })),
    state: async (editorId) => {
      const query = new URLSearchParams(tokens.map(({ tokenId }) => ['token', tokenId]));
      if (editorId !== undefined) query.set('editor', editorId);
      return (await (await call(`state?${query}`, { method: 'GET' })).json()) as PageState;
    },
    restore: async (id) => (await (await post('restore', { id })).json()) as { fileId: string; name: string },
    saveAnyway: async (id) => {
      await post('save-anyway', { id });
    },
    keepFile: async (what) => {
      await post('keep-file', what);
    },
    ticket: async (fileId, mode) =>
      (await (await post('ticket', { fileId, mode })).json()) as { url: string },
    left: async (isKept) => {
      await post('left', isKept ? {} : { accessTokens: accessTokens() }, true);
    },
    close: async () => {
      await post('close', {}, true);
    },
  };
}
