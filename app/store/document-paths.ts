// Where documents lie, for lists that name many of them.

import type { Db } from './open-store.ts';

export interface DocumentPaths {
  /** Inside its hosted folder, with '/'. */
  of(fileId: string): string | undefined;
  /** Of all documents that a token is left for, by file id. */
  withTokens(): Map<string, string>;
}

export function createDocumentPaths(db: Db): DocumentPaths {
  const of = db.prepare<[string], string>('SELECT path FROM files WHERE id = ?').pluck();
  const withTokens = db
    .prepare<[], [string, string]>(
      'SELECT id, path FROM files WHERE id IN (SELECT file_id FROM access_tokens WHERE revoked_at_ms IS NULL)',
    )
    .raw();
  return {
    of: (fileId) => of.get(fileId),
    withTokens: () => new Map(withTokens.all()),
  };
}
