// One folder as the Documents view pages through it: read once, then kept for as long as the folder's own times say that nothing
// was added or taken away. The first pages are picked out, a later one has all put in order. Folders come first, however sorted.

import type { CommandArgs } from '../contract/commands.ts';
import { AppError } from '../contract/errors.ts';
import { readFolderEntries, type FolderEntry } from '../files/folder-entries.ts';
import type { DocumentIndex } from '../files/document-index.ts';
import { isHiddenPath, joinPath, type Jail, type Place } from '../files/jail.ts';
import { measureMany } from '../files/look-many.ts';
import { firstSliced, sortSliced } from '../files/sliced-sort.ts';
import { createBreathe } from '../files/time-slice.ts';
import type { ShownPath } from './document-items.ts';

type ListArgs = CommandArgs<'documents.list'>;
type Sort = ListArgs['sort'];

export interface FolderPage {
  /** As it was asked for, in canonical form. */
  path: string;
  shown: ShownPath[];
  total: number;
}

export interface FolderView {
  /** @throws AppError path-invalid, folder-unknown, folder-missing, disk-refused */
  page(folder: DocumentIndex, args: ListArgs): Promise<FolderPage>;
  /** Something in the folder changed, or all that is kept is of another host. */
  forget(): void;
  /** How long the last reading took, in ms: who asks again and again waits by it. */
  lastCostMs(): number;
}

interface Entry extends FolderEntry {
  /** Size or time; absent where the order goes by names alone. */
  measure?: number;
}

interface Groups {
  folders: Entry[];
  documents: Entry[];
}

interface Order {
  madeAtMs: number;
  /** As the disk has them, with their measures. */
  groups: Promise<Groups>;
  /** Ascending; made when a page is asked for that is not among the first. */
  sorted?: Promise<Groups>;
}

interface Listing {
  jail: Jail;
  place: Place;
  /** False for a folder that changed just now: it may change again without its times telling. */
  isSettled: boolean;
  entries: Promise<FolderEntry[]>;
  orders: Map<Sort, Order>;
}

/** The folder that is shown, and the one before it. */
const maxListings = 2;
const defaultMaxPicked = 2000;
/** A change to a document leaves the folder's own times alone, so sizes and times are looked at again after this long. */
const contentFreshMs = 5000;
/** Within one tick of the file system's clock a folder can change twice with one time. */
const tickMs = 50;
/** FAT counts in two seconds; the clock of another machine may be a little off. */
const coarseTickMs = 2100;

export interface FolderViewDeps {
  /** So many of the first ones are picked out without sorting the rest. */
  maxPicked?: number;
}

export function createFolderView({ maxPicked = defaultMaxPicked }: FolderViewDeps = {}): FolderView {
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
    const entries = readFolderEntries(jail, place, createBreathe()).then((all) => {
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
      known !== undefined && (sort === 'name' || performance.now() - known.madeAtMs < contentFreshMs);
    if (isFresh) return known;
    const order: Order = { madeAtMs: performance.now(), groups: measure(listing, sort) };
    listing.orders.set(sort, order);
    order.groups.then(
      () => {
        order.madeAtMs = performance.now();
      },
      () => drop(listing),
    );
    return order;
  };

  return {
    async page(folder, args) {
      const { jail } = folder;
      const path = jail.parse(args.path);
      await jail.requireRoot();
      const place = isHiddenPath(path) ? undefined : await jail.resolve(path);
      if (place?.stats.isDirectory() !== true || isHiddenPath(place.path)) {
        throw new AppError('folder-unknown');
      }
      const order = orderOf(listingOf(jail, place), args.sort);
      const { folders, documents } = await order.groups;
      const total = folders.length + documents.length;
      const end = Math.min(args.startIndex + args.count, total);
      const isPicked = order.sorted === undefined && end <= maxPicked;
      const entries = isPicked
        ? (await pick(order, end, args.isDescending)).slice(args.startIndex)
        : between(await sort(order), args.startIndex, end, args.isDescending);
      const shown = entries.map(({ name, isLink }) => ({ path: joinPath(place.path, name), isLink }));
      return { path, shown, total };
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
  // The disk's clock is the machine's, not the one the host goes by.
  const ageMs = Date.now() - Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return ageMs > (isCoarse ? coarseTickMs : tickMs);
}

async function measure({ jail, place, entries: reading }: Listing, sort: Sort): Promise<Groups> {
  const entries = await reading;
  const breathe = createBreathe();
  const groups: Groups = { folders: [], documents: [] };
  const measures =
    sort === 'name'
      ? []
      : await measureMany({
          jail,
          items: entries,
          pathOf: ({ name }) => joinPath(place.path, name),
          measure: ({ size, mtimeMs }) => (sort === 'size' ? size : mtimeMs),
          breathe,
        });
  for (const [index, entry] of entries.entries()) {
    // A folder has no size that would say anything.
    const measured = sort === 'size' && entry.isFolder ? 0 : (measures[index] ?? 0);
    const item = sort === 'name' ? entry : { ...entry, measure: measured };
    (entry.isFolder ? groups.folders : groups.documents).push(item);
    if (index % 1024 === 0) await breathe();
  }
  return groups;
}

/** The first ones in order, folders before documents. */
async function pick({ groups }: Order, count: number, isDescending: boolean): Promise<Entry[]> {
  const { folders, documents } = await groups;
  const breathe = createBreathe();
  const compareWanted = isDescending ? (a: Entry, b: Entry): number => compare(b, a) : compare;
  const first = await firstSliced(folders, count, compareWanted, breathe);
  if (first.length >= count) return first;
  return [...first, ...(await firstSliced(documents, count - first.length, compareWanted, breathe))];
}

function sort(order: Order): Promise<Groups> {
  return (order.sorted ??= sortAll(order));
}

async function sortAll({ groups }: Order): Promise<Groups> {
  const { folders, documents } = await groups;
  const breathe = createBreathe();
  return {
    folders: await sortSliced(folders, compare, breathe),
    documents: await sortSliced(documents, compare, breathe),
  };
}

function between({ folders, documents }: Groups, start: number, end: number, isDescending: boolean): Entry[] {
  const part = (group: Entry[], from: number, to: number): Entry[] =>
    isDescending
      ? group.slice(Math.max(0, group.length - to), Math.max(0, group.length - from)).toReversed()
      : group.slice(Math.max(0, from), Math.max(0, to));
  return [
    ...part(folders, start, Math.min(end, folders.length)),
    ...part(documents, Math.max(0, start - folders.length), end - folders.length),
  ];
}

function compare(a: Entry, b: Entry): number {
  return (a.measure ?? 0) - (b.measure ?? 0) || compareText(a.key, b.key) || compareText(a.name, b.name);
}

/** A collator would be nicer and takes seconds on 100,000 names. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
