// Which recovered saves make room for a new one. A recovered save may be the only copy of a user's work, so the rule is strict:
//
// 1. The same bytes for the same document count once. If two users sent them, they belong to neither from then on.
// 2. Only an older recovered save of the same document by the same user makes room: the newer one replaces it. Those of the same
// access token go first, the oldest first; then those of the user's other tokens. Recovered saves of another document, of another
// user or without a user are never removed for it.
// 3. Nothing makes room for a copy (PutRelativeFile): it isn't a newer state of the document, and the document still exists.
// 4. One save is kept even if it exceeds a quota by itself.
// 5. If that doesn't free enough room, nothing is removed and the new body is refused, with an event.
//
// Nothing is removed before the new save is on disk and recorded. Expiry after `recoveredDays` is separate.

import type { RecoveredRow } from '../store/versions.ts';

export interface RecoveredSavesQuota {
  /** For all recovered saves together. */
  totalBytes: number;
  /** For those that came with one access token. */
  tokenBytes: number;
}

export interface NewRecoveredSave {
  fileId: string;
  userId: string | null;
  tokenId: string | null;
  isCopy: boolean;
  size: number;
}

/** Per access token, whatever their size: limits small bodies too. */
export const maxSavesPerToken = 100;

/** Those to remove for it; undefined if it must be refused. `rows` are all of them, newest first. */
export function roomFor(
  save: NewRecoveredSave,
  rows: readonly RecoveredRow[],
  quota: RecoveredSavesQuota,
): RecoveredRow[] | undefined {
  const isOfToken = (row: RecoveredRow): boolean => row.tokenId !== null && row.tokenId === save.tokenId;
  const older = save.isCopy
    ? []
    : rows
        .filter(({ userId, fileId }) => userId !== null && userId === save.userId && fileId === save.fileId)
        .toReversed();
  const inOrder = [...older.filter(isOfToken), ...older.filter((row) => !isOfToken(row))];

  const ofToken = rows.filter(isOfToken);
  const left = { count: ofToken.length, tokenBytes: bytesOf(ofToken), bytes: bytesOf(rows) };
  const fits = (): boolean =>
    left.count < maxSavesPerToken &&
    left.tokenBytes + save.size <= Math.max(quota.tokenBytes, save.size) &&
    left.bytes + save.size <= Math.max(quota.totalBytes, save.size);
  const removed: RecoveredRow[] = [];
  for (const row of inOrder) {
    if (fits()) break;
    removed.push(row);
    left.bytes -= row.size;
    if (!isOfToken(row)) continue;
    left.count -= 1;
    left.tokenBytes -= row.size;
  }
  return fits() ? removed : undefined;
}

function bytesOf(rows: readonly RecoveredRow[]): number {
  return rows.reduce((sum, { size }) => sum + size, 0);
}
