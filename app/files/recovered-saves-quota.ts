// Which recovered saves make room for a new one. A recovered save is work that may be nowhere else, so the rule is strict:
//
// 1. The same bytes for the same document count once. Where two users sent them, they belong to neither from then on.
// 2. Only an older recovered save of the same document by the same user makes room: the newer one replaces it. Those of the
//    same access token go first, the oldest first; then those of the user's other tokens. Nothing of another document or of
//    another user is ever removed for it, and nothing that belongs to nobody.
// 3. Nothing makes room for a copy (PutRelativeFile): it is no newer state of the document, and the document is still there.
// 4. One save is kept even where it alone is larger than a quota.
// 5. Where all that makes too little room, nothing is removed and the new body is refused, with an event.
//
// Nothing is removed before the new save is on the disk and recorded. Expiry after `recoveredDays` is handled separately.

import type { RescuedRow } from '../store/versions.ts';

export interface RecoveredSavesQuota {
  /** Of all recovered saves together. */
  totalBytes: number;
  /** Of those that came with one access token. */
  tokenBytes: number;
}

export interface NewRecoveredSave {
  fileId: string;
  userId: string | null;
  tokenId: string | null;
  isCopy: boolean;
  size: number;
}

/** Of one access token, whatever their size: small bodies are bounded too. */
export const maxSavesPerToken = 100;

/** Those to remove for it; undefined where it has to be refused. `rows` are all there are, newest first. */
export function roomFor(
  save: NewRecoveredSave,
  rows: readonly RescuedRow[],
  quota: RecoveredSavesQuota,
): RescuedRow[] | undefined {
  const isOfToken = (row: RescuedRow): boolean => row.tokenId !== null && row.tokenId === save.tokenId;
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
  const removed: RescuedRow[] = [];
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

function bytesOf(rows: readonly RescuedRow[]): number {
  return rows.reduce((sum, { size }) => sum + size, 0);
}
