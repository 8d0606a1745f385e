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
import { median, push, shown, type Contender, type Figure, type Row } from '../compare.ts';
import { bareHostName, getNames, ownerPassword, type Arena, type Side, type Sides } from '../hosts.ts';
import { projectRoot } from '../processes.ts';

export const openName = 'open: click to first byte of GetFile';
const beforeEditor = ['click', 'page', 'token'];

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Since the start of the request. */
  firstByteMs: number;
  ms: number;
}

type Call = (
  target: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>;
/** Notes how long a step took. */
type Count = (step: string, ms: number) => void;
interface Opened {
  /** Path of the WOPI file. */
  path: string;
  accessToken: string;
}

export async function* openDocument(arena: Arena, { subject, bare }: Sides): AsyncGenerator<Figure | Row> {
  const keys = await createProofKeyRing();
  const editorUrl = await connectEditor(keys, arena);
  const steps = new Map<string, number[]>();
  const contender = async (
    side: Side,
    open: (call: Call, token: string, count: Count) => Promise<Opened>,
    note: Count,
  ): Promise<Contender> => {
    const call = createCaller(side);
    const owner = JSON.stringify({ userName: 'owner', password: ownerPassword });
    const signedIn = await call('/api/2.0/authentication.json', {
      method: 'POST',
      headers: json,
      body: owner,
    });
    const { token } = (JSON.parse(signedIn.text) as { response: { token: string } }).response;
    return {
      name: side.name,
      async turn() {
        let ms = 0;
        const count: Count = (step, stepMs) => {
          ms += stepMs;
          note(step, stepMs);
        };
        await readDocument(call, {
          ...(await open(call, token, count)),
          origin: originOf(side),
          keys,
          count,
        });
        return { units: 1, ms };
      },
    };
  };
  yield {
    name: openName,
    unit: 'ms',
    passes: 12,
    contenders: [
      await contender(
        subject,
        (call, token, count) => openByPage(call, token, { editorUrl, count }),
        (step, ms) => push(steps, step, ms),
      ),
      await contender(bare, openByApi, () => undefined),
    ],
    references: [{ name: bareHostName }],
  };
  const row = (figure: string, wanted: string[]): Row => {
    const sum = wanted.reduce((total, step) => total + median(steps.get(step) ?? []), 0);
    return shown(figure, [sum, Number.NaN], { unit: 'ms', reference: '–' });
  };
  yield row('open: click to the editor’s first call', beforeEditor);
  for (const step of steps.keys()) yield row(`open: of it ${step}`, [step]);
}

const json = { 'Content-Type': 'application/json' };

function askForAccess(call: Call, token: string): Promise<Answer> {
  const body = JSON.stringify({ path: getNames['100 KiB'], mode: 'edit' });
  return call('/api/2.0/files/access', { method: 'POST', headers: { ...json, Authorization: token }, body });
}

/** As from the window: the link with the ticket, the host page, and the call of its script. */
async function openByPage(
  call: Call,
  token: string,
  { editorUrl, count }: { editorUrl: string; count: Count },
): Promise<Opened> {
  const access = await askForAccess(call, token);
  const { response } = JSON.parse(access.text) as { response: { hostEditUrl: string } };
  const url = new URL(response.hostEditUrl);
  const entered = await call(url.pathname + url.search);
  const Cookie = (entered.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const page = await call(url.pathname, { headers: { Cookie } });
  const headers = { ...json, Cookie, Origin: url.origin };
  const opened = await call(`${url.pathname}/open`, { method: 'POST', headers, body: '{}' });
  const statuses = [entered.status, page.status, opened.status].join(' ');
  if (statuses !== '303 200 200') throw new Error(`the page was answered with ${statuses}`);
  const { action, accessToken } = JSON.parse(opened.text) as { action: string; accessToken: string };
  if (!action.startsWith(editorUrl)) throw new Error('another editor than the one that was connected');
  const wopiSrc = [...new URL(action).searchParams].find(([name]) => name.toLowerCase() === 'wopisrc')?.[1];
  count('click', access.ms);
  count('page', entered.ms + page.ms);
  count('token', opened.ms);
  return { path: new URL(wopiSrc ?? '').pathname, accessToken };
}

async function openByApi(call: Call, token: string, count: Count): Promise<Opened> {
  const access = await askForAccess(call, token);
  const { response } = JSON.parse(access.text) as { response: { wopiSrc: string; accessToken: string } };
  const { wopiSrc, accessToken } = response;
  count('click', access.ms);
  return { path: new URL(wopiSrc).pathname, accessToken };
}

async function readDocument(
  call: Call,
  input: Opened & { origin: string; keys: ProofKeyRing; count: Count },
): Promise<void> {
  const { path, accessToken: token, origin, keys, count } = input;
  const lockId = path.slice(path.lastIndexOf('/') + 1);
  const signed = async (
    method: string,
    suffix = '',
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const target = `${path}${suffix}?access_token=${encodeURIComponent(token)}`;
    const proof = Object.entries(keys.headersFor({ url: origin + target, token }));
    const all = { ...headers, ...Object.fromEntries(proof.map(([name, value]) => [name, String(value)])) };
    const answer = await call(target, { method, headers: all });
    if (answer.status !== 200) throw new Error(`${method} ${suffix} was answered with ${answer.status}`);
    return answer;
  };
  count('CheckFileInfo', (await signed('GET')).ms);
  count('Lock', (await signed('POST', '', { 'X-WOPI-Override': 'LOCK', 'X-WOPI-Lock': lockId })).ms);
  count('GetFile, first byte', (await signed('GET', '/contents')).firstByteMs);
  await signed('POST', '', { 'X-WOPI-Override': 'UNLOCK', 'X-WOPI-Lock': lockId });
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
  const add = ['editors', 'add', url, '--data', arena.places.empty.data];
  await promisify(execFile)(process.execPath, [join(projectRoot, 'app/cli.ts'), ...add]);
  return url;
}

function originOf({ server }: Side): string {
  return `http://${server.host}:${server.port}`;
}

function createCaller(side: Side): Call {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (target, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      let firstByteMs = Number.NaN;
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const options = { agent, method, headers: { ...headers, ...length } };
      const request = httpRequest(originOf(side) + target, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('error', reject);
        response.on('data', (chunk: string) => {
          if (text === '') firstByteMs = performance.now() - startedAt;
          text += chunk;
        });
        response.on('end', () => {
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, text, firstByteMs, ms: performance.now() - startedAt });
        });
      });
      request.on('error', reject).end(body);
    });
}
