// Pages of one folder for the Documents view. The folder is read once and cached until its timestamps change. Folders come first in
// every order.

import type { DocumentIndex } from '../files/document-index.ts';
import { createYieldTurn, sortInTurns } from '../files/event-loop.ts';
import { modifiedMsOf } from '../files/file-signature.ts';
import type { Jail, Place } from '../files/jail.ts';
import { compareEntries } from '../files/list-folder.ts';
import { measureMany, readFolder, type FolderEntry, type ListedPath } from '../files/read-folder.ts';
import { findFolder } from '../files/visible.ts';

type Sort = 'name' | 'modified' | 'size';

interface ListArgs {
  path: string;
  startIndex: number;
  count: number;
  sort: Sort;
  isDescending: boolean;
}

export interface FolderPage {
  /** The requested path, in canonical form. */
  path: string;
  shown: ListedPath[];
  total: number;
}

export interface FolderView {
  /** @throws AppError path-invalid, folder-unknown, folder-missing, disk-refused */
  page(folder: DocumentIndex, args: ListArgs): Promise<FolderPage>;
  /** Drops the cache: something in a folder changed. */
  forget(): void;
  /** How long the last read took, in ms. Callers that poll wait longer after a slow one. */
  lastCostMs(): number;
}

interface Sorted {
  /** Ascending, folders first. */
  entries: readonly FolderEntry[];
  folderCount: number;
}

interface Order {
  createdAtMs: number;
  sorted: Promise<Sorted>;
}

interface Listing {
  jail: Jail;
  place: Place;
  /** False if the folder has just changed: another change may leave its timestamps the same. */
  isSettled: boolean;
  entries: Promise<FolderEntry[]>;
  orders: Map<Sort, Order>;
}

/** The folder that is shown, and the one before it. */
const maxListings = 2;
/** A change to a document doesn't change the folder's timestamps, so sizes and times are read again after this time. */
const contentFreshMs = 5000;
/** Within this time, two changes of a folder may get the same timestamp. */
const tickMs = 50;
/** The same for FAT, whose timestamps are two seconds apart, and for the clock of another computer. */
const coarseTickMs = 2100;

export function createFolderView(): FolderView {
  let listings: Listing[] = [];
  let costMs = 0;

  const listingOf = (jail: Jail, place: Place): Listing => {
    const known = listings.find((listing) => listing.jail === jail && isSameFolder(listing, place));
    const others = listings.filter((listing) => listing !== known && listing.place.path !== place.path);
    const listing = known ?? read(jail, place);
    listings = [listing, ...others].slice(0, maxListings);
    return listing;
  };

  const drop = (listing: Listing): void => {
    listings = listings.filter((other) => other !== listing);
  };

  const read = (jail: Jail, place: Place): Listing => {
    const startedAtMs = performance.now();
    const entries = readFolder(jail, place.path, createYieldTurn()).then((all) => {
      costMs = performance.now() - startedAtMs;
      return all;
    });
    const listing = { jail, place, isSettled: isSettled(jail, place), entries, orders: new Map() };
    entries.catch(() => drop(listing));
    return listing;
  };

  const orderOf = (listing: Listing, sort: Sort): Order => {
    const known = listing.orders.get(sort);
    const isFresh =
      known !== undefined && (sort === 'name' || performance.now() - known.createdAtMs < contentFreshMs);
    if (isFresh) return known;
    const order: Order = { createdAtMs: performance.now(), sorted: sortListing(listing, sort) };
    listing.orders.set(sort, order);
    order.sorted.then(
      () => {
        order.createdAtMs = performance.now();
      },
      () => drop(listing),
    );
    return order;
  };

  return {
    async page(folder, args) {
      const { jail } = folder;
      const place = await findFolder(jail, args.path);
      const sorted = await orderOf(listingOf(jail, place), args.sort).sorted;
      return { path: jail.parse(args.path), shown: pageOf(sorted, args), total: sorted.entries.length };
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

function isSettled(jail: Jail, { stats: { mtimeNs, ctimeNs } }: Place): boolean {
  const isCoarse = jail.isRemote || mtimeNs % 1_000_000_000n === 0n;
  // Compared with file timestamps, so it is the computer's clock, not the host's.
  const ageMs = Date.now() - Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return ageMs > (isCoarse ? coarseTickMs : tickMs);
}

async function sortListing({ jail, entries: reading }: Listing, sort: Sort): Promise<Sorted> {
  const entries = await reading;
  const folderCount = entries.filter(({ isFolder }) => isFolder).length;
  const yieldTurn = createYieldTurn();
  if (sort === 'name') {
    return { entries: await sortInTurns(entries, compareEntries, yieldTurn), folderCount };
  }
  const measureOf = sort === 'size' ? ({ size }: { size: bigint }) => Number(size) : modifiedMsOf;
  const measures = await measureMany(jail, entries, measureOf, yieldTurn);
  const measured = entries.map((entry, index) => {
    // The size of a folder is meaningless.
    const isSizeless = sort === 'size' && entry.isFolder;
    return { ...entry, measure: isSizeless ? 0 : (measures[index] ?? 0) };
  });
  return { entries: await sortInTurns(measured, compareMeasured, yieldTurn), folderCount };
}

function compareMeasured(a: FolderEntry & { measure: number }, b: FolderEntry & { measure: number }): number {
  const byMeasure = a.isFolder === b.isFolder ? a.measure - b.measure : 0;
  return byMeasure || compareEntries(a, b);
}

function pageOf(
  { entries, folderCount }: Sorted,
  { startIndex, count, isDescending }: ListArgs,
): FolderEntry[] {
  if (!isDescending) return entries.slice(startIndex, startIndex + count);
  const folders = entries.slice(0, folderCount).toReversed();
  const documents = entries.slice(folderCount).toReversed();
  return [...folders, ...documents].slice(startIndex, startIndex + count);
}
