// Connected editors as the window shows them, oldest first.

import type { ConnectionTest, EditorItem } from '../contract/editors.ts';
import { editorItemOf } from '../editors/editor-item.ts';
import type { Editor } from '../editors/editor.ts';

/** What of the host is asked here. */
export interface EditorItemsHost {
  services: {
    editors: {
      /** Oldest first. */
      list(): readonly Editor[];
      /** Extension → editor's id. */
      defaults(): Readonly<Record<string, string>>;
    };
  };
  lastTest(editorId: string): ConnectionTest | undefined;
  baseUrlOf(editorId: string | null): string;
}

export function editorItems({ services, lastTest, baseUrlOf }: EditorItemsHost): EditorItem[] {
  const defaults = services.editors.defaults();
  return services.editors.list().map((editor) =>
    editorItemOf(editor, {
      defaults,
      effectiveUrl: baseUrlOf(editor.id),
      lastTest: lastTest(editor.id),
    }),
  );
}
