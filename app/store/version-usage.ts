// How much disk the kept versions use: of a page of documents in one query, or of all.

import type { Db } from './open-store.ts';
import { statements } from './sql.ts';

interface VersionUsage {
  count: number;
  bytes: number;
}

export function createVersionUsageTable(db: Db) {
  const { one, all } = statements(db);
  const byFile = all<[fileIds: string], VersionUsage & { fileId: string }>(`
    SELECT file_id AS fileId, count(*) AS count, sum(size) AS bytes FROM versions
    WHERE file_id IN (SELECT value FROM json_each(?)) GROUP BY file_id`);
  const total = one<[], VersionUsage>(`
    SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM versions`);
  return {
    /** Leaves out documents without a kept version. */
    byFile: (fileIds: readonly string[]): Map<string, VersionUsage> =>
      new Map(byFile(JSON.stringify(fileIds)).map(({ fileId, ...usage }) => [fileId, usage])),
    /** In all folders ever hosted. */
    total: (): VersionUsage => total() ?? { count: 0, bytes: 0 },
  };
}
