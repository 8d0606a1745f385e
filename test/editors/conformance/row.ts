// A rule of docs/protocol.md as a test of one new document, and what the rules share.

import assert from 'node:assert/strict';
import type { Settings } from '../../../app/settings/settings.ts';
import type { TestHost } from '../../server/test-host.ts';
import { jsonOf, type Exchange } from '../wire.ts';
import type { WopiClient, ClientInput } from '../wopi-client.ts';

/** The name defaults to `minutes.docx`, and the content is `as it was`. */
type NewDocument = Partial<Omit<ClientInput, 'host' | 'path'>> & { name?: string };

export interface RowContext {
  host: TestHost;
  /** Settings under which clients other than this computer are answered. */
  reachable: Partial<Settings>;
  /** Creates another document in a new folder and opens it. */
  another: (document?: NewDocument) => Promise<WopiClient>;
}

export interface Row {
  name: string;
  document: NewDocument;
  run: (client: WopiClient, context: RowContext) => Promise<void>;
}

export function row(name: string, run: Row['run'], document: NewDocument = {}): Row {
  return { name, document, run };
}

export const minutes = 60_000;
export const hours = 60 * minutes;
/** Just over the 30 minutes after which a lock lapses. */
export const lapse = 30 * minutes + 1_000;

/** Takes the lock. */
export async function take(client: WopiClient, id = 'mine'): Promise<void> {
  assert.equal((await client.lock(id)).status, 200);
}

/** The answer is a 409 with that lock id, and the document is unchanged. */
export async function assertConflict(client: WopiClient, refused: Exchange, lock: string): Promise<void> {
  assert.equal(refused.status, 409);
  assert.equal(refused.received['x-wopi-lock'], lock);
  assert.deepEqual(await client.siblings(), ['minutes.docx']);
  assert.equal(await client.onDisk(), 'as it was');
}

/** Of each, an answer has what its operation returns. */
interface Answer {
  Name: string;
  Url: string;
  HostViewUrl: string;
  HostEditUrl: string;
  LastModifiedTime: string;
  UserInfo: string;
  Version: string;
}

/** The JSON of a successful answer. */
export function answerOf(exchange: Exchange): Answer {
  assert.equal(exchange.status, 200);
  assert.match(exchange.received['content-type'] ?? '', /^application\/json/);
  return jsonOf(exchange) as Answer;
}

/** Makes the client use another token or file. */
export function withAccess(client: WopiClient, access: Partial<WopiClient['access']>): WopiClient {
  Object.assign(client.access, access);
  return client;
}

/** Runs `work` with changed settings. */
export async function withSettings(
  { host }: RowContext,
  change: Partial<Settings>,
  work: () => Promise<void>,
): Promise<void> {
  const { settings } = host.host.services;
  const before = settings.current();
  await settings.update(change);
  try {
    await work();
  } finally {
    await settings.update(before);
  }
}
