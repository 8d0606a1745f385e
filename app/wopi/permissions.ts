// What a token may do to a document. CheckFileInfo reports it, and the operations enforce it.

import type { AccessGrant } from '../accounts/access-tokens.ts';
import type { FoundFile } from '../files/document-index.ts';

/** A document whose owner removed all write permissions is read-only, whatever the token says. */
export function mayWrite(grant: AccessGrant, { stats }: Pick<FoundFile, 'stats'>): boolean {
  return grant.canWrite && !isWriteProtected({ stats });
}

export function isWriteProtected({ stats }: Pick<FoundFile, 'stats'>): boolean {
  return (stats.mode & 0o222n) === 0n;
}
