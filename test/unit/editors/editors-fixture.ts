// A small document server on a real socket, and connected editors over a real database.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { HostEvent } from '../../../app/contract/events.ts';
import { createDiscoveryFetch } from '../../../app/editors/discovery-fetch.ts';
import { createEditors, type Editors } from '../../../app/editors/editors.ts';
import { openStore } from '../../../app/store/open-store.ts';
import type { Editor, ProofKeys } from '../../../app/store/editors.ts';
import { dataFolder } from '../store/store-fixture.ts';

export const startMs = Date.UTC(2026, 10, 20, 12);
export const minuteMs = 60_000;

export interface SigningKey {
  privateKey: KeyObject;
  pem: string;
  /** As attributes of `proof-key`. */
  attributes: string;
}

export function signingKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const modulus = Buffer.from(publicKey.export({ format: 'jwk' }).n!, 'base64url').toString('base64');
  return {
    privateKey,
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    attributes: `modulus="${modulus}" exponent="AQAB"`,
  };
}

export function keysOf(current: SigningKey, old?: SigningKey): ProofKeys {
  return { current: current.pem, old: old?.pem ?? null };
}

export function editorOf(id: string, change: Partial<Editor> = {}): Editor {
  return {
    id,
    name: id,
    url: `http://${id}.test`,
    kind: 'other',
    product: null,
    version: null,
    publicUrl: null,
    proofMode: 'off',
    allowedAddresses: [],
    acceptsOtherHosts: false,
    discovery: { actions: [], proofKeys: null },
    addedAtMs: 0,
    discoveredAtMs: 0,
    problem: null,
    ...change,
  };
}

/** An action is given as `odt edit`. The pages are Collabora's. */
export function discoveryXml(base: string, actions: readonly string[], key?: SigningKey): string {
  const elements = actions.map((action) => {
    const [extension, name] = action.split(' ');
    return `<action ext="${extension}" name="${name}" urlsrc="${base}/browser/1/cool.html?"/>`;
  });
  const proof = key === undefined ? '' : `<proof-key ${key.attributes}/>`;
  return `<wopi-discovery><net-zone name="external-http"><app name="writer">${elements.join('')}</app></net-zone>${proof}</wopi-discovery>`;
}

export async function serve(t: TestContext, listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  t.after(close);
  return { url: `http://127.0.0.1:${port}`, port, close };
}

/** A document server that a test can change. */
export async function documentServer(t: TestContext, actions: string[]) {
  const state = {
    actions,
    key: undefined as SigningKey | undefined,
    /** The base URL of its pages; its own URL unless set. */
    pages: undefined as string | undefined,
    /** Responds with 503 while true. */
    isAway: false,
    reads: 0,
  };
  const served = await serve(t, (request, response) => {
    if (request.url !== '/hosting/discovery') return void response.writeHead(404).end();
    state.reads += 1;
    if (state.isAway) return void response.writeHead(503).end();
    response.end(discoveryXml(state.pages ?? served.url, state.actions, state.key));
  });
  return Object.assign(state, served);
}

/** `reopen` creates the service again over the same database, like a restart of the host. */
export async function openEditors(t: TestContext) {
  const dataDir = await dataFolder(t);
  const store = openStore({ dataDir, clock: () => startMs, onNotice: () => undefined });
  t.after(() => store.close());
  const events: HostEvent[] = [];
  const warnings: string[] = [];
  const clock = { nowMs: startMs };
  let ids = 0;
  const create = (): Editors => {
    const editors = createEditors({
      db: store.db,
      clock: () => clock.nowMs,
      fetchDiscovery: createDiscoveryFetch(),
      emit: (event) => void events.push(event),
      newId: () => `0000000${(ids += 1)}`,
      log: { info: () => undefined, warn: (_fields, text) => void warnings.push(text) },
      switchOffBuiltIn: async () => undefined,
    });
    t.after(() => editors.close());
    return editors;
  };
  return { editors: create(), events, warnings, clock, reopen: create };
}
