// An editor as the window and the terminal show it: no key, and its actions grouped by type.

import type { ConnectionTest, EditorItem } from '../contract/editors.ts';
import { typesOf } from './action-choice.ts';
import type { Editor } from './editor.ts';

export interface EditorContext {
  /** Extension → editor id. */
  defaults: Readonly<Record<string, string>>;
  /** Extension → editor id. @see openingEditors */
  opening: ReadonlyMap<string, string>;
  /** The base address of that editor. */
  effectiveUrl: string;
  lastTest: ConnectionTest | undefined;
}

export function editorItemOf(
  editor: Editor,
  { defaults, opening, effectiveUrl, lastTest }: EditorContext,
): EditorItem {
  const { discovery, allowedAddresses, ...rest } = editor;
  return {
    ...rest,
    effectiveUrl,
    hasProofKeys: discovery.proofKeys !== null,
    allowedAddresses: [...allowedAddresses],
    types: typesOf(discovery),
    defaultFor: Object.keys(defaults)
      .filter((extension) => defaults[extension] === editor.id)
      .toSorted(),
    opens: [...opening.keys()].filter((extension) => opening.get(extension) === editor.id).toSorted(),
    lastTest: lastTest ?? null,
  };
}
