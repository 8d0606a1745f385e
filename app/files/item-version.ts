// The version that editors see: the persisted counter, which changes with every accepted save and every content found on disk and
// is never reused, and a short hash that distinguishes the same counter of another database.

import { hash } from 'node:crypto';

/** Such as `12.3fa9c01b`. `row.id` is the file id. */
export function itemVersionOf(row: { id: string; createdAtMs: number; version: number }): string {
  const mark = hash('sha1', `${row.id} ${row.createdAtMs} ${row.version}`, 'hex');
  return `${row.version}.${mark.slice(0, 8)}`;
}
