// Finds document servers on this computer: at the usual ports, and at those that running containers publish. Requests only
// discovery, with the same rules as always, and takes at most two seconds.

import { once } from 'node:events';
import type { DetectedServer, Detection } from '../contract/document-servers.ts';
import { portOf } from '../network/addresses.ts';
import type { FetchDiscovery } from './discovery-fetch.ts';
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

/** Collabora Online uses HTTPS by default. */
const usualUrls = [
  ...urlsAt(80, 'http'),
  ...urlsAt(443, 'https'),
  ...urlsAt(8080, 'http'),
  ...urlsAt(8443, 'https'),
  ...urlsAt(9980),
  ...urlsAt(9981),
];
const defaultLimitMs = 2000;
const maxContainerPorts = 40;

/** Never rejects: a server that doesn't respond in time counts as absent. */
export async function detectEditors(deps: DetectionDeps): Promise<Detection> {
  const signal = AbortSignal.timeout(deps.limitMs ?? defaultLimitMs);
  const askAll = (urls: readonly string[]) => Promise.all(urls.map((url) => ask(deps, url, signal)));
  const usual = askAll(usualUrls);
  const isLate = once(signal, 'abort').then(() => []);
  const ports = await Promise.race([deps.publishedPorts(signal), isLate]);
  const others = ports
    .slice(0, maxContainerPorts)
    .flatMap(({ hostPort, containerPort: inside }) =>
      urlsAt(hostPort, inside === 80 ? 'http' : inside === 443 ? 'https' : undefined),
    )
    .filter((url) => !usualUrls.includes(url));
  // Once each: Podman may also be installed as `docker`.
  const answers = await Promise.all([usual, askAll([...new Set(others)])]);
  const found = answers.flat().filter((server) => server !== undefined);
  const servers = found.map((server) => {
    const at = Number(portOf(new URL(server.url)));
    return { ...server, container: ports.find(({ hostPort }) => hostPort === at)?.container ?? null };
  });
  const isUnclear = ({ problem }: DetectedServer): number => Number(problem !== null);
  return { servers: servers.toSorted((left, right) => isUnclear(left) - isUnclear(right)) };
}

/** By name: Collabora Online allows framing under the name in its settings, and the guides use this one. */
function urlsAt(port: number, scheme?: 'http' | 'https'): string[] {
  const schemes = scheme === undefined ? ['http', 'https'] : [scheme];
  return schemes.map((one) => new URL(`${one}://localhost:${port}`).origin);
}

async function ask(
  deps: DetectionDeps,
  url: string,
  signal: AbortSignal,
): Promise<DetectedServer | undefined> {
  const known = deps.editors.list().find((editor) => isSamePlace(editor.url, url));
  // DocTray's own editor is always connected, and isn't a server to be found.
  if (known?.kind === 'text-editor') return undefined;
  const found = { url, editorId: known?.id ?? null, container: null };
  try {
    const { kind, product, version } = await deps.fetchDiscovery(url, signal);
    return kind === 'text-editor' ? undefined : { ...found, kind, product, version, problem: null };
  } catch (error) {
    const fault = faultOf(error);
    if (fault?.code !== 'tls-not-trusted' || !(await isDocumentServer(deps, url, signal))) return undefined;
    const { code, sentence, remedy } = fault;
    return { ...found, kind: null, product: null, version: null, problem: { code, sentence, remedy } };
  }
}

async function isDocumentServer(
  { request }: DetectionDeps,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  const how = { method: 'GET', acceptsAnyCertificate: true, signal } as const;
  const answer = await request({ url: `${url}/hosting/discovery`, ...how }).catch(() => undefined);
  return answer?.status === 200 && /<wopi-discovery[\s>]/u.test(answer.body.slice(0, 2000));
}
