// A link to a document that can be edited immediately. `serve` and `start` print it.

import { AppError } from '../contract/errors.ts';
import { extensionOf } from '../contract/names.ts';
import { createYieldTurn } from '../files/event-loop.ts';
import { readVisible } from '../files/read-folder.ts';
import type { RunningHost } from './running-host.ts';
import type { Services } from './services.ts';

export interface DocumentLink {
  /** The document's name. */
  name: string;
  /** The URL of its host page, with a single-use ticket. */
  url: string;
}

/** The parts of a running host that this needs. */
export type LinkHost = Pick<RunningHost, 'openInEditor'> & {
  services: Pick<Services, 'editors' | 'users' | 'folder'>;
};

const welcome = 'Welcome.md';
/** Preferred types, in this order; all others follow by name. */
const firstExtensions = ['.md', '.txt'];
/** How many names are read from a large folder. */
const maxNames = 1000;

/**
 * A link to `Welcome.md`, otherwise to the first document directly in the folder that a connected editor opens.
 * @param input.ticketLifeMs how long the link stays valid; a minute by default
 * @returns undefined if there is no such document
 */
export async function findDocumentLink(
  host: LinkHost,
  input: { ticketLifeMs?: number } = {},
): Promise<DocumentLink | undefined> {
  const { editors, users } = host.services;
  const user = users.list().find(({ role }) => role === 'owner');
  if (user === undefined || editors.list().length === 0) return undefined;
  for (const name of await candidates(host)) {
    try {
      const { url } = await host.openInEditor({ user, path: name, mode: 'edit', editorId: null, ...input });
      return { name, url };
    } catch (error) {
      // No editor opens it, or it no longer exists: try the next one.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return undefined;
}

/** One document of each type. */
async function candidates({ services }: Pick<LinkHost, 'services'>): Promise<string[]> {
  const jail = services.folder()?.jail;
  const folder = await jail?.openFolder('');
  if (jail === undefined || folder === undefined) return [];
  const names: string[] = [];
  try {
    for await (const batch of readVisible(jail, folder, createYieldTurn())) {
      names.push(...batch.filter((entry) => entry.isFile()).map(({ name }) => name));
      if (names.length >= maxNames) break;
    }
  } finally {
    folder.close();
  }
  const rank = (name: string): number => {
    if (name === welcome) return -1;
    const index = firstExtensions.indexOf(extensionOf(name).toLowerCase());
    return index === -1 ? firstExtensions.length : index;
  };
  const ordered = names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const byType = Map.groupBy(ordered, (name) => extensionOf(name).toLowerCase());
  return [...byType.values()].flatMap(([first]) => first ?? []);
}
