// A complete host with the built-in text editor, and what a browser does to open a document: the link, the host page, the form
// that opens the editor, and the calls of the editor's page.

import assert from 'node:assert/strict';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Editor } from '../../app/store/editors.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { askForBytes, type Answer as AnswerOf } from './network-host.ts';
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts';
import { enterPage } from './test-page.ts';

export type Answer = AnswerOf<Buffer>;

export interface EditorSession {
  fileId: string;
  accessToken: string;
  accessTokenTtl: number;
  action: 'edit' | 'view';
  styleNonce: string;
}

export type OpenedText = Awaited<ReturnType<typeof openText>>;

export type TextEditorHost = Awaited<ReturnType<typeof startTextEditorHost>>;

/** Sends a request to 127.0.0.1, whatever host name the URL has. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer | string; path?: string } = {},
): Promise<Answer> {
  const { protocol, port, host, pathname, search } = new URL(url);
  assert.equal(protocol, 'http:');
  return askForBytes({ path: pathname + search, host, ...options, port: Number(port) });
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

/** Opens the link. `ask` sends a call of the host page's script, with the cookie of its page session. */
export async function openPage(link: string) {
  const page = await enterPage(link);
  const ask = async (what: 'open' | 'token' | 'ticket', input: object): Promise<Record<string, unknown>> => {
    const { status, body } = await page.post(what, input);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  /** The answer to the host page's `open` call. */
  const opened = (await ask('open', {})) as Record<string, unknown> & {
    action: string;
    accessToken: string;
    accessTokenTtl: number;
    editorOrigins: string[];
  };
  return { pageUrl: page.url, cookie: page.cookie, ask, opened };
}

export async function openText(link: string) {
  const { pageUrl, opened, ask } = await openPage(link);
  const { origin } = new URL(opened.action);
  const page = await postForm(opened.action, {
    access_token: opened.accessToken,
    access_token_ttl: String(opened.accessTokenTtl),
  });
  const session = page.status === 200 ? sessionOf(page) : ({} as EditorSession);
  return {
    /** The host page, without a query. */
    pageUrl,
    opened,
    /** The editor's origin. */
    origin,
    /** The editor's page. */
    page,
    session,
    /** Renews the token, as the host page does while the editor is open. */
    renew: async () =>
      (await ask('token', { mode: opened['mode'], editorId: opened['editorId'] })) as {
        accessToken: string;
        accessTokenTtl: number;
      },
    /** A link from the host page to a copy that the editor created. */
    linkTo: async (fileId: string) => String((await ask('ticket', { fileId, mode: 'edit' }))['url']),
    /** A WOPI call of the editor page's script. */
    call: ({
      override,
      contents = false,
      headers = {},
      body,
    }: {
      override?: string;
      contents?: boolean;
      headers?: Record<string, string>;
      body?: Buffer | string;
    } = {}) =>
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
    /** Sends a save of which the host receives only the beginning. */
    beginSave(headers: Record<string, string>): ClientRequest {
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
) {
  const files = { 'a.txt': 'a' };
  const settings = { textEditor: true, ...options.settings };
  const host = await startTestHost({ files, ...options, settings }, t);
  /** The text editor in the list of editors. */
  const editor = (): Editor => {
    const found = host.host.services.editors.list().find(({ kind }) => kind === 'text-editor');
    assert.ok(found !== undefined, 'The text editor is not registered.');
    return found;
  };
  /** To the host page, for the owner's browser. */
  const link = async (path: string, mode: 'edit' | 'view' = 'edit'): Promise<string> => {
    const user = host.host.services.users.list().find(({ role }) => role === 'owner');
    assert.ok(user !== undefined);
    return (await host.host.openInEditor({ user, path, mode, editorId: null })).url;
  };
  const more = {
    editor,
    link,
    /** The editor's port. */
    get editorPort() {
      return Number(new URL(editor().url).port);
    },
    open: async (path: string, mode?: 'edit' | 'view') => openText(await link(path, mode)),
    set: (change: Partial<Settings>) => host.host.services.settings.update(change),
    /** Waits until the text editor has this problem; null: none. */
    untilProblem: (code: string | null) =>
      until(`the problem is ${code}`, () => (editor().problem?.code ?? null) === code),
  };
  return Object.defineProperties(more, Object.getOwnPropertyDescriptors(host)) as TestHost & typeof more;
}

export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries === 200) throw new Error(`Timed out waiting until ${what}.`);
    await pause(25);
  }
}
