// The time from opening a document to its first byte at the editor: the link with a ticket, the host page, its call for a token, and
// the editor's signed CheckFileInfo, Lock and GetFile, without the work of browser and editor (scripts, rendering, signing). The
// reference is the bare host, which has no pages.

import { execFile } from 'node:child_process';
import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProofKeyRing, type ProofKeyRing } from '../../editors/servers/proof-keys.ts';
import { onlyOffice } from '../../editors/dialects/onlyoffice.ts';
import { bareHostName, getNames, type Arena, type Sides } from '../arena.ts';
import { medianOf, type Figure, type Row } from '../figure.ts';
import { median, type Contender } from '../rounds.ts';
import { ownerPassword, type Side } from '../sides.ts';

export const openName = 'open: click to first byte of GetFile';
const legs = ['click', 'page', 'token', 'CheckFileInfo', 'Lock', 'GetFile, first byte'] as const;
type Leg = (typeof legs)[number];
/** The steps before the editor's first call, which is CheckFileInfo. */
const beforeEditor: readonly Leg[] = ['click', 'page', 'token'];
const plan = { rounds: medianOf, passes: 12 };

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Since the start of the request. */
  firstByteMs: number;
  ms: number;
}

interface Caller {
  call(
    target: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<Answer>;
}

export interface OpenDocumentBench {
  figure: Figure;
  /** The time of each step. Available once the figure was measured. */
  legRows(): Row[];
}

export async function openDocument(arena: Arena, sides: Sides): Promise<OpenDocumentBench> {
  const keys = await createProofKeyRing();
  const editorUrl = await connectEditor(keys, arena);
  const taken = new Map<Leg, number[]>(legs.map((leg) => [leg, []]));
  const contender = async (
    side: Side,
    open: (caller: Caller, token: string) => Promise<Opened>,
    note: (leg: Leg, ms: number) => void,
  ): Promise<Contender> => {
    const caller = createCaller(side);
    const token = await signIn(caller);
    return {
      name: side.name,
      async turn() {
        let ms = 0;
        const count = (leg: Leg, legMs: number): void => {
          ms += legMs;
          note(leg, legMs);
        };
        const opened = await open(caller, token);
        for (const [leg, legMs] of opened.legs) count(leg, legMs);
        await fetchDocument(caller, { ...opened, origin: originOf(side), keys, count });
        return { units: 1, ms };
      },
    };
  };
  return {
    figure: {
      name: openName,
      unit: 'ms',
      plan,
      contenders: [
        await contender(
          sides.subject,
          (caller, token) => openByPage(caller, token, editorUrl),
          (leg, ms) => taken.get(leg)?.push(ms),
        ),
        await contender(sides.bare, openByApi, () => undefined),
      ],
      references: [{ name: bareHostName }],
    },
    legRows() {
      const sumOf = (wanted: readonly Leg[]): number =>
        wanted.reduce((sum, leg) => sum + median(taken.get(leg) ?? []), 0);
      const row = (figure: string, value: number): Row => ({
        figure,
        value: `${value.toPrecision(3)} ms`,
        reference: '–',
        referenceValue: '–',
        ratio: undefined,
        floor: undefined,
        verdict: Number.isNaN(value) ? 'not measured' : 'no floor',
      });
      return [
        row('open: click to the editor’s first call', sumOf(beforeEditor)),
        ...legs.map((leg) => row(`open: of it ${leg}`, sumOf([leg]))),
      ];
    },
  };
}

interface Opened {
  /** Path of the WOPI file. */
  path: string;
  accessToken: string;
  legs: [Leg, number][];
}

/** Opens a document as from the window: the link with the ticket, the host page, and the call of its script. */
async function openByPage(caller: Caller, token: string, editorUrl: string): Promise<Opened> {
  const access = await caller.call('/api/2.0/files/access', accessCall(token));
  const { response } = JSON.parse(access.text) as { response: { hostEditUrl: string } };
  const url = new URL(response.hostEditUrl);
  const entered = await caller.call(url.pathname + url.search);
  const cookie = (entered.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const page = await caller.call(url.pathname, { headers: { Cookie: cookie } });
  const opened = await caller.call(`${url.pathname}/open`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie, Origin: url.origin },
    body: '{}',
  });
  if (entered.status !== 303 || page.status !== 200 || opened.status !== 200) {
    throw new Error(`the page was answered with ${entered.status}, ${page.status}, ${opened.status}`);
  }
  const { action, accessToken } = JSON.parse(opened.text) as { action: string; accessToken: string };
  if (!action.startsWith(editorUrl)) throw new Error('another editor than the one that was connected');
  const wopiSrc = [...new URL(action).searchParams].find(([name]) => name.toLowerCase() === 'wopisrc')?.[1];
  return {
    path: new URL(wopiSrc ?? '').pathname,
    accessToken,
    legs: [
      ['click', access.ms],
      ['page', entered.ms + page.ms],
      ['token', opened.ms],
    ],
  };
}

async function openByApi(caller: Caller, token: string): Promise<Opened> {
  const access = await caller.call('/api/2.0/files/access', accessCall(token));
  const { response } = JSON.parse(access.text) as { response: { wopiSrc: string; accessToken: string } };
  const { pathname: path } = new URL(response.wopiSrc);
  return { path, accessToken: response.accessToken, legs: [['click', access.ms]] };
}

async function fetchDocument(
  caller: Caller,
  input: {
    path: string;
    accessToken: string;
    origin: string;
    keys: ProofKeyRing;
    count: (leg: Leg, ms: number) => void;
  },
): Promise<void> {
  const { path, accessToken, origin, keys, count } = input;
  const lockId = path.slice(path.lastIndexOf('/') + 1);
  const call = async (method: string, suffix = '', headers: Record<string, string> = {}): Promise<Answer> => {
    const target = `${path}${suffix}?access_token=${encodeURIComponent(accessToken)}`;
    const signature = keys.headersFor({ url: origin + target, token: accessToken });
    const signed = Object.entries(signature).map(([name, value]) => [name, String(value)] as const);
    const answer = await caller.call(target, {
      method,
      headers: { ...headers, ...Object.fromEntries(signed) },
    });
    if (answer.status !== 200) throw new Error(`${method} ${suffix} was answered with ${answer.status}`);
    return answer;
  };
  count('CheckFileInfo', (await call('GET')).ms);
  count('Lock', (await call('POST', '', { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': lockId })).ms);
  count('GetFile, first byte', (await call('GET', '/contents')).firstByteMs);
  await call('POST', '', { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': lockId });
}

function accessCall(token: string): { method: string; headers: Record<string, string>; body: string } {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: token },
    body: JSON.stringify({ path: getNames['100 KiB'], mode: 'edit' }),
  };
}

async function signIn(caller: Caller): Promise<string> {
  const { text } = await caller.call('/api/2.0/authentication.json', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userName: 'owner', password: ownerPassword }),
  });
  return (JSON.parse(text) as { response: { token: string } }).response.token;
}

/** Starts a server that only has a discovery, which is read once. The server stops with this process. */
async function connectEditor(keys: ProofKeyRing, arena: Arena): Promise<string> {
  const { discovery } = onlyOffice();
  let url = '';
  const server = createServer((request, response) => {
    const isDiscovery = request.url === '/hosting/discovery';
    response.writeHead(isDiscovery ? 200 : 404, { 'Content-Type': 'text/xml' });
    response.end(isDiscovery ? discovery(url, keys.element()) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entry = join(import.meta.dirname, '../../../app/cli.ts');
  await promisify(execFile)(process.execPath, [
    entry,
    'editors',
    'add',
    url,
    '--data',
    arena.places.empty.data,
  ]);
  return url;
}

function originOf({ server }: Side): string {
  return `http://${server.host}:${server.port}`;
}

function createCaller(side: Side): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    call: (target, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        let firstByteMs = Number.NaN;
        const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
        const request = httpRequest(
          originOf(side) + target,
          { agent, method, headers: { ...headers, ...length } },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => {
              if (text === '') firstByteMs = performance.now() - startedAt;
              text += chunk;
            });
            response.on('error', reject);
            response.on('end', () => {
              const { statusCode: status = 0, headers } = response;
              resolve({ status, headers, text, firstByteMs, ms: performance.now() - startedAt });
            });
          },
        );
        request.on('error', reject);
        request.end(body);
      }),
  };
}
