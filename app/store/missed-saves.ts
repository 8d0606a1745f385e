// Documents whose newest save isn't in their file, one row for each: it goes when a later save is written, or when the user has
// decided what to keep. All are in memory too, since every save asks.

import type { MissedSave } from '../contract/page-state.ts';
import type { Db } from './open-store.ts';
import { column, statements } from './sql.ts';

const columns = {
  fileId: column<string>(),
  kind: column<MissedSave['kind']>(),
  keptId: column<string | null>(),
  atMs: column<number>(),
};

export type MissedSavesTable = ReturnType<typeof createMissedSavesTable>;

export function createMissedSavesTable(db: Db, onChange: () => void = () => undefined) {
  const { run, select } = statements(db);
  const insert = run<[MissedSave & { fileId: string }]>(
    `INSERT OR REPLACE INTO missed_saves (file_id, kind, kept_id, at_ms)
    SELECT id, @kind, @keptId, @atMs FROM files WHERE id = @fileId`,
    'nothing',
  );
  const remove = run<[fileId: string]>('DELETE FROM missed_saves WHERE file_id = ?', 'nothing');
  const all = select(columns, 'missed_saves').all<[]>('');
  const missed = new Map<string, MissedSave>(all().map(({ fileId, ...save }) => [fileId, save]));

  const clear = (fileId: string): void => {
    if (!missed.delete(fileId)) return;
    remove(fileId);
    onChange();
  };
  return {
    get: (fileId: string): MissedSave | undefined => missed.get(fileId),
    set(fileId: string, save: MissedSave): void {
      // In memory first: what the page shows must not depend on the database.
      missed.set(fileId, save);
      onChange();
      insert({ ...save, fileId });
    },
    clear,
    /** The recovered save or version is gone, or the user has restored it. */
    clearKept(keptId: string): void {
      for (const [fileId, save] of missed) if (save.keptId === keptId) clear(fileId);
    },
  };
}
