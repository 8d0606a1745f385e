// Pages of one folder for the Documents view: folders first, then documents, by name. The folder is read once and cached until its
// timestamps change.

import type { DocumentIndex } from '../files/document-index.ts';
import { createYieldTurn, sortInTurns } from '../files/event-loop.ts';
import type { Jail, Place } from '../files/jail.ts';
import { compareEntries } from '../files/list-folder.ts';
import { readFolder, type FolderEntry, type ListedPath } from '../files/read-folder.ts';
import { findFolder } from '../files/visible.ts';

export interface FolderPage {
  /** The requested path, in canonical form. */
  path: string;
  shown: ListedPath[];
  total: number;
}

export interface FolderView {
  /** @throws AppError path-invalid, folder-unknown, folder-missing, disk-refused */
  page(folder: DocumentIndex, args: { path: string; startIndex: number; count: number }): Promise<FolderPage>;
  /** Drops the cache: something in a folder changed. */
  forget(): void;
  /** How long the last read took, in ms. Callers that poll wait longer after a slow one. */
  lastCostMs(): number;
}

interface Listing {
  jail: Jail;
  place: Place;
  /** False if the folder has just changed: another change may leave its timestamps the same. */
  isSettled: boolean;
  entries: Promise<FolderEntry[]>;
}

/** The folder that is shown, and the one before it. */
const maxListings = 2;
/** Within this time, two changes of a folder may get the same timestamp: those of FAT are two seconds apart. */
const tickMs = 2100;

export function createFolderView(): FolderView {
  let listings: Listing[] = [];
  let costMs = 0;

  const listingOf = (jail: Jail, place: Place): Listing => {
    const known = listings.find((listing) => listing.jail === jail && isSameFolder(listing, place));
    const others = listings.filter((listing) => listing !== known && listing.place.path !== place.path);
    const listing = known ?? { jail, place, isSettled: isSettled(place), entries: read(jail, place) };
    listings = [listing, ...others].slice(0, maxListings);
    listing.entries.catch(() => {
      listings = listings.filter((other) => other !== listing);
    });
    return listing;
  };

  const read = async (jail: Jail, place: Place): Promise<FolderEntry[]> => {
    const startedAtMs = performance.now();
    const yieldTurn = createYieldTurn();
    const entries = await readFolder(jail, place.path, yieldTurn);
    costMs = performance.now() - startedAtMs;
    return sortInTurns(entries, compareEntries, yieldTurn);
  };

  return {
    async page(folder, { path, startIndex, count }) {
      const { jail } = folder;
      const place = await findFolder(jail, path);
      const entries = await listingOf(jail, place).entries;
      return {
        path: jail.parse(path),
        shown: entries.slice(startIndex, startIndex + count),
        total: entries.length,
      };
    },

    forget() {
      listings = [];
    },

    lastCostMs: () => costMs,
  };
}

function isSameFolder({ isSettled: isKept, place: { path, stats } }: Listing, now: Place): boolean {
  return (
    isKept &&
    path === now.path &&
    stats.ino === now.stats.ino &&
    stats.mtimeNs === now.stats.mtimeNs &&
    stats.ctimeNs === now.stats.ctimeNs
  );
}

function isSettled({ stats: { mtimeNs, ctimeNs } }: Place): boolean {
  // Compared with file timestamps, so it is the computer's clock, not the host's.
  const ageMs = Date.now() - Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return ageMs > tickMs;
}
