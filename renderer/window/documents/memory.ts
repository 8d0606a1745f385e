// Where the Documents view was when it was left, so that a look at the locks does not cost the way through ten folders. It
// lasts as long as the window.

import type { ListingQuery } from './listing.ts';

const key = 'documents';
const sorts: readonly string[] = ['name', 'modified', 'size'];

/** `root`: the hosted folder; what was remembered of another one does not count. */
export function rememberQuery(root: string, query: ListingQuery): void {
  sessionStorage.setItem(key, JSON.stringify({ root, ...query }));
}

export function recallQuery(root: string): ListingQuery {
  const start: ListingQuery = { folder: '', sort: 'name', isDescending: false };
  const text = sessionStorage.getItem(key);
  if (text === null) return start;
  const known = JSON.parse(text) as ListingQuery & { root: string };
  return known.root === root && typeof known.folder === 'string' && sorts.includes(known.sort)
    ? { folder: known.folder, sort: known.sort, isDescending: known.isDescending }
    : start;
}
