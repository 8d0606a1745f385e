// The two servers that a host page needs: a host that serves the built page and answers its calls, and an editor at another origin
// whose page records the messages it gets and sends those of the test.

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MissedSave, PageState } from '../../app/contract/page-state.ts';
import type { OpenedPage, PageComparison, PageVersions } from '../../app/contract/page-calls.ts';
import { pagesBuild } from '../../app/terminal/start-build.ts';
import { createBuiltPage } from '../../app/server/pages/built-pages.ts';
import { pageHeaders } from '../../app/server/pages/csp.ts';
import { editorPage } from '../../app/server/pages/html.ts';
import { listen } from '../listen.ts';

export interface HostCall {
  method: string;
  path: string;
  origin: string | undefined;
  body: unknown;
}

/** A response that replaces the host's usual one. */
export interface Answer {
  status: number;
  body?: unknown;
}

export interface EditorPost {
  url: string;
  form: Record<string, string>;
  referrer: string | undefined;
}

export type TwoSites = Awaited<ReturnType<typeof startTwoSites>>;

/** The host's responses; tests change them. */
interface FakeHost {
  opened: OpenedPage;
  state: PageState;
  /** Counts a save of the editor as written, or only as begun if it is rejected. */
  save(isRefused?: boolean): void;
  /** Counts a save of the editor as begun, and records where its bytes are instead of in the file. */
  miss(kind: MissedSave['kind'], keptId?: string): void;
  refuse: Record<string, Answer>;
  versions: Pick<PageVersions, 'current' | 'versions'>;
  /** The texts of a version and of the current content. Absent: the document isn't text. */
  comparison?: PageComparison;
  calls: HostCall[];
  base: string;
  /** Stops the host's clock at this time; by default it is the computer's. */
  date?: Date;
}

/** The editor's page: records the messages it gets, and sends messages for tests. */
const framedPage = `<!doctype html><meta charset="utf-8"><title>editor</title><style>body{font:16px sans-serif;padding:24px;background:#fff;color:#222}</style>
<p>The editor’s page</p><textarea></textarea><script>
window.heard = [];
addEventListener('message', (event) => window.heard.push({ origin: event.origin, ...JSON.parse(event.data) }));
window.say = (MessageId, Values = {}) => parent.postMessage(JSON.stringify({ MessageId, SendTime: Date.now(), Values }), '*');
</script>`;

type SaveOrigin = Pick<PageVersions['current'], 'savedBy' | 'savedAtMs' | 'savedHow'>;

/** @param names separated by commas */
export function savedBy(names: string, savedAtMs: number, savedHow: string): SaveOrigin {
  return { savedBy: names.split(','), savedAtMs, savedHow };
}

export function version(id: string, size: number, origin: SaveOrigin): PageVersions['versions'][number] {
  return { id, size, writtenAtMs: origin.savedAtMs ?? 0, ...origin };
}

export async function startTwoSites() {
  const built = createBuiltPage('host-page', { ...pagesBuild(process.env), log: { warn: () => undefined } });
  assert.equal(await built.fault(), undefined);
  const posts: EditorPost[] = [];

  const serveEditor = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    if (request.method === 'POST')
      posts.push({ url: request.url ?? '', form, referrer: request.headers.referer });
    const silent = request.url?.startsWith('/away') === true;
    if (silent) response.writeHead(302, { location: `${stranger.url}/` }).end();
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(framedPage);
  };
  const editor = await listen((request, response) => void serveEditor(request, response));
  const stranger = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(framedPage);
  });

  const host: FakeHost = {
    opened: {
      name: 'letter.docx',
      path: 'letter.docx',
      mode: 'edit',
      canEdit: true,
      isOwner: true,
      editorId: 'editor-1',
      kind: 'collabora',
      editorName: 'Collabora Online',
      action: `${editor.url}/edit?WOPISrc=x`,
      formFields: {},
      editorOrigins: [editor.url],
      accessToken: 'token-one',
      accessTokenTtl: 0,
      tokenId: 'one',
      canConvert: false,
      convertAction: null,
      damaged: null,
      closeUrl: '/closed',
    },
    state: {
      gone: null,
      name: 'letter.docx',
      path: 'letter.docx',
      saves: { run: 'first', begun: 0, written: 0 },
      missed: null,
      holder: {
        userName: 'Ana',
        editorName: 'Collabora Online',
        isThisEditor: true,
        hasLapsed: false,
        otherUsers: [],
        isOpenElsewhere: false,
      },
      clearedBy: null,
      others: [],
      isRead: true,
      isKnown: false,
      copies: [],
      conflicts: [],
      recovered: [],
      canRestore: true,
      hasEnded: false,
    },
    save(isRefused = false) {
      const { run = '', begun = 0, written = 0 } = host.state.saves ?? {};
      host.state.saves = { run, begun: begun + 1, written: isRefused ? written : begun + 1 };
      host.state.missed = isRefused ? { kind: 'recovered', keptId: 'r1', atMs: Date.now() } : null;
    },
    miss(kind, keptId = 'r1') {
      host.save(true);
      host.state.missed = { kind, keptId: kind === 'nowhere' ? null : keptId, atMs: Date.now() };
      if (kind !== 'recovered' && kind !== 'unreadable') return;
      const recovered = { id: keptId, receivedAtMs: Date.now(), isUnreadable: kind === 'unreadable' };
      host.state.recovered = [recovered, ...host.state.recovered];
    },
    versions: {
      current: { size: 4000, lastModifiedMs: 0, ...savedBy('Ben', 1_790_000_000_000, 'explicit') },
      versions: [version('v1', 3500, savedBy('Ana', 1_780_000_000_000, 'autosave'))],
    },
    refuse: {},
    calls: [],
    base: '',
  };

  const frames = [editor.url];
  const headers = pageHeaders({ hasScript: true, frames, forms: frames });
  let tokensGiven = 0;
  /** By the name of the call; 204 for all others. */
  const answers: Record<string, (body: { id?: string }) => unknown> = {
    open: () => host.opened,
    token() {
      tokensGiven += 1;
      return {
        accessToken: `token-new-${tokensGiven}`,
        accessTokenTtl: Date.now() + 36_000_000,
        tokenId: `new-${tokensGiven}`,
      };
    },
    state: () => host.state,
    ticket: () => ({ url: `${host.base}/edit/file-2?ticket=abc` }),
    versions: () => ({
      canRestore: host.opened.canEdit,
      canCompare: host.comparison !== undefined,
      ...host.versions,
    }),
    'compare-version': () => host.comparison,
    'copy-version': () => ({ fileId: 'file-2', name: 'letter (old).docx' }),
    restore({ id }) {
      // Opening what was saved decides nothing.
      const isUnreadable = host.state.recovered.some((save) => save.id === id && save.isUnreadable);
      if (!isUnreadable) decided(id);
      return { fileId: 'file-2', name: 'letter (recovered).docx' };
    },
    'save-anyway': ({ id }) => decided(id),
    'keep-file': ({ id }) => decided(id),
    'restore-version': () => {
      host.opened.damaged = null;
    },
  };
  /** About a recovered save, or about the newest save. */
  const decided = (id?: string): void => {
    host.state.recovered = host.state.recovered.filter((save) => save.id !== id);
    if (id === undefined || host.state.missed?.keptId === id) host.state.missed = null;
  };

  const serveHost = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = (status: number, body?: unknown): void => {
      const date = host.date === undefined ? {} : { date: host.date.toUTCString() };
      response
        .writeHead(status, { ...headers, 'content-type': 'application/json', ...date })
        .end(JSON.stringify(body));
    };
    const html = (body: string): void => {
      response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(body);
    };
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    const path = pathname.startsWith(host.base) ? pathname.slice(host.base.length) : pathname;
    const body = await text(request);

    if (path.startsWith('/host-page/')) {
      const file = await built.read(basename(path)).catch(() => undefined);
      if (file === undefined) json(404, {});
      else response.writeHead(200, { ...headers, 'content-type': file.type }).end(file.content);
      return;
    }
    const [, mode, call] = /^\/(edit|view)\/file-\d+(?:\/([a-z-]+))?$/u.exec(path) ?? [];
    if (mode === undefined) {
      html(`<!doctype html><title>page</title><p>page ${path}</p>`);
      return;
    }
    if (call === undefined) {
      const { name } = host.opened;
      html(editorPage({ name, mode: mode as 'edit' | 'view', fileId: 'file-1', origins: frames }));
      return;
    }
    const sent = body === '' ? undefined : (JSON.parse(body) as object);
    host.calls.push({ method: request.method ?? '', path, origin: request.headers.origin, body: sent });
    const refusal = host.refuse[call];
    if (refusal !== undefined) {
      if (refusal.status === 0) request.socket.destroy();
      else json(refusal.status, refusal.body ?? { code: 'x', message: 'Refused.' });
      return;
    }
    const answer = answers[call]?.(sent ?? {});
    json(answer === undefined ? 204 : 200, answer);
  };
  const hostSite = await listen((request, response) => void serveHost(request, response));

  return {
    hostUrl: hostSite.url,
    editorUrl: editor.url,
    /** Another origin, without an editor. */
    strangerUrl: stranger.url,
    host,
    editor: { posts },
    close: async (): Promise<void> => {
      await Promise.all([editor, stranger, hostSite].map((site) => site.close()));
    },
  };
}
