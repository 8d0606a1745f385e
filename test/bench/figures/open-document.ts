// The time from opening a document to its first byte at the editor: the link with a ticket, the host page, its call for a token, and
// the editor's signed CheckFileInfo, Lock and GetFile, without the work of browser and editor (scripts, rendering, signing). The
// reference is the bare host, which has no pages.

import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createProofKeyRing, type ProofKeyRing } from '../../editors/servers/proof-keys.ts';
import { onlyOffice } from '../../editors/dialects/onlyoffice.ts';
import type { Answer, Call, Connection } from '../client.ts';
import { median, push, row, type Contender, type Figure, type Row } from '../compare.ts';
import { askForAccess, bareHostName, getNames, responseOf, signIn } from '../hosts.ts';
import type { Access, Arena, Side, Sides } from '../hosts.ts';
import type { OpenedPage } from '../../../app/contract/page-calls.ts';
import { projectRoot } from '../processes.ts';

export const openName = 'open: click to first byte of GetFile';
const beforeEditor = ['click', 'page', 'token'];
const json = { 'Content-Type': 'application/json' };

/** Notes how long a step took. */
type Count = (step: string, ms: number) => void;

type Opened = Pick<Access, 'wopiSrc' | 'accessToken'>;

export async function* openDocument(arena: Arena, sides: () => Promise<Sides>): AsyncGenerator<Figure | Row> {
  const { subject, bare } = await sides();
  const keys = await createProofKeyRing();
  await connectEditor(keys, arena);
  const steps = new Map<string, number[]>();
  const contender = async (side: Side): Promise<Contender> => {
    const first = await side.connect();
    const token = await signIn(first);
    first.close();
    return {
      name: side.name,
      async turn() {
        let ms = 0;
        const count: Count = (step, stepMs) => {
          ms += stepMs;
          if (side === subject) push(steps, step, stepMs);
        };
        const connection = await side.connect();
        const answer = await askForAccess(connection, token, getNames['100 KiB']);
        count('click', answer.ms);
        const access = responseOf(answer) as Access;
        const opened = side === subject ? await openPage(connection, access.hostEditUrl, count) : access;
        await readDocument(connection, opened, { keys, count });
        connection.close();
        return { units: 1, ms };
      },
    };
  };
  yield {
    name: openName,
    unit: 'ms',
    passes: 12,
    contenders: [await contender(subject), await contender(bare)],
    references: [{ name: bareHostName }],
  };
  const part = (figure: string, wanted: string[]): Row => {
    const sum = wanted.reduce((total, step) => total + median(steps.get(step) ?? []), 0);
    return row(figure, [sum, Number.NaN], { unit: 'ms' });
  };
  yield part('open: click to the editor’s first call', beforeEditor);
  for (const step of steps.keys()) yield part(`open: of it ${step}`, [step]);
}

/** As from the window: the link with the ticket, the host page, and the call of its script. */
async function openPage(connection: Connection, link: string, count: Count): Promise<Opened> {
  const url = new URL(link);
  const call = async (status: number, one: Call): Promise<Answer> => {
    const answer = await connection.call({ ...one, isBodyKept: true });
    if (answer.status !== status) throw new Error(`the page was answered with ${answer.status}`);
    return answer;
  };
  const entered = await call(303, { method: 'GET', target: url.pathname + url.search });
  const cookies = [...entered.head.matchAll(/^set-cookie: *([^;\r]*)/gimu)].map(([, cookie]) => cookie);
  const headers = { ...json, Cookie: cookies.join('; '), Origin: url.origin };
  const page = await call(200, { method: 'GET', target: url.pathname, headers });
  const target = `${url.pathname}/open`;
  const token = await call(200, { method: 'POST', target, headers, body: Buffer.from('{}') });
  count('page', entered.ms + page.ms);
  count('token', token.ms);
  const { action, accessToken } = JSON.parse(token.body.toString()) as OpenedPage;
  const wopiSrc = [...new URL(action).searchParams].find(([name]) => name.toLowerCase() === 'wopisrc')?.[1];
  return { wopiSrc: wopiSrc ?? '', accessToken };
}

async function readDocument(
  connection: Connection,
  { wopiSrc, accessToken: token }: Opened,
  { keys, count }: { keys: ProofKeyRing; count: Count },
): Promise<void> {
  const { origin, pathname } = new URL(wopiSrc);
  const lock = { 'X-WOPI-Lock': pathname.slice(pathname.lastIndexOf('/') + 1) };
  const signed = (method: string, suffix = '', headers: Record<string, string> = {}): Promise<Answer> => {
    const target = `${pathname}${suffix}?access_token=${encodeURIComponent(token)}`;
    const proof = Object.entries(keys.headersFor({ url: origin + target, token }));
    const all = { ...headers, ...Object.fromEntries(proof.map(([name, value]) => [name, String(value)])) };
    return connection.expectOk({ method, target, headers: all });
  };
  count('CheckFileInfo', (await signed('GET')).ms);
  count('Lock', (await signed('POST', '', { 'X-WOPI-Override': 'LOCK', ...lock })).ms);
  count('GetFile, first byte', (await signed('GET', '/contents')).firstByteMs);
  await signed('POST', '', { 'X-WOPI-Override': 'UNLOCK', ...lock });
}

/** Starts a server that only has a discovery, which is read once. The server stops with this process. */
async function connectEditor(keys: ProofKeyRing, arena: Arena): Promise<void> {
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
}
