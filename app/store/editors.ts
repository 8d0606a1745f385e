// The editors table: connected document servers with what was last read of them, and which is the default for what.

import type { EditorKind, ProofMode } from '../contract/editors.ts';
import type { Editor } from '../editors/editor.ts';
import type { Discovery } from '../wopi/discovery.ts';
import type { Db } from './open-store.ts';

export interface EditorsTable {
  /** Oldest first. */
  list(): Editor[];
  insert(editor: Editor): void;
  /** All of it but id and the time it was added. */
  update(editor: Editor): void;
  /** With what it was the default for. */
  remove(id: string): void;
  /** Ids of editors by extension. */
  defaults(): Record<string, string>;
  setDefault(extension: string, editorId: string | null): void;
}

interface EditorRow {
  id: string;
  name: string;
  url: string;
  kind: EditorKind;
  product: string | null;
  version: string | null;
  publicUrl: string | null;
  proofMode: ProofMode;
  allowedAddresses: string;
  acceptsOtherHosts: 0 | 1;
  discovery: string;
  addedAtMs: number;
  discoveredAtMs: number;
  problemCode: string | null;
  problem: string | null;
  problemSinceMs: number | null;
}

export function createEditorsTable(db: Db): EditorsTable {
  const list = db.prepare<[], EditorRow>(
    `SELECT id, name, url, kind, product, version, public_url AS publicUrl, proof_mode AS proofMode,
       allowed_addresses AS allowedAddresses, accepts_other_hosts AS acceptsOtherHosts, discovery,
       added_at_ms AS addedAtMs, discovered_at_ms AS discoveredAtMs, problem_code AS problemCode, problem,
       problem_since_ms AS problemSinceMs
     FROM editors ORDER BY added_at_ms, rowid`,
  );
  const insert = db.prepare<[EditorRow]>(
    `INSERT INTO editors (id, name, url, kind, product, version, public_url, proof_mode, allowed_addresses,
       accepts_other_hosts, discovery, added_at_ms, discovered_at_ms, problem_code, problem, problem_since_ms)
     VALUES (:id, :name, :url, :kind, :product, :version, :publicUrl, :proofMode, :allowedAddresses,
       :acceptsOtherHosts, :discovery, :addedAtMs, :discoveredAtMs, :problemCode, :problem, :problemSinceMs)`,
  );
  const update = db.prepare<[EditorRow]>(
    `UPDATE editors SET name = :name, url = :url, kind = :kind, product = :product, version = :version, public_url = :publicUrl,
       proof_mode = :proofMode, allowed_addresses = :allowedAddresses, accepts_other_hosts = :acceptsOtherHosts,
       discovery = :discovery, discovered_at_ms = :discoveredAtMs, problem_code = :problemCode, problem = :problem,
       problem_since_ms = :problemSinceMs
     WHERE id = :id`,
  );
  const remove = db.prepare<[string]>('DELETE FROM editors WHERE id = ?');
  const defaults = db.prepare<[], { extension: string; editorId: string }>(
    'SELECT extension, editor_id AS editorId FROM editor_defaults ORDER BY extension',
  );
  const putDefault = db.prepare<[string, string]>(
    `INSERT INTO editor_defaults (extension, editor_id) VALUES (?, ?)
     ON CONFLICT (extension) DO UPDATE SET editor_id = excluded.editor_id`,
  );
  const removeDefault = db.prepare<[string]>('DELETE FROM editor_defaults WHERE extension = ?');

  return {
    list: () => list.all().map(editorOf),
    insert: (editor) => void insert.run(rowOf(editor)),
    update: (editor) => void update.run(rowOf(editor)),
    remove: (id) => void remove.run(id),
    defaults: () =>
      Object.fromEntries(defaults.all().map(({ extension, editorId }) => [extension, editorId])),
    setDefault(extension, editorId) {
      if (editorId === null) removeDefault.run(extension);
      else putDefault.run(extension, editorId);
    },
  };
}

function rowOf(editor: Editor): EditorRow {
  const { problem, allowedAddresses, acceptsOtherHosts, discovery, ...rest } = editor;
  return {
    ...rest,
    allowedAddresses: JSON.stringify(allowedAddresses),
    acceptsOtherHosts: acceptsOtherHosts ? 1 : 0,
    discovery: JSON.stringify(discovery),
    problemCode: problem?.code ?? null,
    problem: problem?.sentence ?? null,
    problemSinceMs: problem?.sinceMs ?? null,
  };
}

function editorOf(row: EditorRow): Editor {
  const { problemCode, problem, problemSinceMs, allowedAddresses, acceptsOtherHosts, discovery, ...rest } =
    row;
  const hasProblem = problemCode !== null && problem !== null && problemSinceMs !== null;
  return {
    ...rest,
    allowedAddresses: JSON.parse(allowedAddresses) as string[],
    acceptsOtherHosts: acceptsOtherHosts === 1,
    discovery: JSON.parse(discovery) as Discovery,
    problem: hasProblem ? { code: problemCode, sentence: problem, sinceMs: problemSinceMs } : null,
  };
}
