// A rule of docs/protocol.md as a test, and what the rules share.

import type { Settings } from '../../../app/settings/settings.ts';
import type { TestHost } from '../../server/test-host.ts';
import type { WopiClient, ClientInput } from '../wopi-client.ts';

export interface RowContext {
  host: TestHost;
  /** Settings under which clients other than this computer are answered. */
  reachable: Partial<Settings>;
  /** Creates a document in a new folder and opens it. Its name defaults to `minutes.docx`. */
  client: (input?: Partial<Omit<ClientInput, 'host' | 'path'>> & { name?: string }) => Promise<WopiClient>;
}

export interface Row {
  name: string;
  run: (context: RowContext) => Promise<void>;
}

export const minutes = 60_000;
export const hours = 60 * minutes;
/** Just over the 30 minutes after which a lock lapses. */
export const lapse = 30 * minutes + 1_000;

/** Makes the client use another token or file. */
export function withAccess(client: WopiClient, access: Partial<WopiClient['access']>): WopiClient {
  Object.assign(client.access, access);
  return client;
}

/** Runs `work` with changed settings. */
export async function withSettings(
  context: RowContext,
  change: Partial<Settings>,
  work: () => Promise<void>,
): Promise<void> {
  const { settings } = context.host.host.services;
  const before = settings.current();
  await settings.update(change);
  try {
    await work();
  } finally {
    await settings.update(before);
  }
}
