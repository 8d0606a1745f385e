// A complete host with the built-in text editor, and what a browser does to open a document: the link, the host page, the form
// that opens the editor, and the calls of the editor's page.

import assert from 'node:assert/strict';
import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Editor } from '../../app/store/editors.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface EditorSession {
  fileId: string;
  accessToken: string;
  accessTokenTtl: number;
  action: 'edit' | 'view';
  styleNonce: string;
}

export interface OpenedText {
  /** The host page, without a query. */
  pageUrl: string;
  /** The answer to the host page's `open` call. */
  opened: Record<string, unknown> & {
    action: string;
    accessToken: string;
    accessTokenTtl: number;
    editorOrigins: string[];
  };
  /** The editor's origin. */
  origin: string;
  /** The editor's page. */
  page: Answer;
  /** Renews the token, as the host page does while the editor is open. */
  renew(): Promise<{ accessToken: string; accessTokenTtl: number }>;
  /** A link from the host page to a copy that the editor created. */
  linkTo(fileId: string): Promise<string>;
  session: EditorSession;
  /** A WOPI call of the editor page's script. */
  call(input?: {
    override?: string;
    contents?: boolean;
    headers?: Record<string, string>;
    body?: Buffer | string;
  }): Promise<Answer>;
  /** Sends a save of which the host receives only the beginning. */
  beginSave(headers: Record<string, string>): ClientRequest;
}

export interface TextEditorHost extends TestHost {
  /** The text editor in the list of editors. */
  editor(): Editor;
  /** The editor's port. */
  readonly editorPort: number;
  /** To the host page, for the owner's browser. */
  link(path: string, mode?: 'edit' | 'view'): Promise<string>;
  open(path: string, mode?: 'edit' | 'view'): Promise<OpenedText>;
  set(change: Partial<Settings>): Promise<Settings>;
  /** Waits until the text editor has this problem; null: none. */
  untilProblem(code: string | null): Promise<void>;
}

/** Sends a request to 127.0.0.1, whatever host name the URL has. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer | string; path?: string } = {},
): Promise<Answer> {
  const { protocol, port, host, pathname, search } = new URL(url);
  assert.equal(protocol, 'http:');
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: options.method ?? 'GET',
        path: options.path ?? pathname + search,
        agent: false,
        headers: { Host: host, ...options.headers },
      },
      (response) => {
        buffer(response).then((body) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        }, reject);
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

export function postForm(url: string, fields: Record<string, string>): Promise<Answer> {
  return send(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

export function sessionOf({ body }: Answer): EditorSession {
  const [, json] =
    /<script type="application\/json" id="session">([^<]*)<\/script>/u.exec(body.toString()) ?? [];
  assert.ok(json !== undefined, body.toString());
  return JSON.parse(json) as EditorSession;
}

type Ask = (what: 'open' | 'token' | 'ticket', input: object) => Promise<unknown>;

/** Opens the link. `ask` sends a call of the host page's script, with the cookie of its page session. */
export async function openPage(
  link: string,
): Promise<Pick<OpenedText, 'pageUrl' | 'opened'> & { cookie: string; ask: Ask }> {
  const entered = await send(link);
  assert.equal(entered.status, 303, entered.body.toString());
  const pageUrl = new URL(entered.headers.location ?? '', link).href;
  const cookie = (entered.headers['set-cookie'] ?? [])[0]?.split(';')[0] ?? '';
  const ask: Ask = async (what, input) => {
    const answer = await send(`${pageUrl}/${what}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: new URL(link).origin, Cookie: cookie },
      body: JSON.stringify(input),
    });
    assert.equal(answer.status, 200, answer.body.toString());
    return JSON.parse(answer.body.toString()) as unknown;
  };
  return { pageUrl, cookie, ask, opened: (await ask('open', {})) as OpenedText['opened'] };
}

export async function openText(link: string): Promise<OpenedText> {
  const { pageUrl, opened, ask } = await openPage(link);
  const { origin } = new URL(opened.action);
  const page = await postForm(opened.action, {
    access_token: opened.accessToken,
    access_token_ttl: String(opened.accessTokenTtl),
  });
  const session = page.status === 200 ? sessionOf(page) : ({} as EditorSession);
  return {
    pageUrl,
    opened,
    origin,
    page,
    session,
    renew: async () =>
      (await ask('token', { mode: opened['mode'], editorId: opened['editorId'] })) as Awaited<
        ReturnType<OpenedText['renew']>
      >,
    linkTo: async (fileId) => ((await ask('ticket', { fileId, mode: 'edit' })) as { url: string }).url,
    call: ({ override, contents = false, headers = {}, body } = {}) =>
      send(`${origin}/wopi/files/${session.fileId}${contents ? '/contents' : ''}`, {
        method: override === undefined ? 'GET' : 'POST',
        headers: {
          Authorization: `Bearer ${session.accessToken}`,
          'Sec-Fetch-Site': 'same-origin',
          ...(override !== undefined && { 'X-WOPI-Override': override, Origin: origin }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      }),
    beginSave(headers) {
      const upload = httpRequest(
        `${origin.replace('localhost', '127.0.0.1')}/wopi/files/${session.fileId}/contents`,
        {
          method: 'POST',
          agent: false,
          headers: {
            ...headers,
            Authorization: `Bearer ${session.accessToken}`,
            'X-WOPI-Override': 'PUT',
            'Content-Length': 100,
          },
        },
      );
      upload.on('error', () => undefined).write('half');
      return upload;
    },
  };
}

export async function startTextEditorHost(
  t: { after: (end: () => Promise<void>) => void },
  options: TestHostOptions = {},
): Promise<TextEditorHost> {
  const files = { 'a.txt': 'a' };
  const settings = { textEditor: true, ...options.settings };
  const host = await startTestHost({ files, ...options, settings }, t);
  const editor = (): Editor => {
    const found = host.host.services.editors.list().find(({ kind }) => kind === 'text-editor');
    assert.ok(found !== undefined, 'The text editor is not registered.');
    return found;
  };
  const more = {
    editor,
    async link(path: string, mode: 'edit' | 'view' = 'edit'): Promise<string> {
      const user = host.host.services.users.list().find(({ role }) => role === 'owner');
      assert.ok(user !== undefined);
      return (await host.host.openInEditor({ user, path, mode, editorId: null })).url;
    },
    open: async (path: string, mode?: 'edit' | 'view') => openText(await more.link(path, mode)),
    set: (change: Partial<Settings>) => host.host.services.settings.update(change),
    untilProblem: (code: string | null) =>
      until(`the problem is ${code}`, () => (editor().problem?.code ?? null) === code),
  };
  const textEditorHost = Object.defineProperties(more, Object.getOwnPropertyDescriptors(host));
  Object.defineProperty(textEditorHost, 'editorPort', { get: () => Number(new URL(editor().url).port) });
  return textEditorHost as TextEditorHost;
}

export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries === 200) throw new Error(`Timed out waiting until ${what}.`);
    await pause(25);
  }
}
