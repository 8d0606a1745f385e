// Both ends of a connection on real sockets: a host that only answers for probes, and a document server whose page calls it back
// as the test defines.

import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { ConnectionStep, ConnectionStepName, ConnectionTest } from '../../../app/contract/editors.ts';
import {
  createConnectionTest,
  type ConnectionTestDeps,
  type ConnectionTests,
} from '../../../app/editors/connection-test.ts';
import type { Editor } from '../../../app/store/editors.ts';
import { createProbes, type Probes } from '../../../app/editors/probes.ts';
import { proofBytes, proofTicks } from '../../../app/wopi/proof.ts';
import { serve, type Served } from './editors-fixture.ts';

export const nowMs = Date.UTC(2026, 10, 21, 12);

export interface OpenedPage {
  wopiSrc: string;
  token: string;
  /** The query of the page's URL. */
  search: URLSearchParams;
}

export interface Trial {
  host: Served;
  editorServer: Served;
  editor: Editor;
  probes: Probes;
  tests: ConnectionTests;
  run(): Promise<ConnectionTest>;
  /** The pages that were opened with a POST request. */
  opened: OpenedPage[];
}

export interface TrialOptions {
  editor?: Partial<Editor>;
  /** The editor's base address, instead of the host's own. */
  baseUrl?: string;
  /** Runs before the page responds. */
  onPage?: (page: OpenedPage, request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
  /** Handles all other requests, such as Collabora's own check. */
  onOther?: (request: IncomingMessage, body: string, response: ServerResponse) => Promise<void> | void;
  deps?: Partial<ConnectionTestDeps>;
}

export async function createTrial(t: TestContext, options: TrialOptions = {}): Promise<Trial> {
  const opened: OpenedPage[] = [];
  const host = await serve(t, (request, response) => void answerByProbe(request, response));
  const editorServer = await serve(t, (request, response) => void answerAsEditor(request, response));
  const baseUrl = options.baseUrl ?? host.url;
  const editor: Editor = {
    id: 'abcdef01',
    name: 'Office',
    url: editorServer.url,
    kind: 'other',
    product: null,
    version: null,
    publicUrl: null,
    proofMode: 'if-present',
    allowedAddresses: [],
    acceptsOtherHosts: false,
    discovery: {
      actions: [
        {
          app: 'Word',
          name: 'view',
          extension: 'docx',
          urlsrc: `${editorServer.url}/page?<ui=UI_LLCC&>`,
          isDefault: true,
        },
      ],
      proofKeys: null,
    },
    addedAtMs: nowMs,
    discoveredAtMs: nowMs,
    problem: null,
    ...options.editor,
  };
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
    settings: () => ({ allowedAddresses: [] }),
    limitMs: 2500,
    quietMs: 100,
    ...options.deps,
  });

  async function answerByProbe(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', host.url);
    const [, , , fileId = '', contents] = url.pathname.split('/');
    const answer = await probes.answer({
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
    response.end(answer?.bytes ?? (answer?.json === undefined ? '' : JSON.stringify(answer.json)));
  }

  async function answerAsEditor(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', editorServer.url);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (url.pathname !== '/page') {
      response.statusCode = 404;
      await options.onOther?.(request, body, response);
      response.end();
      return;
    }
    const token = new URLSearchParams(body).get('access_token') ?? '';
    const page = { wopiSrc: url.searchParams.get('WOPISrc') ?? '', token, search: url.searchParams };
    opened.push(page);
    await options.onPage?.(page, request, response);
    response.end('<html></html>');
  }

  return { host, editorServer, editor, probes, tests, opened, run: () => tests.run(editor.id) };
}

/** Calls CheckFileInfo, signed if there is a key. */
export async function call(
  { wopiSrc, token }: OpenedPage,
  options: { key?: KeyObject | string; atMs?: number; signedBase?: string } = {},
): Promise<{ status: number; json: () => Promise<unknown> }> {
  const target = `${new URL(wopiSrc).pathname}?access_token=${token}`;
  const { origin } = new URL(wopiSrc);
  const headers: Record<string, string> = {};
  const ticks = proofTicks(options.atMs ?? nowMs);
  if (options.key !== undefined) {
    const key = typeof options.key === 'string' ? createPrivateKey(options.key) : options.key;
    const bytes = proofBytes(token, (options.signedBase ?? origin) + target, ticks);
    headers['X-WOPI-Proof'] = sign('RSA-SHA256', bytes, key).toString('base64');
    headers['X-WOPI-TimeStamp'] = ticks.toString();
  }
  const response = await fetch(origin + target, { headers });
  return { status: response.status, json: () => response.json() };
}

export function step(test: ConnectionTest, name: ConnectionStepName): ConnectionStep {
  const found = test.steps.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no step ${name}`);
  return found;
}

/** `discovery passed, page failed page-status` */
export function summary(test: ConnectionTest): string {
  return test.steps
    .map(({ name, state, code }) => [name, state, code].filter((part) => part !== null).join(' '))
    .join(', ');
}
