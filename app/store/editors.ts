// Connected document servers with what was last read of them, and which of them is the default for which extension.

import type { EditorItem, EditorKind, EditorProblem, ProofMode } from '../contract/editors.ts';
import { isMessageKey, t } from '../contract/messages.ts';
import type { Db } from './open-store.ts';
import { assignmentsOf, column, statements, type RowOf } from './sql.ts';

/** RSA keys with which the editor signs its calls, as PEM public keys (SPKI). */
export interface ProofKeys {
  current: string;
  /** The previous key; null if discovery has none. */
  old: string | null;
}

export interface DiscoveryAction {
  /** `Word`, `writer`, …; the name of the `app` element. */
  app: string;
  /** `view`, `edit`, `editnew`, `convert`, and others the server lists. */
  name: string;
  /** Lower case, without the dot; '' for actions without an extension. */
  extension: string;
  /** With its placeholders: `https://docs.example/hosting/wopi/word/edit?<ui=UI_LLCC&>`. */
  urlsrc: string;
  isDefault: boolean;
}

export interface Discovery {
  /** Only actions whose requirements this host meets. */
  actions: DiscoveryAction[];
  proofKeys: ProofKeys | null;
}

export interface Editor extends Pick<
  EditorItem,
  'id' | 'name' | 'url' | 'kind' | 'product' | 'version' | 'publicUrl'
> {
  proofMode: ProofMode;
  /** Addresses and networks its calls may come from; an empty list allows all. */
  allowedAddresses: readonly string[];
  /** Its pages may be on another host than `url`: the user accepted that. */
  acceptsOtherHosts: boolean;
  discovery: Discovery;
  /** For the built-in one, when it last changed its address or its problem: earlier tests are void. */
  addedAtMs: number;
  discoveredAtMs: number;
  /** It hasn't responded since then; the previous discovery stays in use. */
  problem: EditorProblem | null;
}

const columns = {
  id: column<string>(),
  name: column<string>(),
  url: column<string>(),
  kind: column<EditorKind>(),
  product: column<string | null>(),
  version: column<string | null>(),
  publicUrl: column<string | null>(),
  proofMode: column<ProofMode>(),
  allowedAddresses: column<string>(),
  acceptsOtherHosts: column<0 | 1>(),
  discovery: column<string>(),
  addedAtMs: column<number>(),
  discoveredAtMs: column<number>(),
  /** Only the code is stored; the sentence is worded when it is read. The column `problem` is unused. */
  problemCode: column<string | null>(),
  problemSinceMs: column<number | null>(),
};

type EditorRow = RowOf<typeof columns>;

export function createEditorsTable(db: Db) {
  const { all, run, insert, select } = statements(db);
  const list = select(columns, 'editors').all<[]>('ORDER BY added_at_ms, rowid');
  const insertRow = insert('editors', columns);
  const { id: _id, addedAtMs: _addedAtMs, ...changing } = columns;
  const update = run<[EditorRow]>(`UPDATE editors SET ${assignmentsOf(changing)} WHERE id = @id`);
  const defaults = all<[], { extension: string; id: string }>(`
    SELECT extension, editor_id AS id FROM editor_defaults ORDER BY extension`);
  return {
    /** Oldest first. */
    list: (): Editor[] => list().map(editorOf),
    insert: (editor: Editor) => insertRow(rowOf(editor)),
    /** All of it except its id and when it was added. */
    update: (editor: Editor) => update(rowOf(editor)),
    /** With what it was the default for. */
    remove: run<[id: string]>('DELETE FROM editors WHERE id = ?'),
    /** Ids of editors by extension. */
    defaults: (): Record<string, string> =>
      Object.fromEntries(defaults().map(({ extension, id }) => [extension, id])),
    setDefault: run<[extension: string, editorId: string]>(`
      INSERT INTO editor_defaults (extension, editor_id) VALUES (?, ?)
      ON CONFLICT (extension) DO UPDATE SET editor_id = excluded.editor_id`),
    removeDefault: run<[extension: string]>('DELETE FROM editor_defaults WHERE extension = ?'),
  };
}

function rowOf({ problem, ...editor }: Editor): EditorRow {
  return {
    ...editor,
    allowedAddresses: JSON.stringify(editor.allowedAddresses),
    acceptsOtherHosts: editor.acceptsOtherHosts ? 1 : 0,
    discovery: JSON.stringify(editor.discovery),
    problemCode: problem?.code ?? null,
    problemSinceMs: problem?.sinceMs ?? null,
  };
}

function editorOf(stored: EditorRow): Editor {
  const { problemCode: code, problemSinceMs: sinceMs, ...row } = stored;
  return {
    ...row,
    allowedAddresses: JSON.parse(row.allowedAddresses) as string[],
    acceptsOtherHosts: row.acceptsOtherHosts === 1,
    discovery: JSON.parse(row.discovery) as Discovery,
    problem:
      code === null || sinceMs === null
        ? null
        : {
            code,
            sinceMs,
            get sentence() {
              return sentenceOf(code);
            },
          },
  };
}

/** Until its discovery is read again, which tells more. */
function sentenceOf(code: string): string {
  const key = `error.${code}`;
  return t(isMessageKey(key) ? key : 'error.editor-unreachable');
}
