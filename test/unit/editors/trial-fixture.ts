// Both ends of a connection on real sockets: a host that only answers for probes, and a document server whose page calls it back
// as the test defines.

import { sign } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { ConnectionTest } from '../../../app/contract/editors.ts';
import { createConnectionTest, type ConnectionTestDeps } from '../../../app/editors/connection-test.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { createProbes } from '../../../app/editors/probes.ts';
import { proofBytes, proofTicks } from '../../../app/wopi/proof.ts';
import { editorOf, serve, type SigningKey } from './editors-fixture.ts';

export const nowMs = Date.UTC(2026, 10, 21, 12);

/** What the page was opened with. */
export interface OpenedPage {
  action: URL;
  wopiSrc: string;
  token: string;
}

export interface TrialOptions {
  editor?: Partial<Editor>;
  /** The editor's base address, instead of the host's own. */
  baseUrl?: string;
  /** Runs before the page responds. @returns its status and headers */
  onPage?: (page: OpenedPage) => Promise<[number, OutgoingHttpHeaders?] | void>;
  /** The result of Collabora's own check; it has called the host before. */
  check?: string;
  isCalledByCheck?: boolean;
  deps?: Partial<ConnectionTestDeps>;
}

export async function createTrial(t: TestContext, options: TrialOptions = {}) {
  const opened: OpenedPage[] = [];
  const host = await serve(t, answerByProbe);
  const server = await serve(t, (request, response) => void answerAsEditor(request, response));
  const baseUrl = options.baseUrl ?? host.url;
  const urlsrc = `${server.url}/page?<ui=UI_LLCC&>`;
  const actions = [{ app: 'Word', name: 'view', extension: 'docx', urlsrc, isDefault: true }];
  const usual = { url: server.url, discovery: { actions, proofKeys: null }, addedAtMs: nowMs };
  const editor = editorOf('office', { ...usual, proofMode: 'if-present', ...options.editor });
  const editors = {
    byId: (id: string) => (id === editor.id ? editor : undefined),
    refresh: () => Promise.resolve(editor),
  };
  const probes = createProbes({ clock: () => nowMs, editors, baseUrlOf: () => baseUrl });
  const tests = createConnectionTest({
    editors,
    probes,
    clock: () => nowMs,
    baseUrlOf: () => baseUrl,
    pageUrlOf: () => host.url,
    limitMs: 1000,
    quietMs: 100,
    ...options.deps,
  });

  function answerByProbe(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', host.url);
    const [, , , fileId = '', contents] = url.pathname.split('/');
    const answer = probes.answer({
      fileId,
      token: url.searchParams.get('access_token') ?? undefined,
      method: request.method ?? '',
      hasContents: contents === 'contents',
      header: (name) => request.headers[name.toLowerCase()]?.toString(),
      target: request.url ?? '',
      receivedBase: `http://${request.headers.host}`,
      isOwnPort: true,
      clientAddress: request.socket.remoteAddress ?? '',
    });
    response.writeHead(answer?.status ?? 404, answer?.headers);
    response.end(answer?.bytes ?? JSON.stringify(answer?.json ?? ''));
  }

  async function answerAsEditor(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const action = new URL(request.url ?? '', server.url);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (action.pathname === '/page') {
      const token = new URLSearchParams(body).get('access_token') ?? '';
      const page = { action, wopiSrc: action.searchParams.get('WOPISrc') ?? '', token };
      opened.push(page);
      const [status, headers] = (await options.onPage?.(page)) ?? [200];
      response.writeHead(status, headers).end('<html></html>');
      return;
    }
    const { check, isCalledByCheck = false } = options;
    if (action.pathname === '/hosting/wopiAccessCheck' && check !== undefined) {
      const { callbackUrl } = JSON.parse(body) as { callbackUrl: string };
      if (isCalledByCheck) await fetch(callbackUrl);
      response.end(JSON.stringify({ status: check }));
    } else response.writeHead(404).end();
  }

  return { hostUrl: host.url, editor, tests, opened, run: () => tests.run(editor.id) };
}

/** Calls CheckFileInfo, signed if there is a key. */
export async function call(
  { wopiSrc, token }: Pick<OpenedPage, 'wopiSrc' | 'token'>,
  options: { key?: SigningKey; atMs?: number; signedBase?: string; method?: string } = {},
): Promise<number> {
  const { origin, pathname } = new URL(wopiSrc);
  const target = `${pathname}?access_token=${token}`;
  const headers: Record<string, string> = {};
  const ticks = proofTicks(options.atMs ?? nowMs);
  if (options.key !== undefined) {
    const bytes = proofBytes(token, (options.signedBase ?? origin) + target, ticks);
    headers['X-WOPI-Proof'] = sign('RSA-SHA256', bytes, options.key.privateKey).toString('base64');
    headers['X-WOPI-TimeStamp'] = ticks.toString();
  }
  return (await fetch(origin + target, { headers, method: options.method ?? 'GET' })).status;
}

/** `discovery passed, page failed page-status` */
export function summary({ steps }: ConnectionTest): string {
  return steps
    .map(({ name, state, code }) => [name, state, code].filter((part) => part !== null).join(' '))
    .join(', ');
}
