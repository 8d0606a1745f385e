// Finds document servers on this computer: at the usual ports, and at those that running containers publish. Requests only
// discovery, with the same rules as always, and takes at most two seconds.

import { once } from 'node:events';
import { connect } from 'node:net';
import type { DetectedServer, Detection } from '../contract/document-servers.ts';
import type { FetchDiscovery, FetchedDiscovery } from './discovery-fetch.ts';
import { faultOf } from './editor-fault.ts';
import type { EditorRequest } from './editor-request.ts';
import { isSamePlace } from './editor-url.ts';
import type { Editors } from './editors.ts';

export interface DetectionDeps {
  editors: Pick<Editors, 'list'>;
  fetchDiscovery: FetchDiscovery;
  /** For a server whose certificate isn't trusted: only to find out whether it is a document server at all. */
  request: EditorRequest;
  /** Ports of running containers. */
  publishedPorts(
    signal: AbortSignal,
  ): Promise<{ container: string; hostPort: number; containerPort: number }[]>;
  limitMs?: number;
}

type Scheme = 'http' | 'https';

/** Collabora Online uses HTTPS by default. */
const usualPlaces: readonly (readonly [port: number, schemes: readonly Scheme[]])[] = [
  [80, ['http']],
  [443, ['https']],
  [8080, ['http']],
  [8443, ['https']],
  [9980, ['http', 'https']],
  [9981, ['http', 'https']],
];
/** The name first: Collabora Online allows framing under the name in its settings, and the guides use this one. */
const hosts = ['localhost', '127.0.0.1'] as const;
const defaultLimitMs = 2000;
const maxContainerPorts = 40;

interface Place {
  port: number;
  schemes: readonly Scheme[];
  container: string | null;
}

/** Never rejects: a server that doesn't respond in time counts as absent. */
export async function detectEditors(deps: DetectionDeps): Promise<Detection> {
  const { limitMs = defaultLimitMs } = deps;
  const signal = AbortSignal.timeout(limitMs);
  const containers = new Map<number, string>();
  const usual = usualPlaces.map(([port, schemes]) => ask(deps, { port, schemes, container: null }, signal));
  const isLate = once(signal, 'abort').then(() => []);
  const published = Promise.race([deps.publishedPorts(signal), isLate]).then((ports) => {
    for (const { hostPort, container } of ports) containers.set(hostPort, container);
    const known = new Set(usualPlaces.map(([port]) => port));
    const others = ports.filter(({ hostPort }) => !known.has(hostPort)).slice(0, maxContainerPorts);
    return Promise.all(
      others.map(({ hostPort, containerPort, container }) =>
        ask(deps, { port: hostPort, schemes: schemesOf(containerPort), container }, signal),
      ),
    );
  });
  const answers = [...(await Promise.all(usual)), ...(await published)];
  const servers = answers.flat().map((server) => {
    const { port, protocol } = new URL(server.url);
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
    return { ...server, container: server.container ?? containers.get(number) ?? null };
  });
  return {
    servers: servers.toSorted(
      (left, right) => Number(left.problem !== null) - Number(right.problem !== null),
    ),
    checkedCount: answers.length,
  };
}

function schemesOf(containerPort: number): readonly Scheme[] {
  if (containerPort === 80) return ['http'];
  return containerPort === 443 ? ['https'] : ['http', 'https'];
}

async function ask(
  deps: DetectionDeps,
  { port, schemes, container }: Place,
  signal: AbortSignal,
): Promise<DetectedServer[]> {
  // An HTTPS request costs much more than this, even to a closed port.
  const open = await Promise.all(hosts.map((host) => isListening(host, port, signal)));
  if (!open.includes(true)) return [];
  const found = await Promise.all(
    schemes.map(async (scheme) => {
      for (const host of hosts) {
        // Both names mostly lead to the same server: the second one counts where the first leads to none.
        // oxlint-disable-next-line no-await-in-loop
        const server = await askOne(deps, new URL(`${scheme}://${host}:${port}`).origin, signal);
        if (server !== undefined) return server;
      }
      return undefined;
    }),
  );
  return found.filter((one) => one !== undefined).map((one) => ({ ...one, container }));
}

function isListening(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, signal });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).on('error', end(false));
  });
}

async function askOne(
  deps: DetectionDeps,
  url: string,
  signal: AbortSignal,
): Promise<DetectedServer | undefined> {
  const known = deps.editors.list().find((editor) => isSamePlace(editor.url, url));
  // DocTray's own editor is always connected, and isn't a server to be found.
  if (known !== undefined && isBuiltIn(known.kind)) return undefined;
  const found = { url, editorId: known?.id ?? null, container: null };
  let fetched: FetchedDiscovery;
  try {
    fetched = await deps.fetchDiscovery(url, signal);
  } catch (error) {
    const fault = faultOf(error);
    if (fault?.code !== 'tls-not-trusted' || !(await isDocumentServer(deps, url, signal))) return undefined;
    const { code, sentence, remedy } = fault;
    return { ...found, kind: null, product: null, version: null, problem: { code, sentence, remedy } };
  }
  const { kind, product, version } = fetched;
  return isBuiltIn(kind) ? undefined : { ...found, kind, product, version, problem: null };
}

async function isDocumentServer(
  { request }: DetectionDeps,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const answer = await request({
      url: `${url}/hosting/discovery`,
      method: 'GET',
      acceptsAnyCertificate: true,
      signal,
    });
    return answer.status === 200 && /<wopi-discovery[\s>]/u.test(answer.body.slice(0, 2000));
  } catch {
    return false;
  }
}

function isBuiltIn(kind: string): boolean {
  return kind === 'text-editor';
}
