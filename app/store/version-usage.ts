// How much disk the kept versions use: of a page of documents in one query, or of all.

import type { Db } from './open-store.ts';

export interface VersionUsage {
  count: number;
  bytes: number;
}

export interface VersionUsageTable {
  /** Documents without a kept version are left out. */
  of(fileIds: readonly string[]): Map<string, VersionUsage>;
  /** In all folders ever hosted. */
  total(): VersionUsage;
}

export function createVersionUsageTable(db: Db): VersionUsageTable {
  const of = db.prepare<[string], VersionUsage & { fileId: string }>(
    `SELECT file_id AS fileId, count(*) AS count, sum(size) AS bytes FROM versions
     WHERE file_id IN (SELECT value FROM json_each(?)) GROUP BY file_id`,
  );
  const total = db.prepare<[], VersionUsage>(
    'SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM versions',
  );
  return {
    of: (fileIds) =>
      new Map(of.all(JSON.stringify(fileIds)).map(({ fileId, count, bytes }) => [fileId, { count, bytes }])),
    total: () => total.get() ?? { count: 0, bytes: 0 },
  };
}
