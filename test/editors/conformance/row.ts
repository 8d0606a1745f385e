// One row of the behaviour page as a test: its name says the row, its run asks the host. And what several rows share.

import type { Settings } from '../../../app/settings/settings.ts';
import type { TestHost } from '../../server/test-host.ts';
import type { Desk, DeskInput } from '../desk.ts';

export interface Ground {
  host: TestHost;
  /** Under which others than this computer get an answer. */
  reachable: Partial<Settings>;
  /** A new document in a folder of its own, called `minutes.docx` unless told otherwise. */
  desk: (input?: Partial<Omit<DeskInput, 'host' | 'path'>> & { name?: string }) => Promise<Desk>;
}

export interface Row {
  name: string;
  run: (ground: Ground) => Promise<void>;
}

export const minutes = 60_000;
export const hours = 60 * minutes;
/** A lock lives 30 minutes; this is just over. */
export const lapse = 30 * minutes + 1_000;

/** The same desk, its calls made with another token or file. */
export function presenting(desk: Desk, access: Partial<Desk['access']>): Desk {
  Object.assign(desk.access, access);
  return desk;
}

/** Changes settings for a while. */
export async function withSettings(
  ground: Ground,
  change: Partial<Settings>,
  work: () => Promise<void>,
): Promise<void> {
  const { settings } = ground.host.host.services;
  const before = settings.current();
  await settings.update(change);
  try {
    await work();
  } finally {
    await settings.update(before);
  }
}
